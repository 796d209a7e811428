/**
 * The commands. Each fault of a person's making is one clear sentence and a status of `sysexits.h`.
 *
 * @module
 */
import { Command, CommanderError } from 'commander';
import { InterruptedError } from './commands/interruption.ts';
import { processEnvironment } from './config.ts';
import { ConfigError, InputError, messageOf, UnavailableError } from './errors.ts';

const EX_USAGE = 64;
const EX_DATAERR = 65;
const EX_UNAVAILABLE = 69;
const EX_SOFTWARE = 70;
const EX_CONFIG = 78;

/** Commands are loaded when they are called: help and mistakes need not wait for what a review needs. */
function program(): Command {
  const shepherd = new Command('shepherd')
    .description('PR Shepherd stays with each pull request and keeps one review comment true.')
    .showHelpAfterError('Run with --help to see what there is.')
    .exitOverride();

  shepherd
    .command('start')
    .description('run the service; configured by the environment, see .env.example')
    .action(async () => (await import('./commands/start.ts')).runStartCommand(processEnvironment()));

  shepherd
    .command('demo')
    .description('review a range on a GitHub that runs on this machine; without options, a sample history')
    .option('--repo <path>', 'a local git repository, which is only read')
    .option(
      '--base <ref>',
      'what the change is compared with (default with a repository: the commit before the head)',
    )
    .option('--head <ref>', 'the change (default with a repository: HEAD)')
    .option('--json', 'one JSON object a line on standard output')
    .option('--keep', 'leave everything running and print the addresses')
    .action(async (options) =>
      (await import('./commands/demo.ts')).runDemoCommand(options, processEnvironment()),
    );

  shepherd
    .command('review')
    .description('review a range of a local repository: Markdown on standard output, nothing written')
    .requiredOption('--repo <path>', 'a local git repository')
    .requiredOption('--base <ref>', 'what the change is compared with')
    .requiredOption('--head <ref>', 'the change')
    .action(async (options) =>
      (await import('./commands/review.ts')).runReviewCommand(options, processEnvironment()),
    );

  shepherd
    .command('status')
    .description('what the running service does with a pull request, and why; without one, with all')
    .argument('[pull-request]', 'owner/repo#12, or only its number')
    .option('--json', 'one JSON object on standard output')
    .action(async (which, options) =>
      (await import('./commands/status.ts')).runStatusCommand(which, options, processEnvironment()),
    );

  return shepherd;
}

/** The exit status for what a command threw, after telling it on standard error. */
function report(error: unknown): number {
  // Commander has written its own sentence, and help is no fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n${error.problems.map((problem) => `  - ${problem}\n`).join('')}`);
    return EX_CONFIG;
  }
  if (error instanceof InterruptedError) {
    if (error.message !== '') process.stderr.write(`${error.message}\n`);
    return error.status;
  }
  process.stderr.write(`${messageOf(error)}\n`);
  if (error instanceof UnavailableError) return EX_UNAVAILABLE;
  return error instanceof InputError ? EX_DATAERR : EX_SOFTWARE;
}

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
