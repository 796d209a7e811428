/**
 * What goes into a round and what comes out of its six workers. Pure data.
 *
 * @module
 */
import type { Aspect, PrRef, Sha } from '../ids.ts';
import type { Verdict } from './answer.ts';
import type { CarriedFile, ChangedFile } from './changed-file.ts';
import type { Finding } from './finding.ts';

/** The facts of a PR that reviewers and comment need. */
export interface PrFacts extends PrRef {
  readonly title: string;
  /** The description, as written; empty where there is none. Untrusted text (S7). */
  readonly body: string;
  readonly author: string;
  /** Whether GitHub says that the author is a bot; bots are community. */
  readonly authorIsBot: boolean;
  readonly headSha: Sha;
  /** Name of the branch that the PR wants to change. */
  readonly baseRef: string;
  /** Tip of the base branch when the facts were read; not the merge base. */
  readonly baseSha: Sha;
  readonly draft: boolean;
  readonly open: boolean;
  readonly locked: boolean;
  readonly labels: readonly string[];
  /** When GitHub last changed it, ISO 8601; absent where it does not come from GitHub. */
  readonly updatedAt?: string;
}

/** A file that states rules of the repository, read from the base branch. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
}

/** Everything that the six workers of one round see. Byte-identical for the six. */
export interface RoundInput {
  readonly pr: PrFacts;
  /** What was reviewed last; the merge base in a first round. */
  readonly baseSha: Sha;
  readonly headSha: Sha;
  /** Whether an earlier round was published, so that `files` holds only what changed since. */
  readonly incremental: boolean;
  /**
   * Files that are reviewed, in order of importance: those that changed since the last published review. The
   * analyzers cost nothing and judge the whole PR each time, so with them alone these are all of its files.
   */
  readonly files: readonly ChangedFile[];
  /** The PR's other files: context, not subject. Their hunks are all known. */
  readonly otherFiles: readonly ChangedFile[];
  /** How many files changed since the last published review; 0 after a pure rebase. */
  readonly changedFiles: number;
  /** How many files the whole PR changes, read or not. */
  readonly totalFiles: number;
  /** False where GitHub cut the list of files; then nobody knows of all of them. */
  readonly listComplete: boolean;
  /** How many commits of the base branch the head lacks. A reason for nothing; what they changed is in no patch. */
  readonly behindBy: number;
  /** Paths that were in the PR's patch at the last review and no longer are. */
  readonly gonePaths: readonly string[];
  /** Where files and hunks went that are the same as before at another place. */
  readonly carried: readonly CarriedFile[];
  readonly rules: readonly RuleFile[];
}

/** What a worker that looked at the change came to. */
interface Looked {
  readonly aspect: Aspect;
  readonly findings: readonly Finding[];
  /** What it says of its earlier findings, having read the answers to them; absent where it says nothing. */
  readonly verdicts?: readonly Verdict[];
  /**
   * Present where a model call completed with an answer that could be used: what stood in its input was heard.
   * Absent where no model was asked, so that nothing of the conversation counts as delivered (S6).
   */
  readonly heard?: true;
}

/**
 * What came of one worker's pass. A failed review is an outcome, never an empty list (S5): nothing found is
 * said only by `done`.
 */
export type WorkerOutcome =
  | (Looked & { readonly status: 'done' })
  | (Looked & { readonly status: 'partial'; readonly why: string })
  | { readonly aspect: Aspect; readonly status: 'failed'; readonly why: string };

/** Who reviewed: the built-in analyzers alone, or a model (`provider/model`) with them as evidence. */
export type Reviewer = { readonly kind: 'analyzers' } | { readonly kind: 'model'; readonly name: string };
