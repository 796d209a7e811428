import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'correctness/conflict-markers';
const CONFLICT = ['<<<<<<< HEAD', 'a = 1', '=======', 'a = 2', '>>>>>>> feature'].join('\n');

describe('conflict markers', () => {
  it.each(['src/a.ts', 'lib/a.ex', 'package.json', '.github/workflows/ci.yml', 'Makefile'])(
    'are critical in %s',
    async (path) => {
      const findings = await findingsOf(RULE, rangeOf({ [path]: `x\n${CONFLICT}\n` }));
      expect(findings.map(({ severity, line }) => ({ severity, line }))).toEqual([
        { severity: 'critical', line: 2 },
      ]);
    },
  );

  it('are found one by one, also in the style that shows the base', async () => {
    const withBase = ['<<<<<<< ours', 'a', '||||||| base', 'b', '=======', 'c', '>>>>>>> theirs'].join('\n');
    expect(await linesFound(RULE, `${CONFLICT}\n${withBase}\n`, 'a.py')).toEqual([1, 6]);
  });

  it('are important in prose', async () => {
    const findings = await findingsOf(RULE, rangeOf({ 'README.md': `# Title\n\n${CONFLICT}\n` }));
    expect(findings.map((finding) => finding.severity)).toEqual(['important']);
  });

  it.each([
    ['the underline of a heading', 'Title\n=======\n\nText\n', 'README.md'],
    ['an underline below a quote', '>>>>>>> deep quote\n\nTitle\n=======\n', 'mail.md'],
    ['a fenced example', `Text\n\n\`\`\`\n${CONFLICT}\n\`\`\`\n`, 'docs/merge.md'],
    ['a template string', `const sample = \`\n${CONFLICT}\n\`;\n`, 'src/a.test.ts'],
    ['an indented example', CONFLICT.replace(/^/gm, '    '), 'docs/merge.rst'],
    ['a fixture', CONFLICT, 'test/fixtures/conflict.txt'],
    ['a patch', CONFLICT, 'patches/a.patch'],
    ['a start without an end', '<<<<<<< HEAD\na\n=======\n', 'a.py'],
    ['a shift operator', '<<<<<<<\n=======\n>>>>>>>\n', 'a.b'],
  ])('leaves %s', async (_, content, path) => {
    expect(await linesFound(RULE, content, path)).toEqual([]);
  });

  it('leaves a conflict that the range removes or only touches', async () => {
    const resolved = rangeOf({ 'a.py': { before: `${CONFLICT}\n`, after: 'a = 2\n' } });
    const beside = rangeOf({ 'a.py': { before: `${CONFLICT}\n`, after: `${CONFLICT}\nb = 1\n` } });
    expect(await findingsOf(RULE, resolved)).toEqual([]);
    expect(await findingsOf(RULE, beside)).toEqual([]);
  });
});
