/**
 * Entity URLs: `/type/id`, two segments. What a real agents-server would break on is refused.
 *
 * @module
 */

import { RequestError } from './errors.ts';

/** The two parts of an entity's URL. */
export interface EntityAddress {
  readonly type: string;
  readonly id: string;
}

/** What an id may consist of: the characters that a URL path carries unchanged. */
const ID = /^[A-Za-z0-9\-._~!$&'()+,;=:@]+$/;
const TYPE = /^(?!_)[A-Za-z0-9\-._~]+$/;

/** Whether a type name can be registered. */
export function isTypeName(name: string): boolean {
  return TYPE.test(name) && name !== 'principal' && name !== '.' && name !== '..';
}

/**
 * `/type/id`.
 *
 * @throws RequestError 400 when the id is empty, `.` or `..`, or has a character that URLs do not carry as it is
 */
export function entityUrlOf(type: string, id: string): string {
  if (!ID.test(id) || id === '.' || id === '..') {
    throw new RequestError(
      400,
      'INVALID_REQUEST',
      `entity id ${JSON.stringify(id)} must consist of letters, digits and - . _ ~ ! $ & ' ( ) + , ; = : @`,
    );
  }
  return `/${type}/${id}`;
}

/** Reads `/type/id`; `undefined` for anything else. */
export function parseEntityUrl(url: string): EntityAddress | undefined {
  const [root, type, id, ...rest] = url.split('/');
  if (root !== '' || type === undefined || id === undefined || rest.length > 0) return undefined;
  return type !== '' && id !== '' ? { type, id } : undefined;
}
