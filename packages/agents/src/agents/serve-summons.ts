/**
 * Serves what people ask in comments: are they of the team, an acknowledgement, the answer.
 *
 * @module
 */
import { FactoryError } from '../errors.ts';
import { knownIdentity } from '../github/identity.ts';

import { acknowledge, publishReply } from '../github/reply.ts';
import type { PrRef } from '../ids.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { SummonsCommand } from '../review/decide-summons.ts';
import { type ReplyFrame, replyText } from '../review/reply-text.ts';
import type { Summons } from '../review/summons.ts';
import { answerQuestion } from './answer-question.ts';
import type { Ctx } from './context.ts';
import type { Memory } from './draft.ts';
import type { Order, ShepherdDeps } from './orders.ts';
import { readOwn, type ShepherdRows } from './shepherd-state.ts';

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
  try {
    const state = await acknowledge(octokit, pr, summons.reactTo);
    return state === 'gone' ? { type: 'unsaid', to: summons.to } : done;
  } catch (error) {
    if (!(error instanceof FactoryError)) throw error;
    services.log.warn('a request was not acknowledged', { error: error.message });
    return done;
  }
}

async function answer(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: Order,
  summons: Summons,
): Promise<ShepherdEvent> {
  const { services, octokit } = deps;
  const { slug, botUserId } = await knownIdentity(services.github, octokit);
  const memory = readOwn<Memory>(ctx.state.own, 'memory');
  const frame: ReplyFrame = {
    pr,
    webUrl: services.webUrl,
    name: slug,
    state: order.state,
    ledger: memory?.ledger ?? [],
    ...(memory?.comment === undefined ? {} : { coverage: memory.comment.coverage }),
  };
  const body =
    summons.ask.kind === 'question'
      ? await answerQuestion(ctx, deps, { pr, summons, text: summons.ask.text, botUserId, frame, memory })
      : replyText(summons, frame);
  const reply = { to: summons.to, place: summons.place, body, sinceMs: summons.atMs };
  const { action, commentId } = await publishReply(octokit, pr, { botUserId }, reply);
  services.onProgress({ type: 'reply', pr, to: summons.to, commentId, body, isNew: action === 'created' });
  return { type: 'answered', key: summons.key };
}
