/**
 * What code writes of the comment's texts: all of them in rounds without a model and where the model failed, and
 * in any case what follows from the findings. Plain, and true to what was looked at (S5).
 *
 * @module
 */
import type { Aggregation } from '../review/aggregate.ts';
import type { ChangedFile } from '../review/changed-file.ts';
import type { ReviewTexts } from '../review/compose.ts';
import type { Severity } from '../review/finding.ts';
import type { LedgerChanges } from '../review/ledger.ts';
import type { LedgerEntry } from '../review/ledger-entry.ts';
import type { RoundInput } from '../review/round.ts';

/** What the texts are written from: a round, what it found, and what that did to the ledger. */
export interface RoundResult {
  readonly input: RoundInput;
  readonly aggregation: Aggregation;
  readonly changes: LedgerChanges;
}

/** Entries that are open after the round. */
function openEntries({ added, reopened, still }: LedgerChanges): readonly LedgerEntry[] {
  return [...added, ...reopened, ...still];
}

/** Writes the texts without a model. What became of earlier findings the comment lists in any case. */
export function plainTexts(result: RoundResult): ReviewTexts {
  return judgedTexts({ summary: sizeText(result.input) }, result);
}

/**
 * Texts that were written before anybody knew of findings, with what follows from those: the summary ends with
 * the judgement, and nothing is praised where nothing is open (T-067).
 */
export function judgedTexts(
  { summary, workingWell, ...others }: ReviewTexts,
  result: RoundResult,
): ReviewTexts {
  const verdict = judgement(result);
  const isOpen = openEntries(result.changes).length > 0;
  return {
    summary: verdict === undefined ? summary : `${ended(summary)} ${verdict}`,
    ...(isOpen && workingWell !== undefined ? { workingWell } : {}),
    ...others,
  };
}

function ended(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}

function sizeText(input: RoundInput): string {
  if (input.incremental && input.changedFiles === 0) {
    return 'No file of this pull request changed since the last review.';
  }
  if (input.incremental) {
    return `${count(input.changedFiles, 'file')} of this pull request changed since the last review.`;
  }
  const added = input.files.reduce((sum, file) => sum + file.additions, 0);
  const removed = input.files.reduce((sum, file) => sum + file.deletions, 0);
  const lines = added + removed === 0 ? '' : ` (+${added} −${removed})`;
  return `Changes ${count(input.totalFiles, 'file')}${lines}${areasText(input.files)}.`;
}

/** Folders whose children are the parts that people think in. */
const CONTAINERS = new Set(['packages', 'apps', 'libs', 'crates', 'services', 'modules', 'plugins', 'src']);

function areasText(files: readonly ChangedFile[]): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folders = path.split('/').slice(0, -1);
    const area = folders.slice(0, CONTAINERS.has(folders[0] ?? '') ? 2 : 1).join('/');
    // Anything else would need escaping, and is not what people call a part of their repository.
    if (/^[\w.@/-]+$/.test(area)) counts.set(area, (counts.get(area) ?? 0) + 1);
  }
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]).map(([area]) => `\`${area}\``);
  if (first === undefined) return '';
  if (second === undefined) return `, in ${first}`;
  return counts.size === 2 ? `, in ${first} and ${second}` : `, most of them in ${first} and ${second}`;
}

/** By the worst of what is open. Where nothing is, the comment says so itself, and no more than is known (S5). */
function judgement({ changes }: RoundResult): string | undefined {
  const open = openEntries(changes);
  const of = (severity: Severity) => open.filter(({ finding }) => finding.severity === severity).length;
  const [critical, important] = [of('critical'), of('important')];
  if (critical > 0) {
    const also = important > 0 ? `, and ${count(important, 'important one')} should be` : '';
    return `${count(critical, 'critical point')} must be fixed first${also}.`;
  }
  return important > 0 ? `${count(important, 'important point')} should be fixed.` : undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
