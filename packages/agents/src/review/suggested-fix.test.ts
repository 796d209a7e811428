import { describe, expect, test } from 'vitest';
import { writeFix } from './suggested-fix.ts';

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

describe('writeFix', () => {
  test.each([
    ['src/a.ts', 'const rows = await db.query(text, [id]);'],
    ['src/a.ts', 'if (rows.length === 0) {\n  return notFound();\n}'],
    ['src/a.ts', '  items.map((item) => load(item.id)),'],
    ['lib/a.ex', 'def handle(nil), do: :error'],
    ['a.py', 'total = sum(row.price for row in rows)'],
    ['a.sql', 'SELECT * FROM orders WHERE id = $1;'],
    ['a.html', '<img alt="logo" src="logo.png">'],
  ])('code for %s is a block: %j', (path, code) => {
    expect(writeFix(code, path)).toBe(fenced(path.split('.').at(-1) ?? '', code));
  });

  test.each([
    'Load all items with one query.',
    'Return 404 when `rows` is empty (see `notFound`).',
    'Use `execFile(program, [argument, …])`, which takes the arguments as they are.',
    'Compare: `a === b`.',
    'Return early if the list is empty.',
    'Import it lazily, or move the call.',
  ])('a sentence stays one: %j', (text) => {
    expect(writeFix(text, 'src/a.ts')).toBe(text);
  });

  test('a single name is code', () => {
    expect(writeFix('timeoutMs', 'src/a.ts')).toBe('`timeoutMs`');
  });

  test('Markdown with a fence keeps both', () => {
    const fix = `Check first:\n\n${fenced('ts', 'if (a) return;')}`;
    expect(writeFix(fix, 'src/a.ts')).toBe(fix);
  });

  test('S7 code cannot close its own fence', () => {
    expect(writeFix('const a = `x`;\nconst b = "```";\n// @alice', 'a.ts')).toMatch(
      /^````ts\n[\s\S]*\n````$/,
    );
  });
});
