// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code under analysis
import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

const RULE = 'perf/sequential-reads';

describe('reads one after another', () => {
  it.each([
    [
      'fetch',
      'for (const id of ids) {\n  const res = await fetch(`/p/${id}`);\n  out.push(await res.json());\n}',
      2,
    ],
    [
      'a query',
      "for (const { id } of rows) {\n  out.push(await db.query('select 1 where id = $1', [id]));\n}",
      2,
    ],
    [
      'typed',
      "for (const id of ids) {\n  out.push(await db.query<Row>('select 1 where id = $1', [id]));\n}",
      2,
    ],
    ['kept by key', 'for (const id of ids) {\n  byId[id] = await fetch(id);\n}', 2],
  ])('are found: %s', async (_, code, line) => {
    expect(await linesFound(RULE, code)).toEqual([line]);
  });

  it.each([
    ['writing', "for (const id of ids) {\n  await fetch(id, { method: 'POST' });\n}"],
    [
      'writing to a database',
      "for (const id of ids) {\n  await db.query('delete from t where id = $1', [id]);\n}",
    ],
    ['ending early', 'for (const url of mirrors) {\n  const r = await fetch(url);\n  if (r.ok) break;\n}'],
    [
      'answering early',
      'for (const url of mirrors) {\n  const r = await fetch(url);\n  if (r.ok) return r;\n}',
    ],
    ['trying again', 'for (const n of tries) {\n  try { await fetch(n); } catch {}\n}'],
    ['pacing', 'for (const id of ids) {\n  await fetch(id);\n  await sleep(100);\n}'],
    ['carrying on', 'for (const id of ids) {\n  cursor = await fetch(id + cursor);\n}'],
    ['an async iteration', 'for await (const id of ids) {\n  await fetch(id);\n}'],
    ['something else', 'for (const id of ids) {\n  await save(id);\n}'],
    ['not of the element', 'for (const id of ids) {\n  await fetch(url);\n}'],
    ['over keys', 'for (const id in ids) {\n  await fetch(id);\n}'],
    ['at once', 'await Promise.all(ids.map((id) => fetch(id)));'],
  ])('are not claimed: %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });
});
