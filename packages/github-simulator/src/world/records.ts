import type { DiffSide, LinePlace } from '../git/index.ts';

/** What the simulator remembers. Records are replaced, never changed in place. */
export interface PullRequestRecord {
  readonly number: number;
  readonly id: number;
  readonly title: string;
  readonly body: string | null;
  readonly author: string;
  readonly head: HeadRecord;
  readonly baseRef: string;
  /** Tip of the base branch when the pull request was opened, pushed to or retargeted; not the merge base. */
  readonly baseSha: string;
  readonly state: 'open' | 'closed';
  readonly draft: boolean;
  readonly locked: boolean;
  readonly labels: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly closedAt: Date | undefined;
  readonly merge: MergeRecord | undefined;
}

export interface HeadRecord {
  readonly ref: string;
  readonly sha: string;
  /** Where the branch lives: in the repository itself, or in somebody's fork that may be gone by now. */
  readonly from: 'same' | { readonly fork: string; readonly deleted: boolean };
}

export interface MergeRecord {
  readonly sha: string;
  readonly by: string;
  readonly at: Date;
}

/** What people and the App wrote, of whatever kind. */
export interface WrittenRecord {
  readonly id: number;
  readonly nodeId: string;
  readonly pullRequest: number;
  readonly author: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When its body was last replaced, and by whom. */
  readonly lastEdit: { readonly at: Date; readonly by: string } | undefined;
  /** Why it is hidden, if it is. */
  readonly minimized: MinimizeReason | undefined;
  /** Whether the App wrote it. */
  readonly byApp: boolean;
}

/** As GitHub's answers spell them. */
export type MinimizeReason =
  | 'abuse'
  | 'duplicate'
  | 'low-quality'
  | 'off-topic'
  | 'outdated'
  | 'resolved'
  | 'spam';

export interface StoredComment extends WrittenRecord {
  readonly reactions: readonly ReactionRecord[];
}

export type ReviewState = 'approved' | 'changes_requested' | 'commented' | 'dismissed';

/** A submitted review. One that only carries a reply or a single comment is `commented` with an empty body. */
export interface ReviewRecord extends WrittenRecord {
  readonly state: ReviewState;
  /** Head when it was submitted. */
  readonly commitSha: string;
}

export interface ReviewComment extends WrittenRecord {
  /** Node id of its thread. */
  readonly thread: string;
  readonly review: number;
  /** First comment of the thread, unless this is it. GitHub keeps the id when that one is deleted. */
  readonly replyTo: number | undefined;
  readonly reactions: readonly ReactionRecord[];
}

/** A conversation about a line or a whole file of the diff. */
export interface ThreadRecord {
  /** Only for the order: GitHub shows none but the node id. */
  readonly id: number;
  readonly nodeId: string;
  readonly pullRequest: number;
  readonly path: string;
  /** Where it was started. */
  readonly original: Anchor;
  /** Where that stands now; undefined when it is outdated: the diff no longer shows it as it was. */
  readonly current: Anchor | undefined;
  readonly resolvedBy: string | undefined;
}

export type Anchor =
  | { readonly kind: 'file'; readonly headSha: string }
  | ({ readonly kind: 'line'; readonly headSha: string } & LineAnchor);

export interface LineAnchor extends LinePlace {
  /** The commit whose lines are counted: the head, or the merge base for the left side. */
  readonly lineSha: string;
  readonly line: number;
  readonly side: DiffSide;
}

export interface ReactionRecord {
  readonly id: number;
  readonly author: string;
  readonly content: ReactionContent;
  readonly createdAt: Date;
}

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;
export type ReactionContent = (typeof REACTIONS)[number];

export interface LabelRecord {
  readonly id: number;
  readonly name: string;
  readonly color: string;
}
