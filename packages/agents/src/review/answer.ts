/**
 * What people answered to our findings, what a reviewer makes of it, and what follows. Plain data.
 *
 * @module
 */

import type { ItemId } from '../conversation/item.ts';
import type { FindingId } from '../ids.ts';

/** How far somebody's word goes: of the team, the author of the pull request, anybody else, or a bot. */
export type Standing = 'team' | 'author' | 'other' | 'bot';

/** A text of somebody else that is, or may be, about a finding. */
export interface Answer {
  readonly findingId: FindingId;
  readonly itemId: ItemId;
  /** Where a person reads it. */
  readonly url: string;
  /** Login, or `ghost` for a deleted account. */
  readonly by: string;
  readonly standing: Standing;
  /** Untrusted (S7). */
  readonly text: string;
  /**
   * True where it quotes or names the finding, or stands below such a text of ours or of the team; else it only
   * stands at its place, or below what somebody else says of it.
   */
  readonly isDirect: boolean;
  /** Present where it says that the finding is mended. */
  readonly claimsFix?: true;
  /** Present where it is a thread that somebody resolved. */
  readonly resolvedBy?: Resolution;
}

/** That a thread was resolved, as it is seen from one finding. */
export interface Resolution {
  /** Login, or `ghost` for a deleted account. */
  readonly login: string;
  readonly standing: Standing;
  /**
   * Who says that the thread is about the finding: the team, or only somebody else who began or resolved it. Absent
   * where neither does: then it is about something else, whatever is said in it.
   */
  readonly named?: 'by-team' | 'by-others';
  /** Present where somebody in it says that the finding is mended, and nobody who may settle it objects. */
  readonly claimsFix?: true;
}

/** What a reviewer says of an earlier finding of its own, having read the answers to it. */
export interface Verdict {
  readonly findingId: FindingId;
  /** `withdrawn`: the answer is right. `disputed`: it has reasons, and cannot be judged from the code. */
  readonly verdict: 'withdrawn' | 'disputed';
  /** One sentence. */
  readonly why: string;
}

/** What follows for a finding. */
export interface Decision {
  readonly findingId: FindingId;
  readonly state: 'withdrawn' | 'disputed';
  readonly because: 'resolved' | 'answered';
  /** Login of whose word decided. */
  readonly by: string;
  readonly itemId: ItemId;
  readonly url: string;
  /** Of a reviewer, or empty. Untrusted (S7). */
  readonly why: string;
}
