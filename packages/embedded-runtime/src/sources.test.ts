import { describe, expect, it } from 'vitest';
import { cron, db, entity, getWebhookStreamPath, webhook, webhookEventRowSchema } from './sources.ts';

describe('sources', () => {
  it('name their stream', () => {
    expect(entity('/kid/a')).toMatchObject({
      sourceType: 'entity',
      sourceRef: '/kid/a',
      streamUrl: '/kid/a/main',
    });
    expect(db('x', {})).toMatchObject({
      sourceType: 'db',
      sourceRef: 'x',
      streamUrl: '/_electric/shared-state/x',
    });
    expect(webhook('gh', { bucket: '/o/r/' })).toMatchObject({
      sourceType: 'webhook',
      sourceRef: 'gh/o/r',
      streamUrl: '/_webhooks/gh/o/r',
      config: { endpointKey: 'gh', bucket: 'o/r', streamUrl: '/_webhooks/gh/o/r' },
      wake: { on: 'change', collections: ['webhook_event'], ops: ['insert'] },
    });
    expect(webhook('gh')).toMatchObject({ sourceRef: 'gh', streamUrl: '/_webhooks/gh' });
    expect(cron('*/2 * * * * *').streamUrl).toBe(
      '/_cron/eyJleHByZXNzaW9uIjoiKi8yICogKiAqICogKiIsInRpbWV6b25lIjoiVVRDIn0',
    );
  });

  it.each(['', 'A', '-a', 'a/b', 'a'.repeat(64), 'ü'])('refuse the endpoint key %j', (key) => {
    expect(() => webhook(key)).toThrow('malformed');
  });

  it.each(['a//b', '.', 'a/..', 'a b', 'a%20b', 'a#b', 'ü'])('refuse the bucket %j', (bucket) => {
    expect(() => getWebhookStreamPath('gh', bucket)).toThrow('malformed');
  });

  it('describe the rows of a bucket', () => {
    const request = { method: 'POST', content_type: 'x', size_bytes: 1, query: { a: ['1', '2'], b: '3' } };
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
  });
});
