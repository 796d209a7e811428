/**
 * What it says of a finding that a thread was resolved. Pure.
 *
 * @module
 */
import type { Said, ThreadItem } from '../conversation/item.ts';
import type { Resolution } from './answer.ts';
import { claimsFix } from './claims-fix.ts';
import { asksNothing, isCourtesy } from './command.ts';
import { GHOST, isSame, type Speakers, type Standings, standingOf, standingOfLogin } from './speakers.ts';

/** A text that says what a thread is about. */
export interface Naming {
  readonly said: Said;
  /** Whether the team says so, or we do unasked by anybody else. */
  readonly isSure: boolean;
  /** Whether the thread began with it, at the finding or in words like its own. */
  readonly isBeginning: boolean;
}

/** What is known of a thread and one finding. */
export interface ThreadAbout {
  readonly thread: ThreadItem;
  readonly namings: readonly Naming[];
  /** What others than we say of the finding in it, in order. */
  readonly texts: readonly { readonly said: Said; readonly text: string }[];
}

/** `undefined` where the thread is not resolved. */
export function resolutionOf(
  { thread, namings, texts }: ThreadAbout,
  standings: Standings,
  speakers: Speakers,
): Resolution | undefined {
  if (!thread.isResolved) return undefined;
  const { resolvedBy: login } = thread;
  const by =
    login === undefined
      ? ({ login: GHOST, standing: 'other' } as const)
      : { login, standing: standingOfLogin(login, standings, speakers) };
  const named = namedBy(namings, login);
  if (named === undefined) return by;
  const isMended = endsWithFix(texts, (said) => isBy(said, login) || standingOf(said, speakers) === 'team');
  return { ...by, named, ...(isMended ? { claimsFix: true } : {}) };
}

/** Whoever only replies in a thread of others does not make it one about the finding. */
function namedBy(namings: readonly Naming[], resolver: string | undefined): Resolution['named'] {
  if (namings.some(({ isSure }) => isSure)) return 'by-team';
  const isNamed = namings.some(({ said, isBeginning }) => isBeginning || isBy(said, resolver));
  return isNamed ? 'by-others' : undefined;
}

function isBy({ author }: Said, login: string | undefined): boolean {
  return author !== undefined && !author.isBot && login !== undefined && isSame(author.login, login);
}

/** Whether a person claims a fix, and nobody whose word counts here gives a reason against the finding since. */
function endsWithFix(texts: ThreadAbout['texts'], counts: (said: Said) => boolean): boolean {
  const byPeople = texts.filter(({ said }) => said.author?.isBot !== true);
  const claimedAt = byPeople.findLastIndex(({ text }) => claimsFix(text));
  const since = byPeople.slice(claimedAt + 1);
  return claimedAt !== -1 && !since.some(({ said, text }) => counts(said) && isReason(text));
}

/** Parts of a sentence, each with the sign that makes it a question. */
const PARTS = /[^.,;!?\n]+\??/g;

/** Whether a text says more than thanks, praise and questions. */
function isReason(text: string): boolean {
  const parts = text.toLowerCase().match(PARTS) ?? [];
  return parts.some((part) => !part.endsWith('?') && !isCourtesy(part) && !asksNothing(part));
}
