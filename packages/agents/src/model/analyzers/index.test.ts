import { describe, expect, it } from 'vitest';
import { ASPECTS } from '../../ids.ts';
import { findingSchema } from '../../review/finding.ts';
import { type AnalysisInput, analyze } from './index.ts';
import { changedFile, rangeOf } from './testing/range.ts';

const LOOP = 'xs.forEach(async (x) => { await f(x); });\n';
const NAN = 'if (x === NaN) f();\n';

async function analyzeAll(input: AnalysisInput) {
  return (await Promise.all(ASPECTS.map((aspect) => analyze(aspect, input)))).flat();
}

describe('analyze', () => {
  it('sorts by severity, then by file and line', async () => {
    const conflict = '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n';
    const input = rangeOf({
      'z.py': conflict,
      'src/b.ts': `${LOOP}${NAN}`,
      'src/a.ts': `\n${LOOP}`,
      'docs/a.md': conflict,
    });
    const findings = await analyze('correctness', input);
    expect(findings.map(({ severity, file, line }) => `${severity} ${file}:${line}`)).toEqual([
      'critical z.py:1',
      'important docs/a.md:1',
      'important src/a.ts:2',
      'important src/b.ts:1',
      'important src/b.ts:2',
    ]);
  });

  it('gives findings that hold by the schema, quote their line and name their rule', async () => {
    const findings = await analyze('correctness', rangeOf({ 'src/a.ts': `  ${NAN}` }));
    expect(findings).toHaveLength(1);
    expect(findingSchema.parse(findings[0])).toMatchObject({
      quote: NAN.trim(),
      evidence: 'Found by the built-in rule correctness/nan-comparison.',
      impact: expect.any(String),
      suggestedFix: expect.any(String),
    });
  });

  it('says what a rule finds in a file once, with the other places in it', async () => {
    const content = { 'src/a.ts': LOOP.repeat(4), 'src/b.ts': LOOP, 'src/c.ts': `${LOOP}\n${LOOP}` };
    const findings = await analyze('correctness', rangeOf(content));
    expect(findings.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'src/a.ts:1',
      'src/b.ts:1',
      'src/c.ts:1',
    ]);
    expect(findings.map(({ message }) => /The same .*$/.exec(message)?.[0])).toEqual([
      'The same in 3 more places of this file: lines 2, 3 and 4.',
      undefined,
      'The same in 1 more place of this file: line 3.',
    ]);
  });

  it('does not list more than ten other places', async () => {
    const [finding] = await analyze('correctness', rangeOf({ 'src/a.ts': LOOP.repeat(14) }));
    expect(finding?.message).toMatch(/ 13 more places of this file: lines 2, .*, 11 and 3 more\.$/);
  });

  it('keeps two rules apart that speak of one file', async () => {
    const findings = await analyze('correctness', rangeOf({ 'src/a.ts': `${LOOP}${NAN}` }));
    expect(findings.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('says nothing about an unread file, and reads none', async () => {
    const file = { ...changedFile('src/a.ts', null, LOOP), unread: 'budget' as const };
    const read: string[] = [];
    const readFile = async (path: string) => {
      read.push(path);
      return LOOP;
    };
    expect(await analyzeAll({ files: [file], readFile })).toEqual([]);
    expect(read).toEqual([]);
  });

  it('says nothing about hunks that were reviewed before', async () => {
    const file = changedFile('src/a.ts', null, LOOP);
    const seen = { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, isNew: false })) };
    expect(await analyzeAll({ files: [seen], readFile: async () => LOOP })).toEqual([]);
    expect(await analyzeAll({ files: [file], readFile: async () => LOOP })).toHaveLength(1);
  });

  it('says nothing structural about a file that is absent, oversized or broken at that place', async () => {
    const absent = { files: [changedFile('src/a.ts', null, LOOP)], readFile: async () => undefined };
    const oversized = `${LOOP}${'// filler\n'.repeat(21_000)}`;
    expect(await analyzeAll(absent)).toEqual([]);
    expect(await analyze('correctness', rangeOf({ 'src/a.ts': oversized }))).toEqual([]);
  });

  it('passes on what reading throws', async () => {
    const input: AnalysisInput = {
      files: [changedFile('src/a.ts', null, LOOP)],
      readFile: async () => {
        throw new Error('connection lost');
      },
    };
    await expect(analyze('correctness', input)).rejects.toThrow('connection lost');
  });

  it('finds nothing in a large, plain range', async () => {
    const plain = (seed: number) =>
      Array.from(
        { length: 40 },
        (_, index) =>
          `export async function load${seed}x${index}(ids: readonly string[]) {\n  const rows = await Promise.all(ids.map((id) => read(\`\${id}-${index}\`)));\n  return rows.filter((row) => row !== undefined && row.size > ${index});\n}\n`,
      ).join('\n');
    const sources = Array.from({ length: 25 }, (_, index) => [
      [`src/part-${index}.ts`, plain(index)],
      [
        `src/part-${index}.test.ts`,
        `it('loads', async () => {\n  expect(await load${index}x1([])).toEqual([]);\n});\n`,
      ],
    ]).flat();
    expect(await analyzeAll(rangeOf(Object.fromEntries(sources)))).toEqual([]);
  });
});
