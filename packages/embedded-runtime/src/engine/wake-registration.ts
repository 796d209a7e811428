/**
 * Registrations that are made from outside, by address.
 *
 * @module
 */

import { RequestError } from '../errors.ts';
import type { ChangeOperation, Wake } from '../types/wake.ts';
import { type Core, requireLiving } from './core.ts';
import { subscribe, unsubscribe } from './observers.ts';

/** Who is to be woken by what. */
export interface WakeRegistration {
  readonly subscriberUrl: string;
  /** URL of an entity, or path of another stream. */
  readonly sourceUrl: string;
  readonly condition:
    | 'runFinished'
    | {
        readonly on: 'change';
        readonly collections?: readonly string[] | undefined;
        readonly ops?: readonly ChangeOperation[] | undefined;
      };
  readonly debounceMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** Default true. */
  readonly includeResponse?: boolean | undefined;
  /** The manifest row that it belongs to; a registration with the same key is replaced. */
  readonly manifestKey?: string | undefined;
}

function conditionOf({ condition, debounceMs, timeoutMs, includeResponse }: WakeRegistration): Wake {
  if (condition === 'runFinished') {
    return includeResponse === false ? { on: 'runFinished', includeResponse } : condition;
  }
  const { collections, ops } = condition;
  return {
    on: 'change',
    ...(collections !== undefined && { collections }),
    ...(ops !== undefined && { ops }),
    ...(debounceMs !== undefined && { debounceMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/** An entity's stream goes by the entity's URL here. */
function sourceOf(url: string): string {
  return /^\/[^/]+\/[^/]+\/main$/.test(url) ? url.slice(0, -'/main'.length) : url;
}

/**
 * Makes or replaces a registration.
 *
 * @throws RequestError 404 when there is no such subscriber, 409 when it has ended
 */
export function registerWake(core: Core, registration: WakeRegistration): void {
  const subscriber = requireLiving(core, registration.subscriberUrl);
  const condition = conditionOf(registration);
  const source = sourceOf(registration.sourceUrl);
  const manifestKey = registration.manifestKey ?? `wake:${source}:${JSON.stringify(condition)}`;
  subscribe(core, { subscriberId: subscriber.id, manifestKey, source, condition });
}

/** Which registrations to remove; one of the two is needed. */
export interface WakeUnregistration {
  readonly subscriberUrl: string;
  readonly sourceUrl?: string | undefined;
  readonly manifestKey?: string | undefined;
}

/**
 * Removes the registrations of a subscriber with a source, or the one with a manifest key.
 *
 * @throws RequestError 400 when neither is given
 */
export function unregisterWake(core: Core, request: WakeUnregistration): void {
  const { subscriberUrl, sourceUrl, manifestKey } = request;
  if (sourceUrl === undefined && manifestKey === undefined) {
    throw new RequestError(400, 'INVALID_WAKE_UNREGISTER', 'sourceUrl or manifestKey is required');
  }
  const subscriber = core.store.entities.find(subscriberUrl);
  if (subscriber === undefined) return;
  const keys =
    sourceUrl === undefined
      ? [manifestKey ?? '']
      : core.store.subscriptions.keysOf(subscriber.id, sourceOf(sourceUrl));
  for (const key of keys) unsubscribe(core, subscriber.id, key);
}
