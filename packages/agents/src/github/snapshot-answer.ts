/**
 * GitHub's answers about a conversation, checked: what is null or absent where the conversation would have a
 * hole makes an answer unusable, and never a shorter list.
 *
 * @module
 */
import { z } from 'zod';
import { ASSOCIATIONS } from '../conversation/item.ts';
import { TransientError } from '../errors.ts';
import { parseSha, type Sha } from '../ids.ts';
import { type Ask, LISTS, threadAlias } from './snapshot-query.ts';

const account = z.nullable(z.object({ __typename: z.string(), login: z.string() }));

const said = z.object({
  id: z.string(),
  /** A number of up to 64 bits, as text. */
  fullDatabaseId: z.nullable(z.string()),
  url: z.string(),
  body: z.string(),
  createdAt: z.string(),
  publishedAt: z.nullable(z.string()),
  lastEditedAt: z.nullable(z.string()),
  // Of a kind that was added since, least is believed.
  authorAssociation: z.enum(ASSOCIATIONS).catch('NONE'),
  viewerDidAuthor: z.boolean(),
  author: account,
  editor: account,
  isMinimized: z.boolean(),
  minimizedReason: z.nullable(z.string()),
});

const review = said.extend({
  state: z.string(),
  commit: z.nullable(z.object({ oid: z.string() })),
});

const threadComment = said.extend({
  /** What carries it. */
  pullRequestReview: z.nullable(z.object({ id: z.string(), state: z.string(), body: z.string() })),
});

function pageOf<Node extends z.ZodType>(node: Node) {
  return z.object({
    totalCount: z.number(),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) }),
    nodes: z.array(node),
  });
}

const thread = z.object({
  id: z.string(),
  path: z.string(),
  line: z.nullable(z.number()),
  originalLine: z.nullable(z.number()),
  diffSide: z.string(),
  subjectType: z.string(),
  isResolved: z.boolean(),
  resolvedBy: z.nullable(z.object({ login: z.string() })),
  isOutdated: z.boolean(),
  comments: pageOf(threadComment),
});

const answer = z.object({
  repository: z.object({
    pullRequest: z.object({
      headRefOid: z.string(),
      threads: z.optional(pageOf(thread)),
      comments: z.optional(pageOf(said)),
      reviews: z.optional(pageOf(review)),
      opinions: z.optional(pageOf(review)),
    }),
  }),
  reviewNodes: z.array(review),
});
const threadNode = z.object({ comments: pageOf(threadComment) });

/** A text as GitHub tells it. */
export type SaidNode = z.infer<typeof said>;
/** A comment in a thread, with the review that carries it. */
export type ThreadCommentNode = z.infer<typeof threadComment>;
/** A review. */
export type ReviewNode = z.infer<typeof review>;
/** A thread, with the first page of its comments. */
export type ThreadNode = z.infer<typeof thread>;

/** One page of a list. */
export interface Page<Node> {
  /** Entries of the whole list. */
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Node[];
}

/** The pages that were asked for. */
export interface SnapshotAnswer {
  readonly headSha: Sha;
  readonly lists: {
    readonly threads?: Page<ThreadNode> | undefined;
    readonly comments?: Page<SaidNode> | undefined;
    readonly reviews?: Page<ReviewNode> | undefined;
    readonly opinions?: Page<ReviewNode> | undefined;
  };
  /** In the order of {@link Ask}. */
  readonly threads: readonly Page<ThreadCommentNode>[];
  readonly reviews: readonly ReviewNode[];
}

/**
 * Reads an answer.
 * @throws TransientError where a part of what was asked for is not in it
 */
export function readAnswer(data: unknown, ask: Ask): SnapshotAnswer {
  const { repository, reviewNodes } = part(answer, data);
  const { headRefOid, ...lists } = repository.pullRequest;
  const headSha = parseSha(headRefOid);
  if (headSha === undefined) throw new UnusableAnswerError('its head is no commit id');
  const missing = LISTS.find((name) => ask.lists[name] !== undefined && lists[name] === undefined);
  if (missing !== undefined) throw new UnusableAnswerError(`${missing} are not in it`);
  if (reviewNodes.length !== ask.reviewIds.length) throw new UnusableAnswerError('reviews are missing');
  const fields = part(z.record(z.string(), z.unknown()), data);
  const threads = ask.threads.map((_, index) => part(threadNode, fields[threadAlias(index)]).comments);
  return { headSha, lists, threads, reviews: reviewNodes };
}

function part<Shape extends z.ZodType>(shape: Shape, data: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnusableAnswerError(`${issue?.path.map(String).join('.') || 'all of it'}: ${issue?.message}`);
}

/** Asked again, GitHub may answer in full. */
class UnusableAnswerError extends TransientError {
  constructor(why: string) {
    super(`GitHub's answer about the conversation is not whole (${why}).`);
  }
}
