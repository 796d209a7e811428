/**
 * Requests that no delivery told of: GitHub does not repeat a delivery that failed, so what is read of the
 * conversation is looked through for them (S2). Pure.
 *
 * @module
 */
import type { Item, Said } from '../conversation/item.ts';
import { type Ask, summonedBy } from '../review/mention.ts';
import type { Heard, ReplyPlace } from '../review/summons.ts';
import type { Discussion } from './discussion.ts';

/** Whoever asked longer ago has found another way by now. */
const MAX_AGE_MS = 24 * 3_600_000;

/**
 * What people ask of us in texts that no reviewer was shown yet, as their deliveries would have told it; whether it is
 * known already, the state knows. An edit may have added the mention or not: only its delivery says.
 */
export function overheard(
  { judged, isOurs }: Pick<Discussion, 'judged' | 'isOurs'>,
  names: readonly string[],
  nowMs: number,
): readonly Heard[] {
  return judged
    .filter(({ outcome }) => outcome === 'new' || outcome === 'edited')
    .flatMap(({ item }) =>
      textsIn(item)
        .filter(({ said }) => !isOurs(said) && isRecent(said, nowMs))
        .flatMap((text) => heardIn(text, names)),
    );
}

interface Spoken {
  readonly said: Said;
  readonly kind: Item['kind'];
  readonly place: ReplyPlace;
}

function textsIn(item: Item): readonly Spoken[] {
  if (item.kind !== 'thread') return [{ said: item.said, kind: item.kind, place: { kind: 'comment' } }];
  const root = item.comments[0]?.restId;
  if (root === undefined) return [];
  const place: ReplyPlace = { kind: 'review-comment', id: root };
  return item.comments.map((said) => ({ said, kind: item.kind, place }));
}

function isRecent({ createdAt, editedAt }: Said, nowMs: number): boolean {
  return editedAt === undefined && nowMs - Date.parse(createdAt) < MAX_AGE_MS;
}

function heardIn({ said, kind, place }: Spoken, names: readonly string[]): readonly Heard[] {
  const { author, restId } = said;
  if (author === undefined || author.isBot || restId === undefined) return [];
  const ask = summonedBy(said.body, names);
  const key = ask === undefined ? undefined : keyOf(said, kind, ask);
  if (ask === undefined || key === undefined) return [];
  const heard = { key, to: said.id, by: author.login, ask, place };
  if (kind === 'summary') return [heard];
  return [{ ...heard, reactTo: { kind: kind === 'thread' ? 'review-comment' : 'comment', id: restId } }];
}

/** The same key as the delivery's (see `understand.ts`): one act of a person is one request (T-014). */
function keyOf({ id, restId }: Said, kind: Item['kind'], ask: Ask): string | undefined {
  if (kind === 'comment' || ask.kind === 'question') return `${id} ${ask.kind}`;
  // An order in a thread goes by its review, which the snapshot does not name.
  return kind === 'summary' ? `review ${restId} ${ask.kind}` : undefined;
}
