import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitFiles } from '../../git/index.ts';
import { type Fixture, startFixture } from '../../testing/fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture();
  await fixture.commit(
    'odd',
    {
      'dir/100%25 ü#?.txt': 'odd\n',
      'dir/sub/b.txt': 'b\n',
      'bytes.bin': { content: Uint8Array.of(0, 255, 1) },
      alias: { content: 'README.md', mode: '120000' },
      vendored: { submodule: '1'.repeat(40) },
    },
    'main',
  );
});

afterAll(() => fixture.simulator.close());

describe('GET …/compare', () => {
  const compare = (basehead: string, page: { page?: number; per_page?: number } = {}) =>
    fixture.octokit.rest.repos.compareCommitsWithBasehead({ ...fixture.names, basehead, ...page });

  it('compares branches and shas from their merge base', async () => {
    const { data } = await compare('main...feature');
    expect(data).toMatchObject({ status: 'ahead', ahead_by: 1, behind_by: 0, total_commits: 1 });
    expect(data.base_commit.sha).toBe(data.merge_base_commit.sha);
    expect(data.files).toMatchObject([{ filename: 'src/a.ts', status: 'modified', changes: 2 }]);
    expect((await compare('acme:main...acme:feature')).data.commits).toEqual(data.commits);
  });

  it('gives the diff in its media type', async () => {
    const answer = await fixture.octokit.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...fixture.names,
      basehead: 'main...feature',
      mediaType: { format: 'diff' },
    });
    expect(answer.data).toContain('+export const a = 2;');
  });

  it('pages commits, with the files on the first page only', async () => {
    const { commit } = fixture;
    await commit('long/walk', { 'w.txt': '0\n' }, 'main');
    for (const step of ['1', '2']) await commit('long/walk', { 'w.txt': `${step}\n` });
    const first = await compare('main...long/walk', { per_page: 2 });
    const second = await compare('main...long/walk', { per_page: 2, page: 2 });
    expect([first.data.commits.length, second.data.commits.length]).toEqual([2, 1]);
    expect(first.data.files).toHaveLength(1);
    expect(second.data.files).toBeUndefined();
  });

  it('is 404 for what is unknown, and says when nothing is shared', async () => {
    await commitFiles(fixture.simulator.gitDir, { branch: 'orphan', files: { o: 'o\n' }, message: 'o' });
    for (const head of ['nowhere', 'f'.repeat(40), 'feature...main']) {
      await expect(compare(`main...${head}`)).rejects.toMatchObject({ status: 404 });
    }
    await expect(compare('main...orphan')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('No common ancestor between main and orphan'),
    });
  });
});

describe('GET …/commits/{ref}', () => {
  it('has what the commit changed, and 422 for a sha that is none', async () => {
    const { octokit, names } = fixture;
    const { data } = await octokit.rest.repos.getCommit({ ...names, ref: 'feature' });
    expect(data).toMatchObject({
      stats: { additions: 1, deletions: 1, total: 2 },
      commit: { message: 'Change src/a.ts' },
    });
    expect(data.files).toHaveLength(1);
    const root = await octokit.rest.repos.getCommit({ ...names, ref: 'main' });
    expect(root.data.parents).toEqual([]);
    expect(root.data.files?.map((file) => file.status)).toEqual(['added', 'added']);
    const unknown = octokit.rest.repos.getCommit({ ...names, ref: 'f'.repeat(40) });
    await expect(unknown).rejects.toMatchObject({ status: 422 });
  });
});

describe('what GitHub has below a commit', () => {
  it('is not mistaken for a ref, and marked as missing', async () => {
    const { octokit, names, simulator } = fixture;
    const status = octokit.rest.repos.getCombinedStatusForRef({ ...names, ref: 'main' });
    await expect(status).rejects.toMatchObject({ status: 404 });
    expect(simulator.requests.at(-1)).toMatchObject({ routed: false });
  });
});

describe('GET …/contents', () => {
  const get = async (path: string) =>
    (await fixture.octokit.rest.repos.getContent({ ...fixture.names, path, ref: 'odd' })).data;

  it('gives files of any name as base64', async () => {
    const file = await get('dir/100%25 ü#?.txt');
    expect(file).toMatchObject({ type: 'file', name: '100%25 ü#?.txt', size: 4, encoding: 'base64' });
    expect(Buffer.from((file as { content: string }).content, 'base64').toString()).toBe('odd\n');
  });

  it('lists folders, and tells links and submodules', async () => {
    expect(await get('dir')).toMatchObject([
      { name: '100%25 ü#?.txt', type: 'file' },
      { name: 'sub', type: 'dir' },
    ]);
    expect(await get('')).toHaveLength(6);
    expect(await get('alias')).toMatchObject({ type: 'symlink', target: 'README.md' });
    expect(await get('vendored')).toMatchObject({ type: 'submodule', sha: '1'.repeat(40) });
  });

  it('gives raw text in its media type, and 404 for path or ref that is none', async () => {
    const { octokit, names } = fixture;
    const raw = await octokit.rest.repos.getContent({
      ...names,
      path: 'README.md',
      mediaType: { format: 'raw' },
    });
    expect(raw.data).toBe('Widgets\n');
    for (const wrong of [{ path: 'absent' }, { path: 'README.md', ref: 'nowhere' }]) {
      await expect(octokit.rest.repos.getContent({ ...names, ...wrong })).rejects.toMatchObject({
        status: 404,
      });
    }
  });

  it('leaves large files to raw', async () => {
    await fixture.commit('large', { 'large.txt': 'x'.repeat(1_000_001) }, 'main');
    const { data } = await fixture.octokit.rest.repos.getContent({
      ...fixture.names,
      path: 'large.txt',
      ref: 'large',
    });
    expect(data).toMatchObject({ content: '', encoding: 'none', size: 1_000_001 });
  });

  it('gives blobs by sha', async () => {
    const { octokit, names } = fixture;
    const file = (await get('bytes.bin')) as { sha: string };
    const { data } = await octokit.rest.git.getBlob({ ...names, file_sha: file.sha });
    expect([...Buffer.from(data.content, 'base64')]).toEqual([0, 255, 1]);
    await expect(octokit.rest.git.getBlob({ ...names, file_sha: '0'.repeat(40) })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('the repository', () => {
  it('is found under its name without regard to case, and no other is', async () => {
    const { octokit, names } = fixture;
    expect((await octokit.rest.repos.get({ owner: 'ACME', repo: 'Widgets' })).data).toMatchObject({
      full_name: 'acme/widgets',
      default_branch: 'main',
      owner: { type: 'Organization' },
    });
    await expect(octokit.rest.repos.get({ ...names, repo: 'gadgets' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(octokit.rest.pulls.list({ ...names, owner: 'other' })).rejects.toMatchObject({
      status: 404,
    });
  });
});
