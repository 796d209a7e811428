import { simpleUser } from '../shapes/accounts.ts';
import { HTML_ROOT, timestamp } from '../shapes/common.ts';
import { nodeId } from '../world/node-id.ts';
import { type Arguments, type QueryContext, requireOnly, requirePermission } from './context.ts';
import { pullRequest } from './conversation.ts';
import { gitObject } from './git-objects.ts';
import { node, nodes } from './nodes.ts';
import { GraphQLProblem } from './problem.ts';

/** Type `Query`, as far as the simulator has it. */
export const root = {
  viewer: (_args: Arguments, { world }: QueryContext) => viewer(world),
  repository: (args: Arguments, context: QueryContext) => findRepository(args, context),
  node,
  nodes,
  rateLimit: (args: Arguments, context: QueryContext) => rateLimit(args, context),
};

/** An App is a `User` here, and its login keeps the `[bot]` that `author.login` lacks. */
function viewer(world: QueryContext['world']) {
  const { login, html_url } = simpleUser(world, world.accounts.bot);
  const { id } = world.accounts.bot;
  return { __typename: 'User', login, id: nodeId('BOT', id), databaseId: id, url: html_url };
}

function findRepository(args: Arguments, { world }: QueryContext) {
  requireOnly(args, ['owner', 'name', 'followRenames']);
  const asked = `${args.owner}/${args.name}`;
  const ours = `${world.owner}/${world.repo}`;
  if (asked.toLowerCase() !== ours.toLowerCase()) {
    throw new GraphQLProblem('NOT_FOUND', `Could not resolve to a Repository with the name '${asked}'.`);
  }
  return {
    __typename: 'Repository',
    id: nodeId('R', world.repositoryId),
    databaseId: world.repositoryId,
    name: world.repo,
    nameWithOwner: ours,
    url: `${HTML_ROOT}/${ours}`,
    isPrivate: false,
    object: (objectArgs: Arguments, context: QueryContext) => findObject(objectArgs, context),
    pullRequest: (prArgs: Arguments, context: QueryContext) => findPullRequest(prArgs, context),
  };
}

async function findObject(args: Arguments, context: QueryContext) {
  requireOnly(args, ['expression', 'oid']);
  requirePermission(context, 'contents=read');
  const name = args.expression ?? args.oid;
  const found = typeof name === 'string' ? await context.readObject(name) : undefined;
  return found === undefined ? null : gitObject(context.world, found);
}

function findPullRequest({ number }: Arguments, context: QueryContext) {
  requirePermission(context, 'pull_requests=read');
  const pr = context.world.pullRequests.get(Number(number));
  if (pr !== undefined) return pullRequest(context, pr);
  throw new GraphQLProblem('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
}

function rateLimit(args: Arguments, { cost, rateLimit: before }: QueryContext) {
  // It has a default, so that it is always there.
  if (args.dryRun === true) requireOnly(args, []);
  return {
    cost: cost.points,
    nodeCount: cost.nodeCount,
    limit: before.limit,
    used: before.used + cost.points,
    remaining: Math.max(0, before.remaining - cost.points),
    resetAt: timestamp(new Date(before.reset * 1000)),
  };
}
