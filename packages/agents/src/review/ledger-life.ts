/**
 * What a round does to one entry of the ledger.
 *
 * @module
 */
import type { ItemId } from '../conversation/item.ts';
import type { PlacedFinding } from './aggregate.ts';
import type { Decision } from './answer.ts';
import { fileOf, isSameCode, type LedgerRound, whyFixed } from './ledger-code.ts';
import {
  type DecidedEntry,
  type EntryBase,
  type FixedBecause,
  isDecided,
  type LedgerEntry,
  type OpenEntry,
} from './ledger-entry.ts';
import { isLost, isReadFor, withoutLine } from './ledger-follow.ts';
import type { RoundInput } from './round.ts';

/** Undoes a decision whose thread is open again. */
export function heardAgain(entry: LedgerEntry, { reopenedItems }: LedgerRound): LedgerEntry {
  if (reopenedItems === undefined) return entry;
  const isUndone = isDecided(entry) && isByThread(entry) && reopenedItems.has(entry.decision.itemId);
  const open = isUndone ? asOpen(entry) : entry;
  return withSpent(
    open,
    (entry.spentItems ?? []).filter((id) => !reopenedItems.has(id)),
  );
}

/**
 * An entry after a round.
 *
 * @param before as it was before the round
 * @param entry the same, moved to its code and heard again
 * @param found what was said again of it in this round
 */
export function afterRound(
  before: LedgerEntry,
  entry: LedgerEntry,
  found: PlacedFinding | undefined,
  round: LedgerRound,
): LedgerEntry {
  const heard = decisionsAbout(entry, round);
  const isOnOtherCode = found !== undefined && isFoundElsewhere(entry, found, round);
  const decisions = isOnOtherCode ? heard.filter(({ because }) => because === 'answered') : heard;
  const next = stateAfter(before, entry, found, decisions, round);
  const spent = [...(next.spentItems ?? []), ...spentBy(entry, next, heard, isOnOtherCode)];
  const kept = withSpent(next, [...new Set(spent)]);
  const isReopened = before.state !== 'open' && kept.state === 'open';
  return isReopened ? { ...kept, openedIteration: round.iteration } : kept;
}

function stateAfter(
  before: LedgerEntry,
  entry: LedgerEntry,
  found: PlacedFinding | undefined,
  decisions: readonly Decision[],
  round: LedgerRound,
): LedgerEntry {
  if (entry.state === 'open') return openAfter(before, entry, found, decisions, round);
  if (found === undefined) return closedAfter(entry, decisions, round);
  return foundAgain(entry, found, decisions, round);
}

/** Whether the code is another one: whoever resolved a thread over the one before said nothing about this. */
function isFoundElsewhere(
  entry: LedgerEntry,
  found: PlacedFinding,
  { input, iteration }: LedgerRound,
): boolean {
  const isDecidedNow = isDecided(entry) && entry.decidedIteration === iteration;
  return !isDecidedNow && !isSameCode(entry, found, input);
}

/** The decisions about an entry that count: none by a thread that is open, or whose code is no more. */
function decisionsAbout(
  entry: LedgerEntry,
  { decisions = [], reopenedItems }: LedgerRound,
): readonly Decision[] {
  return decisions.filter(
    ({ findingId, because, itemId }) =>
      findingId === entry.id &&
      (because === 'answered' ||
        !(reopenedItems?.has(itemId) === true || entry.spentItems?.includes(itemId) === true)),
  );
}

/** Threads that were resolved when the code of the finding changed: they said nothing about the new code. */
function spentBy(
  entry: LedgerEntry,
  next: LedgerEntry,
  decisions: readonly Decision[],
  isOnOtherCode: boolean,
): readonly ItemId[] {
  const isMended = next.state === 'fixed' && next.fixedBecause !== 'not-repeated';
  if (!isOnOtherCode && next.state !== 'open' && !isMended) return [];
  const ids = decisions.filter(({ because }) => because === 'resolved').map(({ itemId }) => itemId);
  return isDecided(entry) && isByThread(entry) ? [entry.decision.itemId, ...ids] : ids;
}

function openAfter(
  before: LedgerEntry,
  entry: OpenEntry,
  found: PlacedFinding | undefined,
  decisions: readonly Decision[],
  round: LedgerRound,
): LedgerEntry {
  const isUndone = before.state !== 'open';
  // What became open in this round has not been answered yet.
  const isFresh = entry.openedIteration === round.iteration;
  const decision = isFresh ? undefined : decisions[0];
  if (found !== undefined) {
    const renewed = renew(entry, found, round.input);
    return decision === undefined ? renewed : decide(renewed, insisted(decision), round);
  }
  const because = whyFixed(entry, round);
  if (because === 'gone' || (because === 'changed' && isMended(entry, decision, round))) {
    return close(entry, because, round);
  }
  if (decision !== undefined) return decide(entry, decision, round);
  // Somebody has just said that it is not settled.
  if (because !== undefined && !isUndone && !isFresh) return close(entry, because, round);
  const file = fileOf(entry, round.input);
  return file !== undefined && isReadFor(entry, file) && isLost(entry, file) ? withoutLine(entry) : entry;
}

