import { expect, it } from 'vitest';
import { entityOf } from './testing/conformance-host.ts';
import {
  itStricter,
  rejectionOf,
  runPass,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

section('entity URLs', () => {
  it('have two segments and are case-sensitive', async () => {
    const kid = typeName('kid');
    const host = await startHost(scripted({ [kid]: () => {} }));
    await host.client.spawnEntity({ type: kid, id: 'Owner~Repo~1' });
    expect(await entityOf(host, `/${kid}/Owner~Repo~1`)).toMatchObject({
      url: `/${kid}/Owner~Repo~1`,
      streams: { main: `/${kid}/Owner~Repo~1/main` },
    });
    expect((await host.call('GET', `/_electric/entities/${kid}/owner~repo~1`)).status).toBe(404);
    expect((await host.call('PUT', `/_electric/entities/${kid}/owner/repo`, {})).status).toBe(404);
  });

  it('take every character that a path carries unchanged, and 250 of them', async () => {
    const kid = typeName('kid');
    const id = `AZaz09-._~!$&'()+,;=:@${'x'.repeat(250)}`;
    const { host } = await runPass(
      async (ctx) => {
        const handle = await ctx.spawn(kid, id);
        expect(handle.entityUrl).toBe(`/${kid}/${id}`);
        await ctx.send(handle.entityUrl, 1);
      },
      { define: (registry) => registry.define(kid, { handler() {} }) },
    );
    expect(await entityOf(host, `/${kid}/${id}`)).toMatchObject({ url: `/${kid}/${id}` });
  });

  it('of a pull request fit an id', async () => {
    const kid = typeName('kid');
    const host = await startHost(scripted({ [kid]: () => {} }));
    const { entityUrl } = await host.client.spawnEntity({ type: kid, id: 'electric-sql~next.js_x~4693' });
    expect(entityUrl).toBe(`/${kid}/electric-sql~next.js_x~4693`);
  });

  itStricter.each(['', '.', '..', 'a/b', 'a*b', 'a#b', 'a?b', 'a%20b', 'a b', 'ü', 'a\nb'])(
    'refuse the id %j (sharp edge 32)',
    async (id) => {
      const kid = typeName('kid');
      await runPass(
        async (ctx) => {
          expect(await rejectionOf(ctx.spawn(kid, id))).toMatchObject({ status: 400 });
        },
        { define: (registry) => registry.define(kid, { handler() {} }) },
      );
    },
  );
});
