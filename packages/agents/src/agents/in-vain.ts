/**
 * What was shown and could not be marked, because the store of markers is broken.
 *
 * @module
 */
import type { Mark } from '../conversation/gate.ts';
import type { ItemId } from '../conversation/item.ts';
import { type Discussion, isUnshown } from './discussion.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** What a round showed, and of what. */
interface Shown {
  readonly marks: readonly Mark[];
  readonly versions: readonly (readonly [ItemId, string])[];
  readonly startsAnew: boolean;
}

/**
 * What rounds showed and could not mark, in the row `in-vain`: without it the same would be shown again and again
 * before all others. Once all of it was shown, it begins anew.
 */
export function shownInVain(
  own: Pick<ShepherdRows['own'], 'get'>,
  { judged }: Discussion,
): ReadonlySet<string> {
  const shown = new Set(readOwn<readonly string[]>(own, 'in-vain'));
  return judged.every((candidate) => !isUnshown(candidate) || shown.has(candidate.item.id))
    ? new Set()
    : shown;
}

/** Remembers what was shown and could not be marked; forgets it where marks are kept again. */
export function keepInVain(
  own: ShepherdRows['own'],
  { marks, versions, startsAnew }: Shown,
  isMarked: boolean,
): void {
  const before = readOwn<readonly string[]>(own, 'in-vain');
  if (isMarked) {
    if (before !== undefined) own.delete('in-vain');
    return;
  }
  const there = new Set<string>(versions.map(([id]) => id));
  const shown = [...(startsAnew ? [] : (before ?? [])), ...marks.map(({ id }) => id)];
  writeOwn(
    own,
    'in-vain',
    [...new Set(shown)].filter((id) => there.has(id)),
  );
}
