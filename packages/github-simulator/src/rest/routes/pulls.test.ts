import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitMerge } from '../../git/index.ts';
import { type Fixture, startFixture } from '../../testing/fixture.ts';

let fixture: Fixture;
let number: number;

beforeAll(async () => {
  fixture = await startFixture();
  const opened = await fixture.simulator.openPullRequest({
    head: 'feature',
    base: 'main',
    title: 'Set a to 2',
    author: 'alice',
    labels: ['shepherd'],
  });
  number = opened.number;
});

afterAll(() => fixture.simulator.close());

const numberedLines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('');

async function openFrom(branch: string, files: Record<string, string>): Promise<number> {
  await fixture.commit(branch, files, 'main');
  const opened = await fixture.simulator.openPullRequest({ head: branch, base: 'main', title: branch });
  return opened.number;
}

describe('GET …/pulls/{n}', () => {
  it('has the counts of its range, and mergeability only when asked again', async () => {
    const { octokit, names } = fixture;
    const first = await octokit.rest.pulls.get({ ...names, pull_number: number });
    expect(first.data).toMatchObject({
      number,
      state: 'open',
      additions: 1,
      deletions: 1,
      changed_files: 1,
      commits: 1,
      mergeable: null,
      mergeable_state: 'unknown',
      author_association: 'MEMBER',
      labels: [{ name: 'shepherd' }],
    });
    const second = await octokit.rest.pulls.get({ ...names, pull_number: number });
    expect(second.data).toMatchObject({ mergeable: true, mergeable_state: 'clean' });
  });

  it('finds conflicts anew after the base moved', async () => {
    const { octokit, names, commit } = fixture;
    await commit('stable', { 'src/a.ts': 'export const a = 1;\n' }, 'main');
    await commit('clash', { 'src/a.ts': 'export const a = 3;\n' }, 'stable');
    const opened = await fixture.simulator.openPullRequest({ head: 'clash', base: 'stable', title: 'x' });
    const get = async () => (await octokit.rest.pulls.get({ ...names, pull_number: opened.number })).data;
    expect([(await get()).mergeable, (await get()).mergeable]).toEqual([null, true]);
    await commit('stable', { 'src/a.ts': 'export const a = 4;\n' });
    expect([(await get()).mergeable, (await get()).mergeable_state]).toEqual([null, 'dirty']);
  });

  it('is git’s own diff in the diff media type', async () => {
    const { octokit, names } = fixture;
    const answer = await octokit.rest.pulls.get({
      ...names,
      pull_number: number,
      mediaType: { format: 'diff' },
    });
    expect(answer.headers['content-type']).toBe('application/vnd.github.diff; charset=utf-8');
    expect(answer.data).toMatch(
      /^diff --git a\/src\/a\.ts b\/src\/a\.ts\nindex [0-9a-f]{7}\.\.[0-9a-f]{7} 100644\n/,
    );
    expect(answer.data).toContain('-export const a = 1;\n+export const a = 2;\n');
  });

  it('T-073 refuses a diff of more than 300 files or 20,000 lines with 406, and still lists the files', async () => {
    const { octokit, names } = fixture;
    const many = await openFrom(
      'many',
      Object.fromEntries(Array.from({ length: 301 }, (_, i) => [`f/${i}.txt`, 'x\n'])),
    );
    const long = await openFrom('long', { 'package.lock': numberedLines(20_000) });
    for (const [pull_number, message] of [
      [many, /maximum number of files \(300\)/],
      [long, /maximum number of lines \(20000\)/],
    ] as const) {
      const refused = octokit.rest.pulls.get({ ...names, pull_number, mediaType: { format: 'diff' } });
      await expect(refused).rejects.toMatchObject({
        status: 406,
        message: expect.stringMatching(message),
        response: { data: { errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }] } },
      });
    }
    const files = await octokit.paginate('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', {
      ...names,
      pull_number: many,
      per_page: 100,
    });
    expect(files).toHaveLength(301);
  });

  it('is 404 for a number that is none', async () => {
    const missing = fixture.octokit.rest.pulls.get({ ...fixture.names, pull_number: 999 });
    await expect(missing).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('Not Found'),
    });
  });
});

