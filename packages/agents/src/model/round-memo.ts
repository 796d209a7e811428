/**
 * What the six reviewers of a round have in common is worked out once: the first who asks does it, the others
 * get the same.
 *
 * @module
 */

/** Remembers by round and name, as long as the round itself is remembered. */
export interface RoundMemo {
  of<T>(round: object, what: string, make: () => T): T;
}

/** Builds one that remembers nothing. */
export function createRoundMemo(): RoundMemo {
  const rounds = new WeakMap<object, Map<string, unknown>>();
  return {
    of<T>(round: object, what: string, make: () => T): T {
      const known = rounds.get(round) ?? new Map<string, unknown>();
      rounds.set(round, known);
      if (!known.has(what)) known.set(what, make());
      // One name is one kind of thing, made by one function: the type is that function's.
      return known.get(what) as T;
    },
  };
}
