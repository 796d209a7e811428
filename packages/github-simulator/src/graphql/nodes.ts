import { nodeId } from '../world/node-id.ts';
import { type Arguments, type QueryContext, requirePermission } from './context.ts';
import { issueComment, pullRequest, review, reviewComment, thread } from './conversation.ts';
import { GraphQLProblem } from './problem.ts';

/** GitHub takes so many ids at once. */
const MAX_IDS = 100;

/** `node(id:)`. @throws GraphQLProblem */
export function node({ id }: Arguments, context: QueryContext) {
  return findNode(context, String(id)) ?? notResolved(id);
}

/** `nodes(ids:)`: what is not found is null, with an error at its place. @throws GraphQLProblem */
export function nodes({ ids }: Arguments, context: QueryContext) {
  const wanted = Array.isArray(ids) ? ids : [];
  if (wanted.length > MAX_IDS) {
    const message = `You may not provide more than ${MAX_IDS} node ids; you provided ${wanted.length}.`;
    throw new GraphQLProblem('ARGUMENT_LIMIT', message);
  }
  return wanted.map((id) => findNode(context, String(id)) ?? notResolved(id));
}

/** GraphQL takes an error in place of a value as thrown. */
function notResolved(id: unknown): GraphQLProblem {
  return new GraphQLProblem('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

function findNode(context: QueryContext, id: string) {
  const { world } = context;
  const isIt = (record: { readonly nodeId: string }) => record.nodeId === id;
  const kinds = [
    () => found(world.threads.values(), isIt, (record) => thread(context, record)),
    () => found(world.reviews.values(), isIt, (record) => review(context, record)),
    () => found(world.reviewComments.values(), isIt, (record) => reviewComment(context, record)),
    () => found(world.comments.values(), isIt, (record) => issueComment(context, record)),
    () =>
      found(
        world.pullRequests.values(),
        (pr) => nodeId('PR', pr.id) === id,
        (record) => pullRequest(context, record),
      ),
  ];
  for (const find of kinds) {
    const value = find();
    if (value === undefined) continue;
    requirePermission(context, 'pull_requests=read');
    return value;
  }
  return undefined;
}

function found<T, N>(
  records: Iterable<T>,
  isIt: (record: T) => boolean,
  toNode: (record: T) => N,
): N | undefined {
  for (const record of records) if (isIt(record)) return toNode(record);
  return undefined;
}
