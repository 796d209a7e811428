import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimsFix } from './claims-fix.ts';

describe('an answer says that the finding is mended', () => {
  test.each([
    'Fixed in 1a2b3c4',
    'fixed',
    'Fixed!',
    'Done.',
    'done ✅',
    '✅ Done in the last commit',
    'Addressed in abc1234, thanks!',
    'Good catch, fixed.',
    'Good catch! Fixed in 0123abc.',
    'Thanks, this is now fixed',
    "You're right. I've fixed it.",
    'You’re right, that’s fixed now',
    'This has been addressed.',
    'It was fixed by 89abcde.',
    'Should be fixed now.',
    'I fixed that by moving the check up.',
    'All done',
    'Resolved.',
    'Updated, PTAL',
    'Changed as suggested.',
    'Removed in 1a2b3c4.',
    'This is fixed in the latest commit',
    'Fixed in this PR',
    'Fixed by checking the range first',
    'Fixed with `Number.isNaN`',
    '- Fixed the first one',
    'Not sure why I did that. Fixed.',
    'I was not aware of it, but fixed it in 1a2b3c4',
    'Pushed a fix',
    'The fix is in now.',
    'Fixed in #12',
    'Fixed now, tests come in a follow-up',
  ])('%s', (text) => {
    expect(claimsFix(text)).toBe(true);
  });
});

describe('an answer says no such thing', () => {
  test.each([
    'This is not fixed',
    "That isn't fixed in 1a2b3c4.",
    'It isn’t addressed yet',
    'Not done.',
    'This will be fixed later',
    "I'll get that fixed",
    'Will be addressed in a follow-up.',
    'Fixed in a follow-up PR',
    'Fixed later.',
    'To be fixed by the next release',
    'This should be fixed.',
    'This needs to be addressed',
    'Once fixed, I will ping you.',
    'If this is fixed the cache breaks.',
    'Was this fixed?',
    'Fixed?',
    'Unfixed on purpose',
    'Fixed-width columns are what the format asks for.',
    'Fixed size buffers are intended here.',
    'It takes a fixed value.',
    'The check is done by the caller.',
    'Validation is done in the middleware',
    'The list is updated by another job',
    'This is intentional because the limit is checked by the router.',
    "Won't fix",
    'The order is fixed by the standard.',
    'The format is fixed in the protocol',
    'Changed on purpose.',
    'Removed it because nobody calls it',
    'Renamed to match the API',
    'Added in favour of the old one',
    "I can't see how that should be resolved.",
    'We should push a fix',
    'Das ist Absicht, siehe oben.',
    'Ist behoben 🎉',
    '👍',
    '修正しました',
    '',
    '…',
  ])('%s', (text) => {
    expect(claimsFix(text)).toBe(false);
  });
});

test('no text throws', () => {
  const words = fc.constantFrom(
    'fixed',
    'not',
    'in',
    'done',
    ',',
    '?',
    '\n',
    'fix',
    'is',
    "n't",
    'the',
    '🎉',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.array(words).map((list) => list.join(' ')),
      ),
      (text) => {
        expect(typeof claimsFix(text)).toBe('boolean');
      },
    ),
  );
  for (const word of ['fixed ', 'all ', 'pushed the ', 'not fixed,', "fix n't "]) {
    expect(claimsFix(word.repeat(10_000))).toBe(false);
  }
});
