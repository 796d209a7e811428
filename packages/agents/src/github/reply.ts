/**
 * Replies to people, each written once: it carries the id of what it answers, and is looked for before it is
 * written (S2).
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { PrRef, RepoRef } from '../ids.ts';
import type { ReplyPlace } from '../review/summons.ts';
import { githubError, statusOf } from './policy.ts';

/** One reply. */
export interface Reply {
  /** GraphQL id of what it answers: at most one reply is written to each. */
  readonly to: string;
  /** For GitHub the id of a thread is that of its first comment. */
  readonly place: ReplyPlace;
  /** Markdown that does nothing (S7), without the marker. */
  readonly body: string;
  /** A time (Unix, ms) before which no reply can have been written: when the question came. */
  readonly sinceMs: number;
}

/** The reply on GitHub. `found`: it had been written before. */
export interface PublishedReply {
  readonly commentId: number;
  readonly action: 'created' | 'found';
}

/** GitHub's clock need not agree with ours, and knows whole seconds. */
const CLOCK_MARGIN_MS = 300_000;
const MARKER = /^<!-- pr-shepherd-reply (\{.*\}) -->$/;
const markerSchema = z.object({ to: z.string().min(1) });

/** The hidden last line of a reply to `to`. */
export function replyMarker(to: string): string {
  return `<!-- pr-shepherd-reply ${JSON.stringify({ to }).replaceAll('>', '\\u003e')} -->`;
}

/** What a body is a reply to; undefined where its last line is no marker. Believed only of our own comments. */
export function parseReplyMarker(body: string): string | undefined {
  const json = MARKER.exec(body.trimEnd().split('\n').at(-1)?.trim() ?? '')?.[1];
  if (json === undefined) return undefined;
  const parsed = markerSchema.safeParse(parseJson(json));
  return parsed.success ? parsed.data.to : undefined;
}

/**
 * Writes a reply, or finds it where an earlier attempt wrote it. Where its thread is gone it becomes a plain
 * comment that links to what it answers.
 *
 * Contract: safe to call again after a lost answer.
 * @throws TransientError or PermanentError
 */
export async function publishReply(
  octokit: Octokit,
  pr: PrRef,
  own: { readonly botUserId: number },
  reply: Reply,
): Promise<PublishedReply> {
  const found = await find(octokit, pr, own.botUserId, reply);
  if (found !== undefined) return { commentId: found, action: 'found' };
  const { place } = reply;
  const commentId =
    place.kind === 'comment'
      ? await comment(octokit, pr, signed(reply, reply.body))
      : await answerThread(octokit, pr, place.id, reply);
  return { commentId, action: 'created' };
}

/**
 * Puts our eyes on a comment; GitHub keeps one reaction of each kind, so this may be repeated. `gone`: the comment
 * was deleted meanwhile. A review's summary takes no reaction by REST.
 *
 * @throws TransientError or PermanentError
 */
export async function acknowledge(
  octokit: Octokit,
  repo: RepoRef,
  target: { readonly kind: 'comment' | 'review-comment'; readonly id: number },
): Promise<'done' | 'gone'> {
  const reaction = { owner: repo.owner, repo: repo.repo, comment_id: target.id, content: 'eyes' } as const;
  try {
    if (target.kind === 'comment') await octokit.rest.reactions.createForIssueComment(reaction);
    else await octokit.rest.reactions.createForPullRequestReviewComment(reaction);
    return 'done';
  } catch (error) {
    if (statusOf(error) === 404) return 'gone';
    throw githubError('acknowledge a comment', error);
  }
}

/** A page of comments of either kind. */
interface Page {
  readonly data: readonly {
    readonly id: number;
    readonly user: { readonly id: number } | null;
    readonly body?: string;
  }[];
}

/** A reply to a thread may have become a plain comment, so that both kinds are looked through. */
async function find(
  octokit: Octokit,
  pr: PrRef,
  botUserId: number,
  reply: Reply,
): Promise<number | undefined> {
  const names = { owner: pr.owner, repo: pr.repo, per_page: 100 };
  const since = new Date(Math.max(0, reply.sinceMs - CLOCK_MARGIN_MS)).toISOString();
  const comments = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...names,
    issue_number: pr.number,
    since,
  });
  const inThreads =
    reply.place.kind === 'comment'
      ? undefined
      : octokit.paginate.iterator(octokit.rest.pulls.listReviewComments, {
          ...names,
          pull_number: pr.number,
          since,
        });
  const isReply = ({ user, body }: Page['data'][number]) =>
    user?.id === botUserId && parseReplyMarker(body ?? '') === reply.to;
  try {
    const [plain, threaded] = await Promise.all([
      firstOf(comments, isReply),
      inThreads === undefined ? undefined : firstOf(inThreads, isReply),
    ]);
    return threaded ?? plain;
  } catch (error) {
    throw githubError(`look for a reply on #${pr.number}`, error);
  }
}

async function firstOf(
  pages: AsyncIterable<Page>,
  wanted: (comment: Page['data'][number]) => boolean,
): Promise<number | undefined> {
  for await (const { data } of pages) {
    const comment = data.find(wanted);
    if (comment !== undefined) return comment.id;
  }
  return undefined;
}

async function answerThread(octokit: Octokit, pr: PrRef, id: number, reply: Reply): Promise<number> {
  try {
    const { data } = await octokit.rest.pulls.createReplyForReviewComment({
      owner: pr.owner,
      repo: pr.repo,
      pull_number: pr.number,
      comment_id: id,
      body: signed(reply, reply.body),
    });
    return data.id;
  } catch (error) {
    const status = statusOf(error);
    // Deleted, or no longer the first of its thread: what was asked is still owed an answer.
    if (status !== 404 && status !== 422) throw githubError(`reply in a thread of #${pr.number}`, error);
  }
  const url = await urlOf(octokit, pr, id);
  const about =
    url === undefined ? 'In answer to a comment that is gone:' : `In answer to [a review comment](${url}):`;
  return comment(octokit, pr, signed(reply, `${about}\n\n${reply.body}`));
}

async function comment(octokit: Octokit, pr: PrRef, body: string): Promise<number> {
  try {
    const { data } = await octokit.rest.issues.createComment({
      owner: pr.owner,
      repo: pr.repo,
      issue_number: pr.number,
      body,
    });
    return data.id;
  } catch (error) {
    throw githubError(`reply on #${pr.number}`, error);
  }
}

async function urlOf(octokit: Octokit, repo: RepoRef, id: number): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.pulls.getReviewComment({
      owner: repo.owner,
      repo: repo.repo,
      comment_id: id,
    });
    return data.html_url;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw githubError('read a review comment', error);
  }
}

function signed(reply: Reply, text: string): string {
  return `${text.trimEnd()}\n\n${replyMarker(reply.to)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
