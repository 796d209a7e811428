/**
 * What a question about a pull request is answered from. Pure data; all texts in it are untrusted (S7).
 *
 * @module
 */
import type { ChangedFile } from './changed-file.ts';
import type { PrFacts } from './round.ts';

/** Something that somebody wrote. */
export interface Remark {
  /** Login. */
  readonly author: string;
  readonly isBot: boolean;
  readonly body: string;
}

/** The line of the diff at which a thread was begun. */
export interface ThreadPlace {
  readonly path: string;
  /** On the side that was commented on; absent where the comment is about the whole file. */
  readonly line?: number;
  /** GitHub's excerpt of the diff as it was then; its last line is the one that was commented on. */
  readonly hunk: string;
}

/** A pull request and what was said about it before the question. */
export interface QuestionContext {
  readonly pr: PrFacts;
  /** All its files at the present head, the most important first. */
  readonly files: readonly ChangedFile[];
  /** False where GitHub did not tell all of them. */
  readonly filesComplete: boolean;
  /** The newest comments on the pull request, oldest first, without our review and the question itself. */
  readonly remarks: readonly Remark[];
  /** The thread in which the question was asked; absent where it was asked elsewhere or the thread is gone. */
  readonly thread?: { readonly place: ThreadPlace; readonly remarks: readonly Remark[] };
}

/** A question that is owed an answer. */
export interface Question {
  readonly text: string;
  /** Login of who asks. */
  readonly author: string;
  /** The author of the pull request may ask without being of the team. */
  readonly authorClass: 'team' | 'community';
}
