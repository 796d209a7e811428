import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  parse,
  validate,
} from 'graphql';
import { type QueryContext, readField } from './context.ts';
import { type ErrorEntry, errorEntry } from './problem.ts';
import { measure } from './query-cost.ts';
import { root } from './root.ts';
import { publishedSchema } from './schema.ts';

export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** The body of the answer, whose status is 200 whatever went wrong. */
export interface GraphQLAnswer {
  readonly data?: unknown;
  readonly errors?: readonly ErrorEntry[];
}

export interface QueryOutcome {
  readonly answer: GraphQLAnswer;
  readonly points: number;
}

/** Answers a query: parsed, checked against GitHub's schema, measured, and run if it is within the limits. */
export async function runQuery(
  request: GraphQLRequest,
  contextFor: (cost: QueryContext['cost']) => QueryContext,
): Promise<QueryOutcome> {
  const schema = publishedSchema();
  const document = parsed(request.query);
  if (document instanceof GraphQLError) return refused([document]);
  const invalid = validate(schema, document);
  if (invalid.length > 0) return refused(invalid);
  const operation = getOperationAST(document, request.operationName);
  if (operation === null || operation === undefined) {
    return refused([new GraphQLError('An operation name is required')]);
  }
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
  if (given.errors !== undefined) return refused(given.errors);
  const variables = given.coerced;
  const cost = measure({ schema, operation, fragments: fragmentsOf(document), variables });
  if (cost.problems.length > 0) return refused(cost.problems);
  const { data, errors } = await execute({
    schema,
    document,
    rootValue: root,
    contextValue: contextFor(cost),
    variableValues: request.variables ?? {},
    operationName: request.operationName ?? null,
    fieldResolver: readField,
  });
  const entries = errors === undefined ? {} : { errors: errors.map(errorEntry) };
  return { answer: { data: data ?? null, ...entries }, points: cost.points };
}

function refused(errors: readonly GraphQLError[]): QueryOutcome {
  return { answer: { data: null, errors: errors.map(errorEntry) }, points: 1 };
}

function parsed(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function fragmentsOf(document: DocumentNode): Readonly<Record<string, FragmentDefinitionNode>> {
  const fragments = document.definitions.filter((found) => found.kind === 'FragmentDefinition');
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}
