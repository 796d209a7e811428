import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFiles, type GitRepository, initBare, openGit } from './index.ts';

let root: string;
let git: GitRepository;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'git-objects-'));
  await initBare(root);
  git = await openGit(root);
});

afterAll(() => rm(root, { recursive: true, force: true }));

it('tells apart what is there, whatever the names and the contents look like', async () => {
  const missing = 'HEAD:gone missing\n';
  const sha = await commitFiles(root, {
    branch: 'main',
    files: {
      'line\nend.txt': missing,
      'a b.txt': '',
      'dir/bytes': { content: Uint8Array.of(0, 255, 10, 0) },
      sub: { submodule: '1'.repeat(40) },
    },
    message: 'Odd names',
  });
  const asked = ['line\nend.txt', 'a b.txt', 'dir/bytes', 'dir', 'sub', 'gone', 'gone\nmissing', 'nul\0'];
  const found = await git.objects([...asked.map((path) => `${sha}:${path}`), sha, '']);
  expect(found.map((object) => object?.type)).toEqual([
    ...['blob', 'blob', 'blob', 'tree'],
    ...[undefined, undefined, undefined, undefined],
    ...['commit', undefined],
  ]);
  expect(found[0]?.bytes.toString()).toBe(missing);
  expect(found[1]?.bytes).toHaveLength(0);
  expect([...(found[2]?.bytes ?? [])]).toEqual([0, 255, 10, 0]);
  expect(found[8]?.sha).toBe(sha);
  expect(await git.objects([])).toEqual([]);
});
