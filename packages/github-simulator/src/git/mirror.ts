import { resolve } from 'node:path';
import { initBare } from './commit-files.ts';
import { openGit } from './repository.ts';
import { runGit } from './run-git.ts';

/** upload-pack gets none of our `-c` settings from git itself, so it is told here what it may serve. */
const UPLOAD_PACK = 'git -c safe.directory=* -c uploadpack.allowAnySHA1InWant=true upload-pack';

/**
 * Copies the branches, tags and remote-tracking branches of a local repository, also of a shallow one, into
 * a new bare repository. The source is only read.
 *
 * @param extraShas commits that no branch or tag of the source may reach (a detached HEAD, for example).
 * @throws NotAGitRepositoryError when `fromPath` is none.
 */
export async function createBareMirror(
  fromPath: string,
  intoDir: string,
  extraShas: readonly string[] = [],
): Promise<void> {
  const source = await openGit(fromPath);
  await initBare(intoDir, (await source.currentBranch()) ?? 'main');
  const refspecs = ['heads', 'tags', 'remotes'].map((kind) => `+refs/${kind}/*:refs/${kind}/*`);
  await runGit({
    gitDir: intoDir,
    args: [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--update-shallow',
      `--upload-pack=${UPLOAD_PACK}`,
      resolve(source.gitDir),
      ...refspecs,
      ...extraShas,
    ],
  });
}
