/**
 * Serves what people ask in comments: are they of the team, an acknowledgement, the answer.
 *
 * @module
 */
import { FactoryError, TransientError } from '../errors.ts';
import { knownIdentity } from '../github/identity.ts';
import type { PullRequestRead } from '../github/pull-request.ts';
import { acknowledge, publishReply } from '../github/reply.ts';
import type { PrRef } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { SummonsCommand } from '../review/decide-summons.ts';
import { gateOf } from '../review/gating.ts';
import { type ReplyFrame, replyText } from '../review/reply-text.ts';
import type { ShepherdState } from '../review/state.ts';
import type { Summons } from '../review/summons.ts';
import { answerQuestion } from './answer-question.ts';
import type { Ctx } from './context.ts';
import type { Memory } from './memory.ts';
import type { Order, ShepherdDeps } from './orders.ts';
import { seenOf } from './seen.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** Looks for a comment that GitHub does not know, before it counts as deleted: some twenty seconds. */
const ABSENT_ATTEMPTS = 3;

/** Carries one step of a request out. @throws TransientError or PermanentError */
export async function serve(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: Order,
  command: SummonsCommand,
): Promise<ShepherdEvent> {
  const { summons } = command;
  const { key } = summons;
  switch (command.type) {
    case 'authorize': {
      const asker = { login: summons.by, isBot: false };
      return {
        type: 'authorized',
        key,
        may: (await deps.services.memberships.classify(deps.octokit, pr, asker)) === 'team',
      };
    }
    case 'acknowledge':
      return greet(deps, pr, summons);
    case 'answer':
      return answer(ctx, deps, pr, order, summons);
  }
}

/** A courtesy: where it fails, the answer comes all the same. */
async function greet(
  { services, octokit }: ShepherdDeps,
  pr: PrRef,
  summons: Summons,
): Promise<ShepherdEvent> {
  const done: ShepherdEvent = { type: 'acknowledged', key: summons.key };
  if (summons.reactTo === undefined) return done;
  const reacted = await acknowledge(octokit, pr, summons.reactTo).catch((error: unknown) => {
    if (!(error instanceof FactoryError)) throw error;
    services.log.warn('a request was not acknowledged', { error: error.message });
    return 'done' as const;
  });
  if (reacted === 'done') return done;
  // Straight after the event GitHub may not know the comment yet (T-027); after a while it was taken back.
  if (summons.attempts < ABSENT_ATTEMPTS)
    throw new TransientError('GitHub does not know the comment that asks.');
  return { type: 'unsaid', to: summons.to };
}

async function answer(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  { state }: Order,
  summons: Summons,
): Promise<ShepherdEvent> {
  const { services, octokit, look } = deps;
  const { key, to, place, atMs } = summons;
  // Closed or paused meanwhile, another answer is the right one, and the model is not asked (S8).
  const moved = movedOn(state, await look.recent());
  if (moved !== undefined) return moved;
  const { slug, botUserId } = await knownIdentity(services.github, octokit);
  const asked = { state, summons, slug, botUserId };
  const basis = `${gateOf(state)} ${summons.outcome?.kind ?? ''}`;
  const kept = readOwn<readonly KeptReply[]>(ctx.state.own, 'replies') ?? [];
  const known = kept.find((reply) => reply.key === key && reply.basis === basis);
  const body = known?.body ?? (await bodyFor(ctx, deps, pr, asked));
  const after = movedOn(state, await look.recent());
  if (after !== undefined) return after;
  if (known === undefined) {
    // A write that is tried again says the same, and asks no model a second time.
    const others = kept.filter((reply) => reply.key !== key && isWaiting(state, reply.key));
    writeOwn(ctx.state.own, 'replies', [...others, { key, basis, body }] satisfies readonly KeptReply[]);
  }
  const reply = { to, place, body, sinceMs: atMs };
  const { action, commentId } = await publishReply(octokit, pr, { botUserId }, reply);
  services.onProgress({ type: 'reply', pr, to, commentId, body, isNew: action === 'created' });
  return { type: 'answered', key, commentId };
}

/** A reply that was written down and perhaps not yet delivered. */
interface KeptReply {
  readonly key: string;
  /** What it was written about: another state of the PR or of the round wants another reply. */
  readonly basis: string;
  readonly body: string;
}

function isWaiting({ summons }: ShepherdState, key: string): boolean {
  return summons.some((candidate) => candidate.key === key);
}

/** What follows where the PR is no longer in the state that the answer would be about. */
function movedOn(state: ShepherdState, read: PullRequestRead): ShepherdEvent | undefined {
  // Known to be gone: GitHub's refusal of the reply ends the request.
  if (!read.found) return state.seen?.open === false ? undefined : { type: 'pr-gone' };
  const seen = seenOf(read.pr);
  return gateOf({ ...state, seen }) === gateOf(state) ? undefined : { type: 'pr-read', seen };
}

async function bodyFor(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  asked: {
    readonly state: ShepherdState;
    readonly summons: Summons;
    readonly slug: string;
    readonly botUserId: number;
  },
): Promise<string> {
  const { summons, slug, botUserId } = asked;
  const memory = readOwn<Memory>(ctx.state.own, 'memory');
  const others = asked.state.summons.filter(({ key }) => key !== summons.key);
  const frame: ReplyFrame = {
    pr,
    webUrl: deps.services.webUrl,
    name: slug,
    // The request that is being answered does not wait.
    state: { ...asked.state, summons: others },
    ledger: memory?.ledger ?? [],
    ...(memory?.comment === undefined ? {} : { coverage: memory.comment.coverage }),
  };
  return summons.ask.kind === 'question'
    ? answerQuestion(ctx, deps, { pr, summons, text: summons.ask.text, botUserId, frame, memory })
    : replyText(summons, frame);
}
