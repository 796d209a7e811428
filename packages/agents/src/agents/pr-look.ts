/**
 * Looks at something of a PR within one wake, so that what was read a moment ago is not asked for again.
 *
 * @module
 */

/** What is younger than this is as good as what GitHub would say now: an answer takes a tenth of it on its way. */
const RECENT_MS = 1_000;

/** Reads one thing. Contract: throws what its reader throws. */
export interface Look<T> {
  /** Asks GitHub, whatever it said before: for what must be true now (S3). */
  readonly fresh: () => Promise<T>;
  /** The last answer where it was asked for within the last second, else a fresh one. */
  readonly recent: () => Promise<T>;
}

/** Builds one that has not looked yet. */
export function createLook<T>(read: () => Promise<T>, now: () => number): Look<T> {
  let last: { readonly answer: Promise<T>; readonly atMs: number } | undefined;
  const fresh: Look<T>['fresh'] = () => {
    const look = { answer: read(), atMs: now() };
    last = look;
    look.answer.catch(() => {
      if (last === look) last = undefined;
    });
    return look.answer;
  };
  return {
    fresh,
    recent: () => (last !== undefined && now() - last.atMs < RECENT_MS ? last.answer : fresh()),
  };
}
