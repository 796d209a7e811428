import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { APP, type Fixture, startFixture } from '../testing/fixture.ts';

let fixture: Fixture;
let number: number;
let branch: string;
let nowMs = Date.parse('2026-03-01T10:00:00Z');

beforeAll(async () => {
  fixture = await startFixture({
    now: () => new Date(nowMs),
    creationsPerMinute: 10_000,
    mannequins: ['moved'],
  });
});

let branches = 0;
beforeEach(async () => {
  branches += 1;
  branch = `topic-${branches}`;
  await fixture.commit(branch, { 'new.txt': 'one\ntwo\nthree\n' }, 'main');
  const opened = await fixture.simulator.openPullRequest({
    head: branch,
    base: 'main',
    title: 'Add a file',
    author: 'alice',
  });
  number = opened.number;
});

afterAll(() => fixture.simulator.close());

/** The whole answer, errors included. */
async function answerTo(query: string, variables: Record<string, unknown> = {}) {
  const { data } = await fixture.octokit.request('POST /graphql', { query, variables });
  return data;
}

/** Fields of the pull request; any error fails the test. */
async function ofPullRequest(fields: string, variables: Record<string, unknown> = {}) {
  const declared = Object.keys(variables).map((name) => `$${name}: String`);
  const head = declared.length === 0 ? '' : `query(${declared.join(', ')}) `;
  const pullRequest = `pullRequest(number: ${number}) { ${fields} }`;
  const query = `${head}{ repository(owner: "acme", name: "widgets") { ${pullRequest} } }`;
  const { data, errors } = await answerTo(query, variables);
  expect(errors).toBeUndefined();
  return data.repository.pullRequest;
}

const startThread = (line: number | undefined, author = 'dora') =>
  fixture.simulator.startThread(number, {
    author,
    path: 'new.txt',
    body: `on ${line ?? 'the file'}`,
    ...(line === undefined ? {} : { line }),
  });

const WRITTEN = `id fullDatabaseId url body author { __typename login } authorAssociation viewerDidAuthor
  createdAt updatedAt lastEditedAt editor { __typename login } isMinimized minimizedReason`;