/**
 * Whether a change of the code goes before what people said: that a line is another one is sure; of a file, or of
 * what stands around a line, it may have been anything, so that a reviewer's word says more.
 */
function isMended(entry: LedgerEntry, decision: Decision | undefined, round: LedgerRound): boolean {
  return decision?.because !== 'answered' || isLineGone(entry, round);
}

/** A hunk is new as a whole: in a file that the PR adds, a line may be the same although all of it is new. */
function isLineGone(entry: LedgerEntry, { input }: LedgerRound): boolean {
  const file = fileOf(entry, input);
  return entry.place.kind === 'line' && file !== undefined && isLost(entry, file);
}

/** Said again in the same round: then the reviewers are not of one mind. */
function insisted(decision: Decision): Decision {
  return decision.because === 'answered' ? { ...decision, state: 'disputed' } : decision;
}

/** A closed entry that was not said again. */
function closedAfter(
  entry: Exclude<LedgerEntry, OpenEntry>,
  decisions: readonly Decision[],
  round: LedgerRound,
): LedgerEntry {
  if (!isDecided(entry)) return entry;
  const because = whyFixed(entry, round);
  if (because === 'gone') return close(entry, because, round);
  const isGoneLine = because === 'changed' && isLineGone(entry, round);
  if (isGoneLine && entry.state === 'disputed') return close(entry, because, round);
  return settled(entry, decisions, round);
}

/** A closed entry that was said again: what people decided stands as long as its code does. */
function foundAgain(
  entry: Exclude<LedgerEntry, OpenEntry>,
  found: PlacedFinding,
  decisions: readonly Decision[],
  round: LedgerRound,
): LedgerEntry {
  const byThread = decisions.filter(({ because }) => because === 'resolved');
  const isSame = isSameCode(entry, found, round.input);
  if (isDecided(entry)) {
    const stands = isSame || entry.decidedIteration === round.iteration;
    return stands ? settled(entry, byThread, round) : renew(entry, found, round.input);
  }
  const renewed = renew(entry, found, round.input);
  const [decision] = byThread;
  return entry.fixedBecause === 'not-repeated' && isSame && decision !== undefined
    ? decide(renewed, decision, round)
    : renewed;
}

/** A dispute ends when the team takes the finding back. */
function settled(entry: DecidedEntry, decisions: readonly Decision[], round: LedgerRound): LedgerEntry {
  const isDue = entry.state === 'disputed' && entry.decidedIteration < round.iteration;
  const withdrawal = decisions.find(({ state }) => state === 'withdrawn');
  return isDue && withdrawal !== undefined ? decide(entry, withdrawal, round) : entry;
}

function decide(
  entry: OpenEntry | DecidedEntry,
  { findingId: _itsOwn, ...decision }: Decision,
  { iteration }: LedgerRound,
): LedgerEntry {
  return { ...baseOf(entry), state: decision.state, decision, decidedIteration: iteration };
}

function close(entry: LedgerEntry, because: FixedBecause, { iteration }: LedgerRound): LedgerEntry {
  return { ...baseOf(entry), state: 'fixed', fixedIteration: iteration, fixedBecause: because };
}

function renew(entry: LedgerEntry, found: PlacedFinding, input: RoundInput): OpenEntry {
  return { ...asOpen(entry), ...atKnownPlace(entry, found, input), lastSha: input.headSha };
}

/** Said again of a file of the PR that is not in this range: its place is where it was. */
function atKnownPlace(entry: LedgerEntry, found: PlacedFinding, input: RoundInput): PlacedFinding {
  const isUnchanged = input.otherFiles.some((candidate) => candidate.path === entry.finding.file);
  if (found.place.kind !== 'outside' || !isUnchanged) return found;
  const { line: _guessed, ...said } = found.finding;
  const { file, line } = entry.finding;
  const finding = { ...said, file, ...(line === undefined ? {} : { line }) };
  return { aspects: found.aspects, place: entry.place, finding };
}

function asOpen(entry: LedgerEntry): OpenEntry {
  return { ...baseOf(entry), state: 'open' };
}

/** An entry without its state. */
function baseOf(entry: LedgerEntry): EntryBase {
  const { id, aspects, finding, place, firstSha, lastSha, firstIteration, openedIteration } = entry;
  const { placedAtMs, spentItems } = entry;
  return {
    ...{ id, aspects, finding, place, firstSha, lastSha, firstIteration, openedIteration },
    ...(placedAtMs === undefined ? {} : { placedAtMs }),
    ...(spentItems === undefined ? {} : { spentItems }),
  };
}

function withSpent<E extends LedgerEntry>(entry: E, spent: readonly ItemId[]): E {
  const { spentItems: _before, ...others } = entry;
  return { ...others, ...(spent.length === 0 ? {} : { spentItems: spent }) } as E;
}

function isByThread({ decision }: DecidedEntry): boolean {
  return decision.because === 'resolved';
}
