/**
 * What the comment says about the review itself: what was looked at, what changed since the last one.
 *
 * @module
 */
import type { Aggregation } from './aggregate.ts';
import type { Unread } from './changed-file.ts';
import { count, titleOf } from './compose-findings.ts';
import { codePath, commitLink, type LinkBase } from './compose-links.ts';
import { SEVERITIES, type Severity } from './finding.ts';
import type { LedgerChanges } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { lockReader } from './lock-formats.ts';
import { literalLine } from './neutralise.ts';

/** What a round looked at. */
export type Coverage = Pick<Aggregation, 'coverage' | 'files' | 'droppedUnread'>;

const WHY_MAX_CHARS = 200;
const UNREAD_WORDS: Readonly<Record<Unread, string>> = {
  binary: 'binary',
  'too-large': 'too large',
  budget: 'no room in this round',
  generated: 'generated',
};

/** Whether all six aspects looked at everything (S5). */
function isComplete({ coverage }: Coverage): boolean {
  return coverage.every((aspect) => aspect.status === 'done');
}

function nobodyLooked({ coverage }: Coverage): boolean {
  return coverage.every((aspect) => aspect.status === 'failed');
}

/** Names what is missing, where something is. */
export function incompleteWarning({ coverage, files }: Coverage): string | undefined {
  const missing = coverage.flatMap((aspect) =>
    aspect.status === 'done'
      ? []
      : [
          `${aspect.aspect} ${aspect.status === 'failed' ? 'failed' : 'is partial'} (${literalLine(aspect.why, WHY_MAX_CHARS)})`,
        ],
  );
  const left = files.unread.filter((file) => file.why === 'budget' || file.why === 'too-large').length;
  // A few are named below; where most were not read, that is the first thing to know.
  if (left * 2 > files.read + left) missing.push(`${count(left, 'file')} of ${files.inPr} not read`);
  if (missing.length === 0) return undefined;
  return `> [!WARNING]\n> This review is incomplete, findings may be missing: ${missing.join('; ')}.`;
}

/** `1 critical · 2 important · 3 suggestions`, and how many of them are new. */
export function severityCounts(open: readonly LedgerEntry[], fresh: number): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const amount = open.filter((entry) => entry.finding.severity === severity).length;
    return amount === 0 ? [] : [severityCount(amount, severity)];
  }).join(' · ');
  return fresh === 0 ? counts : `${counts} (${fresh} new)`;
}

function severityCount(amount: number, severity: Severity): string {
  if (severity === 'suggestion') return count(amount, 'suggestion');
  return severity === 'critical' ? `**${amount} critical**` : `${amount} ${severity}`;
}

/** Says that nothing is open, and no more than is known (S5). */
export function nothingFound(coverage: Coverage): string {
  const { files } = coverage;
  if (nobodyLooked(coverage)) return 'Nothing was reviewed, so nothing can be said about this change.';
  if (!isComplete(coverage)) return 'The aspects that were reviewed have no open findings.';
  if (files.read === 0 && files.inRange > 0) return 'No file of this change was read.';
  if (files.unread.length === 0 && files.listComplete) return '**No issues found.**';
  return `No issues found in the ${count(files.read, 'file')} that ${files.read === 1 ? 'was' : 'were'} read.`;
}

/** One line: aspects, files, commit. A second one names the files that nobody read. */
export function coverageLines(coverage: Coverage, at: CoverageFrame): readonly string[] {
  const { files, droppedUnread } = coverage;
  const read = nobodyLooked(coverage) ? 0 : files.read;
  const since = at.incremental && files.inRange < files.inPr;
  const amount = since
    ? `${read} of ${count(files.inRange, 'file')} changed since ${commitLink(at.baseSha, at.base)} read, ${files.inPr} in the PR`
    : `${read} of ${count(files.inRange, 'file')} read`;
  const reviewer = at.model === undefined ? '' : ` · by ${codePath(at.model)}`;
  const lines = [
    `**Coverage**: ${aspectNames(coverage)} · ${amount} · at ${commitLink(at.headSha, at.base)}${reviewer}`,
  ];
  if (files.unread.length > 0) lines.push(`**Not read**: ${unreadNames(files.unread, at.maxNames)}`);
  if (!files.listComplete)
    lines.push('GitHub does not list all files of this pull request; the others were not read.');
  if (droppedUnread > 0)
    lines.push(`${count(droppedUnread, 'remark')} about files that were not read left out.`);
  return lines;
}

