import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitArguments, substituteArguments } from './arguments.ts';

it.each([
  ['a b', ['a', 'b']],
  ['  a\t b ', ['a', 'b']],
  ['"two words" \'and three\' x', ['two words', 'and three', 'x']],
  ['--path="a b"', ['--path=a b']],
  ['"never closed', ['never closed']],
  ['', []],
])('splits %j', (raw, words) => {
  expect(splitArguments(raw)).toEqual(words);
});

it.each([
  ['by name', '$base..$head', 'main topic', '', 'main..topic'],
  ['by place', '$1 before $0', 'a b', '', 'b before a'],
  ['as a whole', 'Do: $ARGUMENTS.', 'a  b', '', 'Do: a  b.'],
  ['the longer name first', '$base-ref $base', 'x y', 'base,base-ref', 'y x'],
  ['but not within a longer word', '$basement $0', 'x', '', '$basement x'],
  ['and leaves what has no word', '$base $head', 'main', '', 'main $head'],
  ['once only, so that a value is not looked through', '$0', "'$1' b", '', '$1'],
  ['at the end where there is no place', 'Text', 'a b', '', 'Text\n\nArguments: a b'],
])('substitutes %s', (_name, content, raw, names, expected) => {
  const argumentNames = names === '' ? ['base', 'head'] : names.split(',');
  expect(substituteArguments(content, raw, argumentNames)).toBe(expected);
});

it('accepts any name and any argument', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), fc.string({ minLength: 1 }), (names, raw) => {
      expect(substituteArguments('All: $ARGUMENTS', raw)).toBe(`All: ${raw}`);
      expect(() => substituteArguments('$a $b', raw, names)).not.toThrow();
    }),
  );
});
