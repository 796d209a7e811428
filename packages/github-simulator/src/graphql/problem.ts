import { type ASTNode, GraphQLError, type GraphQLFormattedError } from 'graphql';

/** Types of error by which GitHub tells callers what went wrong. */
export type ProblemType =
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'RATE_LIMIT'
  | 'MISSING_PAGINATION_BOUNDARIES'
  | 'EXCESSIVE_PAGINATION'
  | 'INVALID_CURSOR_ARGUMENTS'
  | 'ARGUMENT_LIMIT'
  | 'MAX_NODE_LIMIT_EXCEEDED'
  /** Not GitHub's: the query is right, and the simulator lacks what it asks for. */
  | 'SIMULATOR_LACKS';

/** Thrown by resolvers. What else was asked for is still answered. */
export class GraphQLProblem extends Error {
  override readonly name = 'GraphQLProblem';
  readonly type: ProblemType;

  constructor(type: ProblemType, message: string) {
    super(message);
    this.type = type;
  }
}

/** An entry of `errors` in GitHub's form: `type` stands beside the message. */
export type ErrorEntry = GraphQLFormattedError & { readonly type?: ProblemType };

export function errorEntry(error: GraphQLError): ErrorEntry {
  const { message, locations, path } = error.toJSON();
  const cause = error.originalError;
  return {
    ...(cause instanceof GraphQLProblem ? { type: cause.type } : {}),
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
    message,
  };
}

/** A problem of the query itself, at the node of its text. */
export function problemAt(
  problem: GraphQLProblem,
  node: ASTNode,
  path: readonly (string | number)[],
): GraphQLError {
  return new GraphQLError(problem.message, { nodes: node, path, originalError: problem });
}
