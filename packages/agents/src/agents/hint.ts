/**
 * Asks GitHub for what the round after an event will need, while the PR itself is read: the requests that wait
 * for one another are what a review takes longest for. An event is only a hint; what is true is read all the
 * same, and a hint that was wrong costs a request.
 *
 * @module
 */
import { prefetchRound } from '../github/round-input.ts';
import type { PrEvent } from '../github-events.ts';
import type { PrRef } from '../ids.ts';
import { gateOf } from '../review/gating.ts';
import type { ShepherdState } from '../review/state.ts';
import type { ShepherdDeps } from './orders.ts';

const QUIET_LABELS: ReadonlySet<string> = new Set(['pause-shepherd', 'no-shepherd']);

/** Asks for the newest event that will start a round at once. */
export function followHints(
  { services, octokit, look, conversation }: ShepherdDeps,
  pr: PrRef,
  state: ShepherdState,
  events: readonly PrEvent[],
): void {
  const event = events.findLast((candidate) => candidate.type === 'pull_request');
  if (event?.type !== 'pull_request' || !startsNow(event, state, services.timing.settleMs)) return;
  if (!event.labels.includes('shepherd')) {
    services.memberships.classify(octokit, pr, event.author).catch(() => {});
  }
  look.fresh().catch(() => {});
  conversation.fresh().catch(() => {});
  prefetchRound(services.github, octokit, pr, event);
}

function startsNow(
  event: Extract<PrEvent, { type: 'pull_request' }>,
  state: ShepherdState,
  settleMs: number,
): boolean {
  if (!event.open || event.draft || event.labels.some((label) => QUIET_LABELS.has(label))) return false;
  const isCommunity = event.author.isBot || state.authorClass === 'community';
  if (isCommunity && !event.labels.includes('shepherd')) return false;
  // After a push the round waits for the next one, which would make this read one in vain.
  if (event.action === 'synchronize' && settleMs > 0) return false;
  if (event.action === 'edited' && event.previousBaseRef === null) return false;
  const gate = gateOf(state);
  const isReviewed = state.published?.headSha === event.headSha && event.action !== 'edited';
  return !isReviewed && gate !== 'exited' && gate !== 'muted';
}
