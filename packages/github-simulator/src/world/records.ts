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

export interface StoredComment {
  readonly id: number;
  readonly nodeId: string;
  readonly pullRequest: number;
  readonly author: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether the App wrote it. */
  readonly byApp: boolean;
  readonly reactions: readonly ReactionRecord[];
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
