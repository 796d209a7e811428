/**
 * What was seen of one round from outside, and what follows from it. Pure.
 *
 * @module
 */

/** A request as its server saw it. Times are of the clock that all processes share. */
export interface TimedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly beganAtMs: number;
  /** When the answer had been handed to the network, or the connection was closed. */
  readonly endedAtMs: number;
}

/** One round of one pull request, on a host that did nothing else. */
export interface RoundRecord {
  /** When the delivery was sent that asked for the round. */
  readonly sentAtMs: number;
  /** Requests to GitHub until the host was quiet again. */
  readonly requests: readonly TimedRequest[];
}

const COMMENT_WRITES = [
  /^POST \/repos\/[^/]+\/[^/]+\/issues\/\d+\/comments$/,
  /^PATCH \/repos\/[^/]+\/[^/]+\/issues\/comments\/\d+$/,
];
const TOKEN = /^POST \/app\/installations\/\d+\/access_tokens$/;

type Line = Pick<TimedRequest, 'method' | 'path'>;

/** Whether a request creates or changes a comment. */
export function isCommentWrite({ method, path }: Line): boolean {
  return COMMENT_WRITES.some((pattern) => pattern.test(`${method} ${path}`));
}

/** The requests that a round costs: a token is minted once an hour, for all of them. */
export function roundRequests({ requests }: RoundRecord): readonly TimedRequest[] {
  return requests.filter(({ method, path }) => !TOKEN.test(`${method} ${path}`));
}

/** From the delivery's sending to the arrival of the comment. @throws RangeError when none was written */
export function commentMs({ sentAtMs, requests }: RoundRecord): number {
  const written = requests.find(isCommentWrite);
  if (written === undefined) throw new RangeError('a round without a comment');
  return written.beganAtMs - sentAtMs;
}

/**
 * The longest chain of requests of which each began after the one before had ended.
 *
 * Taking whichever ends first and begins late enough never makes a chain shorter.
 */
export function longestChain(requests: readonly TimedRequest[]): number {
  let length = 0;
  let endedAtMs = Number.NEGATIVE_INFINITY;
  for (const request of requests.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
    if (request.beganAtMs <= endedAtMs) continue;
    length += 1;
    endedAtMs = request.endedAtMs;
  }
  return length;
}
