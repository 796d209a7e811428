import { Hono } from 'hono';
import { commit, diffEntry } from '../../shapes/commit.ts';
import { fullPullRequest, simplePullRequest } from '../../shapes/pull-request.ts';
import { createMergeabilityOracle, type MergeabilityOracle } from '../../world/mergeability.ts';
import type { PullRequestRecord } from '../../world/records.ts';
import { comparisonOf, type World } from '../../world/world.ts';
import { diffAnswer } from '../diff-answer.ts';
import { type Ctx, type Env, seesMembers } from '../env.ts';
import { requestedFormat } from '../media-type.ts';
import { paginate } from '../pagination.ts';
import { needs } from '../permissions.ts';
import { notFound } from '../responses.ts';

const MAX_FILES = 3000;
const MAX_COMMITS = 250;

/** Pull requests, read only. */
export function pullRoutes(world: World): Hono<Env> {
  const routes = new Hono<Env>();
  const mergeability = createMergeabilityOracle(world);
  const read = needs('pull_requests=read');
  const find = (c: Ctx) => world.pullRequests.get(Number(c.req.param('number')));

  routes.get('/pulls', read, (c) => {
    const page = paginate(c, world, selectPullRequests(c, world));
    return c.json(page.map((pr) => simplePullRequest(world, pr, seesMembers(c))));
  });
  routes.get('/pulls/:number{[0-9]+}', read, (c) => {
    const pr = find(c);
    return pr === undefined ? notFound(c) : pullAnswer(c, world, mergeability, pr);
  });
  routes.get('/pulls/:number{[0-9]+}/files', read, async (c) => {
    const pr = find(c);
    if (pr === undefined) return notFound(c);
    const { files } = await comparisonOf(world, pr);
    const page = paginate(c, world, files.slice(0, MAX_FILES));
    return c.json(page.map((file) => diffEntry(world, file, pr.head.sha)));
  });
  routes.get('/pulls/:number{[0-9]+}/commits', read, async (c) => {
    const pr = find(c);
    if (pr === undefined) return notFound(c);
    const { commits } = await comparisonOf(world, pr);
    const page = paginate(c, world, commits.slice(0, MAX_COMMITS));
    return c.json(page.map((info) => commit(world, info)));
  });
  return routes;
}

async function pullAnswer(
  c: Ctx,
  world: World,
  mergeability: MergeabilityOracle,
  pr: PullRequestRecord,
): Promise<Response> {
  if (requestedFormat(c) === 'diff') {
    const [{ files }, diff] = await Promise.all([
      comparisonOf(world, pr),
      world.diffs.get(pr.baseSha, pr.head.sha),
    ]);
    return diffAnswer(c, files, diff);
  }
  const mergeable = pr.state === 'open' ? await mergeability.ask(pr) : null;
  return c.json(await fullPullRequest(world, pr, { seesMembers: seesMembers(c), mergeable }));
}

/** `state`, `head`, `base`, `sort` and `direction` as GitHub understands them; newest first by default. */
function selectPullRequests(c: Ctx, world: World): readonly PullRequestRecord[] {
  const { state = 'open', head, base, sort = 'created', direction } = c.req.query();
  const headOf = (pr: PullRequestRecord) =>
    `${pr.head.from === 'same' ? world.owner : pr.head.from.fork}:${pr.head.ref}`;
  const ascending = (direction ?? 'desc') === 'asc';
  const keyOf = (pr: PullRequestRecord) => (sort === 'updated' ? pr.updatedAt.getTime() : pr.number);
  return [...world.pullRequests.values()]
    .filter((pr) => state === 'all' || pr.state === state)
    .filter((pr) => head === undefined || headOf(pr) === head)
    .filter((pr) => base === undefined || pr.baseRef === base)
    .sort((a, b) => (ascending ? 1 : -1) * (keyOf(a) - keyOf(b) || a.number - b.number));
}
