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
import { DISPATCHER_URL, type PrRef, parsePrKey, prKey, shepherdUrl } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Seen } from '../review/state.ts';
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
  const pass = (): Promise<void> =>
    sweepOnce(factory, octokit, ending.signal).then(
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
async function sweepOnce(factory: EmbeddedFactory, octokit: Octokit, signal: AbortSignal): Promise<number> {
  const open = await listOpen(factory, octokit, signal);
  const openKeys = new Set(open.map((pr) => prKey(pr)));
  const closed = (await shepherds(factory)).filter(
    (pr) => !openKeys.has(prKey(pr)) && seenBy(factory, pr)?.open === true,
  );
  const firstStartMs = await firstStart(factory);
  let told = 0;
  for (const pr of [...open.filter((candidate) => isBehind(factory, candidate, firstStartMs)), ...closed]) {
    await reconcile(factory, pr);
    told += 1;
  }
  return told;
}

/**
 * A PR that was opened before the factory first started has no Shepherd until something happens to it: a
 * new installation must not review a whole backlog.
 */
function isBehind(factory: EmbeddedFactory, pr: OpenPr, firstStartMs: number): boolean {
  const seen = seenBy(factory, pr);
  if (seen === undefined) return pr.createdAtMs >= firstStartMs;
  return (
    !seen.open ||
    seen.headSha !== pr.headSha ||
    seen.draft !== pr.draft ||
    seen.baseRef !== pr.baseRef ||
    [...seen.labels].sort().join('\n') !== [...pr.labels].sort().join('\n')
  );
}

function seenBy(factory: EmbeddedFactory, pr: PrRef): Seen | undefined {
  const rows = factory.host.readRows(shepherdUrl(pr), 'own') as unknown as readonly OwnRow[];
  const machine = rows.find((row) => row.key === 'machine');
  return machine === undefined ? undefined : readMachine({ get: () => machine }).seen;
}

/** Every PR that has a Shepherd. */
async function shepherds(factory: EmbeddedFactory): Promise<readonly PrRef[]> {
  const answer = await factory.host.fetch(new Request('http://embedded/_electric/entities?type=pr-shepherd'));
  const entities = (await answer.json()) as readonly { readonly url: string }[];
  return entities.flatMap((entity) => parsePrKey(entity.url.replace('/pr-shepherd/', '')) ?? []);
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
