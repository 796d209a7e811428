import { expect, it } from 'vitest';
import { judge } from '../conversation/gate.ts';
import type { Item } from '../conversation/item.ts';
import { byGhost, comment, said, snapshotOf, summary, thread } from '../conversation/testing/items.ts';
import { replyMarker } from '../github/reply.ts';
import type { PrEvent } from '../github-event-types.ts';
import type { DeliveryId } from '../ids.ts';
import { overheard } from './overheard.ts';
import { understand } from './understand.ts';

const NAMES = ['horton'];
const SAID_AT_MS = Date.parse('2026-05-26T10:00:00Z');
const LAST_READ_MS = SAID_AT_MS - 60_000;

function heard(items: readonly Item[], lastReadMs: number | null = LAST_READ_MS) {
  const snapshot = snapshotOf(items);
  const judged = judge(snapshot, new Map(), new Set());
  return overheard({ judged, snapshot, isOurs: ({ byUs }) => byUs, names: NAMES }, lastReadMs ?? undefined);
}

it('S2 a request whose delivery was lost is heard with the key that its delivery would have', () => {
  const event: PrEvent = {
    type: 'issue_comment',
    action: 'created',
    deliveryId: 'd' as DeliveryId,
    pr: { owner: 'acme', repo: 'shop', number: 1 },
    sender: { login: 'mia', id: 5, isBot: false },
    open: true,
    previousBody: null,
    comment: {
      id: 7,
      nodeId: 'IC_7',
      body: '@horton review',
      author: { login: 'mia', id: 5, isBot: false },
    },
  };
  const told = understand(event, NAMES).flatMap((each) => (each.type === 'summoned' ? [each.heard] : []));
  expect(told).toHaveLength(1);
  const expected = told.map((request) => ({ ...request, saidAtMs: SAID_AT_MS }));
  expect(heard([comment('IC_7', '@horton review', { restId: 7 })])).toEqual(expected);
});

it('questions in threads and reviews are heard where they are to be answered', () => {
  const question = said('c2', '@horton why?', { restId: 22 });
  expect(heard([thread('t1', [said('c1', 'Hm', { restId: 21 }), question])])).toMatchObject([
    { key: 'c2 question', place: { kind: 'review-comment', id: 21 }, reactTo: { id: 22 } },
  ]);
  const [review] = heard([summary('r1', 'commented', '@horton review', { restId: 31 })]);
  expect(review).toMatchObject({ key: 'review 31 review', place: { kind: 'comment' } });
  expect(review).not.toHaveProperty('reactTo');
});

it.each<[string, Item]>([
  ['what speaks of us only', comment('i', 'As @horton said', { restId: 1 })],
  ['a bot', comment('i', '@horton review', { restId: 1, author: { login: 'ci', isBot: true } })],
  ['a deleted account', { ...comment('i', ''), said: byGhost(said('i', '@horton review', { restId: 1 })) }],
  ['our own text', comment('i', '@horton review', { restId: 1, byUs: true })],
  ['an edit', comment('i', '@horton review', { restId: 1, editedAt: '2026-05-26T11:00:00Z' })],
  ['an old request', comment('i', '@horton review', { restId: 1, createdAt: '2026-05-26T09:53:00Z' })],
  ['an order in a thread', thread('t', [said('c', '@horton review', { restId: 1 })])],
])('%s asks for nothing here', (_name, item) => {
  expect(heard([item])).toEqual([]);
});

it('T-016 what was said before the first reading, or is answered already, is the past', () => {
  const asked = comment('IC_7', '@horton review', { restId: 7 });
  expect(heard([asked], null)).toEqual([]);
  const answer = `Reviewed.\n\n${replyMarker('IC_7')}`;
  const reply = comment('IC_8', answer, { byUs: true });
  const forged = comment('IC_9', answer);
  expect(heard([asked, reply])).toEqual([]);
  expect(heard([asked, forged])).toHaveLength(1);
});
