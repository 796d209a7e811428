/**
 * `ctx.spawn`, `ctx.send` and the tags: they act at once and resolve when it is on disk.
 *
 * @module
 */

import { sendMessage } from '../engine/send.ts';
import { spawnEntity } from '../engine/spawn.ts';
import { setTag } from '../engine/tags.ts';
import { ChildExistsError, RequestError, RequestFailedError } from '../errors.ts';
import type { HandlerContext, SendOptions, SpawnOptions } from '../types/context.ts';
import type { EntityHandle, SendResult } from '../types/sources.ts';
import { createEntityHandle } from './handles.ts';
import type { PassScope } from './pass-scope.ts';

/** Reports a refusal as the published client does. */
function refusing<T>(action: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestFailedError(action, error.status, JSON.stringify(error.toBody()));
  }
}

async function spawn(
  scope: PassScope,
  type: string,
  id: string,
  args: Readonly<Record<string, unknown>> | undefined,
  options: SpawnOptions,
): Promise<EntityHandle> {
  const { core, entity, manifest } = scope;
  const manifestKey = `child:${type}:${id}`;
  if (manifest.has(manifestKey)) throw new ChildExistsError(type, id);
  const { wake, initialMessage, initialMessageType, tags } = options;
  const child = scope.write('spawn', () => {
    const outcome = refusing(`spawn ${type}/${id}`, () =>
      spawnEntity(core, { type, id, args, parent: entity.url, initialMessage, initialMessageType, tags }),
    );
    const { url } = outcome.entity;
    if (wake !== undefined) manifest.register(manifestKey, url, wake);
    manifest.put(manifestKey, {
      kind: 'child',
      id,
      entity_type: type,
      entity_url: url,
      ...(wake !== undefined && { wake }),
      observed: true,
    });
    return outcome.entity;
  });
  await scope.persisted();
  return createEntityHandle(scope, child.url, (message) => send(scope, child.url, message, {}));
}

async function send(
  scope: PassScope,
  targetUrl: string,
  payload: unknown,
  { type, afterMs }: SendOptions,
): Promise<SendResult> {
  const { core, entity } = scope;
  scope.write('send', () =>
    refusing(`send to ${targetUrl}`, () =>
      sendMessage(core, { targetUrl, payload, type, afterMs, fromAgent: entity.url }),
    ),
  );
  await scope.persisted();
  return { sent: true, targetUrl };
}

/** The members that reach other entities. */
export function createMessaging(
  scope: PassScope,
): Pick<HandlerContext, 'spawn' | 'send' | 'setTag' | 'deleteTag'> {
  const { core, entity } = scope;
  const changeTag = async (member: string, key: string, value: string | undefined) => {
    scope.write(member, () => setTag(core, entity.url, key, value));
    await scope.persisted();
  };
  return {
    spawn: (type, id, args, options = {}) => spawn(scope, type, id, args, options),
    send: (targetUrl, payload, options = {}) => send(scope, targetUrl, payload, options),
    setTag: (key, value) => changeTag('setTag', key, value),
    deleteTag: (key) => changeTag('deleteTag', key, undefined),
  };
}
