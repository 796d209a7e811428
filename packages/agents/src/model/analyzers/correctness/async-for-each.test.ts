import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

const RULE = 'correctness/async-for-each';

describe('async callback of forEach', () => {
  it.each([
    ['an arrow function', 'parcels.forEach(async (parcel) => {\n  await notify(parcel);\n});', [1]],
    ['an expression', 'parcels.forEach(async (parcel) => await notify(parcel));', [1]],
    ['a function', 'a.b().forEach(async function (x) { await f(x); });', [1]],
    [
      'on the line of the callback',
      'parcels.forEach(\n  async (parcel) => {\n    await notify(parcel);\n  },\n);',
      [2],
    ],
    ['optional call', 'parcels?.forEach(async (p) => { await f(p); });', [1]],
  ])('finds %s', async (_, code, lines) => {
    expect(await linesFound(RULE, code)).toEqual(lines);
  });

  it.each([
    ['a synchronous callback', 'parcels.forEach((parcel) => notify(parcel));'],
    ['a stream, whose forEach waits', 'await stream.forEach(async (chunk) => { await write(chunk); });'],
    ['a returned call', 'function f() { return stream.forEach(async (chunk) => { await write(chunk); }); }'],
    ['a chained call', 'stream.forEach(async (chunk) => { await write(chunk); }).then(done);'],
    [
      'a callback that catches',
      'xs.forEach(async (x) => { try { await f(x); } catch (error) { log(error); } });',
    ],
    ['an expression that catches', 'xs.forEach(async (x) => await f(x).catch(log));'],
    ['a callback that awaits nothing', 'xs.forEach(async (x) => { queue.push(x); });'],
    ['an await of a function within', 'xs.forEach((x) => { on(x, async () => { await f(x); }); });'],
    ['a string', "const text = 'xs.forEach(async (x) => { await f(x); })';"],
    ['a comment', '// xs.forEach(async (x) => { await f(x); });'],
    ['map', 'const all = await Promise.all(xs.map(async (x) => { await f(x); }));'],
  ])('leaves %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });

  it('leaves tests, fixtures, documents and bundles', async () => {
    const code = 'xs.forEach(async (x) => { await f(x); });';
    for (const path of [
      'src/a.test.ts',
      'test/fixtures/a.ts',
      'docs/a.md',
      'dist/a.js',
      'a.min.js',
      'a.d.ts',
    ]) {
      expect(await linesFound(RULE, code, path), path).toEqual([]);
    }
    expect(await linesFound(RULE, `// @generated\n${code}`)).toEqual([]);
  });
});
