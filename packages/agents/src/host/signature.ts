/**
 * GitHub's signature of a delivery.
 *
 * @module
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config-secret.ts';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/**
 * Whether `signature`, the value of `X-Hub-Signature-256`, is the HMAC of the bytes as they came: text that was
 * decoded, or JSON that was written anew, need not be the same bytes (T-024). Takes the same time wherever two
 * signatures differ.
 *
 * `@octokit/webhooks-methods` takes a string, which cannot hold bytes that are not UTF-8.
 */
export function isSigned(bytes: Uint8Array, signature: string | undefined, secret: Secret): boolean {
  const digest = SIGNATURE.exec(signature ?? '')?.[1];
  if (digest === undefined) return false;
  const expected = createHmac('sha256', secret.reveal()).update(bytes).digest();
  return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
}
