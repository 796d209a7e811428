import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RefusedActError } from '../errors.ts';
import {
  APP,
  type Fixture,
  HOOK_SECRET,
  type Received,
  type Receiver,
  startFixture,
  startReceiver,
} from '../testing/fixture.ts';

let fixture: Fixture;
let receiver: Receiver;
let from = 0;

beforeAll(async () => {
  [fixture, receiver] = await Promise.all([startFixture(), startReceiver()]);
  fixture.simulator.setWebhookUrl(receiver.url);
});

beforeEach(() => {
  from = receiver.received.length;
});

afterAll(async () => {
  await fixture.simulator.close();
  await receiver.close();
});

/** Fields that the tests read by name; the rest is matched as a whole. */
interface TestPayload {
  readonly action: string;
  readonly label: { readonly name: string };
  readonly pull_request: { readonly merge_commit_sha: string; readonly author_association: string };
  readonly comment: unknown;
  readonly sender: unknown;
}

/** What this test received, each payload checked against GitHub's description of its event and action. */
function arrived(): readonly TestPayload[] {
  return receiver.received.slice(from).map(({ headers, body }: Received) => {
    const payload = JSON.parse(body) as TestPayload;
    const schema = `webhook-${headers['x-github-event']}-${payload.action}`.replaceAll('_', '-');
    expect(fixture.openApi.checkSchema(schema, payload)).toBeUndefined();
    return payload;
  });
}

const actions = () => arrived().map((payload) => payload.action);

let branches = 0;
async function openFresh(extra: { draft?: boolean; labels?: string[]; author?: string } = {}) {
  branches += 1;
  const branch = `topic-${branches}`;
  await fixture.commit(branch, { [`${branch}.txt`]: 'one\n' }, 'main');
  const opened = await fixture.simulator.openPullRequest({
    head: branch,
    base: 'main',
    title: branch,
    ...extra,
  });
  return { ...opened, branch };
}

describe('a delivery', () => {
  it('carries GitHub’s headers and a signature over the very bytes, emoji included', async () => {
    const { number } = await openFresh();
    await fixture.simulator.comment(number, { author: 'dora', body: 'Ship it 🚀 – “naïve”\u2028' });
    const last = receiver.received.at(-1);
    expect(last?.headers).toMatchObject({
      'x-github-event': 'issue_comment',
      'x-github-delivery': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      'x-github-hook-id': expect.stringMatching(/^\d+$/),
      'x-github-hook-installation-target-type': 'integration',
      'x-github-hook-installation-target-id': String(APP.id),
      'x-hub-signature': expect.stringMatching(/^sha1=[0-9a-f]{40}$/),
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'content-type': 'application/json',
    });
    const signature = String(last?.headers['x-hub-signature-256']);
    expect(await verify(HOOK_SECRET, last?.body ?? '', signature)).toBe(true);
    expect(await verify('another', last?.body ?? '', signature)).toBe(false);
  });

  it('names repository, organisation, sender and installation', async () => {
    await openFresh({ author: 'alice' });
    expect(arrived()[0]).toMatchObject({
      repository: { full_name: 'acme/widgets', owner: { type: 'Organization' } },
      organization: { login: 'acme' },
      sender: { login: 'alice', type: 'User' },
      installation: { id: APP.installationId, node_id: expect.any(String) },
    });
  });

  it('is repeated under its GUID, and a failed receiver is recorded rather than thrown', async () => {
    receiver.answer(500);
    await openFresh();
    receiver.answer(200);
    const failed = fixture.simulator.deliveries.at(-1);
    expect(failed).toMatchObject({ event: 'pull_request', action: 'opened', status: 500, redelivery: false });
    const again = await fixture.simulator.redeliver(failed?.guid ?? '');
    expect(again).toMatchObject({
      guid: failed?.guid,
      payload: failed?.payload,
      status: 200,
      redelivery: true,
    });
    const [first, second] = receiver.received.slice(from);
    expect(second).toMatchObject({ body: first?.body });
    expect(second?.headers['x-github-delivery']).toBe(first?.headers['x-github-delivery']);
    await expect(fixture.simulator.redeliver('none')).rejects.toBeInstanceOf(RefusedActError);
  });

  it('that finds nobody says so in its record', async () => {
    const { simulator } = fixture;
    simulator.setWebhookUrl(undefined);
    expect(await simulator.send('ping', { zen: 'x' })).toMatchObject({
      status: undefined,
      error: 'no webhook URL is set',
    });
    simulator.setWebhookUrl('http://127.0.0.1:1/');
    expect((await simulator.send('ping', { zen: 'x' }, { guid: 'g' })).error).toBeTypeOf('string');
    simulator.setWebhookUrl(receiver.url);
    expect(await simulator.send('ping', { zen: 'x' }, { guid: 'g' })).toMatchObject({
      guid: 'g',
      status: 200,
    });
  });
});

