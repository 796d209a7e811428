/**
 * The comment's texts, written by code: for rounds without a model, and where the model failed. Plain, and true
 * to what was looked at (S5).
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
export function openEntries({ added, reopened, still }: LedgerChanges): readonly LedgerEntry[] {
  return [...added, ...reopened, ...still];
}

/** Writes the texts without a model. */
export function plainTexts(result: RoundResult): ReviewTexts {
  const previousStatus = statusText(result.changes);
  return {
    summary: `${sizeText(result.input)} ${judgement(result)}`,
    ...(previousStatus === undefined ? {} : { previousStatus }),
  };
}

function sizeText(input: RoundInput): string {
  if (input.incremental) {
    return `${count(input.changedFiles, 'file')} of this pull request changed since the last review.`;
  }
  const added = input.files.reduce((sum, file) => sum + file.additions, 0);
  const removed = input.files.reduce((sum, file) => sum + file.deletions, 0);
  return `Changes ${count(input.totalFiles, 'file')} (+${added} −${removed})${areasText(input.files)}.`;
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

function judgement({ aggregation, changes }: RoundResult): string {
  const open = openEntries(changes);
  const of = (severity: Severity) => open.filter(({ finding }) => finding.severity === severity).length;
  const gaps = gapsText(aggregation);
  const points = pointsText(of('critical'), of('important'), of('suggestion'));
  if (points !== undefined) return gaps === undefined ? points : `${points} ${gaps}`;
  if (gaps !== undefined) return `Nothing was found in what was looked at. ${gaps}`;
  return 'All six aspects were looked at, and nothing was found.';
}

function pointsText(critical: number, important: number, suggestions: number): string | undefined {
  if (critical > 0) {
    const also = important > 0 ? `, and ${count(important, 'important one')} should be` : '';
    return `${count(critical, 'critical point')} must be fixed first${also}.`;
  }
  if (important > 0) return `${count(important, 'important point')} should be fixed.`;
  return suggestions > 0 ? `Nothing stands in its way; ${count(suggestions, 'suggestion')}.` : undefined;
}

/** What was not looked at; `undefined` if everything was. */
function gapsText({ coverage, files }: Aggregation): string | undefined {
  const gaps = [
    ...namesOf(coverage, 'failed', 'not reviewed'),
    ...namesOf(coverage, 'partial', 'reviewed in part'),
    ...(files.unread.length === 0 ? [] : [`${count(files.unread.length, 'file')} not read`]),
    ...(files.listComplete ? [] : ['the list of files cut by GitHub']),
  ];
  return gaps.length === 0 ? undefined : `Not the whole picture: ${gaps.join('; ')}.`;
}

function namesOf(
  coverage: Aggregation['coverage'],
  status: 'failed' | 'partial',
  what: string,
): readonly string[] {
  const names = coverage.filter((covered) => covered.status === status).map(({ aspect }) => aspect);
  return names.length === 0 ? [] : [`${names.join(', ')} ${what}`];
}

function statusText({ fixed, still, reopened }: LedgerChanges): string | undefined {
  const silent = fixed.filter((entry) => entry.state === 'fixed' && entry.fixedBecause === 'not-repeated');
  const parts = [
    [fixed.length - silent.length, 'fixed'],
    [silent.length, 'not found again, although the code is the same'],
    [still.length, 'still open'],
    [reopened.length, 'back after having been fixed'],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return told.length === 0 ? undefined : `Of the earlier findings: ${told.join(', ')}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
