import { describe, expect, it } from 'vitest';
import { isGenerated, isProductSource, isTestPath } from './paths.ts';

describe('paths', () => {
  it.each(['src/a.ts', 'lib/a.mjs', 'a.jsx', 'src/contest/a.ts', 'src/latest.ts', 'src/specification.ts'])(
    '%s is product source',
    (path) => {
      expect(isProductSource(path)).toBe(true);
    },
  );

  it.each([
    'src/a.test.ts',
    'src/a.spec.jsx',
    'test/a.ts',
    'src/__tests__/a.ts',
    'e2e/a.ts',
    'lib/a_test.exs',
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
});
