/**
 * The one comment (S4): found by its stored id, else by author and hidden marker over all pages; updated
 * where found, created where not.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import type { PrRef } from '../ids.ts';
import { githubError, statusOf } from './policy.ts';

/** What was done, and to which comment. */
export interface PublishedComment {
  readonly commentId: number;
  readonly action: 'created' | 'updated';
}

/** Tells our comment from others; `body` is what stands on GitHub. */
export interface OwnComment {
  /** Numeric id of the App's bot user. */
  readonly botUserId: number;
  /** Whether a body carries our marker. Believed only on a comment that our App wrote. */
  readonly hasMarker: (body: string) => boolean;
}

/**
 * Puts `body` on the PR as the one comment.
 *
 * Contract: safe to call again after a lost answer, since it looks before it creates.
 * @throws TransientError or PermanentError
 */
export async function publishComment(
  octokit: Octokit,
  pr: PrRef,
  own: OwnComment,
  knownId: number | undefined,
  body: string,
): Promise<PublishedComment> {
  if (knownId !== undefined && (await update(octokit, pr, knownId, body))) {
    return { commentId: knownId, action: 'updated' };
  }
  const found = await find(octokit, pr, own);
  if (found !== undefined && found !== knownId && (await update(octokit, pr, found, body))) {
    return { commentId: found, action: 'updated' };
  }
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

async function update(octokit: Octokit, pr: PrRef, commentId: number, body: string): Promise<boolean> {
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
