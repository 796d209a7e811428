import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  api,
  isPublished,
  itStricter,
  rejectionOf,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

const handler = () => {};

/** Starts a host whose one type has this definition; resolves with its entry of the entity types. */
async function register(definition: object, name = typeName('t')) {
  const registry = api.createEntityRegistry();
  registry.define(name, { handler, ...definition });
  const host = await startHost(registry);
  return (await host.call('GET', `/_electric/entity-types/${name}`)).json;
}

/** The sentence with which a definition is refused. */
async function refusalOf(definition: object, name?: string): Promise<string> {
  const error = await rejectionOf(register(definition, name));
  return error instanceof Error ? error.message : String(error);
}

section('the registry', () => {
  it('holds definitions by name', () => {
    const registry = api.createEntityRegistry();
    registry.define('a', { handler });
    registry.define('b', { handler });
    expect(registry.get('a')).toMatchObject({ name: 'a', definition: { handler } });
    expect(registry.get('none')).toBeUndefined();
    expect(registry.list().map((entry) => entry.name)).toEqual(['a', 'b']);
    registry.clear();
    expect(registry.list()).toEqual([]);
  });

  it('refuses a name that is taken', () => {
    const registry = api.createEntityRegistry();
    registry.define('a', { handler });
    expect(() => registry.define('a', { handler })).toThrow('Entity type "a" is already registered');
  });

  itStricter.each([
    ...['runs', 'steps', 'texts', 'textDeltas', 'toolCalls', 'reasoning', 'reasoningDeltas', 'errors'],
    ...['inbox', 'wakes', 'entityCreated', 'entityStopped', 'signals', 'childStatus', 'tags'],
    ...['slashCommands', 'manifests', 'contextInserted', 'contextRemoved', 'replayWatermarks'],
  ])('refuses a state collection with the built-in name %s (sharp edge 39)', (name) => {
    const registry = api.createEntityRegistry();
    expect(() => registry.define('a', { state: { [name]: {} }, handler })).toThrow(name);
  });
});

section('registering types', () => {
  it('shows each type with its schemas', async () => {
    const name = typeName('t');
    const json = await register(
      {
        creationSchema: z.object({ n: z.number() }),
        inboxSchemas: { ping: z.object({ a: z.string() }), plain: { type: 'object', required: ['x'] } },
        stateSchemas: { extra: z.object({ x: z.number() }) },
        state: {
          notes: { schema: z.object({ key: z.string() }) },
          passed: { schema: api.passthrough<{ key: string }>(), type: 'custom' },
          bare: {},
        },
      },
      name,
    );
    expect(json).toMatchObject({
      name,
      description: `${name} entity`,
      creation_schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      inbox_schemas: {
        ping: { properties: { a: { type: 'string' } } },
        plain: { type: 'object', required: ['x'] },
      },
      state_schemas: {
        'state:notes': { properties: { key: { type: 'string' } } },
        custom: {},
        'state:bare': {},
        extra: { properties: { x: { type: 'number' } } },
      },
    });
  });

  it('keeps a description', async () => {
    expect(await register({ description: 'Reviews.' })).toMatchObject({ description: 'Reviews.' });
  });

  it.each(['_a', 'principal'])('refuses a type named %j', async (name) => {
    expect(await refusalOf({}, name)).toContain(isPublished ? '0/1 entity types registered' : name);
  });

  itStricter.each(['a*b', 'a b', 'a/b', ''])('refuses a type named %j, too', async (name) => {
    expect(await refusalOf({}, name)).toContain(JSON.stringify(name));
  });

  it('takes every schema that the table of the contract lists as working', async () => {
    const rich = z.object({
      text: z.string().min(1).max(9).regex(/x/).optional(),
      integer: z.int().min(0).nullable(),
      choice: z.enum(['x', 'y']).default('x'),
      list: z.array(z.number()).min(1).max(3),
      union: z.union([z.string(), z.boolean()]),
      tagged: z.discriminatedUnion('t', [
        z.object({ t: z.literal('p') }),
        z.strictObject({ t: z.literal('q') }),
      ]),
      any: z.any(),
      unknown: z.unknown(),
      loose: z.looseObject({}),
      transformed: z.string().transform((text) => text.length),
      branded: z.string().brand('I'),
      piped: z.string().pipe(z.string()),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    });
    const state = { rows: { schema: rich } };
    expect(await register({ creationSchema: rich, inboxSchemas: { m: rich }, state })).toMatchObject({
      creation_schema: { type: 'object' },
    });
  });

  const KEYWORDS: readonly (readonly [string, z.ZodType, string])[] = [
    ['a record', z.record(z.string(), z.string()), 'propertyNames'],
    ['a tuple', z.tuple([z.string()]), 'prefixItems'],
    ['multipleOf', z.number().multipleOf(2), 'multipleOf'],
    ['readonly', z.string().readonly(), 'readOnly'],
    ['base64', z.base64(), 'format|contentEncoding'],
    ['examples', z.string().meta({ examples: ['a'] }), 'examples'],
  ];
  /** They register on a server, and break it at their first use. */
  const FORMATS: readonly (readonly [string, z.ZodType, string])[] = [
    ['url', z.url(), 'format'],
    ['email', z.email(), 'format'],
    ['uuid', z.uuid(), 'format'],
    ['datetime', z.iso.datetime(), 'format'],
    ['startsWith', z.string().startsWith('a'), 'format'],
    ['includes', z.string().includes('a'), 'format'],
    ['ipv4', z.ipv4(), 'format'],
  ];
  const WHERE = ['creationSchema', 'inboxSchemas.m', 'state.c'] as const;

  async function expectRefusal(schema: z.ZodType, keyword: string): Promise<void> {
    const object = z.object({ outer: z.array(z.object({ field: schema })) });
    const definitions = {
      creationSchema: { creationSchema: object },
      'inboxSchemas.m': { inboxSchemas: { m: object } },
      'state.c': { state: { c: { schema: object } } },
    };
    for (const where of WHERE) {
      const message = await refusalOf(definitions[where]);
      if (isPublished) expect(message).toContain('entity types registered');
      else
        expect(message).toMatch(
          new RegExp(`: ${where.replace('.', '\\.')}: field /outer/\\*/field .*"(?:${keyword})"`),
        );
    }
  }

  it.each(KEYWORDS)('refuses %s, naming type, field and keyword', async (_name, schema, keyword) => {
    await expectRefusal(schema, keyword);
  });

  itStricter.each(FORMATS)('refuses the format of %s (sharp edge 14)', async (_name, schema, keyword) => {
    await expectRefusal(schema, keyword);
  });

  it('refuses a schema that JSON schema cannot express', async () => {
    expect(await refusalOf({ inboxSchemas: { m: z.object({ d: z.date() }) } })).toMatch(
      isPublished ? /entity types registered|Date/ : /inboxSchemas\.m/,
    );
  });
});
