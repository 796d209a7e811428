/**
 * `pnpm chaos [--rounds N] [--fuzz N]`: kills hosts and makes malformed requests, as often as one likes.
 */

import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEmbeddedHost } from '../host.ts';
import { runChaos } from './chaos.ts';
import { createFuzzRegistry, fuzzRoutes } from './malformed-requests.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string' }, fuzz: { type: 'string' } } });
const fuzz = Number(values.fuzz ?? 0);
const rounds = Number(values.rounds ?? (fuzz > 0 ? 0 : 20));
if (!Number.isSafeInteger(rounds) || !Number.isSafeInteger(fuzz)) {
  throw new TypeError('--rounds and --fuzz take whole numbers');
}

function print(line: string): void {
  writeSync(1, `${line}\n`);
}

async function kill(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'embedded-runtime-chaos-'));
  const { accepted, ticks, problems } = await runChaos(dataDir, rounds, Math.random);
  for (const problem of problems) print(problem);
  const counts = Object.entries({ ...accepted, ticks }).map(([what, count]) => `${count} ${what}`);
  print(`chaos: ${rounds} kills, ${counts.join(', ')} accepted, ${problems.length} problems`);
  if (problems.length === 0) rmSync(dataDir, { recursive: true });
  else print(`what is left stands in ${dataDir}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function makeRequests(): Promise<void> {
  const host = createEmbeddedHost({ registry: createFuzzRegistry(), dataDir: ':memory:' });
  await host.start();
  await fuzzRoutes(host, fuzz);
  await host.close();
  print(`fuzz: ${fuzz} malformed requests, none answered with a fault`);
}

if (rounds > 0) await kill();
if (fuzz > 0) await makeRequests();
