import { Hono } from 'hono';
import { issueComment } from '../../shapes/comment.ts';
import { reaction } from '../../shapes/reaction.ts';
import type { Hook } from '../../webhooks/hook.ts';
import { issueCommentPayload } from '../../webhooks/payloads.ts';
import { createComment, replaceBody } from '../../world/comments.ts';
import { requirePullRequest } from '../../world/pull-requests.ts';
import { react } from '../../world/reactions.ts';
import type { StoredComment } from '../../world/records.ts';
import { commentsOf, type World } from '../../world/world.ts';
import { reactionRequest, readCommentBody, updatedSince } from '../comment-requests.ts';
import { type Ctx, type Env, seesMembers } from '../env.ts';
import { paginate } from '../pagination.ts';
import { needs } from '../permissions.ts';
import { apiError, notFound, readBody } from '../responses.ts';

const read = needs('issues=read', 'pull_requests=read');
const write = needs('issues=write', 'pull_requests=write');

/** Comments in the timeline of a pull request. What the App writes is delivered to it as what people write. */
export function commentRoutes(world: World, hook: Hook): Hono<Env> {
  const routes = new Hono<Env>();
  listAndCreate(routes, world, hook);
  readAndChange(routes, world, hook);
  return routes;
}

function listAndCreate(routes: Hono<Env>, world: World, hook: Hook): void {
  routes.get('/issues/:number{[0-9]+}/comments', read, (c) => {
    const number = Number(c.req.param('number'));
    if (!world.pullRequests.has(number)) return notFound(c);
    const page = paginate(c, world, updatedSince(commentsOf(world, number), c.req.query('since')));
    return c.json(page.map((comment) => issueComment(world, comment, seesMembers(c))));
  });
  routes.post('/issues/:number{[0-9]+}/comments', write, async (c) => {
    const pr = world.pullRequests.get(Number(c.req.param('number')));
    if (pr === undefined) return notFound(c);
    if (pr.locked) return apiError(c, 403, 'Unable to create comment because issue is locked.');
    const body = await readCommentBody(c, 'IssueComment');
    if (!body.ok) return body.response;
    const author = world.accounts.bot.login;
    const comment = createComment(world, { pullRequest: pr.number, author, body: body.value, byApp: true });
    tell(world, hook, comment, 'created');
    return c.json(issueComment(world, comment, seesMembers(c)), 201);
  });
}

function readAndChange(routes: Hono<Env>, world: World, hook: Hook): void {
  const find = (c: Ctx) => world.comments.get(Number(c.req.param('id')));
  routes.get('/issues/comments/:id{[0-9]+}', read, (c) => {
    const comment = find(c);
    return comment === undefined ? notFound(c) : c.json(issueComment(world, comment, seesMembers(c)));
  });
  routes.patch('/issues/comments/:id{[0-9]+}', write, async (c) => {
    const comment = find(c);
    if (comment === undefined) return notFound(c);
    const body = await readCommentBody(c, 'IssueComment');
    if (!body.ok) return body.response;
    const edited = replaceBody(world, comment, body.value, world.accounts.bot.login);
    tell(world, hook, edited, 'edited', comment.body);
    return c.json(issueComment(world, edited, seesMembers(c)));
  });
  routes.delete('/issues/comments/:id{[0-9]+}', write, (c) => {
    const comment = find(c);
    if (comment === undefined) return notFound(c);
    world.comments.delete(comment.id);
    tell(world, hook, comment, 'deleted');
    return c.body(null, 204);
  });
  routes.post('/issues/comments/:id{[0-9]+}/reactions', write, async (c) => {
    const comment = find(c);
    if (comment === undefined) return notFound(c);
    const body = await readBody(c, reactionRequest);
    if (!body.ok) return body.response;
    const wanted = { author: world.accounts.bot.login, content: body.value.content };
    const made = react(world, world.comments, comment, wanted);
    return c.json(reaction(world, made.reaction), made.created ? 201 : 200);
  });
}

function tell(
  world: World,
  hook: Hook,
  comment: StoredComment,
  action: 'created' | 'edited' | 'deleted',
  previousBody?: string,
): void {
  const pr = requirePullRequest(world, comment.pullRequest);
  const sender = world.accounts.bot.login;
  const payload = issueCommentPayload(world, pr, comment, action, sender, previousBody);
  hook.sendInBackground('issue_comment', payload);
}
