/**
 * Reads the texts of files at commits, many with one request: what is asked for in one turn of the event loop
 * becomes one GraphQL query. By REST each file would be a request of its own.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import type { RepoRef, Sha } from '../ids.ts';
import { githubError } from './policy.ts';
import { readFileAt } from './pull-request.ts';

/** Files of one query: some hundred kilobytes of answer, as a rule, since many of those asked for are not there. */
const MAX_FILES_PER_QUERY = 150;
/** Nobody wrote a larger file by hand, and no reviewer reads one (S9). */
const MAX_FILE_BYTES = 1_000_000;

/** Which file. */
export interface FileAt {
  readonly repo: RepoRef;
  readonly path: string;
  readonly ref: Sha;
}

/** Reads files. Contract: equal questions are not joined here; whoever asks often keeps the answers. */
export interface FileReader {
  /**
   * The text of a file; `undefined` where there is none, it is no text, or it is larger than 1 MB.
   * @throws TransientError or PermanentError
   */
  read(octokit: Octokit, file: FileAt): Promise<string | undefined>;
}

interface Waiting extends FileAt {
  readonly octokit: Octokit;
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What GraphQL tells of a file. `text` is null for binaries; of more than 512,000 bytes only the beginning comes. */
interface Blob {
  readonly text?: string | null;
  readonly isTruncated?: boolean;
  readonly byteSize?: number;
}

/** Builds a reader. */
export function createFileReader(): FileReader {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    for (const group of groupsOf(batch)) void answer(group);
  };
  return {
    read: (octokit, file) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ ...file, octokit, resolve, reject });
      }),
  };
}

/** One query asks one repository, and no more than it can answer. */
function groupsOf(batch: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const keys = new Set(batch.map(keyOf));
  return [...keys].flatMap((key) => {
    const files = batch.filter((file) => keyOf(file) === key);
    const queries = Math.ceil(files.length / MAX_FILES_PER_QUERY);
    return Array.from({ length: queries }, (_, index) =>
      files.slice(index * MAX_FILES_PER_QUERY, (index + 1) * MAX_FILES_PER_QUERY),
    );
  });
}

function keyOf({ repo }: Waiting): string {
  return `${repo.owner}/${repo.repo}`.toLowerCase();
}

async function answer(group: readonly Waiting[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  try {
    const blobs = await query(first.octokit, first.repo, group);
    for (const [index, file] of group.entries()) {
      textOf(blobs[`f${index}`] ?? undefined, file).then(file.resolve, file.reject);
    }
  } catch (error) {
    const failure = githubError('read files', error);
    for (const { reject } of group) reject(failure);
  }
}

async function query(
  octokit: Octokit,
  repo: RepoRef,
  files: readonly FileAt[],
): Promise<Readonly<Record<string, Blob | null>>> {
  // Paths are data: they go in as variables, so that nothing in them is read as a query (S7).
  const parameters = files.map((_, index) => `$e${index}: String!`).join(', ');
  const fields = files.map((_, index) => `f${index}: object(expression: $e${index}) { ...file }`).join(' ');
  const text = `query ($owner: String!, $name: String!, ${parameters}) {
    repository(owner: $owner, name: $name) { ${fields} }
  }
  fragment file on Blob { text isTruncated byteSize }`;
  const expressions = files.map(({ ref, path }, index) => [`e${index}`, `${ref}:${path}`] as const);
  const answered = await octokit.graphql<{
    readonly repository: Readonly<Record<string, Blob | null>> | null;
  }>(text, { owner: repo.owner, name: repo.repo, ...Object.fromEntries(expressions) });
  return answered.repository ?? {};
}

async function textOf(blob: Blob | undefined, file: Waiting): Promise<string | undefined> {
  if (blob === undefined || (blob.byteSize ?? 0) > MAX_FILE_BYTES) return undefined;
  if (blob.isTruncated === true) return readFileAt(file.octokit, file.repo, file.path, file.ref);
  return blob.text ?? undefined;
}
