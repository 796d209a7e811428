/**
 * Checks of rows by their collection's Standard Schema, on the spot.
 *
 * @module
 */

import type { StandardSchemaV1 } from '@standard-schema/spec';
import { SchemaValidationError } from '../errors.ts';

function pointerOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((step) => `/${String(typeof step === 'object' ? step.key : step)}`).join('');
}

/**
 * @returns the row as the schema gives it back
 * @throws SchemaValidationError when the row breaks the schema, or the schema can only check asynchronously
 */
export function checkRow(
  collection: string,
  schema: StandardSchemaV1 | undefined,
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (schema === undefined) return row;
  const result = schema['~standard'].validate(row);
  if (result instanceof Promise) {
    throw new SchemaValidationError(collection, [{ path: '', message: 'the schema checks asynchronously' }]);
  }
  if (result.issues) {
    throw new SchemaValidationError(
      collection,
      result.issues.map((issue) => ({ path: pointerOf(issue), message: issue.message })),
    );
  }
  return result.value as Readonly<Record<string, unknown>>;
}
