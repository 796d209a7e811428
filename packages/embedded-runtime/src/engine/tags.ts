/**
 * Tags of entities.
 *
 * @module
 */

import { RequestError } from '../errors.ts';
import { type Core, requireEntity } from './core.ts';

/**
 * Sets a tag, or removes it when the value is `undefined`.
 *
 * @throws RequestError 404 when there is no such entity, 400 when the value is no string
 */
export function setTag(core: Core, entityUrl: string, key: string, value: string | undefined): void {
  if (value !== undefined && typeof value !== 'string') {
    throw new RequestError(400, 'INVALID_REQUEST', 'a tag value must be a string');
  }
  const entity = requireEntity(core, entityUrl);
  const { [key]: _old, ...others } = entity.tags;
  core.store.entities.setTags(
    entity.id,
    value === undefined ? others : { ...others, [key]: value },
    core.clock.now(),
  );
}
