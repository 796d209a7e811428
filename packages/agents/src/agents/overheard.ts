/**
 * Requests that no delivery told of: GitHub does not repeat a delivery that failed, so what is read of the
 * conversation is looked through for them (S2). Pure.
 *
 * @module
 */
import { type Item, type Said, textsOf } from '../conversation/item.ts';
import { parseReplyMarker } from '../github/reply.ts';
import { type Ask, summonedBy } from '../review/mention.ts';
import { type Heard, type ReplyPlace, requestKey } from '../review/summons.ts';
import type { Discussion } from './discussion.ts';

/** Clocks differ, and what GitHub tells lags behind: so much longer back is looked than to the last reading. */
const SLACK_MS = 5 * 60_000;

/**
 * What people ask of us in texts that no reviewer was shown yet, as their deliveries would have told it; whether it is
 * known already, the state knows. An edit may have added the mention or not: only its delivery says.
 *
 * @param lastReadMs when the conversation was read before; what was said earlier is the past, also where there was no
 *   reading yet: nobody waits for a service that has only just begun
 */
export function overheard(
  { judged, snapshot, isOurs, names }: Discussion,
  lastReadMs: number | undefined,
): readonly Heard[] {
  if (lastReadMs === undefined) return [];
  const answered = new Set(
    snapshot.items
      .flatMap(textsOf)
      .flatMap((said) => (isOurs(said) ? (parseReplyMarker(said.body) ?? []) : [])),
  );
  return judged
    .filter(({ outcome }) => outcome === 'new' || outcome === 'edited')
    .flatMap(({ item }) =>
      textsIn(item)
        .filter(({ said }) => !isOurs(said) && !answered.has(said.id) && isSince(said, lastReadMs))
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

function isSince({ createdAt, editedAt }: Said, lastReadMs: number): boolean {
  return editedAt === undefined && Date.parse(createdAt) > lastReadMs - SLACK_MS;
}

function heardIn({ said, kind, place }: Spoken, names: readonly string[]): readonly Heard[] {
  const { author, restId } = said;
  if (author === undefined || author.isBot || restId === undefined) return [];
  const ask = summonedBy(said.body, names);
  const key = ask === undefined ? undefined : keyOf(said, kind, ask);
  if (ask === undefined || key === undefined) return [];
  const heard = { key, to: said.id, by: author.login, ask, place, saidAtMs: Date.parse(said.createdAt) };
  if (kind === 'summary') return [heard];
  return [{ ...heard, reactTo: { kind: kind === 'thread' ? 'review-comment' : 'comment', id: restId } }];
}

/** The same as the delivery's. */
function keyOf({ id, restId }: Said, kind: Item['kind'], ask: Ask): string | undefined {
  // An order in a thread goes by its review, which the snapshot does not name.
  if (kind === 'thread' && ask.kind !== 'question') return undefined;
  return requestKey(id, ask.kind, kind === 'summary' ? (restId ?? null) : null);
}
