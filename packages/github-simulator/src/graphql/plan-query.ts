import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  parse,
  validate,
} from 'graphql';
import { measure } from './query-cost.ts';
import { publishedSchema } from './schema.ts';

export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** A text that was read and checked against the schema, or what is wrong with it. */
export type CheckedText =
  | { readonly ok: true; readonly document: DocumentNode }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] };

/** A request that can be run, with what it costs, or why it is refused before anything is looked up. */
export type Plan =
  | { readonly ok: true; readonly document: DocumentNode; readonly cost: Cost }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] };

interface Cost {
  readonly points: number;
  readonly nodeCount: number;
}

/** Reads a text, and checks it against the published schema. */
export function checkText(query: string): CheckedText {
  try {
    const document = parse(query);
    const errors = validate(publishedSchema(), document);
    return errors.length > 0 ? { ok: false, errors } : { ok: true, document };
  } catch (error) {
    if (error instanceof GraphQLError) return { ok: false, errors: [error] };
    throw error;
  }
}

/** Measures a request of a checked text. */
export function planQuery(request: GraphQLRequest, text: CheckedText): Plan {
  if (!text.ok) return text;
  const { document } = text;
  const schema = publishedSchema();
  const operation = getOperationAST(document, request.operationName);
  if (operation === null || operation === undefined) {
    return { ok: false, errors: [new GraphQLError('An operation name is required')] };
  }
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {});
  if (given.errors !== undefined) return { ok: false, errors: given.errors };
  const variables = given.coerced;
  const { problems, ...cost } = measure({ schema, operation, fragments: fragmentsOf(document), variables });
  return problems.length > 0 ? { ok: false, errors: problems } : { ok: true, document, cost };
}

function fragmentsOf(document: DocumentNode): Readonly<Record<string, FragmentDefinitionNode>> {
  const fragments = document.definitions.filter((found) => found.kind === 'FragmentDefinition');
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}
