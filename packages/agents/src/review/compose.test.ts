import { describe, expect, test } from 'vitest';
import type { Aspect } from '../ids.ts';
import type { RawFile } from './changed-file.ts';
import { composeReview, type ReviewComment } from './compose.ts';
import type { Finding } from './finding.ts';
import { parseMarker } from './marker.ts';
import { allDone, finding, numbered, rawFile, sha } from './testing/builders.ts';
import { nodesOf, shownText, treeOf } from './testing/markdown-tree.ts';
import { expectSound, review } from './testing/reviews.ts';

type Found = Partial<Record<Aspect, readonly Finding[]>>;

const base = numbered(40);
const a = rawFile('src/a.ts', base, base.replace('line 20\n', 'const q = "SELECT " + id;\n'));
const injection = finding('src/a.ts', 'The id goes into the query. Anyone can read all orders.', {
  severity: 'critical',
  line: 20,
  impact: 'All orders are public.',
  suggestedFix: 'db.query("SELECT $1", [id]);',
});
const nit = finding('src/a.ts', 'Name the constant. It says nothing.', { severity: 'suggestion', line: 21 });
const link = (line: number, digit = '1') =>
  `https://github.com/acme/shop/blob/${sha(digit)}/src/a.ts#L${line}`;

function first(found: Found, extra: Partial<ReviewComment> = {}, files: readonly RawFile[] = [a]): string {
  return composeReview(review([{ files, outcomes: allDone(found) }], extra));
}

function headings(body: string): readonly string[] {
  return nodesOf(treeOf(body)).flatMap((node) =>
    node.type === 'heading' ? [`${'#'.repeat(node.depth ?? 0)} ${shownText(node)}`] : [],
  );
}

describe('composeReview: form', () => {
  const body = first({ security: [injection], conventions: [nit] });

  test('has the parts in their order', () => {
    expect(headings(body)).toEqual([
      '## PR Shepherd Review',
      '### Summary',
      '### Issues Found',
      '#### Security',
      '#### Conventions',
    ]);
    expectSound(body);
    expect(body.startsWith('## PR Shepherd Review\n')).toBe(true);
    expect(body).toContain('\n\n**1 critical** · 1 suggestion\n\n');
    expect(body).toContain('\n\n---\n\n*Review iteration: 1 | 2026-05-26*\n\n<!-- pr-shepherd ');
    expect(parseMarker(body)).toEqual({ sha: sha('1'), iteration: 1 });
  });

  test('an entry has title, link to its line at the reviewed sha, issue, impact and fix', () => {
    expect(body).toContain(
      [
        '- **Critical: The id goes into the query**  ',
        `  **File**: [\`src/a.ts:20\`](${link(20)})  `,
        '  **Issue**: Anyone can read all orders.  ',
        '  **Impact**: All orders are public.',
        '',
        '  **Suggested fix**:',
        '',
        '  ```ts',
        '  db.query("SELECT $1", [id]);',
        '  ```',
      ].join('\n'),
    );
  });

  test('suggestions are folded', () => {
    const [before, folded] = body.split('<details>');
    expect(before).not.toContain('Name the constant');
    expect(folded).toMatch(
      /^\n<summary>1 suggestion<\/summary>\n\n- \*\*Suggestion: Name the constant\*\*[\s\S]*<\/details>/,
    );
  });

  test('sections come by their worst finding, findings by severity', () => {
    const many = first({
      correctness: [nit, finding('src/a.ts', 'Off by one')],
      tests: [finding('src/a.ts', 'Tests are skipped', { severity: 'critical' })],
      perf: [finding('src/a.ts', 'Slow loop')],
    });
    expect(headings(many).slice(3)).toEqual(['#### Tests', '#### Correctness', '#### Performance']);
    expect(many.indexOf('Off by one')).toBeLessThan(many.indexOf('Name the constant'));
  });

  test('T-002 a finding of two aspects is one entry that names both', () => {
    const both = first({ security: [injection], correctness: [{ ...injection, severity: 'important' }] });
    expect(both).toContain('**1 critical**\n');
    expect(both).toContain('· also found by correctness');
  });

  test('the texts of the round stand under their headings', () => {
    const texts = {
      summary: 'S.',
      workingWell: 'Streams.',
      issueConformance: 'Half of it.',
    };
    const full = first({ security: [injection] }, { texts });
    expect(headings(full)).toEqual([
      '## PR Shepherd Review',
      '### Summary',
      "### What's Working Well",
      '### Issues Found',
      '#### Security',
      '### Issue Conformance',
    ]);
  });

  test('analyzers say that they are no model, a model says its name', () => {
    expect(first({}, { reviewer: { kind: 'analyzers' } })).toContain(
      'built-in analyzers, without a language model',
    );
    expect(body).toContain('by `acme/thinker-1`');
  });

  test('without a web address nothing is linked', () => {
    const local = first({ security: [injection] }, { webUrl: '' });
    expect(local).toContain('**File**: `src/a.ts:20`');
    expect(local).toContain('at `1111111`');
    expect(nodesOf(treeOf(local)).some((node) => node.type === 'link')).toBe(false);
  });

  test('files that are removed, or not among the reviewed ones, are no broken links', () => {
    const gone = rawFile('src/gone.ts', base, '');
    const text = first({ tests: [finding('src/gone.ts', 'Still used'), finding('x.ts', 'Missing')] }, {}, [
      a,
      gone,
    ]);
    expect(text).toContain('[`src/gone.ts`](https://github.com/acme/shop/pull/7/files) (removed)');
    expect(text).toContain('`x.ts` (outside the reviewed changes)');
  });

  test('T-170 odd paths are shown and linked', () => {
    const path = 'src/a (b)/`ü` [x]#@alice.ts';
    const text = first({ tests: [finding(path, 'Odd', { line: 1 })] }, {}, [rawFile(path, '', 'x\n')]);
    expectSound(text);
    const target = nodesOf(treeOf(text)).find((node) => node.url?.includes('/blob/'));
    expect(target?.url).toBe(
      `https://github.com/acme/shop/blob/${sha('1')}/src/a%20%28b%29/%60%C3%BC%60%20%5Bx%5D%23%40alice.ts#L1`,
    );
    expect(shownText(target ?? { type: 'none' })).toBe(`${path}:1`);
  });
});

