/**
 * Finds what no delivery told: GitHub never repeats one by itself. At the start and every few minutes it
 * compares the open PRs with what their Shepherds know, and tells those that are behind to read again.
 *
 * @module
 */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { messageOf } from '../errors.ts';
import { createOpenPullRequestReader, type OpenPullRequestReader } from '../github/open-pull-requests.ts';
import { DISPATCHER_URL, type PrRef, prKey, shepherdUrl } from '../ids.ts';
import type { Log } from '../log.ts';
import { isBehind, missedEnd, type Occasion } from './behind.ts';
import type { EmbeddedFactory } from './embedded-host.ts';
import { knownShepherds, shepherdState } from './shepherds.ts';

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

/** Sweeps now, and again `everyMs` after each pass. A pass that fails is logged; the next one comes in any case. */
export function startSweep(factory: EmbeddedFactory, { everyMs, log }: SweepOptions): Sweep {
  const ending = new AbortController();
  const { signal } = ending;
  const sweeper = createSweeper(factory);
  const run = async (): Promise<void> => {
    for (;;) {
      const failure = await sweeper.pass(signal).then(
        (report) => log.debug('swept', { ...report }),
        (error: unknown) => messageOf(error),
      );
      if (signal.aborted) return;
      if (failure !== undefined) log.warn('the sweep failed', { error: failure });
      if (everyMs === 0) return;
      await wait(everyMs, signal).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

/** What a pass came to. */
export interface SweepReport {
  readonly open: number;
  /** Shepherds that were told to look at their PR. */
  readonly told: number;
}

/** Makes passes. */
export interface Sweeper {
  /**
   * One pass. Nothing is told unless the whole list was read.
   * @throws TransientError or PermanentError when GitHub does not list the PRs
   * @throws the signal's reason when it fires
   */
  pass(signal: AbortSignal): Promise<SweepReport>;
}

/** A pass asks, and lets Shepherds ask, ten things a second: it is never in a hurry. */
const REQUEST_MS = 100;
/** What a told Shepherd may ask: the PR alone where it was closed, else what a round takes. */
const REQUESTS_AT_END = 1;
const REQUESTS_OF_ROUND = 10;

/** Resolves after `ms`; rejects when the signal fires. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;
const wait: Wait = (ms, signal) => setTimeout(ms, undefined, { signal });

/** Builds a sweeper that has not listed anything yet. `pause`: how it spreads its work over time. */
export function createSweeper(factory: EmbeddedFactory, pause: Wait = wait): Sweeper {
  const { github, repo, now } = factory.services;
  const octokit = github.prepare(new Octokit({ authStrategy: createAppAuth, ...github.options }));
  const reader = createOpenPullRequestReader(octokit, repo);
  let isFirst = true;
  return {
    async pass(signal) {
      const firstStartMs = await firstStart(factory);
      const occasion = (): Occasion => ({ isFirst, nowMs: now(), firstStartMs });
      const { open, suspects } = await findSuspects(factory, reader, occasion, {
        signal,
        beforePage: async () => void (await pause(REQUEST_MS, signal)),
      });
      const told = await tellAll(factory, suspects, async (requests) => {
        await pause(requests * REQUEST_MS, signal);
      });
      isFirst = false;
      return { open, told };
    },
  };
}

/** A PR whose Shepherd may have to be told. */
interface Suspect {
  readonly pr: PrRef;
  readonly requests: number;
  /** Asked again when its turn comes: a delivery may have told it meanwhile. */
  readonly isStill: () => boolean;
}

async function findSuspects(
  factory: EmbeddedFactory,
  reader: OpenPullRequestReader,
  occasion: () => Occasion,
  { beforePage, signal }: { readonly beforePage: () => Promise<void>; readonly signal: AbortSignal },
): Promise<{ readonly open: number; readonly suspects: readonly Suspect[] }> {
  const { prs, complete } = await reader.list(beforePage, signal);
  const listed = new Set(prs.map((pr) => prKey(pr)));
  const gone = complete ? (await knownShepherds(factory)).filter((pr) => !listed.has(prKey(pr))) : [];
  const all: readonly Suspect[] = [
    // They cost least, and what runs for a closed PR runs in vain.
    ...gone.map((pr) => ({
      pr,
      requests: REQUESTS_AT_END,
      isStill: () => missedEnd(shepherdState(factory, pr), occasion().nowMs),
    })),
    ...prs.map((pr) => ({
      pr,
      requests: REQUESTS_OF_ROUND,
      isStill: () => isBehind(shepherdState(factory, pr), pr, occasion()),
    })),
  ];
  const suspects: Suspect[] = [];
  for (const suspect of all) {
    if (suspect.isStill()) suspects.push(suspect);
    // Reading what a thousand Shepherds know takes a while: deliveries and handlers go on in between.
    await setImmediate();
    signal.throwIfAborted();
  }
  return { open: prs.length, suspects };
}

/** Tells one after another, with time between them for what each of them asks of GitHub. */
async function tellAll(
  factory: EmbeddedFactory,
  suspects: readonly Suspect[],
  pause: (requests: number) => Promise<void>,
): Promise<number> {
  let told = 0;
  let requests = 0;
  for (const suspect of suspects) {
    if (requests > 0) await pause(requests);
    requests = 0;
    if (!suspect.isStill()) continue;
    try {
      await tell(factory, suspect.pr);
      told += 1;
      requests = suspect.requests;
    } catch (error) {
      // One Shepherd that cannot be told must not keep the others from being told.
      const fields = { pr: prKey(suspect.pr), error: messageOf(error) };
      factory.services.log.warn('a Shepherd could not be told', fields);
    }
  }
  return told;
}

/** When the factory first ran on this database, in milliseconds since the epoch. */
async function firstStart(factory: EmbeddedFactory): Promise<number> {
  const dispatcher = await factory.host.client.getEntity(DISPATCHER_URL);
  return new Date(dispatcher.created_at).getTime();
}

async function tell(factory: EmbeddedFactory, pr: PrRef): Promise<void> {
  const { client } = factory.host;
  const { owner, repo, number } = pr;
  await client.spawnEntity({ type: 'pr-shepherd', id: prKey(pr), args: { owner, repo, number } });
  await client.sendEntityMessage({
    targetUrl: shepherdUrl(pr),
    payload: { type: 'reconcile' },
    type: 'reconcile',
  });
}
