/**
 * The factory on one machine: the agents on the embedded runtime, with one database under a data directory.
 * The only file that knows the embedded runtime by its name.
 *
 * @module
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEntityRegistry, createSkillsRegistry } from '@electric-ax/agents-runtime';
import {
  type Clock,
  createEmbeddedHost,
  type EmbeddedHost,
  systemClock,
} from '@openfactory/embedded-runtime';
import { changesReview, createInterrupts } from '../agents/interrupts.ts';
import type { FactoryServices, Progress } from '../agents/services.ts';
import { createMarkerStore } from '../conversation/marker-store.ts';
import { createGitHubAccess } from '../github/access.ts';
import { createMemberships } from '../github/membership.ts';
import type { PrEvent } from '../github-events.ts';
import { DISPATCHER_URL, type EntityUrl, type RepoRef, shepherdUrl } from '../ids.ts';
import { registerFactoryAgents } from '../index.ts';
import type { Log } from '../log.ts';
import type { ModelChoice } from '../model/choice.ts';
import { loadAspectPrompts } from '../model/prompts.ts';
import { createRoundMemo } from '../model/round-memo.ts';
import type { Timing } from '../review/decide-rounds.ts';
import { appendDelivery } from './append-delivery.ts';
import type { WebhookRow } from './ingress.ts';

/** A round's model calls end before this; a handler that takes longer hangs (S9). */
const WAKE_GRACE_MS = 60_000;
const SKILLS_DIR = fileURLToPath(new URL('../../skills', import.meta.url));

/** Settings of {@link startEmbeddedFactory}. */
export interface EmbeddedFactoryOptions {
  readonly repo: RepoRef;
  readonly webUrl: string;
  readonly endpointKey: string;
  readonly app: { readonly id: number; readonly installationId: number; readonly privateKey: string };
  /** REST root of GitHub. */
  readonly apiUrl: string;
  readonly model: ModelChoice;
  /** Whether the built-in analyzers take part; without a model they have to. */
  readonly analyzers: boolean;
  readonly timing: Timing;
  /** Directory of the database; made where it does not exist. */
  readonly dataDir: string;
  /** Directory of the seen markers; made with the first of them. */
  readonly stateDir: string;
  readonly log: Log;
  /** What timers, deadlines and the pace of requests go by. Default: the machine's. */
  readonly clock?: Clock;
  readonly onProgress?: (progress: Progress) => void;
  readonly onModelCall?: () => void;
  readonly onGitHubRequest?: () => void;
}

/** A factory that serves. */
export interface EmbeddedFactory {
  readonly host: EmbeddedHost;
  readonly services: FactoryServices;
  /** Stores a delivery; durable when it resolves (S2). */
  readonly append: (row: WebhookRow) => Promise<{ readonly appended: boolean }>;
  /**
   * Call it with each event once it is stored. Tells the dispatcher of one whose PR has no Shepherd, so that it
   * need not wait for the sweep; breaks off what a Shepherd waits for where the event makes that pointless.
   */
  readonly onEvent: (event: PrEvent) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the agents on an embedded host.
 * @throws when the data directory cannot be used, or another process uses it
 */
export async function startEmbeddedFactory(options: EmbeddedFactoryOptions): Promise<EmbeddedFactory> {
  const registry = createEntityRegistry();
  const host = createEmbeddedHost({
    registry,
    dataDir: options.dataDir,
    clock: options.clock ?? systemClock,
    log: options.log,
    wakeTimeoutMs: options.timing.roundTimeoutMs + WAKE_GRACE_MS,
  });
  const services = await createServices(options, host);
  registerFactoryAgents(registry, services);
  await host.start();
  try {
    await host.client.spawnEntity({ type: 'pr-dispatcher', id: 'main' });
    await host.client.sendEntityMessage({
      targetUrl: DISPATCHER_URL,
      payload: { type: 'poke' },
      type: 'poke',
    });
  } catch (error) {
    // What is half started would keep the process alive.
    await host.close();
    throw error;
  }
  return {
    host,
    services,
    append: (row) => appendDelivery(host, row),
    onEvent: (event) => {
      if (changesReview(event)) services.interrupts.interrupt(event);
      return tellDispatcher(host, event);
    },
    close: () => host.close(),
  };
}

async function createServices(options: EmbeddedFactoryOptions, host: EmbeddedHost): Promise<FactoryServices> {
  const [prompts, skills] = await Promise.all([
    loadAspectPrompts(),
    createSkillsRegistry({ baseSkillsDir: SKILLS_DIR, cacheDir: join(options.dataDir, 'skills') }),
  ]);
  return {
    repo: options.repo,
    webUrl: options.webUrl,
    endpointKey: options.endpointKey,
    events: 'bucket',
    github: createGitHubAccess({
      appId: options.app.id,
      installationId: options.app.installationId,
      privateKey: options.app.privateKey,
      baseUrl: options.apiUrl,
      log: options.log,
      onRequest: () => options.onGitHubRequest?.(),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
    }),
    memberships: createMemberships(),
    runtimeClient: host.client,
    interrupts: createInterrupts(),
    model: options.model,
    analyzers: options.analyzers,
    memo: createRoundMemo(),
    markers: createMarkerStore({
      stateDir: options.stateDir,
      now: () => (options.clock ?? systemClock).now(),
      log: options.log,
    }),
    skills,
    prompts,
    timing: options.timing,
    now: () => (options.clock ?? systemClock).now(),
    log: options.log,
    onProgress: (progress) => options.onProgress?.(progress),
    onModelCall: () => options.onModelCall?.(),
  };
}

/** `opened` wakes the dispatcher through its bucket; any other event may concern a PR that nobody looks after yet. */
async function tellDispatcher(host: EmbeddedHost, event: PrEvent): Promise<void> {
  if (event.type === 'pull_request' && (event.action === 'opened' || event.action === 'closed')) return;
  if (await exists(host, shepherdUrl(event.pr))) return;
  await host.client.sendEntityMessage({
    targetUrl: DISPATCHER_URL,
    payload: { type: 'github_event', event },
    type: 'github_event',
  });
}

async function exists(host: EmbeddedHost, entityUrl: EntityUrl): Promise<boolean> {
  const url = `http://embedded.invalid/_electric/entities${entityUrl}`;
  return (await host.fetch(new Request(url, { method: 'HEAD' }))).ok;
}
