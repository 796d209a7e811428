import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CompareFile,
  commitFiles,
  commitMerge,
  createBareMirror,
  type FileContent,
  type GitRepository,
  initBare,
  MergeConflictError,
  NoCommonAncestorError,
  NotAGitRepositoryError,
  openGit,
  UnknownRevisionError,
} from './index.ts';

let root: string;
let dir: string;
let git: GitRepository;

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

const BASE_FILES: Readonly<Record<string, FileContent>> = {
  'plain.txt': 'one\ntwo\nthree\n',
  'moved.txt': numbered(20),
  'edited-move.txt': numbered(30),
  'gone.txt': 'bye\n',
  'no-newline.txt': 'first\nlast',
  'script.sh': '#!/bin/sh\n',
  'image.bin': { content: Uint8Array.of(0, 1, 2, 3) },
  'dir with space/üq"\tt.txt': 'ö\n',
  link: 'was a file\n',
  vendored: { submodule: '1'.repeat(40) },
  'tricky.md': 'a\n',
};

const HEAD_FILES: Readonly<Record<string, FileContent>> = {
  'plain.txt': 'one\n2\nthree\n',
  'moved.txt': null,
  'sub/moved.txt': numbered(20),
  'edited-move.txt': null,
  'edited-moved.txt': numbered(30).replace('line 15', 'line fifteen'),
  'gone.txt': null,
  'new.txt': 'fresh\n',
  'empty.txt': '',
  'no-newline.txt': 'first\nlast!',
  'script.sh': { content: '#!/bin/sh\n', mode: '100755' },
  'image.bin': { content: Uint8Array.of(0, 9, 2, 3) },
  'dir with space/üq"\tt.txt': 'ö\nä\n',
  link: { content: 'plain.txt', mode: '120000' },
  vendored: { submodule: '2'.repeat(40) },
  'tricky.md': 'a\ndiff --git a/x b/x\n@@ -1 +1 @@\n',
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'git-test-'));
  dir = join(root, 'bare.git');
  await initBare(dir);
  git = await openGit(dir);
  await commitFiles(dir, { branch: 'main', files: BASE_FILES, message: 'Base' });
  await commitFiles(dir, { branch: 'feature', parent: 'main', files: HEAD_FILES, message: 'Change\n\nbody' });
});

afterAll(() => rm(root, { recursive: true, force: true }));

function byName(files: readonly CompareFile[]): Map<string, CompareFile> {
  return new Map(files.map((file) => [file.filename, file]));
}

