import { describe, expect, test } from 'vitest';
import { SAME_LINE_SIMILARITY, similarity } from './wording.ts';

describe('similarity', () => {
  test.each([
    [
      'SQL is built from user input, which allows injection',
      'User input goes into the SQL string, allowing injection',
    ],
    ['Missing await on `save()`', 'The await on `save()` is missing'],
    [
      'SQL text is built from the order id of the request, unescaped',
      'Order id from the request goes unescaped into the SQL text. `req.params.id` is controlled by attackers: `1 OR 1=1` returns every order, and a stacked statement can drop the table.',
    ],
    ['!!!', '!!!'],
  ])('"%s" and "%s" say the same', (a, b) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(SAME_LINE_SIMILARITY);
    expect(similarity(b, a)).toBe(similarity(a, b));
  });

  test.each([
    ['SQL is built from user input, which allows injection', 'One query per row: load all orders at once'],
    ['`total` may be null here', 'No test covers the refund path'],
    ['', 'Something'],
    ['!!!', '???'],
  ])('"%s" and "%s" do not', (a, b) => {
    expect(similarity(a, b)).toBeLessThan(SAME_LINE_SIMILARITY);
  });
});
