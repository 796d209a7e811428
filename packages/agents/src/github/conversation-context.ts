/**
 * Reads what a question is answered from: the pull request and its files, the newest comments, and the thread.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { PermanentError } from '../errors.ts';
import type { PrRef } from '../ids.ts';
import type { ChangedFile } from '../review/changed-file.ts';
import { indexFile } from '../review/diff-index.ts';
import { parseMarker } from '../review/marker.ts';
import type { QuestionContext, Remark } from '../review/question.ts';
import { selectForReview } from '../review/select.ts';
import type { ReplyPlace } from '../review/summons.ts';
import { githubError, statusOf } from './policy.ts';
import { type FileSource, filesAtHead } from './pr-files.ts';
import { readPullRequest } from './pull-request.ts';

/** Comments that an answer takes into account; what was said long before is rarely about the question. */
const MAX_REMARKS = 30;
const PAGE_SIZE = 100;
/** A thread is looked for in as many pages of what was said after it began (S9). */
const MAX_THREAD_PAGES = 5;

/** Which question, so that it is not among what was said before it. */
export interface Asked {
  /** Node id of the comment that asks. */
  readonly to: string;
  readonly place: ReplyPlace;
  /** Tells our review comment from others. */
  readonly botUserId: number;
}

/**
 * Reads the context of a question.
 * @throws TransientError or PermanentError
 */
export async function readQuestionContext(
  source: FileSource,
  pr: PrRef,
  asked: Asked,
): Promise<QuestionContext> {
  const { octokit } = source;
  const [changed, remarks, thread] = await Promise.all([
    readChange(source, pr),
    readRemarks(octokit, pr, asked),
    asked.place.kind === 'comment' ? undefined : readThread(octokit, pr, asked.place.id, asked.to),
  ]);
  return { ...changed, remarks, ...(thread === undefined ? {} : { thread }) };
}

type Change = Pick<QuestionContext, 'pr' | 'files' | 'filesComplete'>;

async function readChange(source: FileSource, ref: PrRef): Promise<Change> {
  const read = await readPullRequest(source.octokit, ref);
  if (!read.found) throw new PermanentError(`Pull request #${ref.number} is not there any more.`);
  const { pr } = read;
  try {
    const { files, complete } = await filesAtHead(source, read, pr.headSha);
    const indexed: readonly ChangedFile[] = files.map((file) => indexFile(file));
    return { pr, files: selectForReview(indexed), filesComplete: complete };
  } catch (error) {
    // Too large to be listed, or without a common history: there is still much that can be asked about.
    if (error instanceof PermanentError) return { pr, files: [], filesComplete: false };
    throw error;
  }
}

/** A comment of either kind, in GitHub's words. */
interface CommentEntry {
  readonly node_id: string;
  readonly user: { readonly id: number; readonly login: string; readonly type: string } | null;
  readonly body?: string;
}

function toRemark({ user, body }: CommentEntry): Remark {
  return { author: user?.login ?? 'ghost', isBot: user?.type === 'Bot', body: body ?? '' };
}

/** GitHub lists the comments of a pull request oldest first and in no other order, so the last pages are read. */
async function readRemarks(octokit: Octokit, pr: PrRef, asked: Asked): Promise<readonly Remark[]> {
  const page = (number: number) =>
    octokit.rest.issues.listComments({
      owner: pr.owner,
      repo: pr.repo,
      issue_number: pr.number,
      per_page: PAGE_SIZE,
      page: number,
    });
  try {
    const first = await page(1);
    const last = lastPage(first.headers.link);
    const pages = last === 1 ? [first] : await Promise.all([last === 2 ? first : page(last - 1), page(last)]);
    const isOther = ({ node_id, user, body = '' }: CommentEntry) =>
      node_id !== asked.to && !(user?.id === asked.botUserId && parseMarker(body) !== undefined);
    return pages
      .flatMap(({ data }): readonly CommentEntry[] => data)
      .filter(isOther)
      .slice(-MAX_REMARKS)
      .map(toRemark);
  } catch (error) {
    throw githubError(`list the comments of #${pr.number}`, error);
  }
}

/** From a `link` header, which the only page of a list lacks. */
function lastPage(link: string | undefined): number {
  const url = /<([^>]+)>;\s*rel="last"/.exec(link ?? '')?.[1];
  const number = url === undefined ? Number.NaN : Number(new URL(url).searchParams.get('page'));
  return Number.isSafeInteger(number) && number > 1 ? number : 1;
}

async function readThread(
  octokit: Octokit,
  pr: PrRef,
  id: number,
  askedBy: string,
): Promise<QuestionContext['thread']> {
  const names = { owner: pr.owner, repo: pr.repo };
  try {
    const { data: first } = await octokit.rest.pulls.getReviewComment({ ...names, comment_id: id });
    const remarks: Remark[] = [];
    const pages = octokit.paginate.iterator(octokit.rest.pulls.listReviewComments, {
      ...names,
      pull_number: pr.number,
      since: first.created_at,
      per_page: PAGE_SIZE,
    });
    let count = 0;
    for await (const { data } of pages) {
      const ofThread = data.filter((comment) => comment.id === id || comment.in_reply_to_id === id);
      remarks.push(...ofThread.filter((comment) => comment.node_id !== askedBy).map(toRemark));
      count += 1;
      if (count === MAX_THREAD_PAGES) break;
    }
    const line = first.line ?? first.original_line;
    const place = { path: first.path, hunk: first.diff_hunk, ...(line == null ? {} : { line }) };
    return { place, remarks: remarks.slice(-MAX_REMARKS) };
  } catch (error) {
    // The question outlives its thread.
    if (statusOf(error) === 404) return undefined;
    throw githubError(`read a thread of #${pr.number}`, error);
  }
}
