/**
 * The one comment of a pull request, from data to Markdown (S4). Untrusted texts are neutralised on the way
 * (S7), what was not looked at is named (S5), and the whole fits into what GitHub takes.
 *
 * @module
 */
import type { FindingId, PrRef, Sha } from '../ids.ts';
import {
  type FindingsDetail,
  findingSections,
  type WrittenFinding,
  writeFindings,
} from './compose-findings.ts';
import {
  type Coverage,
  coverageLines,
  incompleteWarning,
  nothingOpen,
  previousStatus,
  severityCounts,
} from './compose-status.ts';
import { SEVERITIES, type Severity } from './finding.ts';
import type { LedgerChanges } from './ledger.ts';
import type { Ledger, LedgerEntry } from './ledger-entry.ts';
import { markerLine } from './marker.ts';
import { neutraliseBlocks, neutraliseLine } from './neutralise.ts';
import { type Receipt, receiptBlocks } from './receipt.ts';
import type { Reviewer } from './round.ts';

/**
 * GitHub takes 65,536 characters, by another account 262,144 bytes. A UTF-16 unit is at most three bytes of
 * UTF-8, so that staying under this many units satisfies both.
 */
const MAX_CHARS = 65_000;
const TEXT_MAX_CHARS = 2000;
const NOTE_MAX_CHARS = 300;
const MAX_NOTES = 8;
const MAX_NAMES = 10;

/** Texts of a review that are not findings. Untrusted: a model may have written them. */
export interface ReviewTexts {
  /** What the PR does and how it stands, in a few sentences. */
  readonly summary: string;
  /** Only what is specific; left out where nothing is open. */
  readonly workingWell?: string;
  readonly issueConformance?: string;
}

/** All that the comment is made of. */
export interface ReviewComment {
  readonly pr: PrRef;
  /** Web address of the repository, without a trailing slash; empty where it has none, then nothing is linked. */
  readonly webUrl: string;
  readonly reviewer: Reviewer;
  readonly texts: ReviewTexts;
  readonly ledger: Ledger;
  readonly changes: LedgerChanges;
  /** What the round looked at; an aggregation is one. */
  readonly coverage: Coverage;
  readonly headSha: Sha;
  /** What was reviewed last; the merge base in a first round. */
  readonly baseSha: Sha;
  readonly incremental: boolean;
  /** From 1. */
  readonly iteration: number;
  /** As it is to be printed, such as `2026-05-26`. */
  readonly date: string;
  /** What readers should know of this round besides, such as newer commits that wait; a sentence each. */
  readonly notes: readonly string[];
  /** What of the discussion was taken into account; absent where there is none. */
  readonly receipt?: Receipt;
}

/** What is shown; the less room, the less. */
interface Detail extends FindingsDetail {
  readonly texts: boolean;
  readonly maxNames: number;
  readonly shortened: boolean;
}

const ALL: Detail = {
  bodies: new Set(SEVERITIES),
  fixes: true,
  maxEntries: Number.POSITIVE_INFINITY,
  texts: true,
  maxNames: MAX_NAMES,
  shortened: false,
};
/** What is left out, one after another, until the comment fits. Whole parts only, so that nothing stays open. */
const STEPS: readonly Partial<Detail>[] = [
  {},
  { bodies: new Set<Severity>(['critical', 'important']), shortened: true },
  { maxNames: 0 },
  { fixes: false },
  { bodies: new Set<Severity>(['critical']) },
  { texts: false },
  { bodies: new Set<Severity>() },
];

/** Writes the comment. Under 65,000 characters whatever comes in; every open finding is at least counted. */
export function composeReview(review: ReviewComment): string {
  const open = review.ledger.filter((entry) => entry.state === 'open');
  const findings = writeFindings(open, marksOf(review), review);
  let detail = ALL;
  for (const step of STEPS) {
    detail = { ...detail, ...step };
    const body = write(review, open, findings, detail);
    if (body.length < MAX_CHARS) return body;
  }
  for (let maxEntries = Math.floor(findings.length / 2); ; maxEntries = Math.floor(maxEntries / 2)) {
    const body = write(review, open, findings, { ...detail, maxEntries });
    if (body.length < MAX_CHARS || maxEntries === 0) return body;
  }
}

