import type { GraphQLFieldResolver } from 'graphql';
import type { Caller } from '../rest/env.ts';
import { grants, type PermissionNeed } from '../rest/permissions.ts';
import type { RateLimitStatus } from '../rest/rate-limit.ts';
import type { World } from '../world/world.ts';
import type { ReadObject } from './git-objects.ts';
import { GraphQLProblem } from './problem.ts';

/** What one query is answered from. */
export interface QueryContext {
  readonly world: World;
  readonly caller: Caller;
  /** Whether the caller is shown private membership. */
  readonly seesMembers: boolean;
  readonly readObject: ReadObject;
  readonly cost: { readonly points: number; readonly nodeCount: number };
  /** As of before this query. */
  readonly rateLimit: RateLimitStatus;
}

/** Arguments of a field as the schema has coerced them. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * A field is a property of what its type is made of, or a method that takes the arguments. What is not there
 * is an error of its own: null would be a lie about GitHub.
 */
export const readField: GraphQLFieldResolver<unknown, QueryContext> = (
  source,
  args: Arguments,
  context,
  info,
) => {
  const name = info.fieldName;
  const value = (source as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'function') return value(args, context);
  if (value === undefined) throw lacks(`${info.parentType.name}.${name}`);
  requireOnly(args, []);
  return value;
};

/** @throws GraphQLProblem for an argument that would change the answer and is not understood. */
export function requireOnly(args: Arguments, understood: readonly string[]): void {
  const strange = Object.keys(args).find((name) => !understood.includes(name) && args[name] !== null);
  if (strange !== undefined) throw lacks(`the argument ${strange}`);
}

/** @throws GraphQLProblem for a token without the permission. */
export function requirePermission(context: QueryContext, need: PermissionNeed): void {
  if (grants(context.caller, need)) return;
  throw new GraphQLProblem('FORBIDDEN', 'Resource not accessible by integration');
}

function lacks(what: string): GraphQLProblem {
  return new GraphQLProblem('SIMULATOR_LACKS', `The simulator does not have ${what}`);
}
