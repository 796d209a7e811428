/**
 * Holds the tables of the README to the suite: each test that they name exists, and no member is missing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as embedded from '../index.ts';
import { isPublished, runPass } from './testing/harness.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const LEFT_OUT = 'left out, see [DESIGN.md](DESIGN.md)';

/** Exports that the published package does not have. */
const OWN_EXPORTS = /^(createEmbeddedHost|createManualClock|systemClock|\w+Error)$/;

interface Row {
  readonly member: string;
  readonly pinnedBy: string;
}

/** The rows of the table under a heading of the README. */
function rowsUnder(heading: string): readonly Row[] {
  const section = README.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const [, member = '', pinnedBy = ''] = line.split(' | ').join('|').split('|');
    return { member: member.trim(), pinnedBy: pinnedBy.trim() };
  });
}

/** The names that a row is about. */
function namesOf({ member }: Row): readonly string[] {
  return [...member.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

const HEADINGS = [
  'Exports',
  'The context of a handler',
  'Wakes',
  'HTTP routes',
  'What both runtimes promise',
] as const;

const sources = new Map(
  readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => [name.replace('.test.ts', ''), readFileSync(new URL(name, import.meta.url), 'utf8')]),
);

/** Whether a file of the suite has a test of this name: its first argument, before its function. */
function hasTest(file: string, name: string): boolean {
  const quoted = ["'", '"', '`'].map((quote) => quote + name + quote);
  const source = sources.get(file) ?? '';
  return quoted.some((text) => new RegExp(`${escapePattern(text)},\\s*(?:async )?\\(`).test(source));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

it.each(HEADINGS)('the table "%s" names tests that exist, or what is left out', (heading) => {
  const rows = rowsUnder(heading);
  expect(rows.length).toBeGreaterThan(10);
  for (const { member, pinnedBy } of rows) {
    if (pinnedBy === LEFT_OUT) continue;
    const [file = '', ...name] = pinnedBy.split(': ');
    expect({ member, pinnedBy, exists: hasTest(file, name.join(': ')) }).toEqual({
      member,
      pinnedBy,
      exists: true,
    });
  }
});

it('every export is in its table', () => {
  const named = new Set(rowsUnder('Exports').flatMap(namesOf));
  const missing = Object.keys(embedded).filter((name) => !named.has(name) && !OWN_EXPORTS.test(name));
  expect(missing).toEqual([]);
});

it.skipIf(isPublished)('every member of the context is in its table, and no other', async () => {
  let members: readonly string[] = [];
  await runPass((ctx) => {
    members = Object.keys(ctx);
  });
  const listed = rowsUnder('The context of a handler').filter((row) => /^`\w+`$/.test(row.member));
  const tools = /^load_/;
  const named = listed.flatMap(namesOf).filter((name) => !tools.test(name));
  expect([...named].sort()).toEqual([...members].sort());
});

it('what is left out stands in DESIGN.md', () => {
  const design = readFileSync(new URL('../../DESIGN.md', import.meta.url), 'utf8');
  const leftOut = [...rowsUnder('Exports'), ...rowsUnder('The context of a handler')]
    .filter((row) => row.pinnedBy === LEFT_OUT)
    .flatMap(namesOf);
  expect(leftOut.length).toBeGreaterThan(5);
  expect(leftOut.filter((name) => !design.includes(`\`${name}\``))).toEqual([]);
});

it('every sharp edge that a test names is explained', () => {
  const explained = new Set([...README.matchAll(/^- \*\*(\d+)\*\* /gm)].map(([, number]) => number));
  const all = [...sources.values()].join('\n');
  const used = new Set([...all.matchAll(/\(sharp edge (\d+)\)/g)].map(([, number]) => number));
  expect([...used].sort()).toEqual([...explained].sort());
});
