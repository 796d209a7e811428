import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textsOf } from '../conversation/item.ts';
import { PermanentError, TransientError } from '../errors.ts';
import { readSnapshot } from './snapshot.ts';
import { bodiesOf, READ_AT_MS, startTalkHost, type Talk, type TalkHost } from './testing/talk.ts';

let host: TalkHost;
let simulator: TalkHost['simulator'];

beforeAll(async () => {
  host = await startTalkHost();
  simulator = host.simulator;
  twoPages = await openTwoPages();
});

afterAll(() => simulator.close());

const numbered = (count: number, what: string) =>
  Array.from({ length: count }, (_, index) => `${what} ${index}`);
const repliesOf = (bodies: readonly string[]) => bodies.map((body) => ({ author: 'ada', body }));

/** Of 101 comments, so that there are two pages. Tests that change a talk open their own. */
let twoPages: Talk;
async function openTwoPages(): Promise<Talk> {
  const talk = await host.openTalk();
  await addComments(talk, 101);
  return talk;
}

async function addComments({ pr }: Talk, count: number): Promise<void> {
  for (const body of numbered(count, 'Comment')) await simulator.comment(pr.number, { author: 'ada', body });
}

/** A fault that holds a query back until `act` is done. */
function meanwhile(act: () => Promise<unknown>) {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { times: 1, gate, onRequest: () => void act().then(open) };
}

/** Changes the data of one answer on its way to the reader. Returns how to end that. */
function alterAnswer(at: number, alter: (pullRequest: Record<string, unknown>, data: object) => void) {
  let count = 0;
  const hook = (response: { data: unknown }, options: { url: string }): void => {
    if (!options.url.endsWith('/graphql')) return;
    const { data } = response.data as { data: { repository: { pullRequest: Record<string, unknown> } } };
    if (count === at) alter(data.repository.pullRequest, data);
    count += 1;
  };
  host.octokit.hook.after('request', hook);
  return () => host.octokit.hook.remove('request', hook);
}

const failure = (read: () => Promise<unknown>): Promise<unknown> =>
  read().then(
    () => undefined,
    (error: unknown) => error,
  );

describe('more than one page', () => {
  it('row 2.12 l, fault 14: has all of a thread, however long, and of every list', async () => {
    const talk = await host.openTalk();
    const { pr, read, addThreads } = talk;
    const replies = numbered(230, 'Reply');
    await addThreads(1, repliesOf(replies));
    await addThreads(204);
    await addComments(talk, 201);
    for (const body of numbered(101, 'Review')) {
      await simulator.submitReview(pr.number, { author: 'ada', state: 'approved', body });
    }
    const { result, queries } = await host.counted(read);
    const { items } = result;
    const texts = (kind: string) => bodiesOf(items.filter((item) => item.kind === kind));
    expect(texts('thread').toSorted()).toEqual(
      ['Thread 0', ...replies, ...numbered(204, 'Thread')].toSorted(),
    );
    const [longest] = items.toSorted((a, b) => textsOf(b).length - textsOf(a).length);
    expect(longest === undefined ? [] : bodiesOf([longest])).toEqual(['Thread 0', ...replies]);
    expect(texts('comment').toSorted()).toEqual(numbered(201, 'Comment').toSorted());
    expect(texts('summary').toSorted()).toEqual(numbered(101, 'Review').toSorted());
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    // The longest list decides: all others go along with it.
    expect(queries).toBe(3);
  });

  it('reads many long threads on together, at most 20 with one request', async () => {
    const { read, addThreads } = await host.openTalk();
    await addThreads(21, repliesOf(numbered(101, 'Reply')));
    const { result, queries } = await host.counted(read);
    expect(result.items.map((item) => textsOf(item).length)).toEqual(Array(21).fill(102));
    expect(queries).toBe(3);
  });

  it('fault 40: fails when the head changes between two pages, and the next read is of the new one', async () => {
    const { pr, read, push } = await openTwoPages();
    host.afterQueries(1, meanwhile(push));
    expect(await failure(read)).toBeInstanceOf(TransientError);
    const { headSha, items } = await read();
    expect(headSha).toBe(simulator.pullRequest(pr.number).head.sha);
    expect(items).toHaveLength(101);
  });

  it('fails when something is said or deleted meanwhile, and not for what comes behind the end', async () => {
    const talk = await openTwoPages();
    const { pr, read, addThreads } = talk;
    const [{ id } = { id: 0 }] = simulator.comments(pr.number);
    host.afterQueries(
      1,
      meanwhile(() => simulator.deleteComment(id)),
    );
    expect(await failure(read)).toMatchObject({ retryable: true, message: /do not add up \(comments\)/ });
    await addComments(talk, 1);
    host.afterQueries(
      1,
      meanwhile(() => addComments(talk, 1)),
    );
    expect((await read()).items).toHaveLength(102);
    const [thread = ''] = await addThreads(1, repliesOf(numbered(100, 'Reply')));
    const deleteThread = async () => {
      for (const comment of simulator.reviewComments(pr.number)) {
        if (comment.thread === thread) await simulator.deleteReviewComment(comment.id);
      }
    };
    host.afterQueries(1, meanwhile(deleteThread));
    expect(await failure(read)).toMatchObject({ retryable: true, message: /Could not resolve to a node/ });
    expect((await read()).items).toHaveLength(102);
  });
});

