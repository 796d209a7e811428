/**
 * What it takes to construct an Octokit for the App. The Octokits themselves are constructed in
 * `agents/pr-shepherd.ts` and `agents/pr-review-worker.ts`, once at registration.
 *
 * @module
 */
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type { Octokit } from '@octokit/rest';
import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import { createPacer, type PacerClock } from './pacer.ts';
import { applyPolicy, type PolicyDeps } from './policy.ts';
import { createReadCache, type ReadCache } from './read-cache.ts';

/** The App's credentials and what all Octokits share. */
export interface GitHubAccess {
  /** For the constructor, beside `authStrategy: createAppAuth`. */
  readonly options: {
    /** `cache` is shared, so that one token serves all. */
    readonly auth: {
      readonly appId: number;
      readonly privateKey: string;
      readonly installationId: number;
      readonly cache: TokenCache;
    };
    /** REST root, without a trailing slash. */
    readonly baseUrl: string;
    readonly log: OctokitLog;
  };
  /** Installs deadlines, retries, counting, and the pace that all of them keep together. */
  readonly prepare: (octokit: Octokit) => Octokit;
  /** Reads of immutable things, one flight for all who ask at once. */
  readonly reads: ReadCache;
  /** Texts of files, many with one request. */
  readonly files: FileReader;
}

/** The cache that `@octokit/auth-app` accepts. */
export interface TokenCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** What Octokit writes to. */
export interface OctokitLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Octokit writes every answer that is not 2xx to the console as an error, also a 404 that is the expected
 * answer to a question. What matters is logged where it is judged.
 */
function octokitLog(log: Log): OctokitLog {
  const debug = (message: string): void => log.debug('octokit', { message });
  return { debug, info: debug, warn: debug, error: debug };
}

/** Settings of {@link createGitHubAccess}. */
export interface GitHubAccessOptions {
  readonly appId: number;
  readonly privateKey: string;
  readonly installationId: number;
  readonly baseUrl: string;
  readonly log: Log;
  readonly onRequest: (request: { readonly method: string; readonly url: string }) => void;
  /** What the pace goes by. Default: the machine's. */
  readonly clock?: PacerClock;
}

/** Its timers do not keep the process alive: who waits for his turn has no part in that. */
const MACHINE_CLOCK: PacerClock = {
  now: () => performance.now(),
  setTimer: (atMs, callback) => {
    const timer = startTimer(callback, Math.max(0, atMs - performance.now()));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Tokens live for an hour; auth-app renews them after 59 minutes. */
const TOKEN_TTL_MS = 59 * 60_000;

/** Builds what all Octokits of one host share. */
export function createGitHubAccess(options: GitHubAccessOptions): GitHubAccess {
  const tokens = new LRUCache<string, string>({ max: 100, ttl: TOKEN_TTL_MS });
  const { appId, privateKey, installationId, log, onRequest } = options;
  const wait: PolicyDeps['wait'] = (ms, signal) => setTimeout(ms, undefined, signal && { signal });
  const pacer = createPacer(options.clock ?? MACHINE_CLOCK);
  return {
    options: {
      auth: {
        appId,
        privateKey,
        installationId,
        cache: { get: (key) => tokens.get(key), set: (key, value) => void tokens.set(key, value) },
      },
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      log: octokitLog(log),
    },
    prepare: (octokit) => {
      applyPolicy(octokit, { log, pacer, wait, onRequest });
      return octokit;
    },
    reads: createReadCache(),
    files: createFileReader(),
  };
}