describe('the range of a pull request', () => {
  it('stays its own after a merge from main, a rebase and a force push', async () => {
    const { octokit, simulator, names, commit } = fixture;
    const pull_number = await openFrom('work', { 'own.txt': 'one\n' });
    const files = async () =>
      (await octokit.rest.pulls.listFiles({ ...names, pull_number })).data.map((file) => file.filename);
    const parents = async () =>
      (await octokit.rest.pulls.listCommits({ ...names, pull_number })).data.map(
        (info) => info.parents.length,
      );

    await commit('main', { 'elsewhere.txt': 'theirs\n' });
    await commit('work-merged', { 'own.txt': 'one\ntwo\n' }, 'work');
    await simulator.push(
      'work',
      await commitMerge(simulator.gitDir, { branch: 'work-merged', from: 'main' }),
    );
    expect(await files()).toEqual(['own.txt']);
    expect((await parents()).at(-1)).toBe(2);

    await simulator.push('work', await commit('rebased', { 'own.txt': 'one\n' }, 'main'));
    expect(await files()).toEqual(['own.txt']);
    expect(await parents()).toEqual([1]);

    await simulator.push('work', await commit('other', { 'new.txt': 'x\n' }, 'main~1'));
    expect(await files()).toEqual(['new.txt']);
  });

  it('reads commits by pull request ref, newest head only', async () => {
    const { octokit, simulator, names } = fixture;
    const { data } = await octokit.rest.repos.getCommit({ ...names, ref: `pull/${number}/head` });
    expect(data.sha).toBe(simulator.pullRequest(number).head.sha);
  });
});

describe('GET …/pulls', () => {
  it('lists open ones newest first, in pages, and filters by state, head and base', async () => {
    const { octokit, simulator, names } = fixture;
    const closed = await openFrom('to-close', { 'z.txt': 'z\n' });
    await simulator.closePullRequest(closed);
    const numbersOf = (data: readonly { number: number }[]) => data.map((pr) => pr.number);

    const all = numbersOf(
      await octokit.paginate(octokit.rest.pulls.list, { ...names, state: 'all', per_page: 2 }),
    );
    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(all).toContain(closed);
    const open = await octokit.rest.pulls.list({ ...names, per_page: 2 });
    expect(numbersOf(open.data)).not.toContain(closed);
    expect(open.headers.link).toContain('rel="next"');
    expect(numbersOf((await octokit.rest.pulls.list({ ...names, head: 'acme:feature' })).data)).toEqual([
      number,
    ]);
    expect((await octokit.rest.pulls.list({ ...names, base: 'nowhere' })).data).toEqual([]);
  });
});

describe('a pull request from a fork', () => {
  it('names the fork’s repository, and none after it was deleted', async () => {
    const { octokit, simulator, names, commit } = fixture;
    await commit('patch-1', { 'p.txt': 'p\n' }, 'main');
    const opened = await simulator.openPullRequest({
      head: 'patch-1',
      base: 'main',
      title: 'From outside',
      author: 'carol',
      fork: 'carol',
    });
    const get = async () => (await octokit.rest.pulls.get({ ...names, pull_number: opened.number })).data;
    const before = await get();
    expect(before.head).toMatchObject({
      label: 'carol:patch-1',
      repo: { full_name: 'carol/widgets', fork: true },
    });
    expect(before.head.repo.id).not.toBe(before.base.repo.id);
    expect(before.author_association).toBe('NONE');
    simulator.deleteFork(opened.number);
    const raw = await fetch(`${simulator.url}/repos/acme/widgets/pulls/${opened.number}`, {
      headers: { authorization: `token ${await token()}` },
    });
    expect(((await raw.json()) as { head: { repo: unknown } }).head.repo).toBeNull();
  });

  /** GitHub's description forgets that the repository may be gone, so the checked client cannot be used. */
  async function token(): Promise<string> {
    const auth = (await fixture.octokit.auth({ type: 'installation' })) as { token: string };
    return auth.token;
  }
});
