import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

const RULE = 'architecture/new-dependency';
const manifest = (sections: object) =>
  JSON.stringify({ name: 'app', version: '1.0.0', ...sections }, null, 2);
const named = (name: string, sections: object, rest: object = {}) => manifest({ name, ...sections, ...rest });
const PG = { dependencies: { pg: '^8.0.0' } };
const change = (before: object, after: object) =>
  rangeOf({ 'package.json': { before: manifest(before), after: manifest(after) } });

describe('new runtime dependencies', () => {
  it('are one note per manifest', async () => {
    const input = change(
      { dependencies: { hono: '^4.0.0' } },
      { dependencies: { hono: '^4.0.0', 'left-pad': '^1.0.0', pg: '^8.0.0' } },
    );
    expect(await findingsOf(RULE, input)).toMatchObject([
      {
        line: 6,
        severity: 'suggestion',
        message: expect.stringMatching(/^`left-pad` and `pg` are new runtime dependencies\. /),
        impact: expect.stringContaining('`app`'),
      },
    ]);
  });

  it('are noted where there was no section before', async () => {
    expect(await findingsOf(RULE, change({}, PG))).toMatchObject([
      { message: expect.stringMatching(/^`pg` is a new runtime dependency\. /) },
    ]);
  });

  it('are counted where their names are long', async () => {
    const names = Array.from({ length: 20 }, (_, index) => [`a-package-with-a-long-name-${index}`, '^1.0.0']);
    const findings = await findingsOf(RULE, change({}, { dependencies: Object.fromEntries(names) }));
    expect(findings).toMatchObject([{ message: expect.stringMatching(/ and 19 more are new /) }]);
  });

  it('are noted once where several manifests get the same, with all packages', async () => {
    const gets = (name: string, dependencies: object) => ({
      before: named(name, {}),
      after: named(name, { dependencies }),
    });
    const input = rangeOf({
      'packages/web/package.json': gets('web', { pg: '^8.0.0', hono: '^4.0.0' }),
      'packages/api/package.json': gets('api', { pg: '^8.0.0' }),
      'packages/cli/package.json': gets('cli', { pg: '^8.0.0' }),
    });
    const findings = await findingsOf(RULE, input);
    expect(findings).toMatchObject([
      {
        file: 'packages/api/package.json',
        impact: expect.stringContaining('installs `api`, `cli` and `web`'),
      },
      { file: 'packages/web/package.json', impact: expect.stringContaining('installs `web` gets') },
    ]);
    expect(findings.map(({ message }) => /^`(\w+)` is/.exec(message)?.[1])).toEqual(['pg', 'hono']);
  });

  it('are noted also where they come with a new package', async () => {
    const input = rangeOf({
      'packages/api/package.json': { before: named('api', {}), after: named('api', PG) },
      'packages/web/package.json': named('web', PG),
    });
    const findings = await findingsOf(RULE, input);
    expect(findings.map(({ file }) => file)).toEqual(['packages/api/package.json']);
  });

  it.each([
    ['was in another manifest', { before: named('web', PG), after: named('web', PG, { license: 'MIT' }) }],
    [
      'left the development dependencies of another one',
      { before: named('web', { devDependencies: PG.dependencies }), after: named('web', {}) },
    ],
    ['went with a removed package', { before: named('web', PG), after: null }],
    ['is a package of the range', { before: null, after: named('pg', {}) }],
  ])('are no news where one %s', async (_, web) => {
    const api = { before: named('api', {}), after: named('api', PG) };
    const input = rangeOf({ 'packages/api/package.json': api, 'packages/web/package.json': web });
    expect(await findingsOf(RULE, input)).toEqual([]);
  });

  it('are no news where the package is of the repository, by its name and not by its folder', async () => {
    const api = {
      before: named('@acme/api', {}),
      after: named('@acme/api', { dependencies: { '@acme/log': '^1.0.0' } }),
    };
    const found = (path: string, name: string) =>
      findingsOf(RULE, rangeOf({ 'libs/api/package.json': api }, { [path]: named(name, {}) }));
    expect(await found('packages/log/package.json', '@acme/log')).toEqual([]);
    expect(await found('libs/log/package.json', '@acme/log')).toEqual([]);
    expect(await found('packages/log/package.json', '@other/log')).toHaveLength(1);
    expect(await found('packages/other/package.json', '@acme/log')).toHaveLength(1);
  });

  it.each([
    ['a private package', { private: true }],
    ['one without a version', { version: undefined }],
  ])('are not noted in %s', async (_, rest) => {
    expect(await findingsOf(RULE, change(rest, { ...PG, ...rest }))).toEqual([]);
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
    ['types alone', {}, { dependencies: { '@types/pg': '^8.0.0' } }],
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
