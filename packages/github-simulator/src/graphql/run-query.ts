import { execute, type GraphQLError } from 'graphql';
import { type QueryContext, readField } from './context.ts';
import { type CheckedText, checkText, type GraphQLRequest, planQuery } from './plan-query.ts';
import { type ErrorEntry, errorEntry } from './problem.ts';
import { root } from './root.ts';
import { publishedSchema } from './schema.ts';

/** The body of the answer, whose status is 200 whatever went wrong. */
export interface GraphQLAnswer {
  readonly data?: unknown;
  readonly errors?: readonly ErrorEntry[];
}

export interface QueryOutcome {
  readonly answer: GraphQLAnswer;
  readonly points: number;
}

/** Answers queries. */
export type QueryRunner = (
  request: GraphQLRequest,
  contextFor: (cost: QueryContext['cost']) => QueryContext,
) => Promise<QueryOutcome>;

/** Programs ask few different texts, and checking a long one takes longer than answering it. */
const MAX_KNOWN_TEXTS = 100;

/** Builds a runner that checks each text once. */
export function createQueryRunner(): QueryRunner {
  const known = new Map<string, CheckedText>();
  const check = (query: string): CheckedText => {
    const checked = known.get(query) ?? checkText(query);
    if (known.size >= MAX_KNOWN_TEXTS) known.clear();
    known.set(query, checked);
    return checked;
  };
  return (request, contextFor) => runQuery(request, check(request.query), contextFor);
}

/** Answers a checked query: measured, and run if it is within the limits. */
async function runQuery(
  request: GraphQLRequest,
  text: CheckedText,
  contextFor: (cost: QueryContext['cost']) => QueryContext,
): Promise<QueryOutcome> {
  const plan = planQuery(request, text);
  if (!plan.ok) return refused(plan.errors);
  const { data, errors } = await execute({
    schema: publishedSchema(),
    document: plan.document,
    rootValue: root,
    contextValue: contextFor(plan.cost),
    variableValues: request.variables ?? {},
    operationName: request.operationName ?? null,
    fieldResolver: readField,
  });
  const entries = errors === undefined ? {} : { errors: errors.map(errorEntry) };
  return { answer: { data: data ?? null, ...entries }, points: plan.cost.points };
}

function refused(errors: readonly GraphQLError[]): QueryOutcome {
  return { answer: { data: null, errors: errors.map(errorEntry) }, points: 1 };
}
