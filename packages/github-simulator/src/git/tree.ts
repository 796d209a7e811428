import { runGit } from './run-git.ts';

/** What stands at a path of a commit. Symlinks are their own kind; `sha` of a submodule is its commit. */
export type TreeEntry =
  | {
      readonly type: 'file' | 'symlink';
      readonly path: string;
      readonly sha: string;
      readonly sizeBytes: number;
    }
  | { readonly type: 'submodule'; readonly path: string; readonly sha: string }
  | {
      readonly type: 'directory';
      readonly path: string;
      readonly sha: string;
      readonly children: readonly TreeChild[];
    };

export interface TreeChild {
  readonly type: 'file' | 'symlink' | 'submodule' | 'directory';
  readonly path: string;
  readonly sha: string;
  /** 0 for directories and submodules. */
  readonly sizeBytes: number;
}

/** Looks a path up in a commit. `''` is the root. Undefined when nothing stands there. */
export async function readTree(
  gitDir: string,
  commitSha: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const clean = path.replace(/^\/+|\/+$/g, '');
  if (clean === '') {
    return { type: 'directory', path: '', sha: commitSha, children: await list(gitDir, commitSha, []) };
  }
  const [found] = await list(gitDir, commitSha, [clean]);
  if (found === undefined || found.path !== clean) return undefined;
  const { type, sha, sizeBytes } = found;
  if (type === 'directory') {
    return { type, path: clean, sha, children: await list(gitDir, commitSha, [`${clean}/`]) };
  }
  return type === 'submodule' ? { type, path: clean, sha } : { type, path: clean, sha, sizeBytes };
}

/** Everything below the root of a commit: directories before what they hold, as git sorts. */
export function readWholeTree(gitDir: string, commitSha: string): Promise<readonly TreeChild[]> {
  return list(gitDir, commitSha, [], ['-r', '-t']);
}

/** Bytes of a blob, undefined when the repository has no blob of that sha. */
export async function readBlob(gitDir: string, sha: string): Promise<Buffer | undefined> {
  if (!/^[0-9a-f]{40}$/.test(sha)) return undefined;
  const result = await runGit({ gitDir, args: ['cat-file', 'blob', sha], acceptExitCodes: [0, 128] });
  return result.exitCode === 0 ? result.stdout : undefined;
}

async function list(
  gitDir: string,
  sha: string,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<readonly TreeChild[]> {
  const args = ['ls-tree', '-z', '-l', ...flags, '--full-tree', sha, '--', ...paths];
  const { stdout } = await runGit({ gitDir, args });
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
    .map(parseRecord);
}

/** `<mode> <type> <sha> <size>\t<path>` */
function parseRecord(record: string): TreeChild {
  const tab = record.indexOf('\t');
  const [mode = '', , sha = '', size = '-'] = record.slice(0, tab).split(/ +/);
  return {
    type: TYPE_BY_MODE[mode] ?? 'file',
    path: record.slice(tab + 1),
    sha,
    sizeBytes: Number(size) || 0,
  };
}

const TYPE_BY_MODE: Readonly<Record<string, TreeChild['type']>> = {
  '040000': 'directory',
  '120000': 'symlink',
  '160000': 'submodule',
};
