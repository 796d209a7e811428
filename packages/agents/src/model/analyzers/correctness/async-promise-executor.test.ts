import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

const RULE = 'correctness/async-promise-executor';

describe('async executor of a promise', () => {
  it.each([
    ['an arrow', 'const p = new Promise(async (resolve) => {\n  resolve(await load());\n});', [1]],
    ['a function', 'return new Promise(async function (resolve) { await load(); resolve(); });', [1]],
    ['type arguments', 'const p = new Promise<string>(async (resolve) => { resolve(await load()); });', [1]],
  ])('finds %s', async (_, code, lines) => {
    expect(await linesFound(RULE, code)).toEqual(lines);
  });

  it.each([
    ['a synchronous executor', 'new Promise((resolve) => setTimeout(resolve, 1));'],
    [
      'an executor that catches',
      'new Promise(async (ok, no) => { try { ok(await f()); } catch (e) { no(e); } });',
    ],
    ['an async function within', 'new Promise((ok) => { on("x", async () => { ok(await f()); }); });'],
    ['another class', 'new Task(async (ok) => { ok(await f()); });'],
    ['a comment', '/* new Promise(async (ok) => { ok(await f()); }) */'],
  ])('leaves %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });
});
