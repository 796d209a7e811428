import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

describe('missing changeset', () => {
  const rule = 'conventions/missing-changeset';
  const manifest = (fields: object) => JSON.stringify({ name: '@acme/api', version: '1.2.0', ...fields });
  const repository = {
    '.changeset/config.json': '{ "ignore": ["@acme/docs"] }',
    'packages/api/package.json': manifest({}),
    'packages/web/package.json': manifest({ name: '@acme/web' }),
    'packages/docs/package.json': manifest({ name: '@acme/docs' }),
    'packages/tool/package.json': manifest({ private: true }),
    'package.json': '{ "private": true }',
  };
  const edit = { before: 'export const a = 1;\n', after: 'export const a = 2;\n' };

  it('is told once for all packages, without a line', async () => {
    const input = rangeOf(
      { 'packages/web/src/c.ts': edit, 'packages/api/src/b.ts': edit, 'packages/api/src/a.ts': edit },
      repository,
    );
    const found = await findingsOf(rule, input);
    expect(found.map(({ file, line, quote, severity }) => [file, line, quote, severity])).toEqual([
      ['packages/api/src/a.ts', undefined, undefined, 'important'],
    ]);
    expect(found[0]?.message).toMatch(/^2 published packages .* of `@acme\/api` and `@acme\/web`\.$/);
  });

  it('names a package that is the only one, and shows what to write', async () => {
    const [finding] = await findingsOf(rule, rangeOf({ 'packages/api/src/a.ts': edit }, repository));
    expect(finding?.message).toMatch(/^`@acme\/api` changes without a changeset\. /);
    expect(finding?.suggestedFix).toContain('`"@acme/api": patch`');
  });

  it('names some of many packages and counts the others', async () => {
    const indices = Array.from({ length: 30 }, (_, index) => `packages/part-${index}`);
    const changes = indices.map((path) => [`${path}/src/a.ts`, edit]);
    const manifests = indices.map((path) => [`${path}/package.json`, manifest({ name: `@acme/${path}` })]);
    const found = await findingsOf(
      rule,
      rangeOf(Object.fromEntries(changes), { ...repository, ...Object.fromEntries(manifests) }),
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(/^30 published packages .* and \d+ more\.$/);
  });

  it('points to a source that is still there', async () => {
    const gone = { before: 'export const a = 1;\n', after: null };
    const input = rangeOf(
      {
        'packages/api/src/a.ts': gone,
        'packages/api/src/test-utils/b.ts': edit,
        'packages/api/src/c.ts': edit,
      },
      repository,
    );
    expect((await findingsOf(rule, input)).map(({ file }) => file)).toEqual(['packages/api/src/c.ts']);
  });

  it.each([
    ['a changeset in the range', { 'packages/api/src/a.ts': edit, '.changeset/calm-cats.md': 'text\n' }, {}],
    [
      'a changeset in a folder',
      { 'packages/api/src/a.ts': edit, '.changeset/pre/calm-cats.md': 'text\n' },
      {},
    ],
    ['a removed file', { 'packages/api/src/a.ts': { before: 'export const a = 1;\n', after: null } }, {}],
    ['a helper of tests', { 'packages/api/src/test-utils/a.ts': edit }, {}],
    ['a private package', { 'packages/tool/src/a.ts': edit }, {}],
    ['an ignored package', { 'packages/docs/src/a.ts': edit }, {}],
    [
      'a possibly ignored one',
      { 'packages/api/src/a.ts': edit },
      { '.changeset/config.json': '{"ignore":["@acme/*"]}' },
    ],
    ['a test', { 'packages/api/src/a.test.ts': edit }, {}],
    ['a file outside src', { 'packages/api/scripts/a.ts': edit }, {}],
    ['a comment', { 'packages/api/src/a.ts': { before: '// a\n', after: '// b\n' } }, {}],
    ['no package', { 'src/a.ts': edit }, {}],
    ['an unreadable manifest', { 'packages/api/src/a.ts': edit }, { 'packages/api/package.json': '{' }],
    [
      'a release',
      {
        'packages/api/src/version.ts': edit,
        'packages/api/package.json': {
          before: '{\n"version": "1.1.0"\n}',
          after: '{\n"name": "a",\n"version": "1.2.0"\n}',
        },
      },
      {},
    ],
  ])('is not told for %s', async (_, changes, others) => {
    expect(await findingsOf(rule, rangeOf(changes, { ...repository, ...others }))).toEqual([]);
  });

  it('is told beside what is no changeset', async () => {
    const input = rangeOf(
      { 'packages/api/src/a.ts': edit, '.changeset/README.md': 'x\n', 'docs/.changeset/a.md': 'x\n' },
      repository,
    );
    expect(await findingsOf(rule, input)).toHaveLength(1);
  });

  it('is not told where the repository does not use changesets, or a changeset was too large to read', async () => {
    const { '.changeset/config.json': _config, ...plain } = repository;
    expect(await findingsOf(rule, rangeOf({ 'packages/api/src/a.ts': edit }, plain))).toEqual([]);
    const input = rangeOf({ 'packages/api/src/a.ts': edit, '.changeset/big.md': 'x\n' }, repository);
    const files = input.files.map((file) =>
      file.path === '.changeset/big.md' ? { ...file, hunks: [], unread: 'budget' as const } : file,
    );
    expect(await findingsOf(rule, { ...input, files })).toEqual([]);
  });
});
