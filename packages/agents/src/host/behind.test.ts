import { describe, expect, it } from 'vitest';
import type { OpenPullRequest } from '../github/open-pull-requests.ts';
import { parseSha, type Sha } from '../ids.ts';
import { INITIAL_STATE, type Published, type Seen, type ShepherdState } from '../review/state.ts';
import { isBehind, missedEnd, type Occasion } from './behind.ts';

const A = sha('a');
const B = sha('b');
const SEEN: Seen = {
  open: true,
  draft: false,
  labels: ['bug', 'shepherd'],
  headSha: A,
  baseRef: 'main',
  baseSha: B,
  author: 'ada',
  authorIsBot: false,
};
const PUBLISHED: Published = {
  headSha: A,
  completeSha: A,
  baseRef: 'main',
  iteration: 1,
  commentId: 5,
  atMs: 0,
};
const LISTED: OpenPullRequest = {
  owner: 'acme',
  repo: 'shop',
  number: 1,
  headSha: A,
  draft: false,
  baseRef: 'main',
  labels: ['shepherd', 'bug'],
  updatedAtMs: 5_000,
};
const NOW: Occasion = { isFirst: false, nowMs: 60_000, firstStartMs: 10_400 };
const FINE: ShepherdState = { ...INITIAL_STATE, authorClass: 'team', seen: SEEN, published: PUBLISHED };

function sha(digit: string): Sha {
  const parsed = parseSha(digit.repeat(40));
  if (parsed === undefined) throw new TypeError(digit);
  return parsed;
}

describe('the Shepherd of an open PR', () => {
  it('that knows what is listed, and did it, is left alone', () => {
    expect(isBehind(FINE, LISTED, NOW)).toBe(false);
    expect(isBehind(FINE, LISTED, { ...NOW, isFirst: true })).toBe(false);
  });

  it.each<readonly [string, Partial<OpenPullRequest>]>([
    ['a push', { headSha: B }],
    ['a draft', { draft: true }],
    ['another base', { baseRef: 'next' }],
    ['a label', { labels: ['bug', 'shepherd', 'pause-shepherd'] }],
    ['a label taken off', { labels: ['bug'] }],
    ['a label exchanged', { labels: ['bug', 'no-shepherd'] }],
  ])('missed %s', (_name, change) => {
    expect(isBehind(FINE, { ...LISTED, ...change }, NOW)).toBe(true);
  });

  it.each<readonly [string, ShepherdState]>([
    ['thinks that it is closed', { ...FINE, seen: { ...SEEN, open: false } }],
    ['never read it', INITIAL_STATE],
    ['did not look', { ...FINE, look: { settle: false, attempts: 0, notBeforeMs: 0 } }],
  ])('%s', (_name, state) => {
    expect(isBehind(state, LISTED, NOW)).toBe(true);
  });

  it('waits for its own time, and for nobody who reminds it', () => {
    const look = { settle: false, attempts: 3, notBeforeMs: NOW.nowMs + 1_000 };
    expect(isBehind({ ...FINE, look, armedAtMs: look.notBeforeMs }, LISTED, NOW)).toBe(false);
  });

  it('gave its review up: it tries again what may pass, and after a start also what was refused for good', () => {
    const { published: _none, ...unpublished } = FINE;
    const gaveUp = (retryable: boolean): ShepherdState => ({
      ...unpublished,
      failure: { what: 'x', retryable, atMs: 0 },
    });
    expect(isBehind(gaveUp(true), LISTED, NOW)).toBe(true);
    expect(isBehind(gaveUp(false), LISTED, NOW)).toBe(false);
    expect(isBehind(gaveUp(false), LISTED, { ...NOW, isFirst: true })).toBe(true);
  });

  it('is missing: that matters once something happened to the PR since the factory first ran', () => {
    expect(isBehind(undefined, LISTED, NOW)).toBe(false);
    expect(isBehind(undefined, { ...LISTED, updatedAtMs: 10_000 }, NOW)).toBe(true);
  });
});

describe('the Shepherd of a PR that is not open', () => {
  it('missed that, or did not finish', () => {
    expect(missedEnd(FINE, NOW.nowMs)).toBe(true);
    const closed: ShepherdState = { ...FINE, seen: { ...SEEN, open: false } };
    expect(missedEnd(closed, NOW.nowMs)).toBe(false);
    expect(missedEnd({ ...closed, workersActive: true }, NOW.nowMs)).toBe(true);
    expect(missedEnd(undefined, NOW.nowMs)).toBe(false);
  });
});