describe('people with pull requests', () => {
  it('open them: opened, then one labeled for each label', async () => {
    const { number, headSha, baseSha } = await openFresh({ author: 'alice', labels: ['shepherd', 'docs'] });
    const [opened, ...labeled] = arrived();
    expect(opened).toMatchObject({
      action: 'opened',
      number,
      pull_request: {
        head: { sha: headSha },
        base: { sha: baseSha },
        labels: [{ name: 'shepherd' }, { name: 'docs' }],
        mergeable: null,
        changed_files: 1,
        // A webhook sees no private membership.
        author_association: 'NONE',
      },
    });
    expect(labeled.map((payload) => [payload.action, payload.label.name])).toEqual([
      ['labeled', 'shepherd'],
      ['labeled', 'docs'],
    ]);
  });

  it('open many at once, each with a number of its own', async () => {
    const opened = await Promise.all([openFresh(), openFresh(), openFresh()]);
    expect(new Set(opened.map((pr) => pr.number)).size).toBe(3);
  });

  it('push to them: synchronize with before and after, forced or not, and nothing when nothing moved', async () => {
    const { simulator, commit } = fixture;
    const { branch, headSha, number } = await openFresh();
    const next = await commit('scratch', { 'more.txt': 'x\n' }, branch);
    await simulator.push(branch, next, { by: 'bob' });
    await simulator.push(branch, next);
    const rewritten = await commit('scratch', { 'other.txt': 'x\n' }, 'main');
    await simulator.push(branch, rewritten);
    expect(arrived().slice(1)).toMatchObject([
      { action: 'synchronize', before: headSha, after: next, sender: { login: 'bob' } },
      { action: 'synchronize', before: next, after: rewritten, pull_request: { head: { sha: rewritten } } },
    ]);
    expect(simulator.pullRequest(number).head.sha).toBe(rewritten);
  });

  it('close and reopen them, which takes in what was pushed in between', async () => {
    const { simulator, commit } = fixture;
    const { branch, number } = await openFresh();
    await simulator.closePullRequest(number);
    const pushed = await commit('scratch', { 'late.txt': 'x\n' }, branch);
    await simulator.push(branch, pushed);
    await simulator.reopenPullRequest(number);
    expect(actions()).toEqual(['opened', 'closed', 'reopened']);
    expect(arrived()[1]).toMatchObject({ pull_request: { state: 'closed', merged: false } });
    expect(arrived()[2]).toMatchObject({
      pull_request: { state: 'open', closed_at: null, head: { sha: pushed } },
    });
  });

  it('merge them in git', async () => {
    const { simulator, octokit, names } = fixture;
    const { number, headSha } = await openFresh();
    await simulator.closePullRequest(number, { merged: true, by: 'bob' });
    const closed = arrived().at(-1);
    expect(closed?.pull_request).toMatchObject({
      merged: true,
      merged_by: { login: 'bob' },
      changed_files: 1,
    });
    const { data } = await octokit.rest.repos.getCommit({ ...names, ref: 'main' });
    expect(data.sha).toBe(closed?.pull_request.merge_commit_sha);
    expect(data.parents[1]?.sha).toBe(headSha);
  });

  it('change draft, title, base, labels and lock', async () => {
    const { simulator, commit } = fixture;
    await commit('release', { 'r.txt': 'r\n' }, 'main');
    const { number, baseSha, branch } = await openFresh({ draft: true });
    await simulator.setDraft(number, false);
    await simulator.setDraft(number, true);
    await simulator.editPullRequest(number, { title: 'New', body: 'Text', base: 'release' });
    await simulator.addLabel(number, 'shepherd', { by: 'bob' });
    await simulator.addLabel(number, 'shepherd');
    await simulator.removeLabel(number, 'shepherd');
    await simulator.removeLabel(number, 'shepherd');
    await simulator.lock(number);
    await simulator.unlock(number);
    expect(actions()).toEqual([
      ...['opened', 'ready_for_review', 'converted_to_draft', 'edited'],
      ...['labeled', 'unlabeled', 'locked', 'unlocked'],
    ]);
    expect(arrived()[3]).toMatchObject({
      changes: {
        title: { from: branch },
        body: { from: '' },
        base: { ref: { from: 'main' }, sha: { from: baseSha } },
      },
      pull_request: { title: 'New', base: { ref: 'release' } },
    });
  });

  it('are refused what GitHub refuses', async () => {
    const { simulator } = fixture;
    const open = (head: string, base: string) => simulator.openPullRequest({ head, base, title: 'x' });
    await expect(open('nowhere', 'main')).rejects.toBeInstanceOf(RefusedActError);
    await expect(open('main', 'main')).rejects.toThrow('No commits between main and main');
    await expect(simulator.closePullRequest(999)).rejects.toBeInstanceOf(RefusedActError);
    expect(() => simulator.pullRequest(999)).toThrow(RefusedActError);
    expect(arrived()).toEqual([]);
    const { number } = await openFresh();
    expect(() => simulator.deleteFork(number)).toThrow(RefusedActError);
  });
});

