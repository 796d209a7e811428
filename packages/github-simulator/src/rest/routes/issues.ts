import { Hono } from 'hono';
import { z } from 'zod';
import { issue } from '../../shapes/issue.ts';
import { label } from '../../shapes/label.ts';
import type { Hook } from '../../webhooks/hook.ts';
import { labelField, pullRequestPayload } from '../../webhooks/payloads.ts';
import { putLabel, requirePullRequest, takeLabel } from '../../world/pull-requests.ts';
import type { World } from '../../world/world.ts';
import { type Ctx, type Env, seesMembers } from '../env.ts';
import { paginate } from '../pagination.ts';
import { needs } from '../permissions.ts';
import { apiError, notFound, readBody } from '../responses.ts';

const labelRequest = z.object({ labels: z.array(z.string().min(1)) });

/** A pull request as an issue, and its labels. */
export function issueRoutes(world: World, hook: Hook): Hono<Env> {
  const routes = new Hono<Env>();
  const read = needs('issues=read', 'pull_requests=read');
  const write = needs('issues=write', 'pull_requests=write');
  const find = (c: Ctx) => world.pullRequests.get(Number(c.req.param('number')));
  const labelsOf = (number: number) =>
    requirePullRequest(world, number).labels.map((name) => label(world, name));
  const tell = async (number: number, action: 'labeled' | 'unlabeled', name: string) => {
    const pr = requirePullRequest(world, number);
    const sender = world.accounts.bot.login;
    hook.sendInBackground(
      'pull_request',
      await pullRequestPayload(world, pr, action, sender, labelField(world, name)),
    );
  };

  routes.get('/issues/:number{[0-9]+}', read, (c) => {
    const pr = find(c);
    return pr === undefined ? notFound(c) : c.json(issue(world, pr, seesMembers(c)));
  });
  routes.get('/issues/:number{[0-9]+}/labels', read, (c) => {
    const pr = find(c);
    return pr === undefined ? notFound(c) : c.json(paginate(c, world, labelsOf(pr.number)));
  });
  routes.post('/issues/:number{[0-9]+}/labels', write, async (c) => {
    const pr = find(c);
    if (pr === undefined) return notFound(c);
    const body = await readBody(c, labelRequest);
    if (!body.ok) return body.response;
    for (const name of body.value.labels) {
      if (putLabel(world, pr.number, name)) await tell(pr.number, 'labeled', name);
    }
    return c.json(labelsOf(pr.number));
  });
  routes.delete('/issues/:number{[0-9]+}/labels/:name', write, async (c) => {
    const pr = find(c);
    if (pr === undefined) return notFound(c);
    const name = c.req.param('name');
    if (!takeLabel(world, pr.number, name)) return apiError(c, 404, 'Label does not exist');
    await tell(pr.number, 'unlabeled', name);
    return c.json(labelsOf(pr.number));
  });
  return routes;
}