/** What the coverage line says besides the coverage. */
export interface CoverageFrame {
  readonly base: LinkBase;
  readonly headSha: string;
  readonly baseSha: string;
  readonly incremental: boolean;
  /** Absent where analyzers reviewed. */
  readonly model?: string;
  /** At most this many unread files are named. */
  readonly maxNames: number;
}

function aspectNames({ coverage }: Coverage): string {
  const groups = (['done', 'partial', 'failed'] as const).flatMap((status) => {
    const names = coverage.filter((aspect) => aspect.status === status).map(({ aspect }) => aspect);
    if (names.length === 0) return [];
    return [status === 'done' ? names.join(', ') : `**${status}: ${names.join(', ')}**`];
  });
  return groups.join('; ');
}

function unreadNames(unread: Coverage['files']['unread'], maxNames: number): string {
  const reasons = [...new Set(unread.map(whyUnread))];
  return reasons
    .map((why) => {
      const paths = unread.flatMap((file) => (whyUnread(file) === why ? [file.path] : []));
      return unreadFor(why, paths, maxNames);
    })
    .join('; ');
}

/** Where a lock file's packages come from is looked at, though nobody reads its lines. */
function whyUnread({ path, why }: Coverage['files']['unread'][number]): string {
  return why === 'generated' && lockReader(path) !== undefined
    ? 'lock file, sources only'
    : UNREAD_WORDS[why];
}

function unreadFor(why: string, paths: readonly string[], maxNames: number): string {
  if (maxNames === 0) return `${count(paths.length, 'file')} (${why})`;
  const names = paths.slice(0, maxNames).map(codePath).join(', ');
  const left = paths.length - maxNames;
  return `${names}${left > 0 ? ` and ${left} more` : ''} (${why})`;
}

/** What became of earlier findings, at most `maxNames` of a kind by name; open ones are only counted. Empty texts where there were none. */
export function previousStatus(
  changes: LedgerChanges,
  maxNames: number,
): { readonly counts: string; readonly names: string } {
  const fixed = changes.fixed.filter((entry) => reasonOf(entry) !== 'not-repeated');
  const dropped = changes.fixed.filter((entry) => reasonOf(entry) === 'not-repeated');
  const groups: readonly (readonly [string, readonly LedgerEntry[]])[] = [
    ['Fixed', fixed],
    ['No longer found', dropped],
    ['Found again', changes.reopened],
    ['Still open', changes.still],
  ];
  const present = groups.filter(([, entries]) => entries.length > 0);
  if (present.length === 0) return { counts: '', names: '' };
  const totals = present.map(
    ([label, entries], index) => `${index === 0 ? label : label.toLowerCase()} ${entries.length}`,
  );
  // What is still open stands in full above.
  const told = present.filter(([, entries]) => entries !== changes.still);
  const names = told.flatMap(([label, entries]) => nameEntries(label, entries, maxNames));
  return { counts: `${totals.join(', ')}.`, names: names.join('\n') };
}

function nameEntries(label: string, entries: readonly LedgerEntry[], maxNames: number): readonly string[] {
  if (maxNames === 0) return [];
  const names = entries
    .slice(0, maxNames)
    .map((entry) => `- ${label}: ${titleOf(entry)} (${codePath(entry.finding.file)}${note(entry)})`);
  const left = entries.length - names.length;
  return left === 0 ? names : [...names, `- ${label}: ${left} more`];
}

function reasonOf(entry: LedgerEntry): string | undefined {
  return entry.state === 'fixed' ? entry.fixedBecause : undefined;
}

function note(entry: LedgerEntry): string {
  if (reasonOf(entry) === 'gone') return ', no longer part of this PR';
  return reasonOf(entry) === 'not-repeated' && entry.place.kind === 'line' ? ', its line is unchanged' : '';
}
