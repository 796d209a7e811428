import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isBehind,
  joinMark,
  MAX_MARKER_BYTES,
  parseMarker,
  type StoredMarker,
  serialiseMarker,
} from './marker-file.ts';
import { itemId, markOf, NOW_MS, NOW_S } from './testing/marker-samples.ts';

const ID = itemId('PRRT_1');
const VALID = { id: ID, seenAt: 1_732_000_000, bodyHash: '3f9a1c2b7e4d5a6f' };

function parsed(fields: unknown): StoredMarker {
  const result = parseMarker(ID, JSON.stringify(fields));
  if ('fault' in result) throw new Error(result.fault);
  return result;
}

function written(stored: StoredMarker): string {
  const text = serialiseMarker(stored);
  if (text === undefined) throw new Error('it was too long');
  return text;
}

describe('the text of a marker', () => {
  it('needs the three specified fields alone', () => {
    expect(parsed(VALID).marker).toEqual(VALID);
    expect(parsed({ ...VALID, closed: ['whole'], readAtMs: 5 }).marker).toEqual({
      ...VALID,
      closed: ['whole'],
      readAtMs: 5,
    });
  });

  const WRONG_FIELDS: readonly Readonly<Record<string, unknown>>[] = [
    ...[undefined, 'PRRT_2', 'prrt_1', 1, null, [ID]].map((id) => ({ id })),
    ...[undefined, '1732000000', null, -1, [1], true].map((seenAt) => ({ seenAt })),
    ...[
      undefined,
      null,
      7,
      '',
      '3f9a',
      'X'.repeat(16),
      '3F9A1C2B7E4D5A6F',
      '3f9a1c2b7e4d5a6f0',
      '3f9a1c2b7e4d5a6f\n',
    ].map((bodyHash) => ({ bodyHash })),
    ...[null, 'whole', [1], [null], {}, { length: 0 }].map((closed) => ({ closed })),
    ...[null, '5', [5], true].map((readAtMs) => ({ readAtMs })),
  ];
  it.each(WRONG_FIELDS)('fault 53: is absent with %j', (wrong) => {
    expect(parseMarker(ID, JSON.stringify({ ...VALID, ...wrong }))).toEqual({ fault: expect.any(String) });
  });

  it.each(['seenAt', 'readAtMs'])('fault 53: is absent with a %s that no number can hold', (name) => {
    const text = JSON.stringify({ ...VALID, [name]: 0 }).replace(`"${name}":0`, `"${name}":1e999`);
    expect(parseMarker(ID, text)).toEqual({ fault: expect.any(String) });
  });

  const NO_OBJECTS = [
    '',
    ' ',
    '{',
    JSON.stringify(VALID).slice(0, 40),
    'null',
    '7',
    '"text"',
    `[${JSON.stringify(VALID)}]`,
  ];
  it.each(NO_OBJECTS)('is absent where it is %j', (text) => {
    expect(parseMarker(ID, text)).toEqual({ fault: 'it is no JSON object' });
  });

  it('never throws, whatever a file holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(parseMarker(ID, text)).toEqual({ fault: expect.any(String) });
      }),
    );
  });

  it('says what was marked, for any id and any closed parts', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.array(text), fc.nat(), fc.nat(), (id, closed, readAtMs, seenAt) => {
        const stored = joinMark(undefined, markOf(itemId(id), { closed, readAtMs }), seenAt, NOW_MS);
        expect(parseMarker(itemId(id), written(stored))).toMatchObject({ marker: stored.marker });
      }),
    );
  });

  it('has the specified fields first, then ours, then those of others', () => {
    const fields = { 7: 'seven', ...VALID, extra: { deep: [1, { x: null }] } };
    const text = written(joinMark(parsed(fields), markOf(ID, { readAtMs: 5 }), NOW_S, NOW_MS));
    const names = [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name);
    expect(names).toEqual(['id', 'seenAt', 'bodyHash', 'closed', 'readAtMs', '7', 'extra', 'deep', 'x']);
  });

  it('keeps fields that it does not know through every rewrite, whatever they are', () => {
    const name = fc
      .string()
      .filter((text) => !['id', 'seenAt', 'bodyHash', 'closed', 'readAtMs'].includes(text));
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (others) => {
        const existing = parsed({ ...others, ...VALID });
        const text = written(joinMark(existing, markOf(ID), NOW_S, NOW_MS));
        const { id, seenAt, bodyHash, closed, readAtMs, ...kept } = JSON.parse(text);
        expect(JSON.stringify(kept)).toBe(JSON.stringify(JSON.parse(JSON.stringify(others))));
      }),
    );
  });

  it('takes a field called __proto__ as any other', () => {
    const text = `{"__proto__":{"closed":["whole"],"bodyHash":7},${JSON.stringify(VALID).slice(1)}`;
    const result = parseMarker(ID, text);
    expect(result).toMatchObject({ marker: VALID });
    if ('fault' in result) return;
    expect(result.marker.closed).toBeUndefined();
    const rewritten = written(joinMark(result, markOf(ID, { closed: [] }), NOW_S, NOW_MS));
    expect(rewritten).toContain('"__proto__":{"closed":["whole"],"bodyHash":7}');
    expect(({} as { closed?: unknown }).closed).toBeUndefined();
  });

  it('leaves out what would make it too long to be read again: first what others added, then what is closed', () => {
    const closed = ['whole'];
    const long = parsed({ ...VALID, extra: 'x'.repeat(MAX_MARKER_BYTES - 200) });
    expect(
      JSON.parse(written(joinMark(long, markOf(ID, { closed: ['é'.repeat(90)] }), NOW_S, NOW_MS))),
    ).toEqual({
      ...markOf(ID, { closed: ['é'.repeat(90)] }),
      seenAt: VALID.seenAt,
    });
    const many = Array.from({ length: 5_000 }, (_, index) => `IC_kwDOSGizTs8AAAAB${index}`);
    expect(JSON.parse(written(joinMark(long, markOf(ID, { closed: many }), NOW_S, NOW_MS)))).toEqual(VALID);
    const id = itemId('x'.repeat(MAX_MARKER_BYTES));
    expect(serialiseMarker(joinMark(undefined, markOf(id, { closed }), NOW_S, NOW_MS))).toBeUndefined();
  });

  it('leaves out what is nested too deeply to be written', () => {
    const depth = 30_000;
    const text = `${JSON.stringify(VALID).slice(0, -1)},"extra":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const result = parseMarker(ID, text);
    if ('fault' in result) throw new Error(result.fault);
    expect(JSON.parse(written(joinMark(result, markOf(ID), NOW_S, NOW_MS)))).toEqual({
      ...markOf(ID),
      seenAt: VALID.seenAt,
    });
  });
});

describe('marks that meet', () => {
  const mark = markOf(ID, { readAtMs: 100, bodyHash: '00000000000000aa', closed: ['whole'] });

  it.each([
    ['an earlier reading gives way', 99, true],
    ['a reading of the same moment gives way', 100, true],
    ['a later reading stays', 101, false],
    ['a reading from a time to come gives way', NOW_MS + 3_600_001, true],
    ['a reading from a clock that is a little ahead stays', NOW_MS + 3_600_000, false],
  ])('%s', (_, readAtMs, isReplaced) => {
    const existing = parsed({ ...VALID, closed: [], readAtMs });
    const { marker } = joinMark(existing, mark, NOW_S, NOW_MS);
    expect(marker).toEqual(isReplaced ? { ...mark, seenAt: VALID.seenAt } : existing.marker);
  });

  it('a marker without a reading gives way, and without closed parts it stays so where it was read later', () => {
    expect(joinMark(parsed(VALID), mark, NOW_S, NOW_MS).marker).toEqual({ ...mark, seenAt: VALID.seenAt });
    const later = parsed({ ...VALID, readAtMs: 101 });
    expect(joinMark(later, mark, NOW_S, NOW_MS).marker).toEqual(later.marker);
  });

  it('the earlier time of two counts as the first', () => {
    expect(joinMark(parsed(VALID), mark, VALID.seenAt - 1, NOW_MS).marker.seenAt).toBe(VALID.seenAt - 1);
    expect(joinMark(parsed(VALID), mark, VALID.seenAt + 1, NOW_MS).marker.seenAt).toBe(VALID.seenAt);
  });

  it('an older reading or a later first time is behind', () => {
    const mine = { ...VALID, readAtMs: 100 };
    expect(isBehind(mine, mine)).toBe(false);
    expect(isBehind({ ...mine, readAtMs: 101, bodyHash: '00000000000000bb' }, mine)).toBe(false);
    expect(isBehind({ ...mine, readAtMs: 99 }, mine)).toBe(true);
    expect(isBehind(VALID, mine)).toBe(true);
    expect(isBehind({ ...mine, seenAt: mine.seenAt + 1 }, mine)).toBe(true);
    expect(isBehind({ ...mine, seenAt: mine.seenAt - 1 }, mine)).toBe(false);
  });
});
