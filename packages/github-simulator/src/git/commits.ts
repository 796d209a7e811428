import { type GitIdentity, runGit } from './run-git.ts';

export interface CommitInfo {
  readonly sha: string;
  readonly treeSha: string;
  readonly parents: readonly string[];
  readonly author: SignedIdentity;
  readonly committer: SignedIdentity;
  /** Whole message without its final newline. */
  readonly message: string;
}

export interface SignedIdentity extends GitIdentity {
  readonly dateIso: string;
}

const FIELDS = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'];

/** Commits that `git log` selects, oldest first. `revisions` are shas and `log` options, never user text. */
export async function readCommits(
  gitDir: string,
  revisions: readonly string[],
): Promise<readonly CommitInfo[]> {
  const format = `--format=format:${FIELDS.join('%x00')}`;
  const { stdout } = await runGit({
    gitDir,
    args: ['log', '-z', '--no-notes', '--topo-order', format, ...revisions, '--'],
  });
  const text = stdout.toString('utf8');
  if (text === '') return [];
  const values = text.split('\0');
  const commits: CommitInfo[] = [];
  for (let at = 0; at + FIELDS.length <= values.length; at += FIELDS.length) {
    commits.push(toCommit(values.slice(at, at + FIELDS.length)));
  }
  return commits.reverse();
}

function toCommit(values: readonly string[]): CommitInfo {
  const field = (index: number) => values[index] ?? '';
  return {
    sha: field(0),
    treeSha: field(1),
    parents: field(2) === '' ? [] : field(2).split(' '),
    author: { name: field(3), email: field(4), dateIso: field(5) },
    committer: { name: field(6), email: field(7), dateIso: field(8) },
    message: field(9).replace(/\n+$/, ''),
  };
}
