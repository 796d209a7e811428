import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commitFiles, initBare, openGit } from '../../../github-simulator/src/git/index.ts';
import { CHANGED_LINE, SOURCE_FILES, sourcePath, sourceText } from './sample-source.ts';

const INDEXES = Array.from({ length: SOURCE_FILES }, (_, index) => index);

function filesOf(revision: 'base' | number): Readonly<Record<string, string>> {
  return Object.fromEntries(INDEXES.map((index) => [sourcePath(index), sourceText(index, revision)]));
}

async function historyOf(revisions: readonly ('base' | number)[]) {
  const gitDir = await mkdtemp(join(tmpdir(), 'sample-source-'));
  onTestFinished(() => rm(gitDir, { recursive: true, force: true }));
  await initBare(gitDir);
  const shas: string[] = [];
  for (const revision of revisions) {
    shas.push(await commitFiles(gitDir, { branch: 'main', files: filesOf(revision), message: 'Change' }));
  }
  return { git: await openGit(gitDir), shas };
}

it('a change of a file is a diff of 60 lines in two hunks, its own in each file, and holds the changed line', async () => {
  const { git, shas } = await historyOf(['base', 7]);
  const { files } = await git.compare(shas[0] ?? '', shas[1] ?? '');
  expect(files).toHaveLength(SOURCE_FILES);
  expect(new Set(files.map((file) => file.patch)).size).toBe(SOURCE_FILES);
  for (const { status, patch = '' } of files) {
    expect(status).toBe('modified');
    const lines = patch.split('\n');
    const heads = lines.filter((line) => line.startsWith('@@'));
    expect(heads).toHaveLength(2);
    expect(lines.length - heads.length).toBe(60);
    const start = Number(/\+(\d+)/.exec(heads[0] ?? '')?.[1]);
    const newSide = lines.slice(1).filter((line) => !line.startsWith('-'));
    expect(newSide[CHANGED_LINE - start]).toMatch(/^\+/);
  }
});

it('a second change of a file changes one line', async () => {
  const { git, shas } = await historyOf([7, 8]);
  const { files } = await git.compare(shas[0] ?? '', shas[1] ?? '');
  expect(files).toHaveLength(SOURCE_FILES);
  for (const file of files) expect([file.additions, file.deletions]).toEqual([1, 1]);
});
