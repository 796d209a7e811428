/** What the types know beyond those of the published package. */
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createEntityRegistry } from './registry.ts';
import { webhook } from './sources.ts';
import type { HandlerContext, WebhookEventRow } from './types.ts';

/** What a helper of an agent looks like: it takes any entity's context. */
function helper(ctx: HandlerContext): string {
  return ctx.entityUrl;
}

it('own actions, rows of buckets, plain JSON schemas and helpers are typed', () => {
  const registry = createEntityRegistry();
  registry.define('typed', {
    inboxSchemas: { plain: { type: 'object' } },
    state: { findings: { schema: z.object({ key: z.string(), line: z.number().optional() }) } },
    actions: (collections) => ({
      note(key: string, line: number) {
        collections.findings.insert({ key, line });
      },
    }),
    async handler(ctx) {
      expectTypeOf(ctx.actions.note).parameters.toEqualTypeOf<[key: string, line: number]>();
      const bucket = await ctx.observe(webhook('github'));
      expectTypeOf(bucket.db.collections.events.get('k')).toEqualTypeOf<WebhookEventRow | undefined>();
      helper(ctx);
    },
  });
  expect(registry.get('typed')?.name).toBe('typed');
});
