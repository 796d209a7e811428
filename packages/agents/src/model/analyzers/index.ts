/**
 * The built-in analyzers: what can be said about a range without a model. Each rule reports only what is wrong
 * for certain, on lines that the range adds.
 *
 * @module
 */
import type { Aspect } from '../../ids.ts';
import { type Finding, SEVERITIES } from '../../review/finding.ts';
import { type AnalysisInput, type RangeView, type Rule, viewRange } from './rule.ts';
import { RULES } from './rules.ts';
import { scanSources } from './secret-scan.ts';
import { joined } from './wording.ts';

export { type AnalysisInput, viewRange } from './rule.ts';

const MAX_LISTED_LINES = 10;

/** {@link analyzeRange} on a view of its own. */
export function analyze(aspect: Aspect, input: AnalysisInput): Promise<readonly Finding[]> {
  return analyzeRange(aspect, viewRange(input));
}

/**
 * What the rules of one aspect find, most severe first, then by file and line. Says nothing about files that are
 * marked as unread. Content is read at most once per file and call, and only where a rule needs it.
 *
 * @throws whatever `readFile` throws.
 */
export async function analyzeRange(aspect: Aspect, range: RangeView): Promise<readonly Finding[]> {
  const rules = RULES.filter((rule) => rule.aspect === aspect);
  const found = await Promise.all(rules.map(async (rule) => folded(rule, await rule.run(range))));
  return (await withoutSecrets(found.flat())).toSorted(byWeight);
}

/**
 * One finding for each file that a rule speaks about, so that one habit does not fill the comment (S9): the
 * weightiest, which tells where the others are.
 */
function folded(rule: Rule, findings: readonly Finding[]): readonly Finding[] {
  const evidence = `Found by the built-in rule ${rule.aspect}/${rule.id}.`;
  return [...new Set(findings.map(({ file }) => file))].flatMap((file) => {
    const [first, ...others] = findings.filter((finding) => finding.file === file).sort(byWeight);
    if (first === undefined) return [];
    const more = others.flatMap(({ line }) => line ?? []);
    return [{ ...first, message: [first.message, ...alsoOn(more)].join(' '), evidence }];
  });
}

function alsoOn(lines: readonly number[]): readonly string[] {
  if (lines.length === 0) return [];
  const [places, which] = lines.length === 1 ? ['place', 'line'] : ['places', 'lines'];
  const rest = lines.length - MAX_LISTED_LINES;
  const listed = rest > 0 ? [...lines.slice(0, MAX_LISTED_LINES), `${rest} more`] : lines;
  return [`The same in ${lines.length} more ${places} of this file: ${which} ${joined(listed)}.`];
}

/** A line that is quoted for another reason may hold a credential as well. One scan looks at all of them. */
async function withoutSecrets(findings: readonly Finding[]): Promise<readonly Finding[]> {
  const lists = await scanSources(findings.map(({ quote = '' }) => quote));
  return findings.map((finding, index) => {
    const { quote: _secret, ...rest } = finding;
    return (lists[index]?.length ?? 0) > 0 ? rest : finding;
  });
}

function byWeight(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (a.file < b.file ? -1 : Number(a.file > b.file)) ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}
