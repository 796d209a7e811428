/**
 * What the comment says about the review itself: what was looked at, what changed since the last one.
 *
 * @module
 */
import type { Aggregation } from './aggregate.ts';
import type { Unread } from './changed-file.ts';
import { count, titleOf } from './compose-findings.ts';
import { codePath, commitLink, itemLink, type LinkBase } from './compose-links.ts';
import { SEVERITIES, type Severity } from './finding.ts';
import type { LedgerChanges } from './ledger.ts';
import { type DecidedEntry, isDecided, type Ledger, type LedgerEntry } from './ledger-entry.ts';
import { lockReader } from './lock-formats.ts';
import { literalLine, neutraliseLine } from './neutralise.ts';

/** What a round looked at. */
export type Coverage = Pick<Aggregation, 'coverage' | 'files' | 'droppedUnread'>;

const WHY_MAX_CHARS = 200;
const LOGIN_MAX_CHARS = 50;
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

/** Says that nothing is open, and no more than is known (S5); least of all where something is disputed. */
export function nothingOpen(coverage: Coverage, disputed: number): string {
  const { files } = coverage;
  const disputes = `${count(disputed, 'finding')} ${disputed === 1 ? 'is' : 'are'} disputed`;
  const [none, but, also] =
    disputed === 0 ? ['No issues found', '', ''] : ['No open issues', `; ${disputes}`, ` ${disputes}.`];
  if (nobodyLooked(coverage)) return `Nothing was reviewed, so nothing can be said about this change.${also}`;
  if (!isComplete(coverage)) return `The aspects that were reviewed have no open findings${but}.`;
  if (files.read === 0 && files.inRange > 0) return `No file of this change was read.${also}`;
  if (files.unread.length === 0 && files.listComplete) return `**${none}${but}.**`;
  return `${none} in the ${count(files.read, 'file')} that ${files.read === 1 ? 'was' : 'were'} read${but}.`;
}

/** One line: aspects, files, commit. A second one names the files that nobody read. */
export function coverageLines(coverage: Coverage, at: CoverageFrame): readonly string[] {
  const { files, droppedUnread } = coverage;
  const read = nobodyLooked(coverage) ? 0 : files.read;
  const since = at.incremental && files.inRange < files.inPr;
  const amount = since ? sinceText(files, read, at) : `${read} of ${count(files.inRange, 'file')} read`;
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

function sinceText({ inRange, inPr }: Coverage['files'], read: number, at: CoverageFrame): string {
  const since = `changed since ${commitLink(at.baseSha, at.base)}`;
  // A review that was asked for because people talked.
  if (inRange === 0) return `no file ${since}, ${inPr} in the PR`;
  return `${read} of ${count(inRange, 'file')} ${since} read, ${inPr} in the PR`;
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

/** What earlier findings are told from. */
export interface StatusFrame extends LinkBase {
  readonly ledger: Ledger;
  readonly changes: LedgerChanges;
  readonly iteration: number;
  /** Where it is not, only what people decided is told. */
  readonly incremental: boolean;
}

interface StatusGroup {
  readonly label: string;
  readonly entries: readonly LedgerEntry[];
}

/**
 * What became of earlier findings, at most `maxNames` of a kind by name; open ones are only counted. What is
 * disputed is told as long as it is, so that it does not vanish. Empty texts where there is nothing to tell.
 */
export function previousStatus(
  frame: StatusFrame,
  maxNames: number,
): { readonly counts: string; readonly names: string } {
  const present = statusGroups(frame).filter(({ entries }) => entries.length > 0);
  if (present.length === 0) return { counts: '', names: '' };
  const totals = present.map(
    ({ label, entries }, index) => `${index === 0 ? label : label.toLowerCase()} ${entries.length}`,
  );
  // What is still open stands in full above.
  const told = present.filter(({ entries }) => entries !== frame.changes.still);
  const names = told.flatMap((group) => nameEntries(group, frame, maxNames));
  return { counts: `${totals.join(', ')}.`, names: names.join('\n') };
}

function statusGroups({ ledger, changes, iteration, incremental }: StatusFrame): readonly StatusGroup[] {
  // Read from the ledger, since what was kept of a comment may be older than these states.
  const decided = ledger.filter(isDecided);
  const now = decided.filter((entry) => entry.decidedIteration === iteration);
  const disputed = decided.filter((entry) => entry.state === 'disputed');
  const people: readonly StatusGroup[] = [
    { label: 'Withdrawn', entries: now.filter((entry) => entry.state === 'withdrawn') },
    { label: 'Disputed', entries: disputed.filter((entry) => entry.decidedIteration === iteration) },
    { label: 'Still disputed', entries: disputed.filter((entry) => entry.decidedIteration !== iteration) },
  ];
  if (!incremental) return people;
  const isDropped = (entry: LedgerEntry) => reasonOf(entry) === 'not-repeated';
  return [
    { label: 'Fixed', entries: changes.fixed.filter((entry) => !isDropped(entry)) },
    { label: 'No longer found', entries: changes.fixed.filter(isDropped) },
    ...people,
    { label: 'Open again', entries: changes.reopened },
    { label: 'Still open', entries: changes.still },
  ];
}

function nameEntries(
  { label, entries }: StatusGroup,
  frame: StatusFrame,
  maxNames: number,
): readonly string[] {
  if (maxNames === 0) return [];
  const names = entries.slice(0, maxNames).map((entry) => {
    const about = `${titleOf(entry)} (${codePath(entry.finding.file)}${note(entry, frame)})`;
    return `- ${label}${weight(entry)}: ${about}${whyText(entry, frame)}`;
  });
  const left = entries.length - names.length;
  return left === 0 ? names : [...names, `- ${label}: ${left} more`];
}

function reasonOf(entry: LedgerEntry): string | undefined {
  return entry.state === 'fixed' ? entry.fixedBecause : undefined;
}

function note(entry: LedgerEntry, base: LinkBase): string {
  if (isDecided(entry)) return `, ${whoDecided(entry, base)}`;
  if (reasonOf(entry) === 'gone') return ', no longer part of this PR';
  return reasonOf(entry) === 'not-repeated' && entry.place.kind === 'line' ? ', its line is unchanged' : '';
}

/** How grave what is disputed would be, since it stands nowhere else. */
function weight({ state, finding }: LedgerEntry): string {
  return state === 'disputed' ? ` (${finding.severity})` : '';
}

/** Whose word it was, linked to it. */
function whoDecided({ decision }: DecidedEntry, base: LinkBase): string {
  const { by, because, url } = decision;
  // GitHub's name for accounts that were deleted.
  const who = by === 'ghost' ? 'somebody' : loginText(by);
  return itemLink(`${who} ${because === 'answered' ? 'answered' : 'resolved the thread'}`, url, base);
}

/** A login without a mention; one that could be read as anything else is shown as code. */
function loginText(login: string): string {
  const written = literalLine(login, LOGIN_MAX_CHARS);
  return /^[\w-]+$/.test(written) ? written : codePath(login);
}

/** The reviewer's sentence, in the round in which it was said. */
function whyText(entry: LedgerEntry, { iteration }: StatusFrame): string {
  if (!isDecided(entry) || entry.decidedIteration !== iteration) return '';
  const why = neutraliseLine(entry.decision.why, WHY_MAX_CHARS);
  return why === '' ? '' : `: ${why}`;
}
