/**
 * The one comment (S4): found by its stored id, else by author and hidden marker over all pages; updated
 * where found, created where not.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { TransientError } from '../errors.ts';
import type { PrRef } from '../ids.ts';
import { githubError, statusOf } from './policy.ts';

/** What was done, and to which comment. */
export interface WrittenComment {
  readonly commentId: number;
  readonly action: 'created' | 'updated';
}

/** What came of it. */
export type PublishedComment =
  | WrittenComment
  /** The known comment was deleted and may not be created again. */
  | { readonly action: 'gone' }
  /** It no longer fits the PR. */
  | { readonly action: 'unfit' };

/** Tells our comment from others; `body` is what stands on GitHub. */
export interface OwnComment {
  /** Numeric id of the App's bot user. */
  readonly botUserId: number;
  /** Whether a body carries our marker. Believed only on a comment that our App wrote. */
  readonly hasMarker: (body: string) => boolean;
}

/** What is known of our comment before it is written. */
export interface KnownComment {
  /** Absent before the first publication, and after the comment was deleted. */
  readonly commentId?: number | undefined;
  /** Whether a comment that is gone may be created once more. */
  readonly mayRecreate: boolean;
  /** True where the PR is known to have no comment at all, so that none is looked for. */
  readonly isFirst?: boolean;
}

/**
 * Puts `body` on the PR as the one comment.
 *
 * Contract: safe to call again after a lost answer, since it looks before it creates.
 * @param fits asked again where looking for the comment took time since the caller's own look (S3)
 * @throws TransientError or PermanentError
 */
export async function publishComment(
  octokit: Octokit,
  pr: PrRef,
  own: OwnComment,
  known: KnownComment,
  body: string,
  fits: () => Promise<boolean>,
): Promise<PublishedComment> {
  const { commentId, mayRecreate, isFirst = false } = known;
  if (commentId !== undefined && (await updateComment(octokit, pr, commentId, body))) {
    return { commentId, action: 'updated' };
  }
  if (commentId === undefined && isFirst) return create(octokit, pr, body);
  const found = await find(octokit, pr, own);
  if (found === undefined && commentId !== undefined && !mayRecreate) return { action: 'gone' };
  if (!(await fits())) return { action: 'unfit' };
  if (found === undefined) return create(octokit, pr, body);
  if (found !== commentId && (await updateComment(octokit, pr, found, body))) {
    return { commentId: found, action: 'updated' };
  }
  // It is listed and yet not there to be written: one of the two answers is old, and a second comment is for ever.
  throw new TransientError(`GitHub lists the comment on #${pr.number} and does not know it.`);
}

async function create(octokit: Octokit, pr: PrRef, body: string): Promise<WrittenComment> {
  try {
    const { data } = await octokit.rest.issues.createComment({
      owner: pr.owner,
      repo: pr.repo,
      issue_number: pr.number,
      body,
    });
    return { commentId: data.id, action: 'created' };
  } catch (error) {
    throw githubError(`create the comment on #${pr.number}`, error);
  }
}

/**
 * Writes a comment of ours again; false where it is gone.
 * @throws TransientError or PermanentError
 */
export async function updateComment(
  octokit: Octokit,
  pr: PrRef,
  commentId: number,
  body: string,
): Promise<boolean> {
  try {
    await octokit.rest.issues.updateComment({ owner: pr.owner, repo: pr.repo, comment_id: commentId, body });
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw githubError(`update the comment on #${pr.number}`, error);
  }
}

async function find(octokit: Octokit, pr: PrRef, own: OwnComment): Promise<number | undefined> {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    owner: pr.owner,
    repo: pr.repo,
    issue_number: pr.number,
    per_page: 100,
  });
  try {
    for await (const { data } of pages) {
      const comment = data.find(
        (candidate) => candidate.user?.id === own.botUserId && own.hasMarker(candidate.body ?? ''),
      );
      if (comment !== undefined) return comment.id;
    }
    return undefined;
  } catch (error) {
    throw githubError(`list the comments of #${pr.number}`, error);
  }
}
