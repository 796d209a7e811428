import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { DefinitionError } from './errors.ts';
import { createEmbeddedHost } from './host.ts';
import { createEntityRegistry, passthrough } from './registry.ts';
import { webhook } from './sources.ts';
import { startTestHost } from './testing/test-host.ts';
import type { HandlerContext, WebhookEventRow } from './types.ts';

const finding = z.object({ key: z.string(), line: z.number().optional() });

/** What a helper of an agent looks like: it takes any entity's context. */
function helper(ctx: HandlerContext): string {
  return ctx.entityUrl;
}

describe('types', () => {
  it('follow from the schemas of the definition', () => {
    const registry = createEntityRegistry();
    registry.define('typed', {
      creationSchema: z.object({ owner: z.string(), number: z.number() }),
      state: {
        findings: { schema: finding },
        loose: {},
        passed: { schema: passthrough<{ key: 'a' | 'b'; n: number }>() },
      },
      async handler(ctx, wake) {
        expectTypeOf(ctx.args).toEqualTypeOf<Readonly<{ owner: string; number: number }>>();
        expectTypeOf(ctx.state.findings.toArray).toEqualTypeOf<
          { key: string; line?: number | undefined }[]
        >();
        expectTypeOf(ctx.state.passed.get).parameter(0).toEqualTypeOf<'a' | 'b'>();
        expectTypeOf(ctx.state.loose.toArray).toEqualTypeOf<Record<string, unknown>[]>();
        expectTypeOf(ctx.db.collections.findings.toArray[0]?.line).toEqualTypeOf<number | undefined>();
        expectTypeOf(ctx.db.collections.inbox.toArray[0]?.message_type).toEqualTypeOf<string | undefined>();
        expectTypeOf(ctx.db.actions.findings_insert).parameter(0).toEqualTypeOf<{
          row: { key: string; line?: number | undefined };
        }>();
        const handle = await ctx.observe(webhook('github'));
        expectTypeOf(handle.db.collections.events.get('k')).toEqualTypeOf<WebhookEventRow | undefined>();
        expectTypeOf(wake.payload).toEqualTypeOf<unknown>();
        // @ts-expect-error the schema has no such field
        ctx.state.findings.insert({ key: 'k', nope: 1 });
        helper(ctx);
      },
    });
    expect(registry.get('typed')?.name).toBe('typed');
  });
});

describe('definitions that are refused', () => {
  const handler = () => {};

  it('a name that is taken', () => {
    const registry = createEntityRegistry();
    registry.define('a', { handler });
    expect(() => registry.define('a', { handler })).toThrow('Entity type "a" is already registered');
    registry.clear();
    registry.define('a', { handler });
  });

  it.each(['runs', 'inbox', 'errors', 'tags', 'manifests'])('a state collection named %s', (name) => {
    expect(() => createEntityRegistry().define('a', { state: { [name]: {} }, handler })).toThrow(
      DefinitionError,
    );
  });

  it.each(['_a', 'principal', 'a b', 'a/b', '', '*'])('a type named %j', async (name) => {
    const registry = createEntityRegistry();
    registry.define(name, { handler });
    await expect(createEmbeddedHost({ registry, dataDir: ':memory:' }).start()).rejects.toThrow(
      DefinitionError,
    );
  });

  it.each([
    ['record', z.record(z.string(), z.string()), 'propertyNames'],
    ['tuple', z.tuple([z.string()]), 'prefixItems'],
    ['multipleOf', z.number().multipleOf(2), 'multipleOf'],
    ['url', z.url(), 'format'],
    ['datetime', z.iso.datetime(), 'format'],
    ['startsWith', z.string().startsWith('a'), 'format'],
    ['readonly', z.string().readonly(), 'readOnly'],
    ['base64', z.base64(), 'format|contentEncoding'],
    ['examples', z.string().meta({ examples: ['a'] }), 'examples'],
  ])('%s in any schema, naming type, field and keyword', async (_name, schema, keyword) => {
    const object = z.object({ outer: z.array(z.object({ field: schema })) });
    const definitions = {
      creationSchema: { creationSchema: object, handler },
      'inboxSchemas.m': { inboxSchemas: { m: object }, handler },
      'state.c': { state: { c: { schema: object } }, handler },
    };
    for (const [where, definition] of Object.entries(definitions)) {
      const registry = createEntityRegistry();
      registry.define('bad', definition);
      await expect(createEmbeddedHost({ registry, dataDir: ':memory:' }).start()).rejects.toThrow(
        new RegExp(`bad: ${where.replace('.', '\\.')}: field /outer/\\*/field .*"(?:${keyword})"`),
      );
    }
  });

  it('a schema that JSON schema cannot express', async () => {
    const registry = createEntityRegistry();
    registry.define('bad', { inboxSchemas: { m: z.object({ d: z.date() }) }, handler });
    await expect(createEmbeddedHost({ registry, dataDir: ':memory:' }).start()).rejects.toThrow(
      /bad: inboxSchemas\.m/,
    );
  });
});

describe('definitions that are accepted', () => {
  it('everything that an agents-server takes', async () => {
    const registry = createEntityRegistry();
    const rich = z.object({
      a: z.string().min(1).regex(/x/).optional(),
      b: z.int().nullable(),
      c: z.enum(['x', 'y']).default('x'),
      d: z.array(z.number()).max(3),
      e: z.discriminatedUnion('t', [z.object({ t: z.literal('p') }), z.strictObject({ t: z.literal('q') })]),
      f: z.unknown(),
      g: z.looseObject({}),
      h: z.string().transform((s) => s.length),
      i: z.string().brand('I'),
    });
    registry.define('rich', {
      creationSchema: rich,
      inboxSchemas: { m: rich, plain: { type: 'object', required: ['x'] } },
      state: { c: { schema: rich }, d: { schema: passthrough<{ key: string }>() } },
      handler() {},
    });
    const host = await startTestHost({ registry });
    const response = await host.fetch(new Request('http://x/_electric/entity-types/rich'));
    expect(await response.json()).toMatchObject({
      name: 'rich',
      description: 'rich entity',
      state_schemas: { 'state:d': {} },
    });
  });
});
