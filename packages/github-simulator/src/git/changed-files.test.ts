import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CompareFile, commitFiles, type GitRepository, initBare, openGit } from './index.ts';

let folder: string;
let git: GitRepository;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-property-'));
  const gitDir = join(folder, 'bare.git');
  await initBare(gitDir);
  git = await openGit(gitDir);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Letters that git, shells, diffs and URLs treat specially. */
const nasty = fc.constantFrom(...'ab :"\'\\\t\n\r%#?*[]{}~-+@é漢🚀\u2028');
const name = fc.string({ unit: nasty, minLength: 1, maxLength: 8 }).map((text) => `n${text}`);
const line = fc.oneof(
  fc.string({ unit: nasty, maxLength: 12 }).map((text) => text.replaceAll('\n', '')),
  fc.constantFrom(
    'diff --git a/x b/x',
    '@@ -1 +1 @@',
    '--- a/x',
    '+++ b/x',
    '\\ No newline at end of file',
    ':100644',
  ),
);
const content = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => `${lines.join('\n')}${end}`);
const files = fc.dictionary(name, content, { minKeys: 1, maxKeys: 6 });

/** Lines of a file with their ends; the last one may have none. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Lines of a patch with the ends that they have in the file. */
function patchLines(patch: string): readonly string[] {
  const texts = patch === '' ? [] : patch.split('\n');
  return texts.flatMap((text, index) => {
    if (text.startsWith('\\')) return [];
    return [texts[index + 1]?.startsWith('\\') ? text : `${text}\n`];
  });
}

/** The new file, made from the old one and the patch alone. */
function applied(old: string, patch: string): string {
  const before = linesOf(old);
  const after: string[] = [];
  let taken = 0;
  for (const text of patchLines(patch)) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+/.exec(text);
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      after.push(...before.slice(taken, start));
      taken = start;
      continue;
    }
    if (!text.startsWith('-')) after.push(text.slice(1));
    if (!text.startsWith('+')) taken += 1;
  }
  return [...after, ...before.slice(taken)].join('');
}

function expectTruth(file: CompareFile, old: string | undefined, current: string | undefined): void {
  const marks = (file.patch ?? '').split('\n').map((text) => text[0]);
  expect(marks.filter((mark) => mark === '+').length).toBe(file.additions);
  expect(marks.filter((mark) => mark === '-').length).toBe(file.deletions);
  expect(applied(old ?? '', file.patch ?? '')).toBe(current ?? '');
}

it('has for any names and contents exactly what changed, and patches that make the new file from the old', async () => {
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const gone = Object.fromEntries(Object.keys(before).map((path) => [path, null]));
      const base = await commitFiles(git.gitDir, { files: before, message: 'before' });
      const head = await commitFiles(git.gitDir, {
        parent: base,
        files: { ...gone, ...after },
        message: 'after',
      });
      const found = new Map((await git.compare(base, head)).files.map((file) => [file.filename, file]));
      for (const [path, current] of Object.entries(after)) {
        const file = found.get(path);
        const old = before[file?.previousFilename ?? path];
        if (file === undefined) expect(old).toBe(current);
        else expectTruth(file, old, current);
        expect(await git.readFile(head, path)).toBe(current);
      }
      const renamedAway = [...found.values()].map((file) => file.previousFilename);
      for (const path of Object.keys(before)) {
        if (path in after || renamedAway.includes(path)) continue;
        expect(found.get(path)?.status).toBe('removed');
      }
    }),
    { numRuns: 12 },
  );
});
