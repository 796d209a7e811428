/**
 * Has the model write the comment's texts, while the workers review: the comment then waits for the slower of
 * the two instead of for both.
 *
 * @module
 */
import { messageOf } from '../errors.ts';
import { loadRound } from '../github/round-input.ts';
import type { PrRef } from '../ids.ts';
import { askForTexts, type Composed } from '../model/ask-compose.ts';
import type { ChosenModel } from '../model/choice.ts';
import { hasDiff } from '../model/diffs-part.ts';
import type { ShepherdEvent } from '../review/decide.ts';
import type { Round } from '../review/state.ts';
import { PassAbandonedError } from './abandoned.ts';
import type { Ctx } from './context.ts';
import { fenceRound } from './fence.ts';
import type { KeptTexts, Memory } from './memory.ts';
import type { RoundOrder, ShepherdDeps } from './orders.ts';
import { keptDiscussion } from './round-discussion.ts';
import { roundOptions } from './services.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** Texts are a courtesy: past this the plain ones are published (S9). */
const COMPOSE_TIMEOUT_MS = 60_000;

/**
 * Asks for the texts, once, and keeps them in the row `texts`. Without a row the comment gets plain ones: no
 * failure here costs the review. Where something is told meanwhile that ends or changes the review, nobody waits
 * for texts any more, so that it is read at once.
 * @throws PassAbandonedError where the host closes before the model has answered; they are asked for again then
 */
export async function composeTexts(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: RoundOrder,
): Promise<ShepherdEvent> {
  const { services } = deps;
  const { wakeId } = order.round;
  const composed: ShepherdEvent = { type: 'composed', wakeId };
  if (services.model.kind === 'analyzers') return composed;
  // Written just before a crash that came before the state was kept.
  if (readOwn<KeptTexts>(ctx.state.own, 'texts')?.wakeId === wakeId) return composed;
  const read = new Set(ctx.state.deliveries.toArray.map(({ key }) => key));
  const interrupt = services.interrupts.signalFor(pr, read);
  const signal = AbortSignal.any([ctx.signal, interrupt.signal]);
  const asked = await ask(ctx, deps, pr, order, { choice: services.model, signal });
  interrupt.release();
  if ('type' in asked) return asked;
  if (asked.ok) {
    writeOwn(ctx.state.own, 'texts', { wakeId, texts: asked.texts } satisfies KeptTexts);
    return composed;
  }
  if (ctx.signal.aborted) throw new PassAbandonedError(ctx.entityUrl);
  const why = interrupt.signal.aborted ? INTERRUPTED : asked.why;
  services.log.warn('the model wrote no texts, code will', { entity: ctx.entityUrl, why });
  return composed;
}

const INTERRUPTED = 'something happened that ends or changes the review';

/**
 * No more than half of what is left of the round: what the workers say meanwhile is read only afterwards (S5).
 * Whole, since the providers' clients take no other number.
 */
function timeoutMs({ deadlineAtMs }: Round, nowMs: number): number {
  return Math.min(COMPOSE_TIMEOUT_MS, Math.floor(Math.max(0, deadlineAtMs - nowMs) / 2));
}

/** Contract: never rejects; whatever goes wrong only means that there are no texts. */
async function ask(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: RoundOrder,
  { choice, signal }: { readonly choice: ChosenModel; readonly signal: AbortSignal },
): Promise<Composed | ShepherdEvent> {
  const { services, octokit, look } = deps;
  const { round, skill } = order;
  const { wakeId, baseSha, headSha } = round;
  try {
    // Left over from a process that ended, the round may have lost its reason since (S8).
    const fenced = fenceRound(services, pr, order, await look.recent());
    if ('type' in fenced) return fenced;
    const spec = { pr, wakeId, baseSha, headSha };
    const { input } = await loadRound(services.github, octokit, spec, roundOptions(services));
    // Where only the discussion went on, the text is about the whole of it again.
    const shown = input.changedFiles === 0 ? input.otherFiles : input.files;
    if (!shown.some(hasDiff)) return { type: 'composed', wakeId };
    if (signal.aborted) return { ok: false, why: INTERRUPTED };
    const memory = readOwn<Memory>(ctx.state.own, 'memory') ?? { ledger: [] };
    return await askForTexts({
      skill,
      input,
      discussion: keptDiscussion(ctx.state.own, wakeId)?.items ?? [],
      open: memory.ledger.filter((entry) => entry.state === 'open'),
      choice,
      run: (config, text, ended) => ctx.useAgent(config).run(text, ended),
      timeoutMs: timeoutMs(round, services.now()),
      signal,
      log: services.log.child({ entity: ctx.entityUrl, wakeId }),
      onCall: services.onModelCall,
    });
  } catch (error) {
    return { ok: false, why: messageOf(error) };
  }
}
