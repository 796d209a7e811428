/**
 * `/pr-review-worker/{owner~repo~n~aspect}`: one aspect of one PR, for as long as the PR lives. It reads
 * GitHub and never writes there; what it finds goes to its Shepherd.
 *
 * @module
 */
import type { EntityRegistry } from '@electric-ax/agents-runtime';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { messageOf } from '../errors.ts';
import { loadRound } from '../github/round-input.ts';
import { type PrRef, parseRepo, parseSha, type Sha, type WakeId } from '../ids.ts';
import { reviewAspect } from '../model/review-aspect.ts';
import type { WorkerOutcome } from '../review/round.ts';
import { PassAbandonedError } from './abandoned.ts';
import type { Ctx, InboxMessage } from './context.ts';
import { behindCursor, moveCursor } from './inbox.ts';
import {
  type ReviewMessage,
  reviewMessageSchema,
  shutdownMessageSchema,
  type WorkerDoneMessage,
} from './messages.ts';
import { type FactoryServices, roundOptions } from './services.ts';
import {
  type HistoryRow,
  knownFindings,
  type WorkerArgs,
  type WorkerState,
  workerArgsSchema,
  workerCollections,
} from './worker-state.ts';

type WorkerCtx = Ctx<WorkerState> & { readonly args: WorkerArgs };

interface WorkerDeps {
  readonly services: FactoryServices;
  readonly octokit: Octokit;
}

/** Adds the `pr-review-worker` type to a registry. */
export function registerWorker(registry: EntityRegistry, services: FactoryServices): void {
  const { github } = services;
  const octokit = github.prepare(new Octokit({ authStrategy: createAppAuth, ...github.options }));
  registry.define('pr-review-worker', {
    description: 'Reviews one aspect of one pull request, and remembers what it said.',
    creationSchema: workerArgsSchema,
    state: workerCollections,
    inboxSchemas: { review: reviewMessageSchema, shutdown: shutdownMessageSchema },
    handler: (ctx) => work(ctx, { services, octokit }),
  });
}

async function work(ctx: WorkerCtx, deps: WorkerDeps): Promise<void> {
  const messages = behindCursor(ctx.db.collections.inbox.toArray, ctx.state.cursors, 'inbox');
  // A spawn without arguments passes the runtime's check; what would follow from it is caught here.
  const args = workerArgsSchema.safeParse(ctx.args);
  if (args.success) await obey(ctx, deps, args.data, messages);
  else deps.services.log.error('a worker was spawned without its arguments', { entity: ctx.entityUrl });
  moveCursor(messages, ctx.state.cursors, 'inbox');
}

/** Only the newest order counts: what came before it was superseded, and is not answered. */
async function obey(
  ctx: WorkerCtx,
  deps: WorkerDeps,
  args: WorkerArgs,
  messages: readonly InboxMessage[],
): Promise<void> {
  const order = messages.findLast((message) => ['review', 'shutdown'].includes(message.message_type ?? ''));
  if (order === undefined) return;
  writeMeta(ctx, args, order.message_type === 'shutdown' ? 'shutdown' : 'active');
  if (order.message_type === 'review') await review(ctx, deps, args, order.payload as ReviewMessage);
}

function writeMeta(ctx: WorkerCtx, args: WorkerArgs, status: 'active' | 'shutdown'): void {
  if (ctx.state.meta.get('meta') === undefined) {
    const { repo, prNumber, aspect } = args;
    const promptPath = `src/prompts/pr-review/${aspect}.md`;
    ctx.state.meta.insert({ key: 'meta', repo, prNumber, aspect, promptPath, status });
    return;
  }
  ctx.state.meta.update('meta', (draft) => {
    draft.status = status;
  });
}