describe('the conversation', () => {
  it('is created, edited by somebody else, and deleted', async () => {
    const { simulator } = fixture;
    const { number } = await openFresh({ author: 'alice' });
    const { id, nodeId } = await simulator.comment(number, { author: 'dora', body: 'One' });
    await simulator.editComment(id, 'Two', 'bob');
    await simulator.deleteComment(id, 'bob');
    expect(simulator.comments(number)).toEqual([]);
    const [created, edited, deleted] = arrived().slice(1);
    expect(created).toMatchObject({
      action: 'created',
      issue: {
        number,
        user: { login: 'alice' },
        pull_request: { merged_at: null },
        draft: false,
        locked: false,
      },
      comment: { id, node_id: nodeId, body: 'One', user: { login: 'dora' }, performed_via_github_app: null },
    });
    expect(edited).toMatchObject({
      action: 'edited',
      changes: { body: { from: 'One' } },
      comment: { body: 'Two', user: { login: 'dora' } },
      sender: { login: 'bob' },
    });
    expect(deleted?.action).toBe('deleted');
    await expect(simulator.editComment(id, 'Three')).rejects.toBeInstanceOf(RefusedActError);
  });

  it('comes back to the App for its own writes, from a bot', async () => {
    const { simulator, octokit, names } = fixture;
    const { number } = await openFresh();
    const { data } = await octokit.rest.issues.createComment({
      ...names,
      issue_number: number,
      body: 'Review',
    });
    await octokit.rest.issues.addLabels({ ...names, issue_number: number, labels: ['seen'] });
    await octokit.rest.issues.deleteComment({ ...names, comment_id: data.id });
    await simulator.delivered();
    const own = arrived().slice(1);
    expect(own.map((payload) => payload.action).sort()).toEqual(['created', 'deleted', 'labeled']);
    for (const payload of own) {
      expect(payload.sender).toMatchObject({ login: 'horton[bot]', type: 'Bot', id: simulator.botUserId });
    }
    expect(own.find((payload) => payload.action === 'created')?.comment).toMatchObject({
      performed_via_github_app: { slug: 'horton' },
    });
  });
});

describe('a repository of a person', () => {
  it('has no organisation', async () => {
    const own = await startFixture({ ownerType: 'User' });
    try {
      await own.simulator.openPullRequest({ head: 'feature', base: 'main', title: 'x', author: 'acme' });
      const payload = own.simulator.deliveries[0]?.payload as unknown as TestPayload;
      expect(payload).not.toHaveProperty('organization');
      expect(payload.pull_request.author_association).toBe('OWNER');
      const member = own.octokit.rest.orgs.checkMembershipForUser({ org: 'acme', username: 'alice' });
      await expect(member).rejects.toMatchObject({ status: 404 });
    } finally {
      await own.simulator.close();
    }
  });
});
