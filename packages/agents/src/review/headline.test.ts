import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headlineOf } from './headline.ts';

describe('headlineOf', () => {
  test.each([
    [
      'Injection through `id`. It goes into the SQL text.',
      'Injection through `id`',
      'It goes into the SQL text.',
    ],
    [
      'Null is not handled.\n\nCallers pass it when the cart is empty.',
      'Null is not handled',
      'Callers pass it when the cart is empty.',
    ],
    ['`a.b. c` is read before it is set. It fails.', '`a.b. c` is read before it is set', 'It fails.'],
    [
      'Some inputs, e.g. an empty list, break it. They come often.',
      'Some inputs, e.g. an empty list, break it',
      'They come often.',
    ],
  ])('%j: its first sentence is the title, the rest the text', (message, title, text) => {
    expect(headlineOf(message)).toEqual({ title, text });
  });

  test.each([
    [
      'A value is pasted into SQL text: a quote in it ends the string.',
      'A value is pasted into SQL text',
      'A quote in it ends the string.',
    ],
    [
      'The lock is never released — `close()` returns early.',
      'The lock is never released',
      '`close()` returns early.',
    ],
    [
      'This can never be true, because the list is sorted.',
      'This can never be true',
      'Because the list is sorted.',
    ],
  ])('%j: what comes before the colon is the title, the rest the text', (message, title, text) => {
    expect(headlineOf(message)).toEqual({ title, text });
  });

  test('a short message is its own title', () => {
    expect(headlineOf('No test covers the refund.')).toEqual({
      title: 'No test covers the refund',
      text: 'No test covers the refund.',
    });
  });

  test.each([
    [
      'Each call to the remote service opens a connection of its own and never closes it, so the pool runs dry.',
      'Each call to the remote service opens a connection of its own…',
    ],
    [`${'word '.repeat(40)}`, `${'word '.repeat(14).trim()}…`],
    ['x'.repeat(200), `${'x'.repeat(72)}…`],
  ])('%j is shortened to %j and kept as the text', (message, title) => {
    expect(headlineOf(message)).toEqual({ title, text: message.trim() });
  });

  test('a title is one line of at most 91 characters, and nothing of the message is lost', () => {
    const words = fc.constantFrom(
      'word',
      '`a. b`',
      'end.',
      'so',
      'that',
      ':',
      '\n',
      '\n\n',
      '- x',
      'é',
      '…',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), (parts) => {
        const message = parts.join(' ');
        const { title, text } = headlineOf(message);
        expect(title).not.toContain('\n');
        expect(title.length).toBeLessThanOrEqual(91);
        const letters = (value: string) => value.toLowerCase().replace(/[\s.:…-]/g, '');
        const shown = letters(title) + letters(text);
        expect(text === message.trim() || shown === letters(message)).toBe(true);
      }),
    );
  });
});
