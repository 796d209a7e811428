/**
 * `/pr-dispatcher/main`: makes sure that a PR has its Shepherd and that the Shepherd hears of the event. It
 * keeps nothing of a PR; all it owns is its cursors.
 *
 * @module
 */
import { type EntityRegistry, webhook } from '@electric-ax/agents-runtime';
import { messageOf } from '../errors.ts';
import type { PrEvent } from '../github-events.ts';
import { prKey, sameRepo, shepherdUrl } from '../ids.ts';
import { type Ctx, ensureEntity, type InboxMessage, type WakeNotice } from './context.ts';
import { behindCursor, type CursorRow, cursorRowSchema, moveCursor, type RowStore } from './inbox.ts';
import { githubEventMessageSchema, pokeMessageSchema } from './messages.ts';
import { eventsOfRows, namedRows, sentEvents } from './pr-events.ts';
import type { FactoryServices } from './services.ts';

type DispatcherCtx = Ctx<{ readonly cursors: RowStore<CursorRow> }>;

/** Adds the `pr-dispatcher` type to a registry. */
export function registerDispatcher(registry: EntityRegistry, services: FactoryServices): void {
  registry.define('pr-dispatcher', {
    description: 'Spawns the Shepherd of each opened pull request and hands it the event.',
    state: { cursors: { schema: cursorRowSchema } },
    inboxSchemas: { github_event: githubEventMessageSchema, poke: pokeMessageSchema },
    handler: (ctx) => dispatchNew(ctx, services),
  });
}

async function dispatchNew(ctx: DispatcherCtx, services: FactoryServices): Promise<void> {
  const messages = behindCursor(ctx.db.collections.inbox.toArray, ctx.state.cursors, 'inbox');
  const notices = behindCursor(ctx.db.collections.wakes.toArray, ctx.state.cursors, 'wakes');
  for (const event of await eventsOf(ctx, services, messages, notices)) {
    await dispatch(ctx, services, event).catch((error: unknown) => {
      // What cannot be delivered to one PR must not keep events from all others; what passes is tried again.
      if (isRetryable(error)) throw error;
      const { deliveryId } = event;
      services.log.error('an event could not be handed over', { deliveryId, error: messageOf(error) });
    });
  }
  // Behind the sends (S2): after a crash in between, the Shepherd knows the delivery already.
  moveCursor(messages, ctx.state.cursors, 'inbox');
  moveCursor(notices, ctx.state.cursors, 'wakes');
}

function isRetryable(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'retryable' in error && error.retryable === true;
}

async function eventsOf(
  ctx: DispatcherCtx,
  services: FactoryServices,
  messages: readonly InboxMessage[],
  notices: readonly WakeNotice[],
): Promise<readonly PrEvent[]> {
  const sent = sentEvents(messages);
  if (services.events === 'inbox') return sent;
  const bucket = await ctx.observe(webhook(services.endpointKey, { bucket: 'prs/opened' }));
  // Only the rows that the notices name: the bucket holds every PR that was ever opened.
  return [...eventsOfRows(namedRows(notices, bucket.db.collections.events)), ...sent];
}

async function dispatch(ctx: DispatcherCtx, services: FactoryServices, event: PrEvent): Promise<void> {
  if (!sameRepo(event.pr, services.repo)) {
    services.log.info('event of another repository ignored', { deliveryId: event.deliveryId });
    return;
  }
  await ensureEntity(ctx, 'pr-shepherd', prKey(event.pr), { ...event.pr });
  await ctx.send(shepherdUrl(event.pr), { type: 'github_event', event }, { type: 'github_event' });
}
