/**
 * Rules that look at the syntax tree of JavaScript and TypeScript.
 *
 * @module
 */
import type { NapiConfig, SgNode } from '@ast-grep/napi';
import type { Aspect } from '../../ids.ts';
import type { ChangedFile } from '../../review/changed-file.ts';
import type { Finding, Severity } from '../../review/finding.ts';
import { isFixture, isGenerated, isTestPath, languageOf } from './paths.ts';
import type { AddedLine, RangeView, Rule } from './rule.ts';

/** What a rule says about one place. */
interface Verdict {
  /** The node whose first line is meant; it must be an added line. Default: the matched node. */
  readonly at?: SgNode;
  readonly severity: Severity;
  readonly message: string;
  readonly impact: string;
  readonly suggestedFix: string;
}

/** A rule as a pattern and a judgement. */
interface StructuralRule {
  readonly id: string;
  readonly aspect: Aspect;
  /** An added line must match, else the file is neither read nor parsed. */
  readonly trigger: RegExp;
  /** The file must match, else it is not parsed: what the pattern cannot do without. */
  readonly within?: RegExp;
  /** `product`: all but tests and fixtures; `tests`: test files alone; `all`: both, without fixtures. */
  readonly scope: 'product' | 'tests' | 'all';
  readonly matcher: NapiConfig;
  /** A line that the range also deletes, apart from its indentation, was only moved: no claim. */
  readonly ignoresMoved?: true;
  /** Looks closer at a match in the file at `path`; `undefined`: nothing wrong, or not certain. */
  readonly judge: (node: SgNode, path: string) => Verdict | undefined;
}

/** Makes a {@link Rule} of a pattern. */
export function structuralRule(spec: StructuralRule): Rule {
  return {
    id: spec.id,
    aspect: spec.aspect,
    opens: (path, added) => isSubject(spec, path, added),
    run: async (range) => {
      const subjects = range.files.filter((file) => isSubject(spec, file.path, range.newLines(file)));
      const found = await Promise.all(subjects.map((file) => inspect(spec, range, file)));
      return found.flat();
    },
  };
}

function isSubject(spec: StructuralRule, path: string, added: readonly AddedLine[]): boolean {
  if (languageOf(path) === undefined || isGenerated(path) || isFixture(path)) return false;
  if (spec.scope !== 'all' && isTestPath(path) !== (spec.scope === 'tests')) return false;
  return added.some((line) => spec.trigger.test(line.text));
}

async function inspect(
  spec: StructuralRule,
  range: RangeView,
  file: ChangedFile,
): Promise<readonly Finding[]> {
  if (spec.within !== undefined && !spec.within.test((await range.read(file.path)) ?? '')) return [];
  const root = await range.parse(file.path);
  if (root === undefined) return [];
  const moved = spec.ignoresMoved === true ? deletedTexts(file) : new Set<string>();
  const added = new Map(
    range.newLines(file).flatMap(({ line, text }) => (moved.has(text.trim()) ? [] : [[line, text] as const])),
  );
  return root.findAll(spec.matcher).flatMap((node) => {
    const verdict = isWellFormed(node) ? spec.judge(node, file.path) : undefined;
    if (verdict === undefined) return [];
    const { at = node, ...said } = verdict;
    const line = at.range().start.line + 1;
    const text = added.get(line);
    return text === undefined ? [] : [{ ...said, file: file.path, line, quote: text.trim() }];
  });
}

function deletedTexts(file: ChangedFile): ReadonlySet<string> {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  return new Set(lines.flatMap((line) => (line.kind === 'del' ? [line.text.trim()] : [])));
}

/** The parser recovers from what it cannot read; what it guessed there proves nothing. */
function isWellFormed(node: SgNode): boolean {
  return !node.ancestors().some((ancestor) => ancestor.is('ERROR'));
}
