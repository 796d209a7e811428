import { runGit } from './run-git.ts';

/** What a revision expression such as `main:src/a.ts` names. */
export interface GitObject {
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly sha: string;
  readonly bytes: Buffer;
}

/** git's own rule: a NUL among the first 8000 bytes. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/**
 * Reads many objects with one process, in the order asked for. Undefined where nothing is, where the
 * expression names more than one object, and for the commit of a submodule.
 */
export async function readObjects(
  gitDir: string,
  expressions: readonly string[],
): Promise<readonly (GitObject | undefined)[]> {
  // Records end in NUL, so an expression must not hold one itself.
  const askable = expressions.filter(isAskable);
  if (askable.length === 0) return expressions.map(() => undefined);
  const input = askable.map((expression) => `${expression}\0`).join('');
  const { stdout } = await runGit({ gitDir, args: ['cat-file', '--batch', '-z'], input });
  let at = 0;
  return expressions.map((expression) => {
    if (!isAskable(expression)) return undefined;
    const { object, next } = readRecord(stdout, at, expression);
    at = next;
    return object;
  });
}

function isAskable(expression: string): boolean {
  return expression !== '' && !expression.includes('\0');
}

interface BatchRecord {
  readonly object: GitObject | undefined;
  readonly next: number;
}

/** `<sha> <type> <size>`, the bytes and a line end; or the expression itself and a word that says what is wrong. */
function readRecord(output: Buffer, at: number, expression: string): BatchRecord {
  const echoed = Buffer.from(`${expression} `);
  const isEcho = output.subarray(at, at + echoed.length).equals(echoed);
  const lineEnd = output.indexOf('\n', isEcho ? at + echoed.length : at);
  const line = output.subarray(at, lineEnd).toString('utf8');
  const found = /^([0-9a-f]{40}) (blob|tree|commit|tag) ([0-9]+)$/.exec(line);
  if (found === null) return { object: undefined, next: lineEnd + 1 };
  const [, sha = '', type, size] = found;
  const start = lineEnd + 1;
  const end = start + Number(size);
  const bytes = output.subarray(start, end);
  return { object: { type: type as GitObject['type'], sha, bytes }, next: end + 1 };
}
