import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

const RULE = 'architecture/removed-export';
const BOTH = { '.': './a.js', './client': './c.js' };
const manifest = (exports: unknown, rest: object = {}) =>
  JSON.stringify({ name: '@acme/api', version: '1.2.0', ...rest, exports }, null, 2);
const change = (after: string, before = manifest(BOTH)) => ({ 'package.json': { before, after } });
const CHANGESETS = { '.changeset/config.json': '{}' };

describe('removed entry points', () => {
  it('are critical where a changeset should have announced them', async () => {
    const findings = await findingsOf(RULE, rangeOf(change(manifest({ '.': './a.js' })), CHANGESETS));
    expect(findings).toMatchObject([
      { severity: 'critical', message: expect.stringContaining('`@acme/api/client`') },
    ]);
    expect(findings[0]?.line).toBeUndefined();
  });

  it('are important elsewhere', async () => {
    const findings = await findingsOf(RULE, rangeOf(change(manifest('./a.js'))));
    expect(findings.map(({ severity }) => severity)).toEqual(['important']);
  });

  it('are found where an entry is closed with null', async () => {
    const input = rangeOf(change(manifest({ '.': './a.js', './client': null })));
    expect(await findingsOf(RULE, input)).toHaveLength(1);
  });

  it('need a changeset that says so for this package', async () => {
    const announced = (text: string, path = '.changeset/a.md') =>
      findingsOf(RULE, rangeOf({ ...change(manifest({ '.': './a.js' })), [path]: text }, CHANGESETS));
    expect(await announced('---\n"@acme/api": major\n---\nGone.\n')).toEqual([]);
    expect(await announced('---\n"@acme/api": major\n---\nGone.\n', '.changeset/pre/a.md')).toEqual([]);
    expect(await announced('---\n"@acme/api": patch\n---\nGone.\n')).toHaveLength(1);
    expect(await announced('---\n"@acme/web": major\n---\nGone.\n')).toHaveLength(1);
  });

  it.each([
    ['a new target', manifest({ '.': './b.js', './client': './d.js' })],
    ['a pattern that covers the entry', manifest({ '.': './a.js', './*': './*.js' })],
    ['a major version', manifest({ '.': './a.js' }, { version: '2.0.0' })],
    ['a private package', manifest({ '.': './a.js' }, { private: true })],
    ['an unreleased package', manifest({ '.': './a.js' }, { version: '0.0.0' })],
    ['no exports at all, which opens everything', manifest(undefined)],
    ['another order', manifest({ './client': './c.js', '.': './a.js' })],
  ])('are not claimed for %s', async (_, after) => {
    expect(await findingsOf(RULE, rangeOf(change(after)))).toEqual([]);
  });

  it('are not claimed for conditions, which are no paths', async () => {
    const before = manifest({ import: './a.js', require: './a.cjs' });
    expect(await findingsOf(RULE, rangeOf(change(manifest({ import: './a.js' }), before)))).toEqual([]);
  });
});
