/**
 * The open findings as Markdown: a section for each aspect, the gravest first.
 *
 * @module
 */
import { ASPECTS, type Aspect, type FindingId } from '../ids.ts';
import { type LinkBase, placeLink } from './compose-links.ts';
import { SEVERITIES, type Severity } from './finding.ts';
import { headlineOf } from './headline.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { neutraliseBlocks, neutraliseLine } from './neutralise.ts';
import { writeFix } from './suggested-fix.ts';

const ASPECT_TITLES: Readonly<Record<Aspect, string>> = {
  correctness: 'Correctness',
  conventions: 'Conventions',
  security: 'Security',
  perf: 'Performance',
  tests: 'Tests',
  architecture: 'Architecture',
};
const SEVERITY_TITLES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  important: 'Important',
  suggestion: 'Suggestion',
};

/** A finding, written once; how much of it is shown depends on how much room there is. */
export interface WrittenFinding {
  readonly severity: Severity;
  readonly aspect: Aspect;
  readonly title: string;
  readonly file: string;
  readonly issue: string;
  readonly impact: string;
  readonly fix: string;
}

const STARTS_BLOCK = /^(?:- |\d+\. |> |`{3})/;
/** Seen as a new line everywhere, and not seen where Markdown is read as it is. */
const HARD_BREAK = '  \n';

/** How much of the findings is shown. */
export interface FindingsDetail {
  /** Severities whose entries have a text, and not only title and file. */
  readonly bodies: ReadonlySet<Severity>;
  readonly fixes: boolean;
  /** At most this many entries are listed; the others are counted. */
  readonly maxEntries: number;
}

/** The title of an entry as one line. */
export function titleOf(entry: LedgerEntry): string {
  return neutraliseLine(headlineOf(entry.finding.message).title);
}

/** Writes the open entries, gravest first. `marks` says what of them is new. */
export function writeFindings(
  open: readonly LedgerEntry[],
  marks: ReadonlyMap<FindingId, string>,
  base: LinkBase,
): readonly WrittenFinding[] {
  const bySeverity = (a: LedgerEntry, b: LedgerEntry) =>
    SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity);
  return open.toSorted(bySeverity).map((entry) => {
    const { finding, aspects } = entry;
    const { severity, message, impact, suggestedFix } = finding;
    const mark = marks.get(entry.id);
    const others = aspects.slice(1);
    return {
      severity,
      aspect: aspects[0] ?? 'correctness',
      title: `**${SEVERITY_TITLES[severity]}: ${titleOf(entry)}**${mark === undefined ? '' : ` · *${mark}*`}`,
      file: `${placeLink(entry, entry.lastSha, base)}${others.length === 0 ? '' : ` · also found by ${others.join(', ')}`}`,
      issue: issueOf(message),
      impact: impact === undefined ? '' : neutraliseBlocks(impact),
      fix: suggestedFix === undefined ? '' : writeFix(suggestedFix, finding.file),
    };
  });
}

/** A message that is all title needs no second telling. */
function issueOf(message: string): string {
  const { title, text } = headlineOf(message);
  return text.replace(/[.:]$/, '') === title ? '' : neutraliseBlocks(text);
}

/** The sections, ordered by their worst finding, then by aspect; suggestions folded. */
export function findingSections(
  findings: readonly WrittenFinding[],
  detail: FindingsDetail,
): readonly string[] {
  const listed = findings.slice(0, detail.maxEntries);
  const aspects = ASPECTS.filter((aspect) => listed.some((finding) => finding.aspect === aspect));
  const worst = (aspect: Aspect) => listed.findIndex((finding) => finding.aspect === aspect);
  const rank = (aspect: Aspect) => SEVERITIES.indexOf(listed[worst(aspect)]?.severity ?? 'suggestion');
  const sections = aspects
    .toSorted((a, b) => rank(a) - rank(b))
    .map((aspect) => {
      const own = listed.filter((finding) => finding.aspect === aspect);
      const suggestions = own.filter((finding) => finding.severity === 'suggestion');
      return [
        `#### ${ASPECT_TITLES[aspect]}`,
        ...own
          .filter((finding) => finding.severity !== 'suggestion')
          .map((finding) => entryText(finding, detail)),
        ...folded(suggestions, detail),
      ].join('\n\n');
    });
  const left = findings.length - listed.length;
  return left === 0 ? sections : [...sections, `*${count(left, 'more finding')} not listed here.*`];
}

/** `1 finding`, `2 findings`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

function folded(suggestions: readonly WrittenFinding[], detail: FindingsDetail): readonly string[] {
  if (suggestions.length === 0) return [];
  const entries = suggestions.map((finding) => entryText(finding, detail));
  return [
    `<details>\n<summary>${count(suggestions.length, 'suggestion')}</summary>`,
    ...entries,
    '</details>',
  ];
}

/** A list item: its text is set in, so that titles and sections are told apart at a glance. */
function entryText(finding: WrittenFinding, detail: FindingsDetail): string {
  const fields = [finding.title, `**File**: ${finding.file}`];
  if (detail.bodies.has(finding.severity)) {
    fields.push(...labelled('Issue', finding.issue), ...labelled('Impact', finding.impact));
    if (detail.fixes) fields.push(...labelled('Suggested fix', finding.fix));
  }
  return `- ${joinFields(fields).replaceAll(/\n(?=[^\n])/g, '\n  ')}`;
}

/** A label before a text, on its line where the text begins with a paragraph. */
function labelled(label: string, text: string): readonly string[] {
  if (text === '') return [];
  return [STARTS_BLOCK.test(text) ? `**${label}**:\n\n${text}` : `**${label}**: ${text}`];
}

/** One line after another; what has more than one block stands by itself. */
function joinFields(fields: readonly string[]): string {
  return fields.reduce((text, field) => {
    const before = text.slice(text.lastIndexOf('\n\n') + 1);
    const isLine = !field.includes('\n\n') && !text.includes('\n\n');
    return `${text}${isLine && before !== '' ? HARD_BREAK : '\n\n'}${field}`;
  });
}
