import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summonedBy } from './mention.ts';

const ask = (text: string) => summonedBy(text, ['horton']);

describe('a mistyped command is the command', () => {
  test.each([
    'reveiw',
    'revieww',
    'reviw',
    'reviee',
    'eview',
    'erview',
    'reviews',
    'retry',
    'rerun',
    're-run',
    'again',
    'try again',
    'please reveiw',
    'reveiw please!',
    'reveiw again',
    'please retry',
    'run it again',
    'retry?',
  ])('a review: %j', (words) => {
    expect(ask(`@horton ${words}`)).toEqual({ kind: 'review' });
    expect(ask(`@Horton: ${words.toUpperCase()}`)).toEqual({ kind: 'review' });
    expect(ask(`The loop is fixed.\n${words} @horton`)).toEqual({ kind: 'review' });
  });

  test.each([
    'reveiw full',
    'full reveiw',
    'review fulll',
    'ful review',
    'revieww flul please',
    'retry full',
  ])('a review of everything: %j', (words) => {
    expect(ask(`@horton ${words}`)).toEqual({ kind: 'review-full' });
    expect(ask(`${words}, @horton`)).toEqual({ kind: 'review-full' });
  });

  test.each(['statuss', 'staus', 'sttaus', 'Status', 'stats', 'staus please'])('the status: %j', (words) => {
    expect(ask(`@horton ${words}`)).toEqual({ kind: 'status' });
    expect(ask(`${words} @horton`)).toEqual({ kind: 'status' });
  });

  test.each(['hlep', 'hepl', 'hep', 'hellp', 'hlep pls'])('help: %j', (words) => {
    expect(ask(`@horton ${words}`)).toEqual({ kind: 'help' });
    expect(ask(`${words} @horton`)).toEqual({ kind: 'help' });
  });

  test.each([
    'preview',
    'revise',
    'renew',
    'reviewing',
    'evie',
    'vreiew',
    'statutes',
    'held',
    'heap',
    'hell',
    'pelh',
    'diff stats',
    'reveiw a.ts',
    'reveiw the loop',
    'this preview',
    'full',
    'fulll',
    'retry the job',
    'reveiw fall',
  ])('no command: %j', (words) => {
    expect(ask(`@horton ${words}`)).toEqual({ kind: 'question', text: `@horton ${words}` });
  });

  test('whichever letter is lost, doubled or changes places with the next', () => {
    const commands = ['review', 'status', 'help'];
    const slip = fc.constantFrom(...commands).chain((command) =>
      fc
        .record({ at: fc.nat(command.length - 1), kind: fc.constantFrom('lost', 'doubled', 'swapped') })
        .map(({ at, kind }) => {
          const [a = '', b = ''] = command.slice(at, at + 2);
          const middle = { lost: b, doubled: a + a + b, swapped: b + a }[kind];
          return { command, typed: command.slice(0, at) + middle + command.slice(at + 2) };
        }),
    );
    fc.assert(
      fc.property(slip, ({ command, typed }) => {
        expect(ask(`@horton ${typed}`)).toEqual({ kind: command });
      }),
    );
  });
});

const REMARKS = [
  'Thanks @horton, fixed in abc123.',
  '@horton thanks! I moved the loop to b.ts.',
  'Fixed in abc123, thanks @horton',
  'Thanks @horton for the review',
  '@horton thanks for the review!',
  'Thank you for the help, @horton',
  '@horton thanks again',
  'Once again, thanks @horton',
  'No thanks, @horton',
  '@horton ty, the rest is fine as it is',
  '@horton lgtm',
  '@horton LGTM 🚀',
  'LGTM @horton',
  '@horton looks good to me',
  '@horton 👍',
  '@horton +1',
  '@horton :+1:',
  '@horton nice catch',
  'Nice catch, @horton!',
  '@horton nice catch, moved it out of the loop',
  '@horton good bot',
  'good bot @horton',
  '@horton great review',
  "@horton you're right",
  '@horton that makes sense',
  '@horton done',
  '@horton done ✅',
  '@horton fixed',
  '@horton fixed in `abc123`',
  '@horton I fixed it',
  "@horton it's fixed now",
  'Done, @horton',
  '@horton addressed all of it in abc123',
  '@horton agreed, will do',
  "@horton agreed. I'll do it tomorrow.",
  '@horton ok',
  '@horton will do',
  '@horton got it, fixed',
  '@alice @horton nice catch',
  'I will review this, @horton',
  'As @horton said above, the loop leaks.',
  'as **@horton** already noted, this is slow',
  'like @horton suggested',
  'I did it like @horton suggested, and it is faster.',
  '@horton is right',
  'Yes, @horton is right about the loop.',
  'I think @horton was right',
  '@horton is absolutely right',
  'per @horton',
  "Per @horton's review, moved the loop",
  'Found by @horton',
  'Moved the loop, as suggested by @horton.',
  'cc @horton',
  'The loop is fixed. cc @alice, @horton',
  '/cc @alice and @horton',
  'CC: @horton @alice',
  'fyi @horton',
  'As @horton said.\n\ncc @horton',
  '> The loop leaks.\n\n@horton fixed, thanks',
  '```ts\nif (why) look();\n```\n\n@horton fixed so',
];

