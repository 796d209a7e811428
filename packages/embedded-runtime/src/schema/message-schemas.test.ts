import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createEmbeddedHost } from '../host.ts';
import { createEntityRegistry } from '../registry.ts';
import { rejectionOf } from '../testing/script.ts';
import { createTempDir, startTestHost } from '../testing/test-host.ts';
import type { EntitySchema } from '../types.ts';

function registryWith(inboxSchemas: Readonly<Record<string, EntitySchema>> | undefined) {
  const registry = createEntityRegistry();
  registry.define('e', { ...(inboxSchemas && { inboxSchemas }), handler() {} });
  return registry;
}

/** An entity that was spawned under one definition, in a host with another. */
async function afterChange(
  before: Readonly<Record<string, EntitySchema>> | undefined,
  after: Readonly<Record<string, EntitySchema>> | undefined,
) {
  const dataDir = createTempDir();
  const first = createEmbeddedHost({ registry: registryWith(before), dataDir });
  onTestFinished(() => first.close());
  await first.start();
  await first.client.spawnEntity({ type: 'e', id: 'a' });
  await first.close();
  const host = await startTestHost({ registry: registryWith(after), dataDir });
  return (type: string, payload: unknown) =>
    host.client.sendEntityMessage({ targetUrl: '/e/a', payload, type });
}

const number = z.object({ n: z.number() });
const text = z.object({ n: z.string() });

describe('the inbox schemas of an entity', () => {
  it('are those of its spawn and those of its type now, which win', async () => {
    const send = await afterChange({ dropped: number, changed: number }, { changed: text, added: text });
    await send('dropped', { n: 1 });
    await send('changed', { n: 'x' });
    await send('added', { n: 'x' });
    expect(await rejectionOf(send('dropped', { n: 'x' }))).toMatchObject({ status: 422 });
    expect(await rejectionOf(send('changed', { n: 1 }))).toMatchObject({ status: 422 });
    expect(String(await rejectionOf(send('other', 1)))).toContain('UNKNOWN_MESSAGE_TYPE');
  });

  it('stay when the type has none any more', async () => {
    const send = await afterChange({ dropped: number }, undefined);
    await send('dropped', { n: 1 });
    expect(String(await rejectionOf(send('other', 1)))).toContain('UNKNOWN_MESSAGE_TYPE');
  });

  it('come with the type when it had none before', async () => {
    const send = await afterChange(undefined, { added: number });
    await send('added', { n: 1 });
    expect(String(await rejectionOf(send('other', 1)))).toContain('UNKNOWN_MESSAGE_TYPE');
  });

  it('always have composer_input, which is checked', async () => {
    const send = await afterChange({ dropped: number }, undefined);
    await send('composer_input', {
      source: 'hello',
      nodes: [{ kind: 'text', start: 0, end: 5, raw: 'hello' }],
    });
    expect(await rejectionOf(send('composer_input', { nodes: [] }))).toMatchObject({ status: 422 });
  });
});
