/**
 * Validators of JSON schemas.
 *
 * @module
 */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { DefinitionError, messageOf, type ValidationDetail } from '../errors.ts';
import type { JsonSchema } from '../types/schema.ts';

/** @returns what is wrong with the value; empty when nothing is */
export type Validator = (value: unknown) => readonly ValidationDetail[];

/**
 * @param where - names the schema in errors
 * @throws DefinitionError when the schema cannot be compiled
 */
export type Compile = (where: string, schema: JsonSchema) => Validator;

/** Compiles schemas that may refer to each other by `$id`. */
export function createCompiler(): Compile {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  return (where, schema) => {
    let validate: ValidateFunction;
    try {
      validate = ajv.compile(schema);
    } catch (error) {
      throw new DefinitionError(`${where}: ${messageOf(error)}`, { cause: error });
    }
    return (value) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map((error) => ({
            path: error.instancePath,
            message: error.message ?? error.keyword,
          }));
  };
}

/** Compiles schemas by name. */
export function compileAll(
  where: string,
  compile: Compile,
  schemas: Readonly<Record<string, JsonSchema>>,
): ReadonlyMap<string, Validator> {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => [name, compile(`${where}.${name}`, schema)]),
  );
}
