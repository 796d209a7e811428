/**
 * From the schemas of a definition to JSON schema, checked against what a real agents-server accepts: what
 * registers here registers there.
 *
 * @module
 */

import { DefinitionError, messageOf } from '../errors.ts';
import type { JsonSchema } from '../types/schema.ts';

/** Keywords that an agents-server accepts. `format` is on its list, too, but breaks at the first validation. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `type properties required enum const minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength
   pattern items minItems maxItems $ref anyOf oneOf allOf not title description default additionalProperties
   nullable $schema $id $defs definitions`.split(/\s+/),
);

/** Keywords whose value maps names to schemas. */
const MAPS = ['properties', '$defs', 'definitions'];
/** Keywords whose value is a list of schemas. */
const LISTS = ['anyOf', 'oneOf', 'allOf'];
/** Keywords whose value is a schema (or a boolean, or a list of schemas). */
const SINGLES = ['items', 'additionalProperties', 'not'];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas inside of a schema, with where they stand. */
function subschemas(schema: JsonSchema): [path: string, schema: unknown][] {
  const found: [string, unknown][] = [];
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isObject(map)) for (const [name, part] of Object.entries(map)) found.push([`/${name}`, part]);
  }
  for (const keyword of [...LISTS, ...SINGLES]) {
    const value = schema[keyword];
    for (const part of Array.isArray(value) ? value : [value]) {
      found.push([keyword === 'items' ? '/*' : '', part]);
    }
  }
  return found;
}

/** The first keyword that a real server would refuse, and the field that has it. */
function findRefused(schema: JsonSchema, path: string): { field: string; keyword: string } | undefined {
  for (const keyword of Object.keys(schema)) {
    if (!KEYWORDS.has(keyword)) return { field: path === '' ? '/' : path, keyword };
  }
  for (const [step, part] of subschemas(schema)) {
    const refused = isObject(part) ? findRefused(part, path + step) : undefined;
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Reads the JSON schema out of whatever carries one; `undefined` when it has none. */
function convert(schema: object): JsonSchema | undefined {
  const standard = '~standard' in schema && isObject(schema['~standard']) ? schema['~standard'] : undefined;
  const { input } = isObject(standard?.jsonSchema) ? standard.jsonSchema : {};
  if (typeof input === 'function') return input({ target: 'draft-2020-12' });
  if ('toJSONSchema' in schema && typeof schema.toJSONSchema === 'function') {
    return schema.toJSONSchema();
  }
  return standard === undefined ? (schema as JsonSchema) : undefined;
}

/**
 * @param where - names the schema in errors: `pr-shepherd: creationSchema`
 * @returns the JSON schema of the schema's input; `{}` for a schema that cannot emit one
 * @throws DefinitionError when it cannot be represented, or uses a keyword that a real server refuses
 */
export function toCheckedJsonSchema(where: string, schema: object): JsonSchema {
  let converted: JsonSchema | undefined;
  try {
    converted = convert(schema);
  } catch (error) {
    throw new DefinitionError(`${where}: ${messageOf(error)}`, { cause: error });
  }
  if (converted === undefined) return {};
  const refused = findRefused(converted, '');
  if (refused !== undefined) {
    throw new DefinitionError(
      `${where}: field ${refused.field} uses the JSON-schema keyword "${refused.keyword}", which an agents-server does not accept`,
    );
  }
  return converted;
}