function marksOf({ changes, iteration }: ReviewComment): ReadonlyMap<FindingId, string> {
  if (iteration === 1) return new Map();
  const mark = (entries: readonly LedgerEntry[], word: string) =>
    entries.map((entry) => [entry.id, word] as const);
  return new Map([...mark(changes.added, 'new'), ...mark(changes.reopened, 'open again')]);
}

function write(
  review: ReviewComment,
  open: readonly LedgerEntry[],
  findings: readonly WrittenFinding[],
  detail: Detail,
): string {
  const { texts } = review;
  return [
    '## PR Shepherd Review',
    ...preface(review),
    ...(open.length === 0 ? cleanHead(review) : openHead(review, open, detail)),
    ...(open.length === 0 ? [] : ['### Issues Found', ...findingSections(findings, detail)]),
    ...section('Issue Conformance', detail.texts ? blocks(texts.issueConformance) : []),
    ...section('Previous Review Status', previousReview(review, detail)),
    ...(detail.shortened
      ? ["*Shortened to fit GitHub's limit for comments. The counts above are complete.*"]
      : []),
    ...about(review, detail),
    ...(review.receipt === undefined ? [] : receiptBlocks(review.receipt)),
    '---',
    `*Review iteration: ${review.iteration} | ${neutraliseLine(review.date, 40)}*`,
    markerLine({ sha: review.headSha, iteration: review.iteration }),
  ].join('\n\n');
}

function preface(review: ReviewComment): readonly string[] {
  const warning = incompleteWarning(review.coverage);
  const notes = review.notes.slice(0, MAX_NOTES).map((note) => `> ${neutraliseLine(note, NOTE_MAX_CHARS)}`);
  return [...(warning === undefined ? [] : [warning]), ...(notes.length === 0 ? [] : [notes.join('\n>\n')])];
}

function openHead(review: ReviewComment, open: readonly LedgerEntry[], detail: Detail): readonly string[] {
  const { summary, workingWell } = review.texts;
  const disputed = disputedCount(review);
  return [
    '### Summary',
    ...blocks(summary),
    severityCounts(open, review.iteration === 1 ? 0 : review.changes.added.length) +
      (disputed === 0 ? '' : ` · ${disputed} disputed`),
    ...section("What's Working Well", detail.texts ? blocks(workingWell) : []),
  ];
}

/** A clean review is short: no headings, no praise. */
function cleanHead(review: ReviewComment): readonly string[] {
  return [...blocks(review.texts.summary), nothingOpen(review.coverage, disputedCount(review))];
}

function disputedCount({ ledger }: ReviewComment): number {
  return ledger.filter((entry) => entry.state === 'disputed').length;
}

function previousReview(review: ReviewComment, detail: Detail): readonly string[] {
  const { counts, names } = previousStatus(review, detail.maxNames);
  return [counts, names].filter((text) => text !== '');
}

function about(review: ReviewComment, detail: Detail): readonly string[] {
  const { reviewer } = review;
  const lines = coverageLines(review.coverage, {
    base: review,
    headSha: review.headSha,
    baseSha: review.baseSha,
    incremental: review.incremental,
    ...(reviewer.kind === 'model' ? { model: reviewer.name } : {}),
    maxNames: detail.maxNames,
  });
  const analyzers =
    'Reviewed by the built-in analyzers, without a language model: they find known patterns only.';
  return reviewer.kind === 'analyzers' ? [...lines, analyzers] : lines;
}

function section(title: string, content: readonly string[]): readonly string[] {
  return content.length === 0 ? [] : [`### ${title}`, ...content];
}

function blocks(text: string | undefined): readonly string[] {
  const written = text === undefined ? '' : neutraliseBlocks(text, TEXT_MAX_CHARS);
  return written === '' ? [] : [written];
}
