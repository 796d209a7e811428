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
  /** The last answer where it came within the last second or is still to come, else a fresh one. */
  readonly recent: () => Promise<T>;
}

/** Builds one that has not looked yet. */
export function createLook<T>(read: () => Promise<T>, now: () => number): Look<T> {
  let last: { readonly answer: Promise<T>; doneAtMs?: number } | undefined;
  const fresh: Look<T>['fresh'] = () => {
    const look: typeof last = { answer: read() };
    last = look;
    look.answer.then(
      () => {
        look.doneAtMs = now();
      },
      () => {
        if (last === look) last = undefined;
      },
    );
    return look.answer;
  };
  return {
    fresh,
    // What is still under way is the newest that there can be.
    recent: () =>
      last !== undefined && now() - (last.doneAtMs ?? now()) < RECENT_MS ? last.answer : fresh(),
  };
}
