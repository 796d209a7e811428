import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markerLine, parseMarker } from './marker.ts';
import { sha } from './testing/builders.ts';

const line = markerLine({ sha: sha('c'), iteration: 3 });

describe('the marker', () => {
  test('has the form that people and scripts know', () => {
    expect(line).toBe(`<!-- pr-shepherd {"v":1,"sha":"${sha('c')}","iteration":3} -->`);
  });

  test('is read from the last line, whatever line ends GitHub made of it', () => {
    expect(parseMarker(`## PR Shepherd Review\r\n\r\n${line}\r\n`)).toEqual({ sha: sha('c'), iteration: 3 });
  });

  test.each([
    ['it is not last', `${line}\nmore`],
    ['it is within a line', `see ${line}`],
    ['it is of another version', line.replace('"v":1', '"v":2')],
    ['its sha is none', line.replace(sha('c'), 'main')],
    ['its iteration is none', line.replace('3}', '0}')],
    ['it is not JSON', '<!-- pr-shepherd {v:1} -->'],
    ['there is none', '## PR Shepherd Review'],
  ])('is not believed where %s', (_why, body) => {
    expect(parseMarker(body)).toBeUndefined();
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseMarker(`<!-- pr-shepherd {${text}} -->`)));
  });
});
