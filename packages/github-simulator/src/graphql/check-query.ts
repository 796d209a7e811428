import type { GraphQLRequest } from './plan-query.ts';

/** What GitHub says of a query before it looks anything up. */
export interface QueryCheck {
  /** By its published schema and its limits; empty where it would be run. */
  readonly problems: readonly string[];
  /** Most nodes that it can return. */
  readonly nodeCount: number;
  /** Of the hourly limit. */
  readonly points: number;
}

/** Checks a query as the simulator does with each that it is asked. */
export async function checkQuery(request: GraphQLRequest): Promise<QueryCheck> {
  // Most of those who use the simulator never ask a query: they need not wait for graphql to load.
  const { checkText, planQuery } = await import('./plan-query.ts');
  const plan = planQuery(request, checkText(request.query));
  if (plan.ok) return { problems: [], ...plan.cost };
  return { problems: plan.errors.map(({ message }) => message), nodeCount: 0, points: 1 };
}
