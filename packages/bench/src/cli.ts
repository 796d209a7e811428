/**
 * `bench <suite>`: figures of this machine, as a table or as JSON.
 *
 * @module
 */

import { tmpdir } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { GATE_SUITE } from './gate-suite.ts';
import { describeMachine } from './machine.ts';
import { reviewSuite } from './review/suite.ts';
import { renderTrace, traceRounds } from './review/trace.ts';
import { RUNTIME_SUITE } from './runtime/suite.ts';
import { runSuite, type Suite } from './suite.ts';
import { renderTable } from './table.ts';

const EX_USAGE = 64;
const EX_SOFTWARE = 70;

function keysOf<TKey extends string>(text: string, { figures }: Suite<TKey>): readonly TKey[] {
  const known = Object.keys(figures) as TKey[];
  return text.split(',').map((name) => {
    const key = known.find((candidate) => candidate === name);
    if (key !== undefined) return key;
    throw new InvalidArgumentError(`There is no figure ${name}; there are ${known.join(', ')}.`);
  });
}

function parseRuns(text: string): number {
  const runs = Number(text);
  if (Number.isSafeInteger(runs) && runs >= 1) return runs;
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

interface SuiteFlags {
  readonly json?: true;
  readonly only?: readonly string[];
  readonly runs: number;
  readonly dir: string;
  readonly profileDir?: string;
}

/** A command with the options that every suite has. */
function suiteCommand<TKey extends string>(name: string, description: string, suite: Suite<TKey>): Command {
  return new Command(name)
    .exitOverride()
    .description(description)
    .option('--json', 'one JSON object on standard output')
    .option('--only <keys>', 'only these figures, with commas between them', (text) => keysOf(text, suite))
    .option('--runs <count>', 'runs that count', parseRuns, 5)
    .option('--dir <path>', 'where the databases lie while they are used', tmpdir())
    .option('--profile-dir <path>', 'where each process under test leaves a CPU profile');
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function runFigures<TKey extends string>(suite: Suite<TKey>, flags: SuiteFlags): Promise<void> {
  const { json, only, ...options } = flags;
  const wanted = only === undefined ? {} : { only: keysOf(only.join(), suite) };
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const findings = await runSuite(suite, { ...options, ...wanted, onProgress });
  const machine = await describeMachine(options.dir);
  process.stdout.write(json ? toJson(findings) : renderTable(suite.figures, findings, machine));
}

interface ReviewFlags extends SuiteFlags {
  readonly model: boolean;
  readonly trace?: true;
}

async function runReview({ model: withModel, trace: wantsTrace, ...flags }: ReviewFlags): Promise<void> {
  if (wantsTrace === undefined) return runFigures(reviewSuite(withModel), flags);
  const trace = await traceRounds({ ...flags, withModel });
  process.stdout.write(flags.json ? toJson(trace) : renderTrace(trace));
}

function program(): Command {
  const bench = new Command('bench').description('Measures this machine.').exitOverride();
  bench.addCommand(
    suiteCommand('runtime', 'speed and size of the embedded runtime', RUNTIME_SUITE).action((flags) =>
      runFigures(RUNTIME_SUITE, flags),
    ),
  );
  bench.addCommand(
    suiteCommand('gate', 'what was said before: read, decided and remembered', GATE_SUITE).action((flags) =>
      runFigures(GATE_SUITE, flags),
    ),
  );
  bench.addCommand(
    suiteCommand('review', 'from delivery to comment, and what it asks of GitHub', reviewSuite(true))
      .option('--no-model', 'let the built-in analyzers review alone')
      .option('--trace', 'instead of figures: each request of one first and one later round')
      .action(runReview),
  );
  return bench;
}

/** Runs what the arguments ask for. @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  const bench = program();
  const suites = bench.commands.map((command) => command.name());
  const [suite = ''] = args;
  if (!suite.startsWith('-') && suite !== 'help' && !suites.includes(suite)) {
    process.stderr.write(`There is no suite "${suite}"; there are: ${suites.join(', ')}.\n`);
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
