import { describe, expect, it } from 'vitest';
import type { LimitSign } from './pacing.ts';
import { type Answer, costOf, isRateLimited, isRead, limitSign, ownWord, waitOf } from './rate-limit.ts';

describe('the cost of a request', () => {
  it.each([
    ['GET', '/repos/{owner}/{repo}/pulls', { rest: 1 }],
    ['POST', '/repos/{owner}/{repo}/issues/{issue_number}/comments', { creations: 1, rest: 5 }],
    ['POST', '/repos/a/b/pulls/1/comments/2/replies', { creations: 1, rest: 5 }],
    ['POST', '/repos/a/b/pulls/1/reviews', { creations: 1, rest: 5 }],
    ['PATCH', '/repos/a/b/issues/comments/2', { rest: 5 }],
    ['POST', '/repos/a/b/issues/comments/2/reactions', { rest: 5 }],
    ['DELETE', '/repos/a/b/issues/comments/2', { rest: 5 }],
  ])('%s %s', (method, url, cost) => {
    expect(costOf({ method, url })).toEqual(cost);
    expect(isRead({ method, url })).toBe(method === 'GET');
  });

  it.each([
    ['query { viewer { login } }', { graphql: 1 }],
    ['{ viewer { login } }', { graphql: 1 }],
    ['fragment F on User { login } mutation($id: ID!) { m(id: $id) { id } }', { creations: 1, graphql: 5 }],
  ])('GraphQL: %s', (query, cost) => {
    const request = { method: 'POST', url: '/graphql', query };
    expect(costOf(request)).toEqual(cost);
    expect(isRead(request)).toBe(cost.graphql === 1);
  });
});

const DATE = 'Mon, 05 Jan 2026 10:00:00 GMT';
const RESET = String(Date.parse(DATE) / 1000 + 90);
const SPENT = { date: DATE, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': RESET };
const EVERYTHING: LimitSign['budgets'] = ['graphql', 'rest'];
const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
const CREATION =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation.';

function answer(status: number, headers: Record<string, string>, data: unknown = {}): Answer {
  return { status, headers, data };
}

describe('an answer', () => {
  it.each<readonly [string, Answer, LimitSign]>([
    ['403, hour used up', answer(403, SPENT), { budgets: ['rest'], waitMs: 90_000 }],
    ['429, hour used up', answer(429, SPENT), { budgets: ['rest'], waitMs: 90_000 }],
    [
      'secondary with a time',
      answer(403, { 'retry-after': '7' }, { message: SECONDARY }),
      { budgets: EVERYTHING, waitMs: 7_000 },
    ],
    ['secondary without one', answer(403, {}, { message: SECONDARY }), { budgets: EVERYTHING }],
    ['429 that says nothing', answer(429, {}), { budgets: EVERYTHING }],
    [
      'no more creations',
      answer(403, { 'retry-after': '60' }, { message: CREATION }),
      { budgets: ['creations'], waitMs: 60_000 },
    ],
    [
      'GraphQL, hour used up',
      answer(200, { ...SPENT, 'x-ratelimit-resource': 'graphql' }, { errors: [{ type: 'RATE_LIMITED' }] }),
      { budgets: ['graphql'], waitMs: 90_000 },
    ],
    ['GraphQL as seen', answer(200, {}, { errors: [{ type: 'RATE_LIMIT' }] }), { budgets: ['graphql'] }],
    [
      'GraphQL, secondary',
      answer(200, {}, { data: null, errors: [{ message: SECONDARY }] }),
      { budgets: EVERYTHING },
    ],
  ])('%s', (_name, given, sign) => {
    expect(isRateLimited(given)).toBe(true);
    expect(limitSign(given)).toEqual(sign);
  });

  it('that succeeds and was the last of the hour stops the next one', () => {
    const last = answer(200, { ...SPENT, 'x-ratelimit-resource': 'core' });
    expect(isRateLimited(last)).toBe(false);
    expect(limitSign(last)).toEqual({ budgets: ['rest'], waitMs: 90_000 });
  });

  it.each<readonly [string, Answer]>([
    ['success', answer(200, { 'x-ratelimit-remaining': '1' })],
    ['a missing permission', answer(403, {}, { message: 'Resource not accessible by integration' })],
    ['not found', answer(404, {})],
    ['a GraphQL error of another kind', answer(200, {}, { errors: [{ type: 'NOT_FOUND', message: 'x' }] })],
    ['a comment that speaks of limits', answer(200, {}, { message: SECONDARY })],
    ['a list', answer(200, {}, [{ errors: [] }])],
    ['text', answer(200, {}, 'secondary rate limit')],
  ])('%s says nothing of limits', (_name, given) => {
    expect(isRateLimited(given)).toBe(false);
    expect(limitSign(given)).toBeUndefined();
  });

  it('is not believed where a person may have written it', () => {
    const file = answer(200, {}, { errors: [{ type: 'RATE_LIMITED' }] });
    expect(isRateLimited(ownWord({ method: 'GET', url: '/repos/a/b/contents/c.json' }, file))).toBe(false);
    expect(isRateLimited(ownWord({ method: 'POST', url: '/graphql', query: '{ a }' }, file))).toBe(true);
  });

  it('never asks for more than an hour', () => {
    expect(waitOf({ 'retry-after': '86400' })).toBe(3_600_000);
    expect(waitOf({ ...SPENT, 'x-ratelimit-reset': '9999999999' })).toBe(3_600_000);
    expect(waitOf({ ...SPENT, 'x-ratelimit-reset': '0' })).toBe(0);
    expect(waitOf({ ...SPENT, date: 'nonsense' })).toBeUndefined();
  });
});
