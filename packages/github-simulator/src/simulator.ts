import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { RefusedActError } from './errors.ts';
import { initBare, openGit } from './git/index.ts';
import type { SimulatorOptions } from './options.ts';
import { type CommentActs, commentActs } from './people/comment-acts.ts';
import { type ModerationActs, moderationActs } from './people/moderation-acts.ts';
import { type PullRequestActs, pullRequestActs } from './people/pull-request-acts.ts';
import { type ReviewActs, reviewActs } from './people/review-acts.ts';
import { type Api, createApi } from './rest/api.ts';
import { appKeys } from './rest/app-token.ts';
import type { Fault } from './rest/faults.ts';
import type { RequestRecord } from './rest/request-log.ts';
import { createHook, type DeliveryRecord } from './webhooks/hook.ts';
import type { Payload } from './webhooks/payloads.ts';
import { requirePullRequest } from './world/pull-requests.ts';
import type { PullRequestRecord, ReviewComment, StoredComment } from './world/records.ts';
import { commentsOf, createWorld, ofPullRequest } from './world/world.ts';

/** A GitHub on loopback. What people do are its methods; what the App does comes over HTTP. */
export interface GitHubSimulator extends PullRequestActs, CommentActs, ReviewActs, ModerationActs {
  /** Root of the REST API, without a final slash. GraphQL is below it at `/graphql`. */
  readonly url: string;
  /** The bare repository. Commits are made there directly; branches are moved by `push`. */
  readonly gitDir: string;
  /** The App's private key, made anew for each simulator, PKCS#1. */
  readonly privateKeyPem: string;
  readonly botUserId: number;
  /** Where deliveries go. Without one they are only recorded, with an error. */
  setWebhookUrl(url: string | undefined): void;
  /** Comments of a pull request, oldest first. */
  comments(pullRequest: number): readonly StoredComment[];
  /** Comments in the review threads of a pull request, oldest first. */
  reviewComments(pullRequest: number): readonly ReviewComment[];
  /** @throws RefusedActError when there is none of that number. */
  pullRequest(number: number): PullRequestRecord;
  /** Every request, in the order of the answers. */
  readonly requests: readonly RequestRecord[];
  /** Every delivery, in the order of sending. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Sends a former delivery again, under its GUID. @throws RefusedActError when there is none. */
  redeliver(guid: string): Promise<DeliveryRecord>;
  /** Sends any payload as a signed delivery. */
  send(event: string, payload: Payload, options?: { readonly guid?: string }): Promise<DeliveryRecord>;
  /** Resolves when all deliveries under way were answered. */
  delivered(): Promise<void>;
  /** Makes matching requests fail, wait or lose their answers. Returns how to take that back. */
  inject(fault: Fault): () => void;
  /** Ends the server and removes what it created. */
  close(): Promise<void>;
}

const DEFAULT_REQUESTS_PER_HOUR = 5000;
const DEFAULT_CREATIONS_PER_MINUTE = 80;
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Starts a simulator.
 *
 * @throws NotAGitRepositoryError when `gitDir` is given and is none.
 */
export async function createGitHubSimulator(options: SimulatorOptions): Promise<GitHubSimulator> {
  const [storage, keys] = await Promise.all([prepareStorage(options.gitDir), appKeys()]);
  const server = await listen(options.port ?? 0);
  const world = await createWorld(options, server.url, storage.git);
  const hook = createHook({
    secret: options.app.webhookSecret,
    hookId: world.nextId(),
    appId: options.app.id,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  const api = createApi({
    world,
    hook,
    keys,
    requestsPerHour: options.requestsPerHour ?? DEFAULT_REQUESTS_PER_HOUR,
    creationsPerMinute: options.creationsPerMinute ?? DEFAULT_CREATIONS_PER_MINUTE,
  });
  server.serve(api);

  return {
    url: server.url,
    gitDir: storage.git.gitDir,
    privateKeyPem: keys.privateKeyPem,
    botUserId: world.accounts.bot.id,
    requests: api.requests,
    deliveries: hook.deliveries,
    ...pullRequestActs(world, hook),
    ...commentActs(world, hook),
    ...reviewActs(world, hook),
    ...moderationActs(world, hook),
    setWebhookUrl: hook.setUrl,
    comments: (pullRequest) => commentsOf(world, pullRequest),
    reviewComments: (pullRequest) => ofPullRequest(world.reviewComments, pullRequest),
    pullRequest: (number) => requirePullRequest(world, number),
    redeliver: async (guid) => {
      const sending = hook.redeliver(guid);
      if (sending === undefined) throw new RefusedActError(`There is no delivery ${guid}`);
      return sending;
    },
    send: hook.send,
    delivered: hook.delivered,
    inject: api.faults.inject,
    close: async () => {
      await server.close();
      await storage.remove();
    },
  };
}

async function prepareStorage(given: string | undefined) {
  if (given !== undefined) return { git: await openGit(given), remove: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'github-simulator-'));
  const gitDir = join(folder, 'repository.git');
  await initBare(gitDir);
  return { git: await openGit(gitDir), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The address has to be known before the state that writes it into every answer, so routes come second. */
async function listen(port: number) {
  let api: Api | undefined;
  const server = createAdaptorServer({
    fetch: (request, env) => api?.app.fetch(request, env) ?? new Response(null, { status: 503 }),
  }) as Server;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actualPort}`,
    serve: (started: Api) => {
      api = started;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
