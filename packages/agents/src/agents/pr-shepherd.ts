/**
 * `/pr-shepherd/{owner~repo~n}`: the lane of one PR (S1). Each wake folds what came in into the state, then
 * does what the state asks for, one command after another, and keeps the state after each.
 *
 * @module
 */
import type { EntityRegistry } from '@electric-ax/agents-runtime';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { messageOf } from '../errors.ts';
import { knownIdentity } from '../github/identity.ts';
import { readPullRequest } from '../github/pull-request.ts';
import { readSnapshot } from '../github/snapshot.ts';
import type { PrRef } from '../ids.ts';
import { apply, type ShepherdEvent } from '../review/decide.ts';
import { due } from '../review/due.ts';
import type { ShepherdState } from '../review/state.ts';
import { PassAbandonedError } from './abandoned.ts';
import type { Ctx } from './context.ts';
import { followHints } from './hint.ts';
import {
  githubEventMessageSchema,
  reconcileMessageSchema,
  tickMessageSchema,
  type WorkerDoneMessage,
  workerDoneMessageSchema,
} from './messages.ts';
import type { HostDeps, Order, ShepherdDeps } from './orders.ts';
import { createLook } from './pr-look.ts';
import type { FactoryServices } from './services.ts';
import { failedAt, perform } from './shepherd-commands.ts';
import { readIncoming } from './shepherd-inbox.ts';
import {
  readMachine,
  type ShepherdRows,
  shepherdArgsSchema,
  shepherdCollections,
  writeMachine,
} from './shepherd-state.ts';
import { loadSkill } from './skill.ts';

/** Far more commands than any wake needs; a state that asks for ever is a bug, and must not spin (S9). */
const MAX_COMMANDS_PER_WAKE = 100;
/** What people may call us besides the App's slug, which may have been taken. */
const ALWAYS_CALLED = 'pr-shepherd';

/** Adds the `pr-shepherd` type to a registry. */
export function registerShepherd(registry: EntityRegistry, services: FactoryServices): void {
  const { github } = services;
  const octokit = github.prepare(new Octokit({ authStrategy: createAppAuth, ...github.options }));
  registry.define('pr-shepherd', {
    description: 'Stays with one pull request from open to close and keeps its one review comment true.',
    creationSchema: shepherdArgsSchema,
    state: shepherdCollections,
    inboxSchemas: {
      github_event: githubEventMessageSchema,
      'worker-done': workerDoneMessageSchema,
      tick: tickMessageSchema,
      reconcile: reconcileMessageSchema,
    },
    handler: async (ctx) => {
      // A spawn without arguments passes the runtime's check; what would follow from it is caught here.
      const args = shepherdArgsSchema.safeParse(ctx.args);
      if (args.success) await tend(ctx, { services, octokit }, args.data);
      else services.log.error('a Shepherd was spawned without its arguments', { entity: ctx.entityUrl });
    },
  });
}

async function tend(ctx: Ctx<ShepherdRows>, host: HostDeps, pr: PrRef): Promise<void> {
  const { services, octokit } = host;
  const deps: ShepherdDeps = {
    ...host,
    look: createLook(() => readPullRequest(octokit, pr), services.now),
    conversation: createLook(() => readSnapshot(octokit, pr, services.now()), services.now),
  };
  const skill = await loadSkill(ctx, services.skills);
  const batch = await readIncoming(ctx, services, pr, () => ourNames(host));
  const fold = (state: ShepherdState, event: ShepherdEvent): ShepherdState =>
    apply(state, event, services.now(), services.timing);
  const keep = (state: ShepherdState): void =>
    writeMachine(ctx.state, { repo: `${pr.owner}/${pr.repo}`, prNumber: pr.number }, state);

  let state = readMachine(ctx.state.own);
  followHints(deps, pr, state, batch.heard);
  for (const { event, findings } of batch.incoming) {
    if (findings !== undefined && findings.wakeId === state.round?.wakeId) keepFindings(ctx.state, findings);
    state = fold(state, event);
  }
  // Left over from a process that ended: workers are asked only after another look at the PR (S8).
  if (state.round?.phase === 'starting') state = fold(state, { type: 'pr-changed', push: false });
  state = fold(state, { type: 'tick' });
  keep(state);
  batch.done();

  for (let count = 0; ; count += 1) {
    const command = due(state, services.now());
    if (command === undefined) return;
    if (ctx.signal.aborted) throw new PassAbandonedError(ctx.entityUrl);
    if (count === MAX_COMMANDS_PER_WAKE) {
      services.log.error('a Shepherd asks for more commands than a wake may take', { command: command.type });
      return;
    }
    const event = await attempt(ctx, deps, pr, { command, state, skill });
    state = fold(fold(state, event), { type: 'tick' });
    keep(state);
  }
}

/** What people call us. @throws TransientError or PermanentError */
async function ourNames({ services, octokit }: HostDeps): Promise<readonly string[]> {
  return [(await knownIdentity(services.github, octokit)).slug, ALWAYS_CALLED];
}

/** A bug in a command must not silence the PR: it is a failure like any other, and the state says so (S9). */
async function attempt(
  ctx: Ctx<ShepherdRows>,
  deps: ShepherdDeps,
  pr: PrRef,
  order: Order,
): Promise<ShepherdEvent> {
  const { type } = order.command;
  try {
    return await perform(ctx, deps, pr, order);
  } catch (error) {
    if (ctx.signal.aborted || type === 'arm' || type === 'stop-workers' || type === 'cancel') throw error;
    deps.services.log.error('a command failed in an unexpected way', {
      command: type,
      error: messageOf(error),
    });
    return { type: 'failed', ...failedAt(order.command), retryable: false, what: messageOf(error) };
  }
}

function keepFindings(state: ShepherdRows, message: WorkerDoneMessage): void {
  const key = `${message.wakeId}~${message.aspect}`;
  if (state.findings.get(key) !== undefined) return;
  const { wakeId, aspect, status, findings, verdicts, heard, why } = message;
  state.findings.insert({
    key,
    wakeId,
    aspect,
    status,
    findings,
    ...(verdicts === undefined ? {} : { verdicts }),
    ...(heard === undefined ? {} : { heard }),
    ...(why === undefined ? {} : { why }),
  });
}
