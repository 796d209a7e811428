/**
 * The built-in analyzers: what can be said about a range without a model. Each rule reports only what is wrong
 * for certain, on lines that the range adds.
 *
 * @module
 */
import type { Aspect } from '../../ids.ts';
import { type Finding, SEVERITIES } from '../../review/finding.ts';
import { type AnalysisInput, type Rule, viewRange } from './rule.ts';
import { RULES } from './rules.ts';
import { scanForSecrets } from './secret-scan.ts';

export type { AnalysisInput } from './rule.ts';

/** So that one habit does not fill the comment (S9); the last one tells how many more there are. */
const MAX_FINDINGS_PER_RULE_AND_FILE = 3;

/**
 * What the rules of one aspect find, most severe first, then by file and line. Says nothing about files that are
 * marked as unread. Content is read at most once per file and call, and only where a rule needs it.
 *
 * @throws whatever `readFile` throws.
 */
export async function analyze(aspect: Aspect, input: AnalysisInput): Promise<readonly Finding[]> {
  const range = viewRange(input);
  const rules = RULES.filter((rule) => rule.aspect === aspect);
  const found = await Promise.all(rules.map(async (rule) => capped(rule, await rule.run(range))));
  const findings = await Promise.all(found.flat().map(withoutSecret));
  return findings.sort(byWeight);
}

function capped(rule: Rule, findings: readonly Finding[]): readonly Finding[] {
  const files = new Set(findings.map((finding) => finding.file));
  return [...files].flatMap((file) => {
    const inFile = findings.filter((finding) => finding.file === file).sort(byWeight);
    const kept = inFile.slice(0, MAX_FINDINGS_PER_RULE_AND_FILE);
    const rest = inFile.slice(kept.length).map((finding) => finding.line);
    return kept.map((finding, index) => ({
      ...finding,
      message:
        rest.length > 0 && index === kept.length - 1
          ? `${finding.message} The same in ${rest.length} more place${rest.length === 1 ? '' : 's'} of this file: line ${rest.join(', ')}.`
          : finding.message,
      evidence: `Found by the built-in rule ${rule.aspect}/${rule.id}.`,
    }));
  });
}

/** A line that is quoted for another reason may hold a credential as well. */
async function withoutSecret(finding: Finding): Promise<Finding> {
  const { quote, ...rest } = finding;
  if (quote === undefined) return rest;
  return (await scanForSecrets(quote)).length > 0 ? rest : { ...rest, quote };
}

function byWeight(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (a.file < b.file ? -1 : Number(a.file > b.file)) ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}
