import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmbeddedHost, type EmbeddedHost } from './host.ts';
import { createEntityRegistry } from './registry.ts';

/** Those that are there from the start, and those that may be spawned later. */
const FIRST = ['a', 'b'] as const;
const LATER = ['c', 'd'] as const;
const ENTITIES = [...FIRST, ...LATER] as const;
type EntityId = (typeof ENTITIES)[number];

/** One pass that has begun; `end` lets it go. */
interface Pass {
  readonly id: EntityId;
  readonly seen: readonly number[];
  readonly end: (how: 'return' | 'throw') => void;
}

type Action =
  | { readonly kind: 'send'; readonly id: EntityId }
  | { readonly kind: 'end'; readonly id: EntityId; readonly how: 'return' | 'throw' }
  | { readonly kind: 'spawn'; readonly id: (typeof LATER)[number] }
  | { readonly kind: 'crash' }
  | { readonly kind: 'restart' };

const idArbitrary = fc.constantFrom(...ENTITIES);
const actionArbitrary: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), id: idArbitrary }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      id: idArbitrary,
      how: fc.constantFrom('return' as const, 'throw' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('spawn' as const), id: fc.constantFrom(...LATER) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

/** Hosts whose handlers wait for the test, on a directory that can be taken away from them. */
class World {
  readonly root = mkdtempSync(join(tmpdir(), 'embedded-runtime-'));
  readonly accepted = new Map<EntityId, number[]>(ENTITIES.map((id) => [id, []]));
  /** Messages of passes that ended, per entity, in the order of the passes. */
  readonly ended = new Map<EntityId, number[][]>(ENTITIES.map((id) => [id, []]));
  readonly running = new Map<EntityId, Pass>();
  readonly problems: string[] = [];
  private host!: EmbeddedHost;
  private readonly spawned = new Set<EntityId>();
  /** Counts the hosts; only the last one lives. */
  private life = 0;
  /** Counts the directories; a crash leaves the last one to the dead. */
  private generation = 0;
  private nextMessage = 0;
  private readonly abandoned: EmbeddedHost[] = [];

  private get dataDir(): string {
    return join(this.root, String(this.generation));
  }

  async start(): Promise<void> {
    const registry = createEntityRegistry();
    this.life += 1;
    const { life } = this;
    registry.define('e', {
      handler: (ctx) => {
        const id = ctx.entityUrl.slice('/e/'.length) as EntityId;
        const seen = ctx.events.map((event) => (event.value as { payload: number }).payload);
        return new Promise<void>((resolve, reject) => {
          if (life !== this.life) return;
          if (this.running.has(id)) this.problems.push(`two passes of ${id} at once`);
          const end: Pass['end'] = (how) => (how === 'return' ? resolve() : reject(new Error('thrown')));
          this.running.set(id, { id, seen, end });
        });
      },
    });
    this.host = createEmbeddedHost({ registry, dataDir: this.dataDir });
    await this.host.start();
    if (life > 1) return;
    for (const id of FIRST) await this.host.client.spawnEntity({ type: 'e', id });
    for (const id of FIRST) this.spawned.add(id);
  }

  private takeMessage(): number {
    this.nextMessage += 1;
    return this.nextMessage;
  }

  async spawn(id: EntityId): Promise<void> {
    if (this.spawned.has(id)) return;
    const message = this.takeMessage();
    await this.host.client.spawnEntity({ type: 'e', id, initialMessage: message });
    this.spawned.add(id);
    this.accepted.get(id)?.push(message);
  }

  async send(id: EntityId): Promise<void> {
    if (!this.spawned.has(id)) return;
    const message = this.takeMessage();
    await this.host.client.sendEntityMessage({ targetUrl: `/e/${id}`, payload: message });
    this.accepted.get(id)?.push(message);
  }

  /** Ends the pass of an entity, if one runs, and waits until the end is on disk. */
  async end(id: EntityId, how: 'return' | 'throw'): Promise<void> {
    const pass = this.running.get(id);
    if (pass === undefined) return;
    this.running.delete(id);
    pass.end(how);
    this.ended.get(id)?.push([...pass.seen]);
    await this.untilKept(id, pass);
  }

  private async untilKept(id: EntityId, pass: Pass): Promise<void> {
    const last = pass.seen.at(-1) ?? -1;
    const more = (this.accepted.get(id) ?? []).some((message) => message > last);
    // Either the next pass begins, or nothing of this entity runs any more.
    for (let turn = 0; turn < 10_000; turn += 1) {
      const response = await this.host.fetch(new Request(`http://x/_electric/entities/e/${id}`));
      const { status } = (await response.json()) as { status: string };
      if (more ? this.running.has(id) : status === 'idle') return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.problems.push(more ? `${id} was not woken again` : `a pass of ${id} did not end`);
  }

  /** What a killed process leaves behind is what stands in its files. */
  async crash(): Promise<void> {
    const from = this.dataDir;
    this.abandoned.push(this.host);
    this.generation += 1;
    cpSync(from, this.dataDir, { recursive: true });
    for (const pass of this.running.values()) pass.end('return');
    this.running.clear();
    await this.start();
  }

  /** Closes the host, which runs what it cuts off again after the next start. */
  async restart(): Promise<void> {
    const closed = this.host.close();
    for (const pass of this.running.values()) pass.end('throw');
    this.running.clear();
    await closed;
    await this.start();
  }

  /** Lets everything that is due run to its end. */
  async finish(): Promise<void> {
    let settled = false;
    const all = this.host.settled().then(() => {
      settled = true;
    });
    while (!settled) {
      for (const id of ENTITIES) await this.end(id, 'return');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
  }

  async close(): Promise<void> {
    for (const pass of this.running.values()) pass.end('return');
    for (const host of [this.host, ...this.abandoned]) await host.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function perform(world: World, action: Action): Promise<void> {
  if (action.kind === 'send') await world.send(action.id);
  else if (action.kind === 'end') await world.end(action.id, action.how);
  else if (action.kind === 'spawn') await world.spawn(action.id);
  else if (action.kind === 'crash') await world.crash();
  else await world.restart();
}

describe('wakes and acknowledgements', () => {
  it('R3, R7: whatever is sent, spawned, thrown, killed and restarted, each accepted message is in exactly one pass that ended, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actionArbitrary, { maxLength: 14 }), async (actions) => {
        const world = new World();
        try {
          await world.start();
          for (const action of actions) await perform(world, action);
          await world.finish();
          expect(world.problems).toEqual([]);
          for (const id of ENTITIES) expect(world.ended.get(id)?.flat()).toEqual(world.accepted.get(id));
        } finally {
          await world.close();
        }
      }),
      { numRuns: 12 },
    );
  });
});