async function review(
  ctx: WorkerCtx,
  deps: WorkerDeps,
  args: WorkerArgs,
  message: ReviewMessage,
): Promise<void> {
  const known = ctx.state.findings_history.get(message.wakeId);
  const row = known ?? (await pass(ctx, deps, args, message));
  if (known === undefined) ctx.state.findings_history.insert(row);
  const answer: WorkerDoneMessage = {
    type: 'worker-done',
    wakeId: row.wakeId,
    aspect: args.aspect,
    status: row.status,
    findings: row.findings,
    ...(row.verdicts === undefined ? {} : { verdicts: row.verdicts }),
    ...(row.heard === undefined ? {} : { heard: row.heard }),
    ...(row.why === undefined ? {} : { why: row.why }),
  };
  await ctx.send(args.parentUrl, answer, { type: 'worker-done' });
}

/** One pass over a range. A failure is an outcome, so that the Shepherd never waits in vain. */
async function pass(
  ctx: WorkerCtx,
  deps: WorkerDeps,
  args: WorkerArgs,
  message: ReviewMessage,
): Promise<HistoryRow> {
  const { services } = deps;
  const pr = prOf(args);
  const wakeId = message.wakeId as WakeId;
  const progress = { type: 'worker', pr, wakeId, aspect: args.aspect } as const;
  services.onProgress({ ...progress, state: 'started' });
  const { outcome, files } = await look(ctx, deps, args, message);
  // The Shepherd dropped the round and sends a newer order, or the host is closing and runs this pass again.
  if (ctx.signal.aborted) throw new PassAbandonedError(ctx.entityUrl);
  const findings = outcome.status === 'failed' ? [] : outcome.findings;
  const why = outcome.status === 'done' ? undefined : outcome.why;
  const told = why === undefined ? {} : { why };
  const { verdicts = [], heard } = outcome.status === 'failed' ? {} : outcome;
  services.onProgress({ ...progress, state: outcome.status, findings: findings.length, ...told });
  return {
    key: message.wakeId,
    wakeId: message.wakeId,
    baseSha: message.baseSha,
    headSha: message.headSha,
    postedAt: new Date(services.now()).toISOString(),
    findings: [...findings],
    status: outcome.status,
    files: [...files],
    ...(verdicts.length === 0 ? {} : { verdicts: [...verdicts] }),
    ...(heard === undefined ? {} : { heard }),
    ...told,
  };
}

async function look(
  ctx: WorkerCtx,
  deps: WorkerDeps,
  args: WorkerArgs,
  message: ReviewMessage,
): Promise<{ readonly outcome: WorkerOutcome; readonly files: readonly string[] }> {
  const { services, octokit } = deps;
  const { aspect } = args;
  try {
    const spec = {
      pr: prOf(args),
      wakeId: message.wakeId as WakeId,
      baseSha: shaOf(message.baseSha),
      headSha: shaOf(message.headSha),
    };
    const round = await loadRound(services.github, octokit, spec, roundOptions(services));
    const outcome = await reviewAspect({
      aspect,
      aspectPrompt: services.prompts[aspect],
      round,
      discussion: message.discussion ?? [],
      earlier: knownFindings(message, ctx.state.findings_history.toArray),
      analyzers: services.analyzers,
      memo: services.memo,
      choice: services.model,
      run: async (config, input, signal) => {
        await ctx.useAgent(config).run(input, signal);
      },
      timeoutMs: services.timing.roundTimeoutMs,
      signal: ctx.signal,
      log: services.log.child({ entity: ctx.entityUrl, wakeId: message.wakeId }),
      onCall: services.onModelCall,
    });
    return { outcome, files: round.input.files.map((file) => file.path) };
  } catch (error) {
    services.log.error('a review pass failed', { entity: ctx.entityUrl, error: messageOf(error) });
    return { outcome: { aspect, status: 'failed', why: messageOf(error) }, files: [] };
  }
}

function prOf(args: WorkerArgs): PrRef {
  const repo = parseRepo(args.repo);
  if (repo === undefined) throw new TypeError(`not a repository: ${args.repo}`);
  return { ...repo, number: args.prNumber };
}

function shaOf(text: string): Sha {
  const sha = parseSha(text);
  if (sha === undefined) throw new TypeError(`not a commit id: ${text}`);
  return sha;
}
