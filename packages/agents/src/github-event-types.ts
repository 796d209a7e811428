/**
 * What can happen to a PR, as data: the factory's own words for GitHub's events.
 *
 * @module
 */
import type { DeliveryId, PrRef, Sha } from './ids.ts';

/** Who did something. */
export interface Actor {
  readonly login: string;
  /** GitHub's numeric account id; 0 (which no account has) where GitHub names nobody. */
  readonly id: number;
  /** Whether the account is an App or another machine. Bots never summon. */
  readonly isBot: boolean;
}

/** Stands for an account that GitHub no longer names: payloads say `null` for deleted ones. */
export const GHOST: Actor = { login: 'ghost', id: 0, isBot: false };

interface Common {
  readonly deliveryId: DeliveryId;
  /** Spelled as in the payload. */
  readonly pr: PrRef;
  /** Who caused the event, which on an edit need not be the author. */
  readonly sender: Actor;
  /** Whether the PR was open when the event was made. */
  readonly open: boolean;
}

interface OfPullRequest extends Common {
  readonly type: 'pull_request';
  readonly headSha: Sha;
  /** Tip of the base branch as GitHub knew it for this PR. */
  readonly baseSha: Sha;
  readonly draft: boolean;
  readonly author: Actor;
  readonly labels: readonly string[];
}

/** A comment or a reply, as text of a person. Untrusted (S7). */
export interface CommentFacts {
  readonly id: number;
  /** GraphQL id, which answers name. */
  readonly nodeId: string;
  readonly body: string;
  readonly author: Actor;
}

/** A comment at a line of the diff. */
interface ReviewCommentFacts extends CommentFacts {
  /** The comment that it answers; null where it starts a thread. */
  readonly inReplyToId: number | null;
  /** The review it was sent with: one act of a person makes an event for each. */
  readonly reviewId: number | null;
}

/** A submitted review; its inline comments come as events of their own. */
interface ReviewFacts extends CommentFacts {
  /** `approved`, `changes_requested`, `commented`, `dismissed`; whatever else GitHub invents. */
  readonly state: string;
}

interface Edit {
  /** The text before the edit; null where nothing was edited, or GitHub does not tell. */
  readonly previousBody: string | null;
}

/** Something that happened to one PR. Narrow it by `type`, which is GitHub's event, and `action`. */
export type PrEvent =
  | (OfPullRequest & {
      readonly action: 'opened' | 'reopened' | 'ready_for_review' | 'converted_to_draft';
    })
  | (OfPullRequest & {
      readonly action: 'synchronize';
      /** Head before the push. */
      readonly before: Sha;
      /** Head after the push. */
      readonly after: Sha;
    })
  | (OfPullRequest & {
      readonly action: 'edited';
      /** The base branch before it was changed; null where it was not. */
      readonly previousBaseRef: string | null;
      readonly titleChanged: boolean;
      readonly bodyChanged: boolean;
    })
  | (OfPullRequest & { readonly action: 'labeled' | 'unlabeled'; readonly label: string })
  | (OfPullRequest & { readonly action: 'closed'; readonly merged: boolean })
  | (Common &
      Edit & {
        readonly type: 'issue_comment';
        readonly action: 'created' | 'edited' | 'deleted';
        readonly comment: CommentFacts;
      })
  | (Common &
      Edit & {
        readonly type: 'pull_request_review';
        readonly action: 'submitted' | 'edited' | 'dismissed';
        readonly review: ReviewFacts;
      })
  | (Common &
      Edit & {
        readonly type: 'pull_request_review_comment';
        readonly action: 'created' | 'edited' | 'deleted';
        readonly comment: ReviewCommentFacts;
      })
  | (Common & {
      readonly type: 'pull_request_review_thread';
      readonly action: 'resolved' | 'unresolved';
      readonly thread: { readonly nodeId: string };
    });
