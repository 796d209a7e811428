import { expect, it } from 'vitest';
import type { WakeEvent, WebhookEvent } from '../index.ts';
import {
  api,
  itStricter,
  rejectionOf,
  runPass,
  scripted,
  section,
  startHost,
  typeName,
} from './testing/harness.ts';

const { getWebhookStreamPath, webhook, webhookEventRowSchema, webhookObservationCollections } = api;

/** A delivery of `pull_request.opened` in two buckets. */
function opened(endpointKey: string, number: number): WebhookEvent {
  return {
    endpointKey,
    key: `delivery-${number}`,
    buckets: ['prs/opened', `prs/${number}`],
    eventType: 'pull_request',
    headers: { 'x-github-event': 'pull_request', 'x-github-delivery': `delivery-${number}` },
    body: { number },
    receivedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'POST', content_type: 'application/json', size_bytes: 12, query: {} },
  };
}

section('webhook()', () => {
  it('names the stream of a bucket', () => {
    expect(webhook('github')).toMatchObject({
      sourceType: 'webhook',
      sourceRef: 'github',
      streamUrl: '/_webhooks/github',
    });
    expect(webhook('github', { bucket: '/electric-sql/electric/' })).toMatchObject({
      sourceRef: 'github/electric-sql/electric',
      streamUrl: '/_webhooks/github/electric-sql/electric',
    });
    expect(getWebhookStreamPath('github', "a~b/c-1_.!$&'()*+,;=:@")).toBe(
      "/_webhooks/github/a~b/c-1_.!$&'()*+,;=:@",
    );
  });

  it.each([
    ['', undefined],
    ['-a', undefined],
    ['A', undefined],
    ['a'.repeat(64), undefined],
    ['ok', 'a//b'],
    ['ok', 'a/../b'],
    ['ok', '.'],
    ['ok', 'a b'],
    ['ok', 'ü'],
    ['ok', 'a%2Fb'],
  ])('refuses the endpoint %j with the bucket %j', (endpointKey, bucket) => {
    expect(() => webhook(endpointKey, bucket === undefined ? {} : { bucket })).toThrow();
  });

  it('describes its rows', () => {
    const request = {
      method: 'POST',
      content_type: 'application/json',
      size_bytes: 2,
      query: { a: ['1', '2'], b: '3' },
    };
    const row = {
      key: 'k',
      body: { any: 1 },
      event_type: null,
      endpoint_key: 'gh',
      bucket: null,
      stream_path: '/_webhooks/gh',
      received_at: 'now',
      request,
      more: true,
    };
    expect(webhookEventRowSchema.parse(row)).toEqual({ ...row, headers: {} });
    expect(webhookEventRowSchema.safeParse({ ...row, key: 1 }).success).toBe(false);
    expect(webhookObservationCollections.events).toMatchObject({
      type: 'webhook_event',
      primaryKey: 'key',
      schema: webhookEventRowSchema,
    });
  });
});

section('a bucket', () => {
  it('gives its deliveries as rows to who observes it', async () => {
    const [type, endpoint] = [typeName('e'), typeName('ep')];
    const rows: unknown[] = [];
    const host = await startHost(
      scripted({
        async [type](ctx) {
          const handle = await ctx.observe(webhook(endpoint, { bucket: 'prs/7' }));
          rows.push(handle.db.collections.events.get('delivery-7'), handle.db.collections.events.size);
        },
      }),
    );
    await host.deliver(opened(endpoint, 7));
    await host.deliver(opened(endpoint, 8));
    await host.client.spawnEntity({ type, id: 'a', initialMessage: 'go' });
    await host.settled();
    expect(rows).toEqual([
      expect.objectContaining({
        key: 'delivery-7',
        body: { number: 7 },
        event_type: 'pull_request',
        endpoint_key: endpoint,
        bucket: 'prs/7',
        stream_path: `/_webhooks/${endpoint}/prs/7`,
        headers: { 'x-github-event': 'pull_request', 'x-github-delivery': 'delivery-7' },
        received_at: '2026-01-01T00:00:00.000Z',
        request: { method: 'POST', content_type: 'application/json', size_bytes: 12, query: {} },
      }),
      1,
    ]);
  });

  itStricter('wakes its observers with the key alone (sharp edge 13)', async () => {
    const [type, endpoint] = [typeName('e'), typeName('ep')];
    const wakes: WakeEvent[] = [];
    const host = await startHost(
      scripted({
        async [type](ctx, wake) {
          wakes.push(wake);
          await ctx.observe(webhook(endpoint, { bucket: 'prs/7' }));
        },
      }),
    );
    await host.client.spawnEntity({ type, id: 'a', initialMessage: 'go' });
    await host.settled();
    await host.deliver(opened(endpoint, 7));
    await host.deliver(opened(endpoint, 8));
    await host.settled();
    const source = `/_webhooks/${endpoint}/prs/7`;
    expect(wakes.slice(1)).toEqual([
      {
        source,
        type: 'wake',
        fromOffset: 0,
        toOffset: 0,
        eventCount: 0,
        payload: {
          timestamp: expect.any(String),
          source,
          timeout: false,
          changes: [{ collection: 'webhook_event', kind: 'insert', key: 'delivery-7' }],
          _timeline_order: expect.stringMatching(/^stream:/),
        },
      },
    ]);
  });

  itStricter('takes a delivery once', async () => {
    const [type, endpoint] = [typeName('e'), typeName('ep')];
    let passes = 0;
    const host = await startHost(
      scripted({
        async [type](ctx) {
          passes += 1;
          await ctx.observe(webhook(endpoint, { bucket: 'prs/7' }));
        },
      }),
    );
    await host.client.spawnEntity({ type, id: 'a', initialMessage: 'go' });
    await host.settled();
    for (let round = 0; round < 2; round += 1) {
      await host.deliver(opened(endpoint, 7));
      await host.settled();
    }
    expect(passes).toBe(2);
  });

  itStricter('that is malformed refuses the whole delivery', async () => {
    const endpoint = typeName('ep');
    const { host } = await runPass(() => {});
    for (const bad of [{ endpointKey: 'Bad Key' }, { buckets: ['ok', 'a/../b'] }, { buckets: ['a b'] }]) {
      const error = await rejectionOf(host.deliver({ ...opened(endpoint, 1), ...bad }));
      expect(error).toMatchObject({ status: 400 });
    }
  });
});
