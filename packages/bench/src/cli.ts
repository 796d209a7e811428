/**
 * `bench <suite>`: figures of this machine, as a table or as JSON.
 *
 * @module
 */

import { tmpdir } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describeMachine } from './machine.ts';
import { FIGURES, type FigureKey, isFigureKey } from './runtime/figures.ts';
import { runRuntimeSuite } from './runtime/suite.ts';
import { renderTable } from './runtime/table.ts';

const EX_USAGE = 64;
const EX_SOFTWARE = 70;

function parseKeys(text: string): readonly FigureKey[] {
  return text.split(',').map((name) => {
    if (isFigureKey(name)) return name;
    throw new InvalidArgumentError(
      `There is no figure ${name}; there are ${Object.keys(FIGURES).join(', ')}.`,
    );
  });
}

function parseRuns(text: string): number {
  const runs = Number(text);
  if (Number.isSafeInteger(runs) && runs >= 1) return runs;
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

interface RuntimeOptions {
  readonly json?: true;
  readonly only?: readonly FigureKey[];
  readonly runs: number;
  readonly dir: string;
  readonly profileDir?: string;
}

async function runRuntime({ json, ...options }: RuntimeOptions): Promise<void> {
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const findings = await runRuntimeSuite({ ...options, onProgress });
  const machine = await describeMachine(options.dir);
  process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : renderTable(findings, machine));
}

function program(): Command {
  const bench = new Command('bench').description('Measures this machine.').exitOverride();
  bench
    .command('runtime')
    .description('speed and size of the embedded runtime')
    .option('--json', 'one JSON object on standard output')
    .option('--only <keys>', 'only these figures, with commas between them', parseKeys)
    .option('--runs <count>', 'runs that count, after one to warm up', parseRuns, 5)
    .option('--dir <path>', 'where the databases lie while they are used', tmpdir())
    .option('--profile-dir <path>', 'where each process under test leaves a CPU profile')
    .action(runRuntime);
  return bench;
}

/** Runs what the arguments ask for. @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  const bench = program();
  const suites = bench.commands.map((command) => command.name());
  const [suite = ''] = args;
  if (!suite.startsWith('-') && suite !== 'help' && !suites.includes(suite)) {
    process.stderr.write(`There is no suite "${suite}"; there is: ${suites.join(', ')}.\n`);
    return EX_USAGE;
  }
  try {
    await bench.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return EX_SOFTWARE;
  }
}

process.exitCode = await main(process.argv.slice(2));