describe('an answer that is not whole', () => {
  it.each([0, 1])('fault 32: with errors beside its data fails the read (page %i)', async (at) => {
    const { read } = twoPages;
    const data = { repository: { pullRequest: { comments: { nodes: [] } } } };
    const errors = [{ message: 'Something went wrong while executing your query.' }];
    host.afterQueries(at, { times: 1, respond: { status: 200, body: { data, errors } } });
    expect(await failure(read)).toMatchObject({
      retryable: true,
      message: /could not read the conversation of #\d+: Something went wrong/,
    });
    expect((await read()).items).toHaveLength(101);
  });

  type Connection = {
    totalCount: number;
    nodes: (object | null)[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
  const holes: readonly [string, number, (comments: Connection) => void][] = [
    ['a node is null', 0, ({ nodes }) => nodes.splice(3, 1, null)],
    ['a node is missing', 0, ({ nodes }) => nodes.splice(3, 1)],
    ['a node stands there twice', 1, ({ nodes }) => nodes.push(...nodes)],
    ['a text is null', 1, ({ nodes }) => Object.assign(nodes[0] ?? {}, { body: null })],
    ['a page is empty and says that more follow', 0, ({ nodes }) => nodes.splice(0)],
    ['the cursor is missing', 0, ({ pageInfo }) => Object.assign(pageInfo, { endCursor: null })],
    ['the end is hidden', 0, ({ pageInfo }) => Object.assign(pageInfo, { hasNextPage: false })],
    ['the end comes never', 1, ({ pageInfo }) => Object.assign(pageInfo, { hasNextPage: true })],
    ['the count is too high', 1, (comments) => Object.assign(comments, { totalCount: 102 })],
  ];

  it.each(holes)('faults 32 and 34: fails the read where %s', async (_what, at, alter) => {
    const { read } = twoPages;
    const end = alterAnswer(at, (pullRequest) => alter(pullRequest.comments as Connection));
    expect(await failure(read)).toBeInstanceOf(TransientError);
    end();
    expect((await read()).items).toHaveLength(101);
  });

  it('faults 32 and 34: fails the read where a list, the thread or the pull request is not there', async () => {
    const { read, addThreads } = await host.openTalk();
    await addThreads(1, repliesOf(numbered(100, 'Reply')));
    const cases: readonly [number, Parameters<typeof alterAnswer>[1]][] = [
      [0, (pullRequest) => Object.assign(pullRequest, { reviews: null })],
      [0, (pullRequest) => delete pullRequest.reviews],
      [0, (pullRequest) => Object.assign(pullRequest, { headRefOid: 'main' })],
      [0, (_, data) => Object.assign(data, { repository: { pullRequest: null } })],
      [0, (_, data) => Object.assign(data, { repository: null })],
      [1, (_, data) => Object.assign(data, { thread0: null })],
      [1, (_, data) => Object.assign(data, { thread0: {} })],
    ];
    for (const [at, alter] of cases) {
      const end = alterAnswer(at, alter);
      expect(await failure(read)).toBeInstanceOf(TransientError);
      end();
    }
    expect((await read()).items).toHaveLength(1);
  });

  it('that is a page for people fails the read', async () => {
    const { read } = twoPages;
    const headers = { 'content-type': 'text/html' };
    const end = simulator.inject({
      path: /graphql/,
      respond: { status: 200, body: '<html><h1>Unicorn!</h1></html>', headers },
    });
    expect(await failure(read)).toBeInstanceOf(TransientError);
    end();
  });

  it('502 is asked again, and fails the read if it lasts', async () => {
    const { read } = twoPages;
    host.afterQueries(1, { times: 1, respond: { status: 502 } });
    expect((await read()).items).toHaveLength(101);
    const end = simulator.inject({ path: /graphql/, respond: { status: 502 } });
    expect(await failure(read)).toMatchObject({ retryable: true, message: /conversation of #\d+ \(502\)/ });
    end();
  });
});

describe('a conversation that takes GitHub too long', () => {
  const body = { message: 'We could not respond to your request in time.' };
  const errors = [{ message: 'Something went wrong. This may be the result of a timeout.' }];

  it.each([
    ['with a status', { status: 502, body }],
    ['with an error', { status: 200, body: { data: null, errors } }],
  ])('is read in smaller pages (GitHub says it %s)', async (_what, respond) => {
    const { read, addThreads } = await host.openTalk();
    await addThreads(21, repliesOf(numbered(20, 'Reply')));
    // A read is repeated in place where it has a bad status.
    host.afterQueries(0, { times: respond.status === 200 ? 1 : 3, respond });
    const { result, queries } = await host.counted(read);
    expect(bodiesOf(result.items)).toHaveLength(21 * 21);
    // First 20 threads, then the last one and what the others go on with, then what that goes on with.
    expect(queries - (respond.status === 200 ? 1 : 3)).toBe(3);
  });
});

describe('a read that GitHub refuses', () => {
  it.each([0, 1])('fault 34: fails when the hour’s points are used up (page %i)', async (at) => {
    const { read } = twoPages;
    const errors = [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }];
    const headers = { 'retry-after': '0' };
    host.afterQueries(at, { times: 1, respond: { status: 200, body: { data: null, errors }, headers } });
    expect(await failure(read)).toMatchObject({ retryable: true, retryAfterMs: 0 });
    expect((await read()).items).toHaveLength(101);
  });

  it('fault 34: fails when the last point was spent on the page before', async () => {
    const poor = await startTalkHost({ requestsPerHour: 1 });
    try {
      const { pr, read } = await poor.openTalk();
      for (const body of numbered(101, 'Comment')) {
        await poor.simulator.comment(pr.number, { author: 'ada', body });
      }
      const error = await failure(read);
      expect(error).toBeInstanceOf(TransientError);
      expect((error as TransientError).retryAfterMs).toBeGreaterThan(3_000_000);
    } finally {
      await poor.simulator.close();
    }
  });

  it('is final where there is no such pull request or repository', async () => {
    const { pr } = twoPages;
    for (const gone of [
      { ...pr, number: 999 },
      { ...pr, repo: 'gadgets' },
    ]) {
      const error = await failure(() => readSnapshot(host.octokit, gone, READ_AT_MS));
      expect(error).toBeInstanceOf(PermanentError);
      expect(error).toMatchObject({ message: /^GitHub could not read the .* of #\d+: Could not resolve/ });
    }
  });

  it('is final without the permission, and says what to do', async () => {
    const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: 'x' };
    const blind = await startTalkHost({ app: { ...app, permissions: { metadata: 'read' } } });
    try {
      const { pr, read } = await blind.openTalk();
      const remedy = `GitHub does not let the App read the conversation of #${pr.number}: in the App's settings give it read access to pull requests and issues, and accept that for its installation.`;
      const whole = { status: 403, body: { message: 'Resource not accessible by integration' } };
      for (const respond of [undefined, whole]) {
        if (respond !== undefined) blind.simulator.inject({ path: /graphql/, respond });
        const error = await failure(read);
        expect(error).toBeInstanceOf(PermanentError);
        expect(error).toMatchObject({ message: remedy });
      }
    } finally {
      await blind.simulator.close();
    }
  });
});
