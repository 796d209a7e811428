import { describe, expect, test } from 'vitest';
import { findLine } from './anchor.ts';
import { commentableLines, indexFile } from './diff-index.ts';
import { rawFile } from './testing/builders.ts';

const text = [
  'import a from "a";',
  '',
  'function pay() {',
  '  return null;',
  '}',
  '',
  'function refund() {',
  '  return null;',
  '  charge(order.total, currency);',
  '}',
  '',
];
const lines = commentableLines(indexFile(rawFile('a.ts', '', text.join('\n'))));

describe('T-094 findLine', () => {
  test.each([
    ['the quote stands at the line', { line: 4, quote: '  return null;' }, 4],
    ['the number drifted: the nearest line with that text', { line: 7, quote: '  return null;' }, 8],
    ['blanks differ', { line: 9, quote: 'charge( order.total,currency );' }, 9],
    ['a part that stands on one line', { line: 2, quote: 'charge(order.total' }, 9],
    ['the first line of several', { line: 1, quote: '\nfunction refund() {\n  return null;' }, 7],
    ['quoted with the mark of the diff', { line: 1, quote: '+function pay() {' }, 3],
    ['no number, and one such line', { quote: 'function pay() {' }, 3],
    ['no quote: the number', { line: 5 }, 5],
  ])('%s', (_what, claim, line) => {
    expect(findLine(lines, claim)?.line).toBe(line);
  });

  test.each([
    ['no number, and two such lines', { quote: '  return null;' }],
    ['a quote that stands nowhere, though the number exists', { line: 4, quote: 'return undefined;' }],
    ['a part that stands on two lines', { line: 1, quote: 'function' }],
    ['a part too short to tell a line', { line: 1, quote: 'pay' }],
    ['T-090 a number outside of the diff', { line: 99 }],
    ['nothing', {}],
  ])('finds nothing for %s', (_what, claim) => {
    expect(findLine(lines, claim)).toBeUndefined();
  });
});
