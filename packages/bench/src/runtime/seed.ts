/**
 * A database of a repository with many pull requests, made by the runtime's own stores.
 *
 * @module
 */

import { systemClock } from '@electric-ax/agents-runtime';
import { openDataDir } from '../../../embedded-runtime/src/data-dir.ts';
import type { Store } from '../../../embedded-runtime/src/store/store.ts';

/** How many pull requests there are. */
export const PULL_REQUESTS = 10_000;
const ASPECTS = ['correctness', 'conventions', 'security', 'perf', 'tests', 'architecture'] as const;
const EVENTS_PER_ENTITY = 30;
/** Entities whose rows are one transaction. */
const ENTITIES_PER_COMMIT = 700;

/** URLs of the entities of one pull request: the Shepherd, then its workers. */
export function entityUrlsOf(number: number): readonly string[] {
  const id = `codertocat~hello-world~${number}`;
  return [`/shepherd/${id}`, ...ASPECTS.map((aspect) => `/worker/${id}~${aspect}`)];
}

function addEvents(store: Store, streamId: number, url: string): void {
  const { streams, entities } = store;
  const timestamp = new Date(systemClock.now()).toISOString();
  const created = { key: 'created', entity_type: url.split('/')[1], timestamp, args: {} };
  streams.append(streamId, { type: 'entity_created', key: 'created', operation: 'insert', value: created });
  const source = { key: 'source:entity:/clock/main', kind: 'source', sourceType: 'entity' };
  streams.append(streamId, { type: 'manifest', key: source.key, operation: 'insert', value: source });
  let lastSeq = 0;
  for (let index = 2; index < EVENTS_PER_ENTITY; index += 2) {
    const key = `msg-in-${systemClock.now()}-${index}`;
    const message = { key, from: '/principal/system', payload: { headSha: 'a'.repeat(40) }, timestamp };
    lastSeq = streams.append(streamId, { type: 'inbox', key, operation: 'insert', value: message });
    const row = { key, path: `src/file-${index}.ts`, line: index, text: 'A finding of one sentence.' };
    streams.append(streamId, { type: 'state:findings', key, operation: 'insert', value: row });
  }
  entities.markPending(streamId, lastSeq);
  entities.ack(streamId, lastSeq, systemClock.now());
}

function addEntity(store: Store, url: string, parent: string | null): number {
  const id = store.streams.ensure(url);
  const type = url.split('/')[1] ?? '';
  const createdAtMs = systemClock.now();
  store.entities.add({ id, type, parent, args: {}, tags: {}, createdAtMs, inboxSchemas: undefined });
  addEvents(store, id, url);
  return id;
}

function addPullRequest(store: Store, number: number): void {
  const [shepherd = '', ...workers] = entityUrlsOf(number);
  const subscriberId = addEntity(store, shepherd, null);
  store.subscriptions.put({
    source: `/_webhooks/github/prs/${number}`,
    subscriberId,
    manifestKey: `source:webhook:github/prs/${number}`,
    condition: { on: 'change', collections: ['webhook_event'], ops: ['insert'] },
  });
  for (const worker of workers) addEntity(store, worker, shepherd);
}

/** Fills a data directory: all entities are idle. */
export async function seedIdleHost(dataDir: string): Promise<void> {
  const store = openDataDir(dataDir, systemClock);
  const perCommit = ENTITIES_PER_COMMIT / (ASPECTS.length + 1);
  for (let first = 1; first <= PULL_REQUESTS; first += perCommit) {
    store.commit.write(() => {
      const last = Math.min(first + perCommit - 1, PULL_REQUESTS);
      for (let number = first; number <= last; number += 1) addPullRequest(store, number);
    });
    await store.commit.committed();
  }
  await store.close();
}
