import { describe, expect, it } from 'vitest';
import { checkWording } from './check-wording.ts';

describe('the form of a message', () => {
  it.each([
    'A merge conflict is committed. Both versions stand here, with their marks.',
    '`a.b: c` is left in. The other tests of this file are not run.',
  ])('holds for %j', (message) => {
    expect(() => checkWording(message)).not.toThrow();
  });

  it.each([
    ['is no whole sentence', 'A merge conflict is committed here, with its marks.'],
    ['is not explained', 'A merge conflict is committed. Mend it.'],
    ['is too long', `A merge conflict ${'or another '.repeat(6)}is. Both versions stand here, with marks.`],
    [
      'is no whole sentence',
      `A merge conflict ${'or another '.repeat(9)}is. Both versions stand here, marks.`,
    ],
    ['has a colon', 'Merge conflict: it is committed. Both versions stand here, with their marks.'],
    ['repeats', 'Something is committed. And yes, Something is committed here.'],
  ])('has this fault: %s', (fault, message) => {
    expect(() => checkWording(message)).toThrow(fault);
  });
});