describe('composeReview: what is known (S5)', () => {
  test('T-067 T-122 a clean review is a few lines, without headings or praise', () => {
    const texts = { summary: 'Adds a basket.', workingWell: 'Everything.' };
    const body = first({}, { texts });
    expectSound(body);
    expect(headings(body)).toEqual(['## PR Shepherd Review']);
    expect(body).toContain('**No issues found.**');
    expect(body).not.toContain('Everything.');
    expect(body.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(7);
  });

  test('T-115 T-116 an aspect that failed is named on top, and nothing is called clean', () => {
    const outcomes = allDone().map((outcome) =>
      outcome.aspect === 'security'
        ? { aspect: 'security' as const, status: 'failed' as const, why: 'no answer; ask @ops' }
        : outcome,
    );
    const body = composeReview(review([{ files: [a], outcomes }]));
    expectSound(body);
    expect(body).not.toContain('No issues found');
    expect(body).toMatch(
      /^## PR Shepherd Review\n\n> \[!WARNING\]\n> This review is incomplete.*: security failed \(no answer; ask `@ops`\)\.\n/,
    );
    expect(body).toContain('**failed: security**');
  });

  test('files that were not read are counted and named', () => {
    const lock = rawFile('pnpm-lock.yaml', '', numbered(9));
    const body = first({ perf: [finding('pnpm-lock.yaml', 'Huge')] }, {}, [a, lock]);
    expect(body).toContain('No issues found in the 1 file that was read.');
    expect(body).toContain('1 of 2 files read');
    expect(body).toContain('**Not read**: `pnpm-lock.yaml` (lock file, sources only)');
    expect(body).toContain('1 remark about files that were not read left out.');
  });

  test('a list of files that GitHub cut is said to be cut', () => {
    const clean = review([{ files: [a], outcomes: allDone() }]);
    const files = { ...clean.coverage.files, listComplete: false };
    const body = composeReview({ ...clean, coverage: { ...clean.coverage, files } });
    expect(body).toContain('does not list all files');
    expect(body).not.toContain('**No issues found.**');
  });

  test('notes stand on top', () => {
    expect(first({}, { notes: ['Newer commits are pending.', 'Edited by @ada.'] })).toContain(
      'Review\n\n> Newer commits are pending.\n>\n> Edited by `@ada`.\n\n',
    );
  });
});

describe('composeReview: later iterations', () => {
  const repaired = rawFile('src/a.ts', base, base.replace('line 20\n', 'const q = find(id);\n'));
  const slow = finding('src/a.ts', 'One query per row', { line: 20 });
  const later = review([
    { files: [a], outcomes: allDone({ security: [injection], conventions: [nit] }) },
    { files: [repaired], outcomes: allDone({ conventions: [nit], perf: [slow] }) },
  ]);

  test('what is new is marked, what was before is told by name', () => {
    const body = composeReview(later);
    expectSound(body);
    expect(body).toContain('\n1 important · 1 suggestion (1 new)\n');
    expect(body).toContain('- **Important: One query per row** · *new*');
    expect(body).toContain('- **Suggestion: Name the constant**  ');
    expect(body).toContain(
      [
        '### Previous Review Status',
        '',
        'Fixed 1, still open 1.',
        '',
        '- Fixed: The id goes into the query (`src/a.ts`)',
      ].join('\n'),
    );
    expect(body).toContain(`1 of 1 file read`);
    expect(parseMarker(body)?.iteration).toBe(2);
  });

  test('what came again is marked as that', () => {
    const again = review([
      { files: [a], outcomes: allDone({ security: [injection] }) },
      { files: [repaired], outcomes: allDone() },
      { files: [a], outcomes: allDone({ security: [injection] }) },
    ]);
    expect(composeReview(again)).toContain('The id goes into the query** · *open again*');
  });

  test('a part of the PR that was read is told as a part', () => {
    const two = review([
      { files: [a, rawFile('src/b.ts', '', 'x\n')], outcomes: allDone() },
      { files: [repaired, rawFile('src/b.ts', '', 'x\n')], outcomes: allDone() },
    ]);
    expect(composeReview(two)).toContain(
      `1 of 1 file changed since [\`1111111\`](https://github.com/acme/shop/commit/${sha('1')}) read, 2 in the PR`,
    );
  });
});
