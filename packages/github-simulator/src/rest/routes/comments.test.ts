import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, type Fixture, startFixture } from '../../testing/fixture.ts';

let fixture: Fixture;
let issue_number: number;

beforeAll(async () => {
  fixture = await startFixture();
  const opened = await fixture.simulator.openPullRequest({ head: 'feature', base: 'main', title: 'A' });
  issue_number = opened.number;
});

afterAll(() => fixture.simulator.close());

const create = (body: string) =>
  fixture.octokit.rest.issues.createComment({ ...fixture.names, issue_number, body });

describe('comments of the App', () => {
  it('are written, read, replaced and deleted as the bot', async () => {
    const { octokit, simulator, names } = fixture;
    const { data: created } = await create('First ✅');
    expect(created).toMatchObject({
      body: 'First ✅',
      user: { login: 'horton[bot]', type: 'Bot', id: simulator.botUserId },
      performed_via_github_app: { id: APP.id, slug: APP.slug },
    });
    const id = { ...names, comment_id: created.id };
    await octokit.rest.issues.updateComment({ ...id, body: 'Second' });
    expect((await octokit.rest.issues.getComment(id)).data).toMatchObject({ body: 'Second', id: created.id });
    expect(simulator.comments(issue_number).find((found) => found.id === created.id)?.body).toBe('Second');
    expect((await octokit.rest.issues.deleteComment(id)).status).toBe(204);
    await expect(octokit.rest.issues.getComment(id)).rejects.toMatchObject({ status: 404 });
    await expect(octokit.rest.issues.updateComment({ ...id, body: 'x' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('take any length up to 262,144 bytes, and leave the old body when refused', async () => {
    const { octokit, names } = fixture;
    const { data } = await create('é'.repeat(131_072));
    const id = { ...names, comment_id: data.id };
    const refused = octokit.rest.issues.updateComment({ ...id, body: 'a'.repeat(262_145) });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      response: {
        data: {
          message: 'Validation Failed',
          errors: [{ resource: 'IssueComment', message: 'Body is too long (maximum is 65536 characters)' }],
        },
      },
    });
    expect((await octokit.rest.issues.getComment(id)).data.body).toHaveLength(131_072);
    await octokit.rest.issues.deleteComment(id);
    await expect(create('  ')).rejects.toMatchObject({ status: 422 });
  });

  it('get each reaction once', async () => {
    const { octokit, names } = fixture;
    const { data } = await create('React to me');
    const wanted = { ...names, comment_id: data.id, content: 'eyes' } as const;
    expect((await octokit.rest.reactions.createForIssueComment(wanted)).status).toBe(201);
    expect((await octokit.rest.reactions.createForIssueComment(wanted)).status).toBe(200);
    const { data: after } = await octokit.rest.issues.getComment({ ...names, comment_id: data.id });
    expect(after.reactions).toMatchObject({ total_count: 1, eyes: 1 });
  });

  it('are refused on a locked conversation', async () => {
    await fixture.simulator.lock(issue_number);
    await expect(create('Too late')).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Unable to create comment because issue is locked.'),
    });
    await fixture.simulator.unlock(issue_number);
    expect((await create('In time')).status).toBe(201);
  });
});

describe('listing comments', () => {
  it('goes by id over pages, and by time of update with since', async () => {
    const start = Date.parse('2026-03-01T10:00:00Z');
    let at = start;
    const own = await startFixture({ now: () => new Date(at) });
    try {
      const { octokit, simulator, names } = own;
      const { number } = await simulator.openPullRequest({ head: 'feature', base: 'main', title: 'A' });
      const ids: number[] = [];
      for (let i = 0; i < 5; i += 1) {
        at += 60_000;
        ids.push((await simulator.comment(number, { author: 'dora', body: `${i}` })).id);
      }
      const page = { ...names, issue_number: number, per_page: 2 };
      const all = await octokit.paginate(octokit.rest.issues.listComments, page);
      expect(all.map((found) => found.id)).toEqual(ids);
      const middle = await octokit.rest.issues.listComments({ ...page, page: 2 });
      for (const rel of ['prev', 'next', 'last', 'first']) {
        expect(middle.headers.link).toContain(`rel="${rel}"`);
      }
      at += 60_000;
      await simulator.editComment(ids[0] ?? 0, 'edited');
      const since = new Date(at).toISOString();
      const changed = await octokit.rest.issues.listComments({ ...names, issue_number: number, since });
      expect(changed.data.map((found) => found.id)).toEqual([ids[0]]);
      expect(changed.data[0]).toMatchObject({
        created_at: '2026-03-01T10:01:00Z',
        updated_at: '2026-03-01T10:06:00Z',
      });
    } finally {
      await own.simulator.close();
    }
  });
});

describe('labels and the issue of a pull request', () => {
  it('are added without doubles and removed', async () => {
    const { octokit, names } = fixture;
    const on = { ...names, issue_number };
    const namesOf = (labels: readonly { name: string }[]) => labels.map((label) => label.name);
    await octokit.rest.issues.addLabels({ ...on, labels: ['needs work', 'p/1'] });
    const twice = await octokit.rest.issues.addLabels({ ...on, labels: ['needs work'] });
    expect(namesOf(twice.data)).toEqual(['needs work', 'p/1']);
    const left = await octokit.rest.issues.removeLabel({ ...on, name: 'p/1' });
    expect(namesOf(left.data)).toEqual(['needs work']);
    expect(namesOf((await octokit.rest.issues.listLabelsOnIssue(on)).data)).toEqual(['needs work']);
    await expect(octokit.rest.issues.removeLabel({ ...on, name: 'p/1' })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('Label does not exist'),
    });
    const { data } = await octokit.rest.issues.get(on);
    expect(data).toMatchObject({ number: issue_number, draft: false, labels: [{ name: 'needs work' }] });
    expect(data.pull_request?.url).toMatch(/\/pulls\/1$/);
  });
});
