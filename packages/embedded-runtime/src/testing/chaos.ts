/**
 * Rounds of a host that is killed while it works, and what is left of it.
 *
 * @module
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../clock.ts';
import { createEmbeddedHost, type EmbeddedHost } from '../host.ts';
import { createChaosRegistry, LANES, SINK, TICKS } from './chaos-registry.ts';
import { createManualClock } from './manual-clock.ts';

const CHILD = fileURLToPath(new URL('chaos-child.ts', import.meta.url));
const NUMBERS_PER_ROUND = 100_000;

/** What was accepted, over all rounds. */
interface Accepted {
  readonly sent: Map<string, number[]>;
  readonly timers: number[];
  readonly deliveries: number[];
  readonly spawned: number[];
}

/** What came of the rounds. */
export interface ChaosReport {
  readonly rounds: number;
  /** How much was accepted. */
  readonly accepted: Readonly<Record<'messages' | 'timers' | 'deliveries' | 'spawns', number>>;
  readonly ticks: number;
  /** What went wrong; empty when nothing did. */
  readonly problems: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

function launch(dataDir: string, round: number): Child {
  const args = ['--import', 'tsx', CHILD, dataDir, String(round * NUMBERS_PER_ROUND)];
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

function note(accepted: Accepted, line: string): void {
  const [what = '', ...rest] = line.split(' ');
  const n = Number(rest.at(-1));
  if (what === 'sent') accepted.sent.get(rest[0] ?? '')?.push(n);
  else if (what === 'timer') accepted.timers.push(n);
  else if (what === 'delivery') accepted.deliveries.push(n);
  else if (what === 'spawned') accepted.spawned.push(n);
}

/** Lets a child go and kills it at a random moment: mostly at work, sometimes while it starts. */
async function runUntilKilled(child: Child, accepted: Accepted, random: () => number): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const killIn = (ms: number) => setTimeout(() => child.kill('SIGKILL'), ms);
  child.stdin.write('go\n');
  if (random() < 0.1) killIn(random() * 50);
  for await (const line of createInterface({ input: child.stdout })) {
    note(accepted, line);
    if (line === 'ready') killIn(5 + random() * 145);
  }
  await exited;
}

/** Each number is there once, if it was accepted, and at most once, if it was not. */
function checkOnce(
  what: string,
  expected: readonly number[],
  found: readonly number[],
  problems: string[],
): void {
  const seen = new Set(found);
  if (seen.size !== found.length) problems.push(`a ${what} came twice`);
  for (const n of expected) if (!seen.has(n)) problems.push(`${what} ${n} was lost`);
}

/** One lane: nothing twice, nothing lost, nothing out of order. @returns what it handled */
function checkLane(host: EmbeddedHost, lane: string, sent: readonly number[], problems: string[]): number[] {
  const done = host.readRows(`/worker/${lane}`, 'done').map((row) => Number(row.n));
  checkOnce(`message to ${lane}`, sent, done, problems);
  if (done.some((n, index) => n <= (done[index - 1] ?? -1))) problems.push(`${lane} lost its order`);
  return done;
}

function checkMessages(host: EmbeddedHost, { sent, spawned }: Accepted, problems: string[]): void {
  const handled = [
    ...[...sent].flatMap(([lane, numbers]) => checkLane(host, lane, numbers, problems)),
    ...spawned.flatMap((n) => checkLane(host, `s${n}`, [n], problems)),
  ];
  const effects = new Set(host.readRows(SINK, 'effects').map((row) => Number(row.key)));
  for (const n of handled) if (!effects.has(n)) problems.push(`the effect of message ${n} was lost`);
}

async function eventsOf(
  host: EmbeddedHost,
  path: string,
): Promise<readonly { key: string; value?: unknown }[]> {
  const response = await host.fetch(new Request(`http://host${path}`));
  return response.ok ? ((await response.json()) as { key: string; value?: unknown }[]) : [];
}

/** @returns how often it ticked */
async function checkTicks(host: EmbeddedHost, problems: string[]): Promise<number> {
  const ticks = await eventsOf(host, TICKS.streamUrl);
  const times = ticks.map(({ value }) => (value as { firedAt: string }).firedAt.slice(0, -5));
  if (new Set(times).size !== times.length) problems.push('cron ticked twice in a second');
  for (const [index, { key }] of ticks.entries()) {
    if (key !== `tick-${index}`) problems.push(`tick ${index} has the key ${key}`);
  }
  return ticks.length;
}

/** Opens what the killed hosts left, lets it come to its end, and looks. */
async function check(dataDir: string, accepted: Accepted): Promise<{ ticks: number; problems: string[] }> {
  const clock = createManualClock(systemClock.now() + 60_000);
  const host = createEmbeddedHost({ registry: createChaosRegistry(), dataDir, clock });
  await host.start();
  await host.settled();
  const problems: string[] = [];
  checkMessages(host, accepted, problems);
  const timers = host.readRows(SINK, 'timers').map((row) => Number(row.n));
  checkOnce('timer', accepted.timers, timers, problems);
  const deliveries = (await eventsOf(host, '/_webhooks/github/all')).map(({ key }) =>
    Number(key.split('-')[1]),
  );
  checkOnce('delivery', accepted.deliveries, deliveries, problems);
  const ticks = await checkTicks(host, problems);
  for (const url of [SINK, ...LANES.map((lane) => `/worker/${lane}`)]) {
    for (const row of host.readRows(url, 'errors')) problems.push(`${url}: ${row.message}`);
  }
  await host.close();
  return { ticks, problems };
}

/**
 * Kills a host again and again in one data directory, and checks what it kept.
 *
 * @param random - between 0 and 1
 */
export async function runChaos(dataDir: string, rounds: number, random: () => number): Promise<ChaosReport> {
  const accepted: Accepted = {
    sent: new Map(LANES.map((lane) => [lane, []])),
    timers: [],
    deliveries: [],
    spawned: [],
  };
  let child = launch(dataDir, 0);
  for (let round = 0; round < rounds; round += 1) {
    const next = round + 1 < rounds ? launch(dataDir, round + 1) : undefined; // loads while this one works
    await runUntilKilled(child, accepted, random);
    child = next ?? child;
  }
  const { ticks, problems } = await check(dataDir, accepted);
  const messages = [...accepted.sent.values()].reduce((sum, sent) => sum + sent.length, 0);
  const { timers, deliveries, spawned } = accepted;
  return {
    rounds,
    accepted: { messages, timers: timers.length, deliveries: deliveries.length, spawns: spawned.length },
    ticks,
    problems,
  };
}
