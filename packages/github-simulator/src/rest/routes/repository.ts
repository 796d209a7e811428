import { Hono } from 'hono';
import { type Comparison, NoCommonAncestorError, UnknownRevisionError } from '../../git/index.ts';
import { commit, commitComparison, diffEntry, MAX_COMPARED_FILES } from '../../shapes/commit.ts';
import { fullRepository } from '../../shapes/repository.ts';
import type { World } from '../../world/world.ts';
import { diffAnswer } from '../diff-answer.ts';
import type { Ctx, Env } from '../env.ts';
import { mediaTypeText, requestedFormat } from '../media-type.ts';
import { paginate, requestedPage } from '../pagination.ts';
import { needs } from '../permissions.ts';
import { apiError, notFound, validationFailed } from '../responses.ts';

const WHOLE_SHA = /^[0-9a-f]{40}$/;

/** Without paging GitHub gives so many commits of a comparison. */
const MAX_UNPAGED_COMMITS = 250;

/** Other routes of GitHub's, which a ref with slashes must not be mistaken for. */
const BELOW_A_COMMIT = /\/(?:status|statuses|check-runs|check-suites|pulls|comments|branches-where-head)$/;

/** The repository, its commits and comparisons of them. */
export function repositoryRoutes(world: World): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get('/', needs('metadata=read'), (c) => c.json(fullRepository(world)));
  routes.get('/commits/:ref{.+}', needs('contents=read'), async (c, next) => {
    const ref = c.req.param('ref');
    return BELOW_A_COMMIT.test(ref) ? next() : commitAnswer(c, world, ref);
  });
  routes.get('/compare/:basehead{.+}', needs('contents=read'), async (c) => {
    const basehead = c.req.param('basehead');
    const compared = await compare(world, basehead);
    if (compared === 'unknown') return notFound(c);
    if (compared === 'unrelated') {
      const [base, head] = basehead.split('...');
      return apiError(c, 404, `No common ancestor between ${base} and ${head}.`);
    }
    if (requestedFormat(c) === 'diff') {
      return diffAnswer(c, compared.files, await world.diffs.get(compared.baseSha, compared.headSha));
    }
    return comparisonAnswer(c, world, basehead, compared);
  });
  return routes;
}

async function commitAnswer(c: Ctx, world: World, ref: string): Promise<Response> {
  const sha = await world.git.resolve(ref);
  if (sha === undefined) {
    const error = {
      resource: 'Commit',
      code: 'custom',
      field: 'sha',
      message: `No commit found for SHA: ${ref}`,
    };
    return WHOLE_SHA.test(ref) ? validationFailed(c, error) : notFound(c);
  }
  const format = requestedFormat(c);
  if (format === 'sha') return mediaTypeText(c, 'sha', sha);
  const [info, files] = await Promise.all([world.git.commit(sha), world.git.commitFiles(sha)]);
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return c.json({
    ...commit(world, info),
    stats: { additions, deletions, total: additions + deletions },
    files: files.slice(0, MAX_COMPARED_FILES).map((file) => diffEntry(world, file, sha)),
  });
}

async function compare(world: World, basehead: string): Promise<Comparison | 'unknown' | 'unrelated'> {
  const [base, head, ...more] = basehead.split('...');
  if (base === undefined || head === undefined || more.length > 0) return 'unknown';
  const [baseSha, headSha] = await Promise.all([revision(world, base), revision(world, head)]);
  if (baseSha === undefined || headSha === undefined) return 'unknown';
  try {
    return await world.comparisons.get(baseSha, headSha);
  } catch (error) {
    if (error instanceof NoCommonAncestorError) return 'unrelated';
    if (error instanceof UnknownRevisionError) return 'unknown';
    throw error;
  }
}

/** A branch, tag or sha, also in the form `owner:branch`. Whole shas are checked by the comparison itself. */
async function revision(world: World, name: string): Promise<string | undefined> {
  const ref = name.slice(name.indexOf(':') + 1);
  return WHOLE_SHA.test(ref) ? ref : world.git.resolve(ref);
}

function comparisonAnswer(c: Ctx, world: World, basehead: string, compared: Comparison): Response {
  const isPaged = c.req.query('page') !== undefined || c.req.query('per_page') !== undefined;
  const commits = isPaged
    ? paginate(c, world, compared.commits)
    : compared.commits.slice(0, MAX_UNPAGED_COMMITS);
  const files = compared.files.slice(0, MAX_COMPARED_FILES);
  return c.json({
    ...commitComparison(world, basehead, compared, commits),
    ...(requestedPage(c).number === 1
      ? { files: files.map((file) => diffEntry(world, file, compared.headSha)) }
      : {}),
  });
}
