import type { ChangedFile, HunkLine } from '../../../review/changed-file.ts';
import type { Finding } from '../../../review/finding.ts';
import { isTestPath } from '../paths.ts';
import type { RangeView, Rule } from '../rule.ts';
import { type SecretHit, scanSources } from '../secret-scan.ts';

/**
 * Credentials on added lines of any file, generated ones included. Neither message nor quote repeats them. In
 * tests, fixtures and examples, where keys are often made up, it is a suggestion that says so.
 */
export const committedSecret: Rule = {
  id: 'committed-secret',
  aspect: 'security',
  run: async (range) => {
    const sides = range.files.map(newSideOf);
    const hits = await scanSources(sides.map((lines) => lines.map((line) => line.text).join('\n')));
    const found = await Promise.all(
      range.files.map((file, index) =>
        judge(range, file, onAddedLines(sides[index] ?? [], hits[index] ?? [])),
      ),
    );
    return found.flat();
  },
};

async function judge(
  range: RangeView,
  file: ChangedFile,
  hits: readonly SecretHit[],
): Promise<readonly Finding[]> {
  if (hits.length === 0 || (await isDismissed(range, file.path))) return [];
  const isTest = isTestPath(file.path);
  return hits.map(({ line, kind }) => ({
    severity: isTest ? 'suggestion' : 'critical',
    file: file.path,
    line,
    message: isTest
      ? `What looks like a credential stands in a test or an example. By its form it is ${withArticle(kind)}, and nothing marks it as made up.`
      : `A credential is committed here. By its form it is ${withArticle(kind)}, and nothing marks it as made up.`,
    impact: isTest
      ? 'If it is real, everyone with read access has it, for ever; if it is made up, scanners will keep stumbling over it.'
      : 'Everyone who can read the repository or its history can use it, also after the line is deleted.',
    suggestedFix: isTest
      ? 'If it is real, revoke it. If it is made up, put it together at run time, or generate it in the test.'
      : 'Revoke it at its issuer first, then read the new one from the environment or a secret store.',
  }));
}

/** The new side of the new hunks, so that what spans lines is seen whole; empty where nothing is added. */
function newSideOf(file: ChangedFile): readonly HunkLine[] {
  const lines = file.hunks.filter((hunk) => hunk.isNew).flatMap((hunk) => hunk.lines);
  const newSide = lines.filter((line) => line.kind !== 'del');
  return newSide.some((line) => line.kind === 'add') ? newSide : [];
}

/** Only added lines are reported, with their numbers in the file. */
function onAddedLines(newSide: readonly HunkLine[], hits: readonly SecretHit[]): readonly SecretHit[] {
  return hits.flatMap(({ line, kind }) => {
    const source = newSide[line - 1];
    return source?.kind === 'add' && source.newLine !== undefined ? [{ line: source.newLine, kind }] : [];
  });
}

/** The team switched the scanner off in this file, with the scanner's own comment. */
async function isDismissed(range: RangeView, path: string): Promise<boolean> {
  return /\bsecretlint-disable\b/.test((await range.read(path)) ?? '');
}

function withArticle(kind: string): string {
  return `${/^(?:[aeiou]|npm)/i.test(kind) ? 'an' : 'a'} ${kind}`;
}
