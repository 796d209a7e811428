import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../testing/fixture.ts';

let fixture: Fixture;
let number: number;

beforeAll(async () => {
  fixture = await startFixture();
  const opened = await fixture.simulator.openPullRequest({ head: 'feature', base: 'main', title: 'A' });
  number = opened.number;
});

afterAll(() => fixture.simulator.close());

const comment = (body: string) =>
  fixture.octokit.rest.issues.createComment({ ...fixture.names, issue_number: number, body });
const get = () => fixture.octokit.rest.pulls.get({ ...fixture.names, pull_number: number });
const bodies = () => fixture.simulator.comments(number).map((found) => found.body);

describe('what all answers share', () => {
  it('are the limits, counted, and free of charge where GitHub’s are', async () => {
    const { octokit } = fixture;
    const first = await get();
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '5000', 'x-ratelimit-resource': 'core' });
    const remaining = Number(first.headers['x-ratelimit-remaining']);
    expect((await octokit.rest.rateLimit.get()).data.resources.core.remaining).toBe(remaining);
    expect(Number((await get()).headers['x-ratelimit-remaining'])).toBe(remaining - 1);
  });

  it('is an ETag that saves a request', async () => {
    const { octokit, names } = fixture;
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
    const asked = { ...names, issue_number: number };
    const first = await octokit.request(route, asked);
    const again = octokit.request(route, {
      ...asked,
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });
    await expect(again).rejects.toMatchObject({ status: 304 });
    const after = await octokit.rest.rateLimit.get();
    expect(after.data.resources.core.remaining).toBe(Number(first.headers['x-ratelimit-remaining']));
  });

  it('is a record of the request, and a mark on routes that are missing', async () => {
    const { octokit, simulator } = fixture;
    const unknown = octokit.request('GET /repos/acme/widgets/milestones');
    await expect(unknown).rejects.toMatchObject({
      status: 404,
      response: { data: { message: 'Not Found', documentation_url: expect.any(String), status: '404' } },
    });
    expect(simulator.requests.filter((request) => !request.routed)).toEqual([
      {
        method: 'GET',
        path: '/repos/acme/widgets/milestones',
        status: 404,
        authenticatedAs: 'installation',
        routed: false,
      },
    ]);
  });

  it('refuses bodies that are no JSON or lack what is needed', async () => {
    const post = (data: string) =>
      fixture.octokit.request({ method: 'POST', url: `/repos/acme/widgets/issues/${number}/comments`, data });
    await expect(post('{"body": ')).rejects.toMatchObject({
      status: 400,
    });
    await expect(post('{}')).rejects.toMatchObject({ status: 422 });
  });
});

describe('an hour’s limit that is used up', () => {
  it('answers 403 with nothing remaining, and still tells the limit', async () => {
    const now = Date.parse('2026-03-01T10:00:00Z');
    const own = await startFixture({ requestsPerHour: 2, now: () => new Date(now) });
    try {
      const read = () => own.octokit.rest.repos.get(own.names);
      await read();
      await read();
      await expect(read()).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('API rate limit exceeded'),
        response: {
          headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 3600) },
        },
      });
      expect((await own.octokit.rest.rateLimit.get()).data.rate.remaining).toBe(0);
    } finally {
      await own.simulator.close();
    }
  });
});

describe('too much content in a minute', () => {
  it('is refused for as long as the window lasts, while edits and reactions pass', async () => {
    let nowMs = Date.parse('2026-03-01T10:00:00Z');
    const own = await startFixture({ creationsPerMinute: 2, now: () => new Date(nowMs) });
    try {
      const { octokit, simulator, names } = own;
      const opened = await simulator.openPullRequest({ head: 'feature', base: 'main', title: 'A' });
      const create = (body: string) =>
        octokit.rest.issues.createComment({ ...names, issue_number: opened.number, body });
      const { data } = await create('first');
      nowMs += 20_000;
      await create('second');
      nowMs += 10_500;
      await expect(create('refused')).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('secondary rate limit'),
        response: { headers: { 'retry-after': '30', 'x-ratelimit-remaining': expect.stringMatching(/^49/) } },
      });
      const comment_id = data.id;
      await octokit.rest.issues.updateComment({ ...names, comment_id, body: 'edited' });
      await octokit.rest.reactions.createForIssueComment({ ...names, comment_id, content: 'eyes' });
      nowMs += 29_500;
      await create('third');
      expect(simulator.comments(opened.number).map((found) => found.body)).toEqual([
        ...['edited', 'second', 'third'],
      ]);
    } finally {
      await own.simulator.close();
    }
  });
});

describe('faults', () => {
  it('answer instead of the truth as often as asked, with their own headers', async () => {
    const { simulator } = fixture;
    simulator.inject({
      method: 'GET',
      path: /\/pulls\/\d+$/g,
      times: 2,
      respond: {
        status: 403,
        body: { message: 'You have exceeded a secondary rate limit.' },
        headers: { 'retry-after': '60', 'x-ratelimit-remaining': '7' },
      },
    });
    for (let i = 0; i < 2; i += 1) {
      await expect(get()).rejects.toMatchObject({
        status: 403,
        response: { headers: { 'retry-after': '60', 'x-ratelimit-remaining': '7' } },
      });
    }
    expect((await get()).status).toBe(200);
  });

  it('delay a true answer', async () => {
    const hits: string[] = [];
    fixture.simulator.inject({ path: /\/pulls\//, times: 1, delayMs: 1, onRequest: () => hits.push('hit') });
    expect([(await get()).data.number, (await get()).data.number, ...hits]).toEqual([number, number, 'hit']);
  });

  it('are taken back, and hit only what matches', async () => {
    const { simulator } = fixture;
    const restore = simulator.inject({ method: 'POST', path: /\/pulls\//, respond: { status: 500 } });
    expect((await get()).status).toBe(200);
    const broken = simulator.inject({
      path: /\/pulls\//,
      respond: { status: 200, body: 'The server is unavailable' },
    });
    expect((await get()).data).toBe('The server is unavailable');
    broken();
    expect((await get()).data.number).toBe(number);
    restore();
  });

  it('lose the answer of a write that took effect, by status or by a closed connection', async () => {
    const { simulator } = fixture;
    const write = { method: 'POST', path: /\/comments$/, times: 1, afterEffect: true } as const;
    simulator.inject(write);
    await expect(comment('kept by 502')).rejects.toMatchObject({ status: 502 });
    simulator.inject({ ...write, destroySocket: true });
    await expect(comment('kept by reset')).rejects.toMatchObject({ status: 500 });
    simulator.inject({ method: 'POST', path: /\/comments$/, times: 1, destroySocket: true });
    await expect(comment('never arrived')).rejects.toMatchObject({ status: 500 });
    expect(bodies()).toEqual(['kept by 502', 'kept by reset']);
    expect(simulator.requests.slice(-3).map((request) => request.status)).toEqual([
      502,
      undefined,
      undefined,
    ]);
  });

  it('hold a request until it is let go, and tell when it has come', async () => {
    const { simulator } = fixture;
    const arrived = deferred();
    const gate = deferred();
    simulator.inject({
      method: 'POST',
      path: /\/comments$/,
      times: 1,
      onRequest: arrived.resolve,
      gate: gate.promise,
    });
    const before = bodies().length;
    const writing = comment('held');
    await arrived.promise;
    expect(bodies()).toHaveLength(before);
    gate.resolve();
    expect((await writing).status).toBe(201);
  });
});

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
