import { spawn } from 'node:child_process';
import { GitCommandError } from './errors.ts';

export interface GitInvocation {
  /** The repository; absent only for `init` and discovery. */
  readonly gitDir?: string;
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  /** Exit codes that are an answer rather than a failure. Default: only 0. */
  readonly acceptExitCodes?: readonly number[];
  readonly author?: GitIdentity;
  /** Author and committer date, ISO 8601. Default: now. */
  readonly dateIso?: string;
}

export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

/**
 * Settings that the reader's own configuration must not change: a user's `diff.*`, hooks or file monitor
 * would alter any diff or run programs. `safe.directory` is open because the user's own list of safe
 * directories is hidden together with the rest of the configuration; what that check guards against
 * (hooks, monitors, external diffs, text conversion) is switched off here or by the callers.
 */
const FIXED_CONFIG: readonly string[] = [
  'core.quotePath=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.abbrev=7',
  'diff.suppressBlankEmpty=false',
  'diff.ignoreSubmodules=none',
  'i18n.logOutputEncoding=UTF-8',
  'i18n.commitEncoding=UTF-8',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'safe.directory=*',
];

/** Who makes commits when nobody is named. */
export const DEFAULT_IDENTITY: GitIdentity = {
  name: 'GitHub Simulator',
  email: 'simulator@users.noreply.github.com',
};

/**
 * Runs real git with an environment of its own: no user or system configuration, no inherited `GIT_*`
 * variables, no prompts, a fixed identity.
 *
 * @throws GitCommandError when git cannot be started or ends with an exit code that was not expected.
 */
export function runGit(invocation: GitInvocation): Promise<GitResult> {
  const { args, acceptExitCodes = [0] } = invocation;
  return new Promise((resolve, reject) => {
    const child = spawn('git', commandLine(invocation), { env: environment(invocation), stdio: 'pipe' });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', (cause) => reject(new GitCommandError(args, undefined, cause.message, { cause })));
    child.on('close', (code) => {
      if (code !== null && acceptExitCodes.includes(code)) {
        resolve({ exitCode: code, stdout: Buffer.concat(stdout) });
      } else {
        reject(new GitCommandError(args, code ?? undefined, Buffer.concat(stderr).toString('utf8')));
      }
    });
    // git may end before it has read all input; its exit code tells what happened.
    child.stdin.on('error', () => undefined);
    child.stdin.end(invocation.input ?? '');
  });
}

/** As {@link runGit}, for output that is one line of text. */
export async function runGitForLine(invocation: GitInvocation): Promise<string> {
  return (await runGit(invocation)).stdout.toString('utf8').trim();
}

function commandLine({ gitDir, args, author = DEFAULT_IDENTITY }: GitInvocation): string[] {
  const config = [...FIXED_CONFIG, `user.name=${author.name}`, `user.email=${author.email}`];
  const repository = gitDir === undefined ? [] : [`--git-dir=${gitDir}`];
  return [...repository, ...config.flatMap((setting) => ['-c', setting]), ...args];
}

function environment({ gitDir, dateIso }: GitInvocation): NodeJS.ProcessEnv {
  return {
    // biome-ignore lint/style/noProcessEnv: git is found where the caller's PATH says; nothing else is inherited.
    PATH: process.env.PATH,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    // Without a work tree the current directory would count as one, and its .gitattributes be read.
    ...(gitDir === undefined ? {} : { GIT_WORK_TREE: gitDir }),
    ...(dateIso === undefined ? {} : { GIT_AUTHOR_DATE: dateIso, GIT_COMMITTER_DATE: dateIso }),
  };
}
