import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

const RULE = 'architecture/new-dependency';
const manifest = (sections: object) =>
  JSON.stringify({ name: 'app', version: '1.0.0', ...sections }, null, 2);
const change = (before: object, after: object) =>
  rangeOf({ 'package.json': { before: manifest(before), after: manifest(after) } });

describe('new runtime dependencies', () => {
  it('are one note per manifest', async () => {
    const input = change(
      { dependencies: { hono: '^4.0.0' } },
      { dependencies: { hono: '^4.0.0', 'left-pad': '^1.0.0', pg: '^8.0.0' } },
    );
    expect(await findingsOf(RULE, input)).toMatchObject([
      { line: 6, severity: 'suggestion', message: '2 new runtime dependencies: `left-pad`, `pg`.' },
    ]);
  });

  it('are noted where there was no section before', async () => {
    expect(await findingsOf(RULE, change({}, { dependencies: { pg: '^8.0.0' } }))).toHaveLength(1);
  });

  it.each([
    ['a new version', { dependencies: { pg: '^8.0.0' } }, { dependencies: { pg: '^9.0.0' } }],
    ['a development dependency', {}, { devDependencies: { vitest: '^4.0.0' } }],
    [
      'one that was there in another section',
      { devDependencies: { pg: '^8.0.0' } },
      { dependencies: { pg: '^8.0.0' } },
    ],
    ['a package of the workspace', {}, { dependencies: { '@acme/api': 'workspace:*' } }],
    ['one from git, which another rule judges', {}, { dependencies: { labels: 'github:acme/labels' } }],
    ['a removal', { dependencies: { pg: '^8.0.0' } }, {}],
    ['a script of the same name', {}, { scripts: { dependencies: 'npm ls', pg: 'psql' } }],
  ])('are not %s', async (_, before, after) => {
    expect(await findingsOf(RULE, change(before, after))).toEqual([]);
  });

  it('are not told for a new package, or where the hunks do not fit the content', async () => {
    const content = manifest({ dependencies: { pg: '^8.0.0' } });
    expect(await findingsOf(RULE, rangeOf({ 'packages/a/package.json': content }))).toEqual([]);
    const input = change({}, { dependencies: { pg: '^8.0.0' } });
    expect(
      await findingsOf(RULE, { ...input, readFile: async () => content.replace('app', 'other') }),
    ).toEqual([]);
  });
});
