/**
 * What reached a Shepherd since its last wake, as events of its state machine.
 *
 * @module
 */
import { webhook } from '@electric-ax/agents-runtime';
import type { PrEvent } from '../github-events.ts';
import type { PrRef, WakeId } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { Ctx, InboxMessage, WakeNotice } from './context.ts';
import { behindCursor, forgetOldDeliveries, moveCursor, rememberDelivery } from './inbox.ts';
import type { WorkerDoneMessage } from './messages.ts';
import { eventsOfRows, namedRows, sentEvents } from './pr-events.ts';
import type { FactoryServices } from './services.ts';
import type { ShepherdRows } from './shepherd-state.ts';
import { understandAll } from './unheard.ts';

/** Something that came in: an event of the state machine, with a worker's findings where it has some. */
export interface Incoming {
  readonly event: ShepherdEvent;
  readonly findings?: WorkerDoneMessage;
}

/** What came in, and how to say that it was processed. */
export interface Batch {
  readonly incoming: readonly Incoming[];
  /** GitHub's events among it. */
  readonly heard: readonly PrEvent[];
  /** Call it once the effect of `incoming` is in the state (S2). */
  readonly done: () => void;
}

/** What is touched here of a Shepherd and its surroundings. */
type InboxCtx = Pick<
  Ctx<Pick<ShepherdRows, 'own' | 'cursors' | 'deliveries'>>,
  'entityUrl' | 'state' | 'db' | 'observe' | 'send'
>;
type InboxPorts = Pick<FactoryServices, 'events' | 'endpointKey' | 'now' | 'log'>;

/**
 * Reads what is new in the inbox and, where they wake us, in the PR's bucket.
 *
 * @param ourNames what people call us; asked only where a text may mention us, which waits where it fails
 */
export async function readIncoming(
  ctx: InboxCtx,
  services: InboxPorts,
  pr: PrRef,
  ourNames: () => Promise<readonly string[]>,
): Promise<Batch> {
  const { state, db } = ctx;
  const messages = behindCursor(db.collections.inbox.toArray, state.cursors, 'inbox');
  const notices = behindCursor(db.collections.wakes.toArray, state.cursors, 'wakes');
  const delivered =
    services.events === 'bucket' ? await bucketEvents(ctx, services, pr, messages, notices) : [];
  const fresh = unseen([...delivered, ...sentEvents(messages)], state);
  const told = await understandAll(ctx, services, fresh, ourNames);
  return {
    incoming: [...told.events.map((event) => ({ event })), ...messages.flatMap(fromMessage)],
    heard: fresh,
    done: () => {
      told.keep();
      for (const event of fresh) rememberDelivery(state.deliveries, event.deliveryId, services.now());
      forgetOldDeliveries(state.deliveries, services.now());
      moveCursor(messages, state.cursors, 'inbox');
      moveCursor(notices, state.cursors, 'wakes');
    },
  };
}

/**
 * Events of the PR's bucket. Bodies are large, so after the first wake only the rows that notices name are
 * read; all of them again when the sweep found that something was missed.
 */
async function bucketEvents(
  ctx: InboxCtx,
  services: InboxPorts,
  pr: PrRef,
  messages: readonly InboxMessage[],
  notices: readonly WakeNotice[],
): Promise<readonly PrEvent[]> {
  const bucket = await ctx.observe(webhook(services.endpointKey, { bucket: `prs/${pr.number}` }));
  const { events } = bucket.db.collections;
  const all = ctx.state.cursors.get('inbox') === undefined || messages.some(isReconcile);
  return eventsOfRows(all ? events.toArray : namedRows(notices, events));
}

function isReconcile(message: InboxMessage): boolean {
  return message.message_type === 'reconcile';
}

/** One delivery may come through bucket and inbox, and GitHub may send it again days later (T-020). */
function unseen(events: readonly PrEvent[], state: InboxCtx['state']): readonly PrEvent[] {
  const batch = new Map(events.map((event) => [event.deliveryId, event]));
  return [...batch.values()].filter((event) => state.deliveries.get(event.deliveryId) === undefined);
}

function fromMessage(message: InboxMessage): readonly Incoming[] {
  switch (message.message_type) {
    case 'worker-done': {
      const findings = message.payload as WorkerDoneMessage;
      const { aspect } = findings;
      return [{ event: { type: 'worker-done', wakeId: findings.wakeId as WakeId, aspect }, findings }];
    }
    case 'reconcile':
      // What no delivery told of may have been said, too.
      return [{ event: { type: 'pr-changed', push: false } }, { event: { type: 'said' } }];
    case 'tick':
      return [{ event: { type: 'woken' } }];
    default:
      // `github_event` was read above.
      return [];
  }
}
