import { Hono } from 'hono';
import { reaction } from '../../shapes/reaction.ts';
import { review } from '../../shapes/review.ts';
import { reviewComment } from '../../shapes/review-comment.ts';
import type { Hook } from '../../webhooks/hook.ts';
import { reviewCommentPayload, reviewPayload } from '../../webhooks/review-payloads.ts';
import { react } from '../../world/reactions.ts';
import type { ReviewComment } from '../../world/records.ts';
import { addReply } from '../../world/reviews.ts';
import { requireThread } from '../../world/threads.ts';
import { ofPullRequest, type World } from '../../world/world.ts';
import { reactionRequest, readCommentBody, updatedSince } from '../comment-requests.ts';
import { type Ctx, type Env, seesMembers } from '../env.ts';
import { paginate } from '../pagination.ts';
import { needs } from '../permissions.ts';
import { apiError, notFound, readBody } from '../responses.ts';

const read = needs('pull_requests=read');
const write = needs('pull_requests=write');

/** Reviews and their comments: the App reads them, replies and reacts. */
export function reviewRoutes(world: World, hook: Hook): Hono<Env> {
  const routes = new Hono<Env>();
  readingRoutes(routes, world);
  writingRoutes(routes, world, hook);
  return routes;
}

function readingRoutes(routes: Hono<Env>, world: World): void {
  const find = (c: Ctx) => world.pullRequests.get(Number(c.req.param('number')));
  routes.get('/pulls/:number{[0-9]+}/reviews', read, (c) => {
    const pr = find(c);
    if (pr === undefined) return notFound(c);
    const page = paginate(c, world, ofPullRequest(world.reviews, pr.number));
    return c.json(page.map((record) => review(world, record, seesMembers(c))));
  });
  routes.get('/pulls/:number{[0-9]+}/comments', read, (c) => {
    const pr = find(c);
    if (pr === undefined) return notFound(c);
    const page = paginate(c, world, selectComments(c, ofPullRequest(world.reviewComments, pr.number)));
    return c.json(page.map((comment) => reviewComment(world, comment, seesMembers(c))));
  });
  routes.get('/pulls/comments/:id{[0-9]+}', read, (c) => {
    const comment = findComment(c, world);
    return comment === undefined ? notFound(c) : c.json(reviewComment(world, comment, seesMembers(c)));
  });
}

function writingRoutes(routes: Hono<Env>, world: World, hook: Hook): void {
  routes.post('/pulls/:number{[0-9]+}/comments/:id{[0-9]+}/replies', write, async (c) => {
    const parent = findComment(c, world);
    const pr = world.pullRequests.get(Number(c.req.param('number')));
    if (parent === undefined || pr?.number !== parent.pullRequest) return notFound(c);
    if (pr.locked) return apiError(c, 403, 'Unable to create comment because issue is locked.');
    // GitHub's documentation: only the first comment of a thread can be replied to.
    if (parent.replyTo !== undefined) return apiError(c, 422, 'Replies to replies are not supported.');
    const body = await readCommentBody(c, 'PullRequestReviewComment');
    if (!body.ok) return body.response;
    const author = world.accounts.bot.login;
    const thread = requireThread(world, parent.thread);
    const written = addReply(world, thread, { author, body: body.value, byApp: true });
    hook.sendInBackground('pull_request_review', reviewPayload(world, written.review, 'submitted', author));
    const payload = reviewCommentPayload(world, written.comment, 'created', author);
    hook.sendInBackground('pull_request_review_comment', payload);
    return c.json(reviewComment(world, written.comment, seesMembers(c)), 201);
  });
  routes.post('/pulls/comments/:id{[0-9]+}/reactions', write, async (c) => {
    const comment = findComment(c, world);
    if (comment === undefined) return notFound(c);
    const body = await readBody(c, reactionRequest);
    if (!body.ok) return body.response;
    const wanted = { author: world.accounts.bot.login, content: body.value.content };
    const made = react(world, world.reviewComments, comment, wanted);
    return c.json(reaction(world, made.reaction), made.created ? 201 : 200);
  });
}

function findComment(c: Ctx, world: World): ReviewComment | undefined {
  return world.reviewComments.get(Number(c.req.param('id')));
}

/** `since`, `sort` and `direction` as GitHub understands them: oldest first, and no direction without `sort`. */
function selectComments(c: Ctx, comments: readonly ReviewComment[]): readonly ReviewComment[] {
  const { since, sort, direction } = c.req.query();
  const sign = sort !== undefined && direction === 'desc' ? -1 : 1;
  const keyOf = ({ id, updatedAt }: ReviewComment) => (sort === 'updated' ? updatedAt.getTime() : id);
  return updatedSince(comments, since).toSorted((a, b) => sign * (keyOf(a) - keyOf(b) || a.id - b.id));
}
