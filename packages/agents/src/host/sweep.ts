/**
 * Finds what no delivery told: GitHub never repeats one by itself. At the start and every few minutes it
 * compares the open PRs with what their Shepherds know, and tells those that are behind to read again.
 *
 * @module
 */
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { type OwnRow, readMachine } from '../agents/shepherd-state.ts';
import { messageOf } from '../errors.ts';
import { githubError } from '../github/policy.ts';
import { DISPATCHER_URL, type PrRef, parsePrKey, prKey, sameRepo, shepherdUrl } from '../ids.ts';
import type { Log } from '../log.ts';
import { due } from '../review/due.ts';
import { isStranded, type ShepherdState } from '../review/state.ts';
import type { EmbeddedFactory } from './embedded-host.ts';

/** A sweep that repeats. */
export interface Sweep {
  /** Ends it, a pass under way included. */
  readonly stop: () => Promise<void>;
}

/** Settings of {@link startSweep}. */
export interface SweepOptions {
  /** Milliseconds between two passes; 0 for one pass only. */
  readonly everyMs: number;
  readonly log: Log;
}

/** Sweeps now, and then every `everyMs`. A pass that fails is logged; the next one comes in any case. */
export function startSweep(factory: EmbeddedFactory, options: SweepOptions): Sweep {
  const { github } = factory.services;
  const octokit = github.prepare(new Octokit({ authStrategy: createAppAuth, ...github.options }));
  const ending = new AbortController();
  let passes = 0;
  const pass = (): Promise<void> =>
    sweepOnce(factory, octokit, { isFirst: passes++ === 0, signal: ending.signal }).then(
      (behind) => options.log.debug('swept', { behind }),
      (error: unknown) => {
        if (!ending.signal.aborted) options.log.warn('the sweep failed', { error: messageOf(error) });
      },
    );
  let running = pass();
  const timer =
    options.everyMs === 0
      ? undefined
      : setInterval(() => {
          running = running.then(pass);
        }, options.everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

interface OpenPr extends PrRef {
  readonly headSha: string;
  readonly draft: boolean;
  readonly baseRef: string;
  readonly labels: readonly string[];
  readonly createdAtMs: number;
}

/** One pass; returns how many Shepherds were told. */
async function sweepOnce(factory: EmbeddedFactory, octokit: Octokit, occasion: Occasion): Promise<number> {
  const open = await listOpen(factory, octokit, occasion.signal);
  const openKeys = new Set(open.map((pr) => prKey(pr)));
  const closed = (await shepherds(factory)).filter(
    (pr) => !openKeys.has(prKey(pr)) && stateOf(factory, pr)?.seen?.open === true,
  );
  const firstStartMs = await firstStart(factory);
  const behind = open.filter((pr) => {
    const state = stateOf(factory, pr);
    // A new installation must not review a whole backlog: what was open before waits until something happens.
    return state === undefined ? pr.createdAtMs >= firstStartMs : isBehind(state, pr, factory, occasion);
  });
  let told = 0;
  for (const pr of [...behind, ...closed]) {
    try {
      await reconcile(factory, pr);
      told += 1;
    } catch (error) {
      // One Shepherd that cannot be told must not keep the others from being told.
      factory.services.log.warn('a Shepherd could not be told', { pr: prKey(pr), error: messageOf(error) });
    }
  }
  return told;
}

/** What a pass is made for. */
interface Occasion {
  /** The first pass after a start: what was refused for good may have been set right meanwhile. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

/** Whether a Shepherd knows less than GitHub, left something undone, or gave up what may work by now. */
function isBehind(
  state: ShepherdState,
  pr: OpenPr,
  factory: EmbeddedFactory,
  { isFirst }: Occasion,
): boolean {
  const { seen, failure } = state;
  if (seen === undefined || !seen.open || due(state, factory.services.now()) !== undefined) return true;
  if (isStranded(state) && (isFirst || failure?.retryable !== false)) return true;
  return (
    seen.headSha !== pr.headSha ||
    seen.draft !== pr.draft ||
    seen.baseRef !== pr.baseRef ||
    [...seen.labels].sort().join('\n') !== [...pr.labels].sort().join('\n')
  );
}

function stateOf(factory: EmbeddedFactory, pr: PrRef): ShepherdState | undefined {
  const rows = factory.host.readRows(shepherdUrl(pr), 'own') as unknown as readonly OwnRow[];
  const machine = rows.find((row) => row.key === 'machine');
  return machine === undefined ? undefined : readMachine({ get: () => machine });
}

/** Every PR that has a Shepherd. */
async function shepherds(factory: EmbeddedFactory): Promise<readonly PrRef[]> {
  const answer = await factory.host.fetch(new Request('http://embedded/_electric/entities?type=pr-shepherd'));
  const entities = (await answer.json()) as readonly { readonly url: string }[];
  const prs = entities.flatMap((entity) => parsePrKey(entity.url.replace('/pr-shepherd/', '')) ?? []);
  // The database may know another repository, from before the setting was changed.
  return prs.filter((pr) => sameRepo(pr, factory.services.repo));
}

/** When the factory first ran on this database. */
async function firstStart(factory: EmbeddedFactory): Promise<number> {
  const dispatcher = await factory.host.client.getEntity(DISPATCHER_URL);
  // GitHub tells times in whole seconds.
  return Math.floor(new Date(dispatcher.created_at).getTime() / 1000) * 1000;
}

async function reconcile(factory: EmbeddedFactory, pr: PrRef): Promise<void> {
  const { client } = factory.host;
  const { owner, repo, number } = pr;
  await client.spawnEntity({ type: 'pr-shepherd', id: prKey(pr), args: { owner, repo, number } });
  await client.sendEntityMessage({
    targetUrl: shepherdUrl(pr),
    payload: { type: 'reconcile' },
    type: 'reconcile',
  });
}

async function listOpen(
  factory: EmbeddedFactory,
  octokit: Octokit,
  signal: AbortSignal,
): Promise<readonly OpenPr[]> {
  const { owner, repo } = factory.services.repo;
  try {
    const pulls = await octokit.paginate(octokit.rest.pulls.list, {
      owner,
      repo,
      state: 'open',
      per_page: 100,
      request: { signal },
    });
    return pulls.map((pull) => ({
      owner,
      repo,
      number: pull.number,
      headSha: pull.head.sha,
      draft: pull.draft ?? false,
      baseRef: pull.base.ref,
      labels: pull.labels.map((label) => label.name),
      createdAtMs: Date.parse(pull.created_at),
    }));
  } catch (error) {
    throw githubError('list the open pull requests', error);
  }
}
