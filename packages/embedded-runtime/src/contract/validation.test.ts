import { expect, it } from 'vitest';
import { z } from 'zod';
import type { EntityRegistry } from '../index.ts';
import { rowsOf } from './testing/conformance-host.ts';
import {
  api,
  itStricter,
  rejectionOf,
  runPass,
  type Script,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

/** Runs a script beside a type of kids that check what they are given. */
async function withKids(script: (ctx: Parameters<Script>[0], kid: string) => Promise<void>) {
  const kid = typeName('kid');
  const seen: unknown[] = [];
  const define = (registry: EntityRegistry) =>
    registry.define(kid, {
      creationSchema: z.object({ n: z.number(), d: z.string().default('x') }),
      inboxSchemas: { ping: z.object({ a: z.number() }) },
      handler: (ctx) => void seen.push([ctx.args, ctx.wake.raw.payload]),
    });
  const { host } = await runPass((ctx) => script(ctx, kid), { define });
  return { host, kid, seen };
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

section('spawn arguments', () => {
  it('that break the schema are refused with status, code and path', async () => {
    await withKids(async (ctx, kid) => {
      const message = messageOf(await rejectionOf(ctx.spawn(kid, 'bad', { n: 'x' })));
      expect(message).toContain(`spawn ${kid}/bad failed (422): `);
      expect(JSON.parse(message.slice(message.indexOf('{')))).toEqual({
        error: {
          code: 'SCHEMA_VALIDATION_FAILED',
          message: 'Validation failed',
          details: [{ path: '/n', message: 'must be number' }],
        },
      });
    });
  });

  it('are checked only when there are any, and get no defaults (sharp edge 15)', async () => {
    const { seen } = await withKids(async (ctx, kid) => {
      await ctx.spawn(kid, 'none');
      await ctx.spawn(kid, 'empty', {});
      await ctx.spawn(kid, 'some', { n: 1, more: true });
      for (const id of ['none', 'empty', 'some']) await ctx.send(`/${kid}/${id}`, id);
    });
    expect(seen).toEqual([
      [{}, 'none'],
      [{}, 'empty'],
      [{ n: 1, more: true }, 'some'],
    ]);
  });

  it('of an unknown type are a 404', async () => {
    await withKids(async (ctx) => {
      const message = messageOf(await rejectionOf(ctx.spawn(typeName('nobody'), 'a')));
      expect(message).toContain('(404)');
      expect(message).toContain('UNKNOWN_ENTITY_TYPE');
    });
  });

  itStricter('create nothing when the first message is refused (sharp edge 7)', async () => {
    const { host, kid } = await withKids(async (ctx, type) => {
      const options = { initialMessage: { a: 'x' }, initialMessageType: 'ping' };
      expect(messageOf(await rejectionOf(ctx.spawn(type, 'a', {}, options)))).toContain('(422)');
    });
    expect((await host.call('GET', `/_electric/entities/${kid}/a`)).status).toBe(404);
  });
});

section('messages', () => {
  const CASES: readonly (readonly [string, string, unknown, object, number, string])[] = [
    ['to a missing entity', 'nope', {}, {}, 404, 'NOT_FOUND'],
    ['of an unknown type', 'a', {}, { type: 'pong' }, 422, 'UNKNOWN_MESSAGE_TYPE'],
    ['that break their schema', 'a', { a: '1' }, { type: 'ping' }, 422, 'SCHEMA_VALIDATION_FAILED'],
    ['that break it later', 'a', { a: '1' }, { type: 'ping', afterMs: 5 }, 422, 'SCHEMA_VALIDATION_FAILED'],
    ['without a payload', 'a', undefined, {}, 400, 'INVALID_REQUEST'],
  ];
  it.each(CASES)('%s are refused', async (_name, id, payload, options, status, code) => {
    await withKids(async (ctx, kid) => {
      await ctx.spawn(kid, 'a');
      const message = messageOf(await rejectionOf(ctx.send(`/${kid}/${id}`, payload, options)));
      expect(message).toContain(`send to /${kid}/${id} failed (${status}): `);
      expect(message).toContain(code);
    });
  });

  it.each([-1, Number.POSITIVE_INFINITY, Number.NaN])('with the delay %d are refused', async (afterMs) => {
    await withKids(async (ctx, kid) => {
      await ctx.spawn(kid, 'a');
      expect(messageOf(await rejectionOf(ctx.send(`/${kid}/a`, {}, { afterMs })))).toContain(
        'afterMs must be a non-negative finite number',
      );
    });
  });

  it('to an entity that has ended are a 409', async () => {
    const kid = typeName('kid');
    const host = await startHost(scripted({ [kid]: () => {} }));
    await host.client.spawnEntity({ type: kid, id: 'a' });
    await host.client.deleteEntity(`/${kid}/a`);
    const answer = await host.call('POST', `/_electric/entities/${kid}/a/send`, { payload: 1 });
    expect(answer).toMatchObject({ status: 409, json: { error: { code: 'NOT_RUNNING' } } });
  });

  it('without a type bypass the schemas (sharp edge 16)', async () => {
    const { seen } = await withKids(async (ctx, kid) => {
      await ctx.spawn(kid, 'a');
      await ctx.send(`/${kid}/a`, 'anything');
    });
    expect(seen).toEqual([[{}, 'anything']]);
  });

  it('of a type without schemas are taken with any type', async () => {
    const kid = typeName('kid');
    const host = await startHost(scripted({ [kid]: () => {} }));
    await host.client.spawnEntity({ type: kid, id: 'a' });
    await host.client.sendEntityMessage({ targetUrl: `/${kid}/a`, payload: 1, type: 'whatever' });
    expect(await rowsOf(host, `/${kid}/a`, 'inbox')).toMatchObject([{ message_type: 'whatever' }]);
  });

  it('of type composer_input are taken by every type', async () => {
    const { seen } = await withKids(async (ctx, kid) => {
      await ctx.spawn(kid, 'a');
      await ctx.send(`/${kid}/a`, { source: 'hello' }, { type: 'composer_input' });
    });
    expect(seen).toEqual([[{}, { source: 'hello' }]]);
    await withKids(async (ctx, kid) => {
      await ctx.spawn(kid, 'a');
      const malformed = ctx.send(`/${kid}/a`, { nothing: true }, { type: 'composer_input' });
      expect(messageOf(await rejectionOf(malformed))).toContain('(422)');
    });
  });
});

section('rows', () => {
  const definition = {
    state: { notes: { schema: z.object({ key: z.string(), text: z.string().min(1) }) } },
  };

  it('are checked on the spot, and an existing key is refused', async () => {
    const { host, url } = await runPass(
      (ctx) => {
        const { notes } = ctx.state as { notes: (typeof ctx.state)[string] };
        const thrownBy = (work: () => void): string => {
          try {
            work();
          } catch (error) {
            return (error as Error).name;
          }
          return 'nothing';
        };
        expect(thrownBy(() => notes.insert({ key: 'a', text: '' }))).toBe('SchemaValidationError');
        expect(thrownBy(() => notes.update('new', () => {}))).toBe('SchemaValidationError');
        notes.insert({ key: 'a', text: 'x' });
        expect(() => notes.insert({ key: 'a', text: 'y' })).toThrow(/"?a"?/);
      },
      { definition },
    );
    expect(await rowsOf(host, url, 'state:notes')).toMatchObject([{ key: 'a', text: 'x' }]);
  });

  itStricter('cannot change their key, nor lack one', async () => {
    await runPass(
      (ctx) => {
        const { notes } = ctx.state as { notes: (typeof ctx.state)[string] };
        notes.insert({ key: 'a', text: 'x' });
        expect(() => notes.update('a', (draft) => Object.assign(draft, { key: 'b' }))).toThrow(
          'a key cannot change',
        );
        expect(() => notes.insert({ text: 'x' })).toThrow(/\/key/);
      },
      { definition },
    );
  });

  itStricter('of shared state are checked, too (sharp edge 26)', async () => {
    const schema = {
      findings: { type: 'finding', primaryKey: 'key', schema: z.object({ key: z.string() }) },
    };
    await runPass(async (ctx) => {
      const shared = await ctx.observe(api.db(typeName('db'), schema));
      expect(() => shared.findings.insert({ key: 1 } as never)).toThrow(/breaks its schema/);
    });
  });
});