describe('the pull request', () => {
  it('tells its state, head and author', async () => {
    const { simulator } = fixture;
    const asked = 'number state isDraft headRefOid baseRefName author { login } authorAssociation url';
    const { head } = simulator.pullRequest(number);
    expect(await ofPullRequest(asked)).toEqual({
      number,
      state: 'OPEN',
      isDraft: false,
      headRefOid: head.sha,
      baseRefName: 'main',
      author: { login: 'alice' },
      authorAssociation: 'MEMBER',
      url: `https://github.com/acme/widgets/pull/${number}`,
    });
    // Not the one of this test: its file would be part of the base from then on.
    ({ number } = await simulator.openPullRequest({ head: 'feature', base: 'main', title: 'Merged' }));
    await simulator.closePullRequest(number, { merged: true });
    expect(await ofPullRequest('state merged')).toEqual({ state: 'MERGED', merged: true });
  });

  it('that there is none of is not found, and without the permission nothing is', async () => {
    const query = '{ repository(owner: "acme", name: "widgets") { pullRequest(number: 999) { id } } }';
    expect(await answerTo(query)).toMatchObject({
      data: { repository: { pullRequest: null } },
      errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a PullRequest with the number of 999.' }],
    });
    const { data } = await fixture.appOctokit.rest.apps.createInstallationAccessToken({
      installation_id: APP.installationId,
      permissions: { contents: 'read' },
    });
    const { threadId } = await startThread(1);
    const body = JSON.stringify({ query: `${query.slice(0, -1)} node(id: "${threadId}") { id } }` });
    const headers = { authorization: `token ${data.token}` };
    const answer = await fetch(`${fixture.simulator.url}/graphql`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({
      data: { repository: { pullRequest: null }, node: null },
      errors: [{ type: 'FORBIDDEN' }, { type: 'FORBIDDEN' }],
    });
  });
});

describe('comments', () => {
  it('tell who wrote, edited and hid them', async () => {
    const { simulator, octokit, names } = fixture;
    const mine = await octokit.rest.issues.createComment({ ...names, issue_number: number, body: 'Review' });
    const theirs = await simulator.comment(number, { author: 'dora', body: 'First' });
    nowMs += 60_000;
    await simulator.editComment(theirs.id, 'Second', 'bob');
    await simulator.minimize(theirs.nodeId, 'off-topic', 'bob');
    const { comments } = await ofPullRequest(`comments(first: 10) { totalCount nodes { ${WRITTEN} } }`);
    expect(comments.totalCount).toBe(2);
    expect(comments.nodes).toMatchObject([
      {
        id: mine.data.node_id,
        fullDatabaseId: String(mine.data.id),
        url: mine.data.html_url,
        author: { __typename: 'Bot', login: 'horton' },
        viewerDidAuthor: true,
        lastEditedAt: null,
        editor: null,
        isMinimized: false,
        minimizedReason: null,
      },
      {
        id: theirs.nodeId,
        body: 'Second',
        author: { __typename: 'User', login: 'dora' },
        authorAssociation: 'NONE',
        viewerDidAuthor: false,
        lastEditedAt: new Date(nowMs).toISOString().replace('.000', ''),
        editor: { __typename: 'User', login: 'bob' },
        isMinimized: true,
        minimizedReason: 'off-topic',
      },
    ]);
  });

  it('name the App as their editor, and tell accounts of other types apart', async () => {
    const { simulator, octokit, names } = fixture;
    const { data } = await octokit.rest.issues.createComment({ ...names, issue_number: number, body: 'a' });
    await octokit.rest.issues.updateComment({ ...names, comment_id: data.id, body: 'b' });
    for (const author of ['acme', 'moved']) await simulator.comment(number, { author, body: 'x' });
    const who = 'nodes { author { __typename login } editor { __typename login } authorAssociation }';
    const app = { __typename: 'Bot', login: 'horton' };
    expect((await ofPullRequest(`comments(first: 5) { ${who} }`)).comments.nodes).toEqual([
      { author: app, editor: app, authorAssociation: 'NONE' },
      { author: { __typename: 'Organization', login: 'acme' }, editor: null, authorAssociation: 'OWNER' },
      { author: { __typename: 'Mannequin', login: 'moved' }, editor: null, authorAssociation: 'MANNEQUIN' },
    ]);
    // By REST too, where every answer is checked.
    const { data: listed } = await octokit.rest.issues.listComments({ ...names, issue_number: number });
    expect(listed.map(({ user }) => user?.type)).toEqual(['Bot', 'Organization', 'Mannequin']);
  });

  it('of a deleted account have no author', async () => {
    const { simulator } = fixture;
    await simulator.comment(number, { author: `ghost-${branches}`, body: 'boo' });
    const { threadId } = await startThread(1, `ghost-${branches}`);
    await simulator.resolveThread(threadId, `ghost-${branches}`);
    simulator.deleteAccount(`ghost-${branches}`);
    const one = `(first: 1) { nodes { author { login } body } }`;
    const threads = `reviewThreads(first: 1) { nodes { isResolved resolvedBy { login } comments${one} } }`;
    expect(await ofPullRequest(`comments${one} reviews${one} ${threads}`)).toEqual({
      comments: { nodes: [{ author: null, body: 'boo' }] },
      reviews: { nodes: [{ author: null, body: '' }] },
      reviewThreads: {
        nodes: [
          { isResolved: true, resolvedBy: null, comments: { nodes: [{ author: null, body: 'on 1' }] } },
        ],
      },
    });
  });
});

describe('reviews', () => {
  it('are there in every state, the empty ones and the superseded ones too', async () => {
    const { simulator } = fixture;
    const submit = (state: 'approved' | 'changes_requested', body: string) =>
      simulator.submitReview(number, { author: 'bob', state, body });
    const first = await submit('changes_requested', 'No');
    const second = await submit('approved', 'Yes');
    await simulator.dismissReview(second.reviewId, 'alice');
    await simulator.minimize(first.reviewNodeId, 'outdated', 'alice');
    await startThread(2);
    const asked = `nodes { ${WRITTEN} state submittedAt commit { oid } comments(first: 5) { totalCount } }`;
    const { reviews } = await ofPullRequest(`reviews(first: 10) { totalCount ${asked} }`);
    const { head } = simulator.pullRequest(number);
    expect(reviews.nodes).toMatchObject([
      { id: first.reviewNodeId, state: 'CHANGES_REQUESTED', isMinimized: true, minimizedReason: 'outdated' },
      { state: 'DISMISSED', body: 'Yes', commit: { oid: head.sha }, comments: { totalCount: 0 } },
      { state: 'COMMENTED', body: '', comments: { totalCount: 1 } },
    ]);
    const some = await ofPullRequest('reviews(first: 5, states: [DISMISSED, PENDING]) { nodes { state } }');
    expect(some.reviews.nodes).toEqual([{ state: 'DISMISSED' }]);
  });
});

describe('review threads', () => {
  const THREAD = `id isResolved isOutdated isCollapsed resolvedBy { __typename login } path line originalLine
    subjectType diffSide`;

  it('tell where they stand, who resolved them, and what was said', async () => {
    const { simulator, commit } = fixture;
    const onTwo = await startThread(2);
    const onFile = await startThread(undefined);
    const reply = await simulator.reply(onTwo.threadId, { author: 'alice', body: 'Done' });
    await simulator.resolveThread(onTwo.threadId, 'alice');
    await simulator.push(branch, await commit('scratch', { 'new.txt': 'one\nTWO\nthree\n' }, branch));
    const comment = `${WRITTEN} path line originalLine outdated subjectType diffHunk
      replyTo { fullDatabaseId } originalCommit { oid } pullRequestReview { fullDatabaseId state }`;
    const { reviewThreads } = await ofPullRequest(
      `reviewThreads(first: 10) { nodes { ${THREAD} comments(first: 10) { nodes { ${comment} } } } }`,
    );
    const [first, second] = reviewThreads.nodes;
    expect(first).toMatchObject({
      id: onTwo.threadId,
      isResolved: true,
      isOutdated: true,
      isCollapsed: true,
      resolvedBy: { __typename: 'User', login: 'alice' },
      path: 'new.txt',
      line: null,
      originalLine: 2,
      subjectType: 'LINE',
      diffSide: 'RIGHT',
    });
    expect(first.comments.nodes).toMatchObject([
      { id: onTwo.commentNodeId, body: 'on 2', replyTo: null, outdated: true, line: null },
      {
        body: 'Done',
        replyTo: { fullDatabaseId: String(onTwo.commentId) },
        pullRequestReview: { fullDatabaseId: String(reply.reviewId), state: 'COMMENTED' },
      },
    ]);
    expect(second).toMatchObject({
      id: onFile.threadId,
      isResolved: false,
      isOutdated: false,
      isCollapsed: false,
      resolvedBy: null,
      line: null,
      originalLine: null,
      subjectType: 'FILE',
    });
  });

  it('are found by node id, with the pages of their comments', async () => {
    const { simulator } = fixture;
    const { threadId, commentNodeId } = await startThread(1);
    for (const body of ['b', 'c']) await simulator.reply(threadId, { author: 'bob', body });
    const { reviewNodeId } = await simulator.submitReview(number, { author: 'bob', body: 'All' });
    const comment = await simulator.comment(number, { author: 'dora', body: 'Hi' });
    const page = `query($id: ID!, $after: String) { node(id: $id) { ... on PullRequestReviewThread {
      isResolved comments(first: 2, after: $after) { nodes { body } pageInfo { hasNextPage endCursor } } } } }`;
    const first = (await answerTo(page, { id: threadId })).data.node;
    expect(first.comments).toMatchObject({
      nodes: [{ body: 'on 1' }, { body: 'b' }],
      pageInfo: { hasNextPage: true },
    });
    const after = first.comments.pageInfo.endCursor;
    expect((await answerTo(page, { id: threadId, after })).data.node.comments).toMatchObject({
      nodes: [{ body: 'c' }],
      pageInfo: { hasNextPage: false },
    });
    const several = `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id
      ... on PullRequestReview { body comments(first: 5) { totalCount } } } }`;
    const ids = [threadId, 'PRRT_none', reviewNodeId, commentNodeId, comment.nodeId];
    expect(await answerTo(several, { ids })).toMatchObject({
      data: {
        nodes: [
          { __typename: 'PullRequestReviewThread', id: threadId },
          null,
          { __typename: 'PullRequestReview', body: 'All', comments: { totalCount: 0 } },
          { __typename: 'PullRequestReviewComment' },
          { __typename: 'IssueComment' },
        ],
      },
      errors: [{ type: 'NOT_FOUND', path: ['nodes', 1] }],
    });
    expect(await answerTo(several, { ids: Array(101).fill(threadId) })).toMatchObject({
      errors: [{ type: 'ARGUMENT_LIMIT' }],
    });
    const { id } = await ofPullRequest('id');
    expect((await answerTo(several, { ids: [id] })).data.nodes).toMatchObject([
      { __typename: 'PullRequest' },
    ]);
  });
});

describe('what was done', () => {
  const hidden = 'nodes { isMinimized minimizedReason }';

  it('can be taken back: what was hidden, resolved, deleted', async () => {
    const { simulator } = fixture;
    const { id, nodeId } = await simulator.comment(number, { author: 'dora', body: 'a' });
    const { reviewId, reviewNodeId, threads } = await simulator.submitReview(number, {
      author: 'dora',
      body: 'b',
      comments: [{ path: 'new.txt', line: 1, body: 'c' }],
    });
    const [{ threadId, commentId, commentNodeId } = { threadId: '', commentId: 0, commentNodeId: '' }] =
      threads;
    const look = async () => {
      const all = `comments(first: 2) { ${hidden} } reviews(first: 2) { ${hidden} }
        reviewThreads(first: 2) { nodes { isResolved resolvedBy { login } comments(first: 2) { ${hidden} } } }`;
      const { comments, reviews, reviewThreads } = await ofPullRequest(all);
      const [thread] = reviewThreads.nodes;
      return [comments.nodes, reviews.nodes, thread?.comments.nodes, thread?.isResolved, thread?.resolvedBy];
    };
    const [shown, no] = [[{ isMinimized: false, minimizedReason: null }], { login: 'alice' }];
    const gone = [{ isMinimized: true, minimizedReason: 'spam' }];
    await simulator.resolveThread(threadId, 'alice');
    for (const item of [nodeId, reviewNodeId, commentNodeId]) await simulator.minimize(item, 'spam', 'bob');
    expect(await look()).toEqual([gone, gone, gone, true, no]);
    await simulator.unresolveThread(threadId, 'alice');
    for (const item of [nodeId, reviewNodeId, commentNodeId]) await simulator.unminimize(item, 'bob');
    expect(await look()).toEqual([shown, shown, shown, false, null]);
    await simulator.editReview(reviewId, 'B', 'bob');
    await simulator.editReviewComment(commentId, 'C');
    const edits = `nodes { body editor { login } }`;
    const { reviews, reviewThreads } = await ofPullRequest(
      `reviews(first: 1) { ${edits} } reviewThreads(first: 1) { nodes { comments(first: 1) { ${edits} } } }`,
    );
    expect(reviews.nodes).toEqual([{ body: 'B', editor: { login: 'bob' } }]);
    expect(reviewThreads.nodes[0].comments.nodes).toEqual([{ body: 'C', editor: { login: 'dora' } }]);
    await simulator.deleteComment(id);
    await simulator.deleteReviewComment(commentId);
    expect(await look()).toEqual([[], shown, undefined, undefined, undefined]);
  });

  it('before the App was installed was never delivered', async () => {
    const { simulator } = fixture;
    const before = simulator.deliveries.length;
    const replies = [{ author: 'alice', body: 'b' }];
    const [first, second] = await simulator.addThreads(number, [
      { author: 'dora', path: 'new.txt', line: 1, body: 'a', replies },
      { author: 'dora', path: 'new.txt', body: 'c' },
    ]);
    expect(simulator.deliveries).toHaveLength(before);
    const said = 'nodes { id subjectType comments(first: 5) { nodes { body author { login } } } }';
    expect((await ofPullRequest(`reviewThreads(first: 5) { ${said} }`)).reviewThreads.nodes).toEqual([
      {
        id: first?.threadId,
        subjectType: 'LINE',
        comments: {
          nodes: [
            { body: 'a', author: { login: 'dora' } },
            { body: 'b', author: { login: 'alice' } },
          ],
        },
      },
      {
        id: second?.threadId,
        subjectType: 'FILE',
        comments: { nodes: [{ body: 'c', author: { login: 'dora' } }] },
      },
    ]);
  });
});

describe('pages', () => {
  const PAGE =
    'nodes { body } edges { cursor } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';
  const bodiesOf = (connection: { nodes: { body: string }[] }) => connection.nodes.map(({ body }) => body);

  it('follow each other forwards and backwards, and stay right when others come and go', async () => {
    const { simulator } = fixture;
    const written: { id: number }[] = [];
    for (const body of ['a', 'b', 'c', 'd', 'e']) {
      written.push(await simulator.comment(number, { author: 'dora', body }));
    }
    const forwards = async (after?: string) =>
      (await ofPullRequest(`comments(first: 2, after: $after) { ${PAGE} }`, { after: after ?? null }))
        .comments;
    const first = await forwards();
    expect([bodiesOf(first), first.pageInfo]).toMatchObject([
      ['a', 'b'],
      { hasNextPage: true, hasPreviousPage: false, endCursor: first.edges[1].cursor },
    ]);
    for (const gone of written.slice(0, 2)) await simulator.deleteComment(gone.id);
    const second = await forwards(first.pageInfo.endCursor);
    expect([bodiesOf(second), second.pageInfo.hasNextPage]).toEqual([['c', 'd'], true]);
    await simulator.comment(number, { author: 'dora', body: 'f' });
    const third = await forwards(second.pageInfo.endCursor);
    expect([bodiesOf(third), third.pageInfo.hasNextPage]).toEqual([['e', 'f'], false]);
    expect(bodiesOf(await forwards(third.pageInfo.endCursor))).toEqual([]);
    const backwards = await ofPullRequest(`comments(last: 2, before: $before) { totalCount ${PAGE} }`, {
      before: third.pageInfo.startCursor,
    });
    expect(bodiesOf(backwards.comments)).toEqual(['c', 'd']);
    expect(backwards.comments).toMatchObject({ totalCount: 4, pageInfo: { hasPreviousPage: false } });
    expect((await ofPullRequest('comments { totalCount }')).comments).toEqual({ totalCount: 4 });
  });

  it('are refused for what is no cursor', async () => {
    const query = `{ repository(owner: "acme", name: "widgets") { pullRequest(number: ${number}) {
      comments(first: 1, after: "!") { totalCount } } } }`;
    expect(await answerTo(query)).toMatchObject({
      errors: [{ type: 'INVALID_CURSOR_ARGUMENTS', message: '`!` does not appear to be a valid cursor.' }],
    });
  });
});
