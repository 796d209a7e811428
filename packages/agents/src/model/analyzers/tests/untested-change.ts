import type { ChangedFile } from '../../../review/changed-file.ts';
import { changesCode } from '../code-change.ts';
import { directoryOf, isFixture, isProductSource, isTestPath } from '../paths.ts';
import { newLines, type RangeView, type Rule } from '../rule.ts';
import { codeName, nameList } from '../wording.ts';

const EXTENSIONS = ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs'];
const NEW_EXPORT =
  /^\s*export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class)\s+(\w+)|^\s*export\s+const\s+(\w+)\s*=\s*(?:async\s*)?\(/;
/** Below this many added lines a change without a new export is too small to insist. */
const MIN_ADDED_LINES = 15;
const MAX_LOOKED_UP = 20;
const LIST_MAX_CHARS = 200;

/**
 * Code with a test file of its own changed, and no test in the whole range. Said once per range. Important where
 * a new function is exported, since that is new behaviour; a suggestion for larger changes.
 */
export const untestedChange: Rule = {
  id: 'untested-change',
  aspect: 'tests',
  run: async (range) => {
    if ([...range.paths].some((path) => isTestPath(path) && !isFixture(path))) return [];
    const changed = range.files
      .filter((file) => file.status !== 'removed' && isProductSource(file.path) && changesCode(file))
      .slice(0, MAX_LOOKED_UP);
    const tested = await filterTested(range, changed);
    if (tested.length === 0) return [];
    const { file, test } =
      tested.find((candidate) => newExport(candidate.file) !== undefined) ?? tested[0] ?? {};
    if (file === undefined || test === undefined) return [];
    const added = newExport(file);
    const paths = tested.map((candidate) => candidate.file.path);
    const addedCount = tested.reduce((sum, candidate) => sum + newLines(candidate.file).length, 0);
    if (added === undefined && addedCount < MIN_ADDED_LINES) return [];
    return [
      {
        severity: added === undefined ? 'suggestion' : 'important',
        file: file.path,
        ...(added === undefined ? {} : { line: added.line, quote: added.text.trim() }),
        message:
          added === undefined
            ? `Tested code changes, and no test changes with it. There are tests for ${nameList(paths, LIST_MAX_CHARS)}.`
            : `${codeName(added.name)} is new, yet no test changes. It is exported from a file with tests in \`${test}\`, which stay as they were.`,
        impact: 'Nothing shows that it works now, and nothing will tell when it breaks.',
        suggestedFix: `Extend \`${test}\`: the expected case, an edge, and what happens on bad input.`,
      },
    ];
  },
};

interface Tested {
  readonly file: ChangedFile;
  readonly test: string;
}

async function filterTested(range: RangeView, files: readonly ChangedFile[]): Promise<readonly Tested[]> {
  const tests = await Promise.all(files.map((file) => testOf(range, file.path)));
  return files.flatMap((file, index) => {
    const test = tests[index];
    return test === undefined ? [] : [{ file, test }];
  });
}

/** The test file beside a source. */
async function testOf(range: RangeView, path: string): Promise<string | undefined> {
  const candidates = testPathsOf(path);
  const contents = await Promise.all(candidates.map((candidate) => range.read(candidate)));
  return candidates.find((_, index) => contents[index] !== undefined);
}

/** Where the test of a source is, by the usual names. */
export function testPathsOf(path: string): readonly string[] {
  const directory = directoryOf(path);
  const name = path.slice(directory.length).replace(/\.[^.]+$/, '');
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const extensions = EXTENSIONS.includes(extension) ? [extension, 'ts'] : ['ts'];
  return [...new Set(extensions)].flatMap((ext) => [
    `${directory}${name}.test.${ext}`,
    `${directory}${name}.spec.${ext}`,
    `${directory}__tests__/${name}.test.${ext}`,
  ]);
}

function newExport(
  file: ChangedFile,
): { readonly line: number; readonly text: string; readonly name: string } | undefined {
  const gone = new Set(
    file.hunks.flatMap((hunk) =>
      hunk.lines.flatMap((line) => (line.kind === 'del' ? (exportedName(line.text) ?? []) : [])),
    ),
  );
  for (const added of newLines(file)) {
    const name = exportedName(added.text);
    if (name !== undefined && !gone.has(name)) return { ...added, name };
  }
  return undefined;
}

function exportedName(text: string): string | undefined {
  const match = NEW_EXPORT.exec(text);
  return match?.[1] ?? match?.[2];
}
