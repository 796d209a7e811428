import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { GraphQLProblem, problemAt } from './problem.ts';

/** What a query costs before it is run, as GitHub counts it, and why it is refused. */
export interface QueryCost {
  /** Most nodes that it can return. */
  readonly nodeCount: number;
  /** Points of the hourly limit. */
  readonly points: number;
  readonly problems: readonly GraphQLError[];
}

export interface MeasuredQuery {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

const MAX_NODES = 500_000;
const MAX_PAGE = 100;

/** GitHub adds up the requests that fill every connection, and asks one point for a hundred of them. */
const REQUESTS_PER_POINT = 100;

/**
 * Counts connections by their `first` or `last`: one inside another counts once for each node of the outer.
 * What `@include` or `@skip` leaves out is not asked for. Rules from GitHub's documentation on rate and node limits of its GraphQL API.
 */
export function measure(query: MeasuredQuery): QueryCost {
  const root = query.schema.getRootType(query.operation.operation);
  const tally: Tally = { requests: 0, nodes: 0, problems: [] };
  if (root !== undefined && root !== null) {
    visit(query, tally, {
      selections: query.operation.selectionSet,
      typeName: root.name,
      times: 1,
      path: [],
    });
  }
  return {
    nodeCount: tally.nodes,
    points: Math.max(1, Math.round(tally.requests / REQUESTS_PER_POINT)),
    problems: tally.problems,
  };
}

interface Tally {
  requests: number;
  nodes: number;
  readonly problems: GraphQLError[];
}

interface Place {
  readonly selections: SelectionSetNode;
  readonly typeName: string;
  /** How often this place can occur in the answer. */
  readonly times: number;
  readonly path: readonly string[];
}

function visit(query: MeasuredQuery, tally: Tally, place: Place): void {
  for (const selection of place.selections.selections) {
    if (isLeftOut(query, selection)) continue;
    if (selection.kind === 'Field') {
      visitField(query, tally, place, selection);
    } else if (selection.kind === 'InlineFragment') {
      const typeName = selection.typeCondition?.name.value ?? place.typeName;
      visit(query, tally, { ...place, selections: selection.selectionSet, typeName });
    } else {
      const fragment = query.fragments[selection.name.value];
      if (fragment === undefined) continue;
      const typeName = fragment.typeCondition.name.value;
      visit(query, tally, { ...place, selections: fragment.selectionSet, typeName });
    }
  }
}

function isLeftOut({ variables }: MeasuredQuery, selection: SelectionNode): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if === false
  );
}

function visitField(query: MeasuredQuery, tally: Tally, place: Place, node: FieldNode): void {
  const field = fieldOf(query.schema, place.typeName, node.name.value);
  if (field === undefined || node.selectionSet === undefined) return;
  const path = [...place.path, node.alias?.value ?? node.name.value];
  const typeName = getNamedType(field.type).name;
  const inner = { selections: node.selectionSet, typeName, path };
  const pageSize = typeName.endsWith('Connection') ? readPageSize(query, field, node) : undefined;
  if (pageSize === undefined) {
    visit(query, tally, { ...inner, times: place.times });
  } else if (typeof pageSize === 'number') {
    const reachable = place.times * pageSize;
    tally.requests += place.times;
    tally.nodes += reachable;
    if (tally.nodes > MAX_NODES) {
      tally.problems.push(problemAt(tooManyNodes(node, tally.nodes), node, path));
    } else {
      visit(query, tally, { ...inner, times: reachable });
    }
  } else {
    tally.problems.push(problemAt(pageSize, node, path));
  }
}

function fieldOf(schema: GraphQLSchema, typeName: string, name: string) {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** How many nodes a connection is asked for, or why GitHub refuses to say. A mere count needs no bounds. */
function readPageSize(
  query: MeasuredQuery,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): number | GraphQLProblem {
  const { first, last } = getArgumentValues(field, node, query.variables) as PageArguments;
  const name = node.name.value;
  const size = first ?? last;
  if (size === undefined || size === null) {
    return countsOnly(node) ? 0 : new GraphQLProblem('MISSING_PAGINATION_BOUNDARIES', missingBounds(name));
  }
  const side = first === undefined || first === null ? 'last' : 'first';
  if (size < 0) {
    const message = `\`${side}\` on the \`${name}\` connection cannot be less than zero.`;
    return new GraphQLProblem('EXCESSIVE_PAGINATION', message);
  }
  if (size <= MAX_PAGE) return size;
  const message = `Requesting ${size} records on the \`${name}\` connection exceeds the \`${side}\` limit of ${MAX_PAGE} records.`;
  return new GraphQLProblem('EXCESSIVE_PAGINATION', message);
}

interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
}

function missingBounds(name: string): string {
  return `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
}

function countsOnly(node: FieldNode): boolean {
  const selections = node.selectionSet?.selections ?? [];
  return selections.every((selected) => selected.kind === 'Field' && COUNTS.has(selected.name.value));
}

const COUNTS: ReadonlySet<string> = new Set(['totalCount', '__typename']);

function tooManyNodes(node: FieldNode, nodes: number): GraphQLProblem {
  const message = `By the time this query traverses to the \`${node.name.value}\` connection, it is requesting up to ${nodes.toLocaleString('en-US')} possible nodes which exceeds the maximum limit of ${MAX_NODES.toLocaleString('en-US')}.`;
  return new GraphQLProblem('MAX_NODE_LIMIT_EXCEEDED', message);
}
