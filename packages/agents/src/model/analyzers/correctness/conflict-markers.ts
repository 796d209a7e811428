import type { ChangedFile } from '../../../review/changed-file.ts';
import { extension } from '../../../review/file-kind.ts';
import type { Finding } from '../../../review/finding.ts';
import { isFixture, isGenerated } from '../paths.ts';
import { type AddedLine, newLines, type RangeView, type Rule } from '../rule.ts';

const PROSE = new Set(['md', 'mdx', 'markdown', 'rst', 'adoc', 'txt']);
/** Files that carry conflicts as their data. */
const CARRIERS = new Set(['patch', 'diff', 'rej', 'orig']);

/**
 * The three lines that git leaves at a conflict, all of them added, in their order. A line of `=======` alone
 * is a heading's underline, and within a fence or a template string the three are an example.
 */
export const conflictMarkers: Rule = {
  id: 'conflict-markers',
  aspect: 'correctness',
  run: async (range) => {
    const found = await Promise.all(range.files.map((file) => inspect(range, file)));
    return found.flat();
  },
};

async function inspect(range: RangeView, file: ChangedFile): Promise<readonly Finding[]> {
  const kind = extension(file.path);
  if (CARRIERS.has(kind) || isFixture(file.path) || isGenerated(file.path)) return [];
  const starts = conflictStarts(newLines(file));
  if (starts.length === 0) return [];
  const isExample = await examplesOf(range, file.path);
  return starts
    .filter((start) => !isExample(start.line))
    .map((start) => ({
      severity: PROSE.has(kind) ? 'important' : 'critical',
      file: file.path,
      line: start.line,
      quote: start.text.trimEnd(),
      message:
        'An unresolved merge conflict is committed. Both versions stand here, with the marks that git put around them.',
      impact: PROSE.has(kind)
        ? 'Readers find one passage twice, and do not know which holds.'
        : 'The file can no longer be parsed, so whatever loads it fails.',
      suggestedFix: 'Keep the version that is meant and delete the `<<<<<<<`, `=======` and `>>>>>>>` lines.',
    }));
}

function conflictStarts(lines: readonly AddedLine[]): readonly AddedLine[] {
  const starts: AddedLine[] = [];
  let open: AddedLine | undefined;
  let divided = false;
  for (const line of lines) {
    if (/^<{7} \S/.test(line.text)) {
      open = line;
      divided = false;
    } else if (/^={7}\s*$/.test(line.text)) divided = true;
    else if (/^>{7} \S/.test(line.text) && open !== undefined && divided) {
      starts.push(open);
      open = undefined;
    }
  }
  return starts;
}

/** Which lines of a file show an example rather than being one. */
async function examplesOf(range: RangeView, path: string): Promise<(line: number) => boolean> {
  const root = await range.parse(path);
  if (root !== undefined) {
    const templates = root.findAll({ rule: { kind: 'template_string' } }).map((node) => node.range());
    return (line) => templates.some(({ start, end }) => start.line + 1 < line && line <= end.line + 1);
  }
  if (!PROSE.has(extension(path))) return () => false;
  const lines = ((await range.read(path)) ?? '').split('\n');
  return (line) => lines.slice(0, line - 1).filter((text) => /^\s*(?:```|~~~)/.test(text)).length % 2 === 1;
}
