/**
 * What an entity can observe.
 *
 * @module
 */

import { z } from 'zod';
import { checkCronSpec, cronRefOf, cronStreamPathOf } from './cron-spec.ts';
import { RequestError } from './errors.ts';
import type {
  CronSource,
  DbSource,
  EntitySource,
  SharedStateSchemaMap,
  WebhookSource,
} from './types/sources.ts';

const ENDPOINT_KEY = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const BUCKET_SEGMENT = /^[A-Za-z0-9._~!$&'()*+,;=:@-]+$/;

/** Another entity, by its URL. Give `observe` a wake condition to be woken by it. */
export function entity(url: string): EntitySource {
  return { sourceType: 'entity', sourceRef: url, streamUrl: `${url}/main`, config: { entityUrl: url } };
}

/**
 * A stream that several entities write.
 *
 * @param id - one URL segment
 */
export function db<TSchema extends SharedStateSchemaMap>(id: string, schema: TSchema): DbSource<TSchema> {
  return {
    sourceType: 'db',
    sourceRef: id,
    streamUrl: `/_electric/shared-state/${id}`,
    config: { id, collections: Object.keys(schema) },
    schema,
  };
}

/**
 * Ticks by a cron expression of five fields, or six with seconds first.
 *
 * @param options - `timezone`: an IANA name, default `UTC`
 * @throws RequestError 400 when the expression or the time zone is malformed, or when it never ticks
 */
export function cron(expression: string, options: { readonly timezone?: string } = {}): CronSource {
  const spec = checkCronSpec(expression, options.timezone);
  return {
    sourceType: 'cron',
    sourceRef: cronRefOf(spec),
    streamUrl: cronStreamPathOf(spec),
    config: { ...spec },
    wake: { on: 'change', collections: ['cron_tick'], ops: ['insert'] },
  };
}

function checkBucket(bucket: string | undefined): string | undefined {
  const trimmed = bucket?.replace(/^\/+|\/+$/g, '');
  if (trimmed === undefined || trimmed === '') return undefined;
  for (const segment of trimmed.split('/')) {
    if (!BUCKET_SEGMENT.test(segment) || segment === '.' || segment === '..') {
      throw new RequestError(400, 'INVALID_REQUEST', `webhook bucket ${JSON.stringify(bucket)} is malformed`);
    }
  }
  return trimmed;
}

/**
 * The path of a bucket's stream: `/_webhooks/<endpointKey>[/<bucket>]`.
 *
 * @throws RequestError 400 when the key or the bucket is malformed
 */
export function getWebhookStreamPath(endpointKey: string, bucket?: string): string {
  if (!ENDPOINT_KEY.test(endpointKey)) {
    throw new RequestError(
      400,
      'INVALID_REQUEST',
      `endpoint key ${JSON.stringify(endpointKey)} is malformed`,
    );
  }
  const checked = checkBucket(bucket);
  return checked === undefined ? `/_webhooks/${endpointKey}` : `/_webhooks/${endpointKey}/${checked}`;
}

/**
 * One bucket of a webhook endpoint. It wakes its observer for each new event; the wake names the event's key
 * and nothing else of it.
 *
 * @throws RequestError 400 when the key or the bucket is malformed
 */
export function webhook(endpointKey: string, options: { readonly bucket?: string } = {}): WebhookSource {
  const streamUrl = getWebhookStreamPath(endpointKey, options.bucket);
  const bucket = checkBucket(options.bucket);
  return {
    sourceType: 'webhook',
    sourceRef: bucket === undefined ? endpointKey : `${endpointKey}/${bucket}`,
    streamUrl,
    config: bucket === undefined ? { endpointKey, streamUrl } : { endpointKey, streamUrl, bucket },
    wake: { on: 'change', collections: ['webhook_event'], ops: ['insert'] },
  };
}

/** A row of a webhook bucket. */
export const webhookEventRowSchema = z.looseObject({
  key: z.string(),
  body: z.unknown(),
  event_type: z.string().nullable(),
  endpoint_key: z.string(),
  bucket: z.string().nullable(),
  stream_path: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  received_at: z.string(),
  request: z.looseObject({
    method: z.string(),
    content_type: z.string(),
    size_bytes: z.number(),
    query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    cf_ray: z.string().nullable().optional(),
    ip: z.string().nullable().optional(),
  }),
});

/** The collections of a webhook bucket. */
export const webhookObservationCollections = {
  events: { type: 'webhook_event', primaryKey: 'key', schema: webhookEventRowSchema },
} as const;
