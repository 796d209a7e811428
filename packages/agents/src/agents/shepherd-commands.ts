/**
 * Performs what the state machine asks for. Each command is safe to repeat: after a crash it is asked for
 * again. What fails in an expected way comes back as an event, with whether trying again can help.
 *
 * @module
 */
import { FactoryError, TransientError } from '../errors.ts';
import { grewFrom } from '../github/pr-files.ts';
import { loadRound } from '../github/round-input.ts';
import { ASPECTS, type PrRef, type Sha, workerKey, workerUrl } from '../ids.ts';
import type { FailedAt, ShepherdEvent } from '../review/decide.ts';
import { isOlder } from '../review/decide-look.ts';
import type { Command } from '../review/due.ts';
import { mayReview } from '../review/gating.ts';
import { noticeKey } from '../review/notice.ts';
import type { RoundInput } from '../review/round.ts';
import type { Round, ShepherdState } from '../review/state.ts';
import { PassAbandonedError } from './abandoned.ts';
import { composeTexts } from './compose-texts.ts';
import { conclude } from './conclude.ts';
import { type Ctx, ensureEntity } from './context.ts';
import { hear } from './hear.ts';
import { markDelivered } from './mark-delivered.ts';
import type { Memory } from './memory.ts';
import type { ReviewMessage } from './messages.ts';
import type { Order, RoundOrder, ShepherdDeps } from './orders.ts';
import { overheard } from './overheard.ts';
import { publish } from './publish.ts';
import { refresh } from './refresh.ts';
import { discussionFor, keptDiscussion, prepareDiscussion } from './round-discussion.ts';
import { seenOf } from './seen.ts';
import { serve } from './serve-summons.ts';
import { type FactoryServices, roundOptions } from './services.ts';
import { readOwn, type ShepherdRows, writeOwn } from './shepherd-state.ts';

/** Performs one command and says what came of it. */
export function perform(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: Order,
): Promise<ShepherdEvent> {
  return attempt(deps, pr, failedAt(order.command), () => act(ctx, deps, pr, order));
}

/** What a failed command is told as. */
export function failedAt(command: Command): FailedAt {
  switch (command.type) {
    case 'read-pr':
    case 'classify':
      return { at: command.type };
    case 'authorize':
    case 'acknowledge':
    case 'answer':
      return { at: 'summons', key: command.summons.key };
    case 'hear':
      return { at: 'conversation' };
    case 'mark':
      return { at: 'mark' };
    case 'refresh':
      return {
        at: 'refresh',
        ...(command.notice === undefined ? {} : { notice: noticeKey(command.notice) }),
      };
    default:
      return { at: 'round' };
  }
}

async function act(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: Order,
): Promise<ShepherdEvent> {
  const { command, state } = order;
  const { services, octokit } = deps;
  switch (command.type) {
    case 'read-pr': {
      const read = await deps.look.recent();
      return read.found ? { type: 'pr-read', seen: seenOf(read.pr) } : { type: 'pr-gone' };
    }
    case 'classify': {
      const author = { login: command.author, isBot: command.isBot };
      return { type: 'classified', authorClass: await services.memberships.classify(octokit, pr, author) };
    }
    case 'mark':
      return markDelivered(ctx, deps, pr, command.wakeId);
    case 'hear':
      return hear(ctx, deps, pr, state);
    case 'cancel':
      await cancelWorkers(services, pr);
      return { type: 'cancelled' };
    case 'stop-workers':
      await stopWorkers(ctx, pr);
      return { type: 'workers-stopped' };
    case 'conclude':
      await conclude(ctx, deps, pr, command.round);
      return { type: 'concluded' };
    case 'prepare':
      return prepare(ctx, deps, pr, { ...order, round: command.round });
    case 'start':
      return start(ctx, services, pr, command.round);
    case 'compose':
      return composeTexts(ctx, deps, pr, { ...order, round: command.round });
    case 'publish':
      return publish(ctx, deps, pr, { ...order, round: command.round });
    case 'refresh':
      return refresh(ctx, deps, pr, state, command);
    case 'authorize':
    case 'acknowledge':
    case 'answer':
      return serve(ctx, deps, pr, order, command);
    case 'arm': {
      const afterMs = Math.max(0, command.atMs - services.now());
      await ctx.send(ctx.entityUrl, { type: 'tick' }, { type: 'tick', afterMs });
      return { type: 'armed', atMs: command.atMs };
    }
  }
}

/** What GitHub refuses or cannot answer is an event of the state machine; anything else is a bug. */
async function attempt(
  deps: ShepherdDeps,
  pr: PrRef,
  at: FailedAt,
  act: () => Promise<ShepherdEvent>,
): Promise<ShepherdEvent> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FactoryError) || error instanceof PassAbandonedError) throw error;
    deps.services.log.warn('a command failed', { ...at, retryable: error.retryable, error: error.message });
    deps.services.onProgress({ type: 'failure', pr, what: error.message, retryable: error.retryable });
    const { retryable, message: what } = error;
    const wait = error instanceof TransientError && error.retryAfterMs !== undefined;
    return { type: 'failed', ...at, retryable, what, ...(wait ? { retryAfterMs: error.retryAfterMs } : {}) };
  }
}