const REQUESTS = [
  'Thanks @horton, but the loop is wrong',
  'Thanks @horton. Is it fixed now',
  'Thanks @horton. Now rewrite the loop.',
  'Thanks @horton rewrite the loop',
  'Thanks @horton, could you explain',
  'Thanks @horton, I do not understand this',
  'Thanks @horton, what is left',
  'Thanks @horton. 为什么',
  '@horton thanks, tell me how',
  `Thanks @horton, ${'so '.repeat(400)}long`,
  '@horton lgtm?',
  '@horton is it good',
  '@horton nice try, the loop is fine',
  '@horton fixed, still red',
  '@horton done, please look again',
  '@horton done, can you check',
  '@horton fixed, add a test to it',
  '@horton fix it',
  '@horton agreed, however b.ts leaks',
  '@horton I disagree',
  '@horton the loop leaks',
  '@horton this is intended',
  '@horton not done',
  '@horton no',
  '@horton bad bot',
  '@horton I am lost',
  'is @horton right',
  'Is @horton right?',
  'A test for it, thanks in advance, @horton',
  'I would like a test, thanks @horton',
  '@horton am I right',
  '@horton are all fixed',
  '@horton is never right',
  'Thanks @horton, go on',
  'As @horton said, explain the loop',
  'As @horton said above, why is it slow?',
  'Looks like @horton is lost',
  '@horton is right that it leaks, how do I fix it',
  "I don't think @horton is right",
  '@horton is wrong',
  'per @horton the loop leaks, is it so',
  'Is this right? cc @horton',
  'Explain the loop, cc @horton',
  'Rewrite it. /cc @horton',
  "I don't get what @horton said",
  'According to @horton it leaks, please explain',
  'As @horton said. @horton the loop leaks',
];

describe('T-065 a remark that wants nothing summons nobody', () => {
  test.each(REMARKS)('%j', (text) => {
    expect(ask(text)).toBeUndefined();
    expect(ask(text.toUpperCase())).toBeUndefined();
    expect(ask(`${text.replace(/[.!]$/, '')}!!`)).toBeUndefined();
    expect(ask(text.replace(/,/g, ' \u2014 '))).toBeUndefined();
  });

  test.each(REQUESTS)('which this is not: %j', (text) => {
    expect(ask(text)).toMatchObject({ kind: 'question' });
    expect(ask(text.toUpperCase())).toMatchObject({ kind: 'question' });
  });

  test.each([
    ['cc @horton for review', 'review'],
    ['Thanks @horton, review again', 'review'],
    ['@horton fixed, please review', 'review'],
    ['It is fixed, thanks. Please review again, @horton', 'review'],
    ['As @horton said, it leaks.\n\n@horton status', 'status'],
    ['@horton please, thanks', 'help'],
  ])('beside a command it does not count: %j', (text, kind) => {
    expect(ask(text)).toEqual({ kind });
  });

  test('with anything asked behind it, it is a question', () => {
    const asked = fc.constantFrom(
      'why is that so?',
      'is it right?',
      'or?',
      'please explain',
      'can you check',
      'look at b.ts',
    );
    const joint = fc.constantFrom('. ', ', ', ' - ', '\n\n', '; ', ' (', '!\n');
    fc.assert(
      fc.property(fc.constantFrom(...REMARKS), joint, asked, (remark, between, request) => {
        expect(ask(remark + between + request)).toMatchObject({ kind: 'question' });
        expect(ask(`${request}\n\n${remark}`)).toMatchObject({ kind: 'question' });
      }),
      { numRuns: 300 },
    );
  });
});