describe('compare', () => {
  it('tells every kind of change with its own status, counts and patch', async () => {
    const { files } = await git.compare('main', 'feature');
    const found = byName(files);
    expect(found.get('plain.txt')).toMatchObject({
      status: 'modified',
      additions: 1,
      deletions: 1,
      changes: 2,
      patch: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
    });
    expect(found.get('new.txt')).toMatchObject({ status: 'added', patch: '@@ -0,0 +1 @@\n+fresh' });
    expect(found.get('gone.txt')).toMatchObject({ status: 'removed', patch: '@@ -1 +0,0 @@\n-bye' });
    expect(found.get('edited-moved.txt')).toMatchObject({
      status: 'renamed',
      previousFilename: 'edited-move.txt',
      changes: 2,
    });
    expect(found.get('edited-moved.txt')?.patch).toContain('+line fifteen');
    expect(found.get('no-newline.txt')?.patch).toBe(
      '@@ -1,2 +1,2 @@\n first\n-last\n\\ No newline at end of file\n+last!\n\\ No newline at end of file',
    );
    expect(found.get('vendored')?.patch).toBe(
      `@@ -1 +1 @@\n-Subproject commit ${'1'.repeat(40)}\n+Subproject commit ${'2'.repeat(40)}`,
    );
    expect(found.get('link')?.status).toBe('changed');
    expect(files).toHaveLength(13);
  });

  it.each(['sub/moved.txt', 'script.sh', 'image.bin', 'empty.txt'])('has no patch for %s', async (name) => {
    const file = byName((await git.compare('main', 'feature')).files).get(name);
    expect(file).toMatchObject({ changes: 0 });
    expect(file).not.toHaveProperty('patch');
  });

  it('gives paths with quotes, tabs and non-ASCII letters as they are', async () => {
    const file = byName((await git.compare('main', 'feature')).files).get('dir with space/üq"\tt.txt');
    expect(file).toMatchObject({ status: 'modified', additions: 1, patch: '@@ -1 +1,2 @@\n ö\n+ä' });
  });

  it('is not misled by file contents that look like a diff', async () => {
    const file = byName((await git.compare('main', 'feature')).files).get('tricky.md');
    expect(file?.patch).toBe('@@ -1 +1,3 @@\n a\n+diff --git a/x b/x\n+@@ -1 +1 @@');
  });

  it('has the blob of the new content, and of removed files the old one', async () => {
    const found = byName((await git.compare('main', 'feature')).files);
    expect((await git.blob(found.get('new.txt')?.sha ?? ''))?.toString()).toBe('fresh\n');
    expect((await git.blob(found.get('gone.txt')?.sha ?? ''))?.toString()).toBe('bye\n');
  });

  it('leaves out the patch of a file whose diff is too large, and keeps its counts', async () => {
    await commitFiles(dir, {
      branch: 'large',
      parent: 'main',
      files: { lock: numbered(20_001) },
      message: 'L',
    });
    const [file] = (await git.compare('main', 'large')).files;
    expect(file).toMatchObject({ filename: 'lock', additions: 20_001 });
    expect(file).not.toHaveProperty('patch');
  });

  it('compares from the merge base, and counts both sides', async () => {
    const start = await commitFiles(dir, { branch: 'm1', parent: 'main', files: { a: '1\n' }, message: 'a' });
    await commitFiles(dir, { branch: 'f1', parent: start, files: { b: '1\n' }, message: 'b' });
    await commitFiles(dir, { branch: 'm1', files: { c: '1\n' }, message: 'c' });
    const result = await git.compare('m1', 'f1');
    expect(result).toMatchObject({ mergeBaseSha: start, aheadBy: 1, behindBy: 1, status: 'diverged' });
    expect(result.files.map((file) => file.filename)).toEqual(['b']);
    expect(await git.compare('f1', 'f1')).toMatchObject({ status: 'identical', files: [], totalCommits: 0 });
    expect(await git.compare('f1', start)).toMatchObject({ status: 'behind', behindBy: 1 });
  });

  it('shows after a merge from main what came from main, and merge commits among the commits', async () => {
    await commitFiles(dir, { branch: 'm2', parent: 'main', files: { base2: '1\n' }, message: 'm' });
    const before = await commitFiles(dir, {
      branch: 'f2',
      parent: 'm2',
      files: { own: '1\n' },
      message: 'o',
    });
    await commitFiles(dir, { branch: 'm2', files: { theirs: '1\n' }, message: 'theirs' });
    const after = await commitMerge(dir, { branch: 'f2', from: 'm2' });
    expect((await git.compare(before, after)).files.map((file) => file.filename)).toEqual(['theirs']);
    expect((await git.compare('m2', after)).files.map((file) => file.filename)).toEqual(['own']);
    expect((await git.compare('m2', after)).commits.map((commit) => commit.parents.length)).toEqual([1, 2]);
    expect((await git.commitsBetween(before, after)).map((commit) => commit.subject)).toEqual([
      'Merge m2 into f2',
    ]);
  });

  it('refuses unrelated histories and unknown revisions by name', async () => {
    await commitFiles(dir, { branch: 'orphan', files: { x: '1\n' }, message: 'x' });
    await expect(git.compare('main', 'orphan')).rejects.toBeInstanceOf(NoCommonAncestorError);
    await expect(git.compare('main', 'nowhere')).rejects.toBeInstanceOf(UnknownRevisionError);
    expect(await git.mergeBase('main', 'orphan')).toBeUndefined();
  });
});

