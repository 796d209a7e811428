import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

const RULE = 'architecture/unregistered-dependency';
const manifest = (dependencies: object, rest: object = { private: true }) =>
  JSON.stringify({ name: 'app', version: '1.0.0', ...rest, dependencies }, null, 2);
const change = (dependencies: object, rest?: object, path = 'package.json') =>
  rangeOf({
    [path]: {
      before: manifest({ hono: '^4.0.0' }, rest),
      after: manifest({ hono: '^4.0.0', ...dependencies }, rest),
    },
  });

describe('dependencies from outside a registry', () => {
  it.each([
    'github:acme/labels#main',
    'acme/labels',
    'git+https://github.com/acme/labels.git',
    'git@github.com:acme/labels.git',
    'https://codeload.github.com/acme/labels/tar.gz/main',
    'git://github.com/acme/labels.git#v1',
  ])('are found: %s', async (source) => {
    const findings = await findingsOf(RULE, change({ labels: source }));
    expect(findings).toMatchObject([{ file: 'package.json', line: 7, severity: 'important' }]);
  });

  it('are found where a dependency moves away from the registry', async () => {
    const before = manifest({ labels: '^1.0.0' });
    const after = manifest({ labels: 'github:acme/labels' });
    expect(await findingsOf(RULE, rangeOf({ 'package.json': { before, after } }))).toHaveLength(1);
  });

  it('are found as a folder only where the package is published', async () => {
    expect(await findingsOf(RULE, change({ labels: 'file:../labels' }, {}))).toHaveLength(1);
    expect(await findingsOf(RULE, change({ labels: 'file:../labels' }))).toEqual([]);
  });

  it('never show the address, since it may hold a token', async () => {
    const address = ['https://me', ':', 'k7Zq9TtW2m', '@git.acme.io/labels.git'].join('');
    const findings = await findingsOf(RULE, change({ labels: address }));
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain('k7Zq9TtW2m');
  });

  it.each([
    { labels: '^1.2.0' },
    { labels: 'workspace:*' },
    { labels: 'npm:@acme/labels@^1.0.0' },
    { labels: 'latest' },
    { labels: 'catalog:' },
  ])('are not claimed: %o', async (dependencies) => {
    expect(await findingsOf(RULE, change(dependencies))).toEqual([]);
  });

  it('are left in development, in fixtures, and where they were before', async () => {
    const dev = { private: true, devDependencies: { labels: 'github:acme/labels' } };
    const before = manifest({}, { private: true });
    expect(await findingsOf(RULE, rangeOf({ 'package.json': { before, after: manifest({}, dev) } }))).toEqual(
      [],
    );
    const source = { labels: 'github:acme/labels' };
    expect(await findingsOf(RULE, change(source, {}, 'test/fixtures/a/package.json'))).toEqual([]);
    const kept = rangeOf({
      'package.json': { before: manifest(source), after: manifest({ ...source, hono: '^4.0.0' }) },
    });
    expect(await findingsOf(RULE, kept)).toEqual([]);
  });
});
