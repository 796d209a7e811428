import { describe, expect, it } from 'vitest';
import { isBenchmark, isChangeset, isGenerated, isOwnTool, isProductSource, isTestPath } from './paths.ts';

describe('paths', () => {
  it.each([
    'src/a.ts',
    'lib/a.mjs',
    'a.jsx',
    'src/contest/a.ts',
    'src/latest.ts',
    'src/specification.ts',
    'src/test-run.ts',
    'src/latest-utils/a.ts',
  ])('%s is product source', (path) => {
    expect(isProductSource(path)).toBe(true);
  });

  it.each([
    'src/a.test.ts',
    'src/a.spec.jsx',
    'test/a.ts',
    'src/__tests__/a.ts',
    'e2e/a.ts',
    'lib/a_test.exs',
    'src/test-utils/a.ts',
    'src/testHelpers/a.ts',
    'src/test-utils.ts',
    'src/git.test-helpers.ts',
  ])('%s is a test', (path) => {
    expect(isTestPath(path)).toBe(true);
    expect(isProductSource(path)).toBe(false);
  });

  it.each([
    'pnpm-lock.yaml',
    'app/dist/a.js',
    'a.min.js',
    'src/__snapshots__/a.snap',
    'vendor/a.js',
    'api_pb.ts',
  ])('%s is generated', (path) => {
    expect(isGenerated(path)).toBe(true);
    expect(isProductSource(path)).toBe(false);
  });

  it.each(['README.md', 'vite.config.ts', 'types.d.ts', 'lib/a.ex'])('%s is neither', (path) => {
    expect([isProductSource(path), isTestPath(path), isGenerated(path)]).toEqual([false, false, false]);
  });

  it.each([
    ['.changeset/a.md', true],
    ['.changeset/pre/a.md', true],
    ['.changeset/README.md', false],
    ['.changeset/config.json', false],
    ['docs/.changeset/a.md', false],
  ])('%s is a changeset: %s', (path, expected) => {
    expect(isChangeset(path)).toBe(expected);
  });

  it.each([
    ['bench/a.ts', true, true],
    ['src/a.bench.ts', true, true],
    ['scripts/a.ts', true, false],
    ['.github/a.mjs', true, false],
    ['src/bench.ts', false, false],
    ['src/scripting/a.ts', false, false],
  ])('%s is a tool: %s, and a benchmark: %s', (path, tool, benchmark) => {
    expect([isOwnTool(path), isBenchmark(path)]).toEqual([tool, benchmark]);
  });
});