describe('reading', () => {
  it('resolves branches and shas to commits, and nothing else', async () => {
    const sha = await git.resolve('main');
    expect(sha).toMatch(/^[0-9a-f]{40}$/);
    expect(await git.resolve(sha ?? '')).toBe(sha);
    for (const ref of ['', '--all', 'f'.repeat(40), 'main:plain.txt', 'a\0b']) {
      expect(await git.resolve(ref)).toBeUndefined();
    }
  });

  it('reads text files by path, and undefined for what is absent, binary or no file', async () => {
    expect(await git.readFile('main', 'dir with space/üq"\tt.txt')).toBe('ö\n');
    for (const path of ['image.bin', 'absent', 'vendored', 'dir with space', ':(glob)*.txt', './plain.txt']) {
      expect(await git.readFile('main', path)).toBeUndefined();
    }
    expect(await git.readFile('feature', 'link')).toBeUndefined();
  });

  it('tells whether a merge is clean, and makes none that is not', async () => {
    await commitFiles(dir, { branch: 'c1', parent: 'main', files: { 'plain.txt': 'A\n' }, message: 'A' });
    await commitFiles(dir, { branch: 'c2', parent: 'main', files: { 'plain.txt': 'B\n' }, message: 'B' });
    expect(await git.mergesCleanly('c1', 'c2')).toBe(false);
    expect(await git.mergesCleanly('main', 'c2')).toBe(true);
    await expect(commitMerge(dir, { branch: 'c1', from: 'c2' })).rejects.toBeInstanceOf(MergeConflictError);
  });

  it('says in one sentence that a folder is not a repository', async () => {
    const error = await openGit(root).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotAGitRepositoryError);
    expect((error as Error).message).toBe(`${root} is not a git repository.`);
    await expect(openGit(join(root, 'absent'))).rejects.toBeInstanceOf(NotAGitRepositoryError);
  });
});

describe('a working repository of somebody else', () => {
  const exec = promisify(execFile);
  let work: string;
  const run = (...args: string[]) =>
    exec('git', ['-C', work, '-c', 'user.name=P', '-c', 'user.email=p@example.org', ...args]);

  beforeAll(async () => {
    work = join(root, 'work');
    await mkdir(join(work, 'deep'), { recursive: true });
    await exec('git', ['init', '-q', '-b', 'trunk', work]);
    for (const content of ['1\n', '2\n', '3\n']) {
      await writeFile(join(work, 'deep/file.txt'), content);
      await run('add', '.');
      await run('commit', '-q', '-m', `Write ${content.trim()}`);
    }
  });

  it('is read from any of its folders, whatever its own diff settings and attributes say', async () => {
    await run('config', 'diff.noprefix', 'true');
    await run('config', 'diff.external', '/bin/false');
    await run('config', 'diff.odd.textconv', '/bin/false');
    await writeFile(join(work, '.gitattributes'), '*.txt diff=odd binary\n');
    const repository = await openGit(join(work, 'deep'));
    expect((await repository.compare('HEAD~1', 'HEAD')).files[0]?.patch).toBe('@@ -1 +1 @@\n-2\n+3');
    expect(await repository.diff('HEAD~1', 'HEAD')).toContain('--- a/deep/file.txt');
    expect(await repository.currentBranch()).toBe('trunk');
  });

  it('is copied into a bare repository, also from a detached or shallow clone, and stays as it was', async () => {
    const shallow = join(root, 'shallow');
    await exec('git', ['clone', '-q', '--depth', '2', `file://${work}`, shallow]);
    await exec('git', ['-C', shallow, 'checkout', '-q', '--detach']);
    const before = await snapshot(shallow);
    const head = (await (await openGit(shallow)).resolve('HEAD')) ?? '';
    const into = join(root, 'mirror.git');
    await createBareMirror(shallow, into, [head]);
    const mirror = await openGit(into);
    expect((await mirror.compare(`${head}~1`, head)).files).toHaveLength(1);
    expect(await mirror.resolve('origin/trunk')).toBe(head);
    expect(await snapshot(shallow)).toEqual(before);
  });

  async function snapshot(folder: string): Promise<readonly string[]> {
    const names = await readdir(folder, { recursive: true });
    const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
    return names.map((name, index) => `${name} ${times[index]}`).sort();
  }
});