async function prepare(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  { round, state }: RoundOrder,
): Promise<ShepherdEvent> {
  const { services, octokit, look } = deps;
  const { wakeId, headSha, iteration } = round;
  const spec = { pr, wakeId, baseSha: await rangeBase(deps, pr, round, state), headSha };
  const options = { ...roundOptions(services), readPr: look.recent };
  const [{ input }, { kept, discussion }] = await Promise.all([
    loadRound(services.github, octokit, spec, options),
    prepareDiscussion(ctx.state.own, deps, pr, wakeId, state),
  ]);
  // Only once both are there: what goes on after a failure writes nothing.
  writeOwn(ctx.state.own, 'discussion', kept);
  // What the round was built from may have been read for an earlier attempt.
  const read = await look.recent();
  if (!read.found) return { type: 'pr-gone' };
  const seen = seenOf(read.pr);
  if (isOlder(seen, state.seen)) throw new TransientError('GitHub answered with what was true earlier.');
  // It may have been closed or paused since it was looked at: then nothing is spent (S8).
  if (!mayReview({ ...state, seen }, round.request !== undefined)) return { type: 'fenced', wakeId, seen };
  const unsurfaced = kept.unsurfaced.before;
  // Who asks for a review after something was said wants that to be heard, though no file changed.
  const isAskedAbout = round.request !== undefined && unsurfaced.worthReading > 0;
  const empty = nothingToRead(input, state) && !isAskedAbout;
  services.onProgress({
    type: 'round',
    state: empty ? 'unchanged' : 'started',
    pr,
    wakeId,
    iteration,
    baseSha: input.baseSha,
    headSha,
    files: input.changedFiles,
  });
  const heardAtMs = discussion.snapshot.readAtMs;
  const asked = overheard(discussion, state.heardAtMs);
  return { type: 'prepared', wakeId, baseSha: input.baseSha, empty, heardAtMs, unsurfaced, asked };
}

/**
 * Where the range begins: at the last review, unless the base branch was rewritten since. Files that only come
 * into the PR by that would look as if they had been there (S5); then all is read again.
 */
async function rangeBase(
  { services, octokit }: ShepherdDeps,
  pr: PrRef,
  round: Round,
  { published }: ShepherdState,
): Promise<Sha> {
  const before = published?.baseTip;
  if (!round.incremental || before === undefined) return round.baseSha;
  const source = { octokit, reads: services.github.reads };
  return (await grewFrom(source, pr, before, round.baseTip)) ? round.baseSha : round.baseTip;
}

/**
 * Whether the comment can stand as it is. Only where it speaks of the very commit that the range begins at:
 * after a review with a gap the range begins earlier, and the comment knows more than the range.
 */
function nothingToRead(input: RoundInput, { published }: ShepherdState): boolean {
  if (input.totalFiles === 0) return true;
  return input.changedFiles === 0 && input.baseSha === published?.headSha;
}

/** One after another: spawns in parallel fail now and then on a real server. */
async function start(
  ctx: Ctx<ShepherdRows>,
  services: FactoryServices,
  pr: PrRef,
  round: Round,
): Promise<ShepherdEvent> {
  const { wakeId, baseSha, headSha } = round;
  const kept = keptDiscussion(ctx.state.own, wakeId);
  const { ledger } = readOwn<Memory>(ctx.state.own, 'memory') ?? { ledger: [] };
  for (const aspect of round.pending) {
    await ensureEntity(ctx, 'pr-review-worker', workerKey(pr, aspect), {
      repo: `${pr.owner}/${pr.repo}`,
      prNumber: pr.number,
      aspect,
      parentUrl: ctx.entityUrl,
    });
    const message: ReviewMessage = {
      type: 'review',
      wakeId,
      baseSha,
      headSha,
      ...discussionFor(aspect, kept, ledger),
    };
    await ctx.send(workerUrl(pr, aspect), message, { type: 'review' });
  }
  return { type: 'started', wakeId, asksTexts: services.model.kind === 'model' };
}

async function stopWorkers(ctx: Ctx<ShepherdRows>, pr: PrRef): Promise<void> {
  for (const aspect of ASPECTS) {
    await ctx.send(workerUrl(pr, aspect), { type: 'shutdown' }, { type: 'shutdown' });
  }
}

/** Stops model calls under way. A worker that is idle, or not there, has nothing to stop. */
async function cancelWorkers(services: FactoryServices, pr: PrRef): Promise<void> {
  for (const aspect of ASPECTS) {
    try {
      await services.runtimeClient.signalEntity({
        entityUrl: workerUrl(pr, aspect),
        signal: 'SIGINT',
        reason: 'the round was dropped',
      });
    } catch (error) {
      services.log.debug('a worker could not be stopped', { aspect, error: String(error) });
    }
  }
}
