import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentMs, isCommentWrite, longestChain, roundRequests, type TimedRequest } from './round-record.ts';

function request(line: string, beganAtMs = 0, endedAtMs = beganAtMs + 1): TimedRequest {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, beganAtMs, endedAtMs };
}

const READ = request('GET /repos/acme/shop/pulls/1', 110);
const CREATE = request('POST /repos/acme/shop/issues/1/comments', 130);
const UPDATE = request('PATCH /repos/acme/shop/issues/comments/77', 150);

describe('a round', () => {
  it('takes from the sending of its delivery to the first write of a comment', () => {
    expect(commentMs({ sentAtMs: 100, requests: [READ, CREATE] })).toBe(30);
    expect(commentMs({ sentAtMs: 100, requests: [READ, UPDATE, CREATE] })).toBe(50);
  });

  it('has no time without a comment', () => {
    expect(() => commentMs({ sentAtMs: 100, requests: [READ] })).toThrow(RangeError);
  });

  it('does not count the minting of a token', () => {
    const minted = request('POST /app/installations/2/access_tokens');
    expect(roundRequests({ sentAtMs: 0, requests: [minted, READ, CREATE] })).toEqual([READ, CREATE]);
  });
});

describe('the write of a comment', () => {
  it.each([
    'GET /repos/acme/shop/issues/1/comments?per_page=100',
    'POST /repos/acme/shop/issues/comments/77/reactions',
    'POST /repos/acme/shop/issues/1/labels',
    'DELETE /repos/acme/shop/issues/comments/77',
  ])('is not %s', (line) => {
    expect(isCommentWrite(request(line))).toBe(false);
  });
});

/** By definition: the longest chain that ends with each request, tried out. */
function chainByTrial(requests: readonly TimedRequest[]): number {
  const endingWith = (last: TimedRequest): number =>
    1 + chainByTrial(requests.filter((one) => one.endedAtMs < last.beganAtMs));
  return Math.max(0, ...requests.map(endingWith));
}

describe('the longest chain', () => {
  it.each([
    ['of none is none', [], 0],
    [
      'of requests at once is one',
      [
        [0, 10],
        [1, 9],
        [2, 12],
      ],
      1,
    ],
    [
      'of one after another is all of them',
      [
        [0, 1],
        [2, 3],
        [4, 5],
      ],
      3,
    ],
    [
      'does not hold one that began while another ran',
      [
        [0, 10],
        [5, 20],
        [21, 30],
      ],
      2,
    ],
    [
      'does not hold one that began as another ended',
      [
        [0, 10],
        [10, 20],
      ],
      1,
    ],
    [
      'prefers two short ones to a long one beside them',
      [
        [0, 100],
        [1, 10],
        [20, 30],
      ],
      2,
    ],
  ] as const)('%s', (_, times, expected) => {
    expect(longestChain(times.map(([began, ended]) => request('GET /', began, ended)))).toBe(expected);
  });

  it('is the longest that there is', () => {
    const spans = fc.array(fc.tuple(fc.nat(20), fc.nat(8)), { maxLength: 9 });
    fc.assert(
      fc.property(spans, (all) => {
        const requests = all.map(([began, lasted]) => request('GET /', began, began + lasted));
        expect(longestChain(requests)).toBe(chainByTrial(requests));
      }),
    );
  });
});
