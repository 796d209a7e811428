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

/** Answers queries. */
export type QueryRunner = (
  request: GraphQLRequest,
  contextFor: (cost: QueryContext['cost']) => QueryContext,
) => Promise<QueryOutcome>;

/** Programs ask few different texts, and checking a long one takes longer than answering it. */
const MAX_KNOWN_TEXTS = 100;

/** Builds a runner that checks each text once. */
export function createQueryRunner(): QueryRunner {
  const known = new Map<string, DocumentNode | readonly GraphQLError[]>();
  const check = (query: string): DocumentNode | readonly GraphQLError[] => {
    const checked = known.get(query) ?? checkedDocument(query);
    if (known.size >= MAX_KNOWN_TEXTS) known.clear();
    known.set(query, checked);
    return checked;
  };
  return (request, contextFor) => runQuery(request, check(request.query), contextFor);
}

function checkedDocument(query: string): DocumentNode | readonly GraphQLError[] {
  const document = parsed(query);
  if (document instanceof GraphQLError) return [document];
  const invalid = validate(publishedSchema(), document);
  return invalid.length > 0 ? invalid : document;
}

/** Answers a checked query: measured, and run if it is within the limits. */
async function runQuery(
  request: GraphQLRequest,
  document: DocumentNode | readonly GraphQLError[],
  contextFor: (cost: QueryContext['cost']) => QueryContext,
): Promise<QueryOutcome> {
  if (isRefusal(document)) return refused(document);
  const schema = publishedSchema();
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

function isRefusal(document: DocumentNode | readonly GraphQLError[]): document is readonly GraphQLError[] {
  return Array.isArray(document);
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
