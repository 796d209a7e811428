import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Ask, summonedBy, summonedByEdit } from './mention.ts';
import { neutraliseBlocks } from './neutralise.ts';
import { type TreeNode, treeOf } from './testing/markdown-tree.ts';

const NAMES = ['horton'];
const ask = (text: string) => summonedBy(text, NAMES);
const kindOf = (text: string) => ask(text)?.kind;
const question = (text: string): Ask => ({ kind: 'question', text });

describe('who is meant', () => {
  test.each([
    '@horton review',
    '@Horton review',
    '@HORTON: review',
    '@horton, review',
    '(@horton) review',
    '**@horton** review',
    '_@horton_ review',
    '_@horton review_',
    '"@horton review"',
    '.@horton review',
    '@horton[bot] review',
    'cc @alice, @horton review',
    '@pr-shepherd review',
    '- [ ] @horton review',
    '# @horton review',
    '| who |\n|-|\n| @horton review |',
    'A note.[^1]\n\n[^1]: @horton review',
    '\\\\@horton review',
    '<details>\n\n@horton review\n\n</details>',
    '<b>@horton</b> review',
    '```\na log\n```\n@horton review',
    '`a` @horton review',
  ])('us: %j', (text) => {
    expect(ask(text)).toEqual({ kind: 'review' });
  });

  test.each([
    '',
    'horton review',
    '@hortons review',
    '@horton-bot review',
    '@horton-ai[bot] review',
    '@horton/team review',
    '@horton.io review',
    '@horton...x review',
    '@horton_x review',
    '@horton_ review',
    '@hortoné review',
    '@horton@mastodon.social review',
    'me@horton.dev review',
    'x@horton review',
    'é@horton review',
    '@@horton review',
    'npm.io/@horton review',
    '@alice review',
    '@hor\u200bton review',
    '\\@horton review',
    '\\\\\\@horton review',
    '&#64;horton review',
    '&commat;horton review, not `@horton`',
  ])('not us: %j', (text) => {
    expect(ask(text)).toBeUndefined();
  });

  test('the name is the one of the App, and no pattern', () => {
    expect(summonedBy('@our-app review', ['our-app'])).toEqual({ kind: 'review' });
    expect(summonedBy('@horton review', ['our-app'])).toBeUndefined();
    expect(summonedBy('@horton-ai review', ['horton', 'horton-ai'])).toEqual({ kind: 'review' });
    expect(summonedBy('@anything review', ['.*'])).toBeUndefined();
    expect(summonedBy('@ review', [''])).toBeUndefined();
  });
});

describe('T-133 what a text only shows summons nobody', () => {
  test.each([
    '`@horton review`',
    '``a ` @horton review``',
    '```\n@horton review\n```',
    '~~~ `info`\n@horton review\n~~~',
    '```\nnever closed\n\n@horton review',
    'Such as:\n\n    @horton review',
    '- so:\n\n  ```\n  @horton review\n  ```',
    '> @horton review',
    '> a quote\n@horton review',
    '- > @horton review',
    '[@horton review](https://example.com)',
    '[@horton review][1]\n\n[1]: https://example.com',
    '[docs](https://example.com/@horton)',
    'https://example.com/@horton',
    '<https://example.com/@horton>',
    '![@horton review](a.png)',
    '<!-- @horton review -->',
    'text <!-- @horton review --> text',
    '<!--\n\n@horton review\n\n-->',
    '<a title="@horton review">x</a>',
    '<a href="https://example.com">@horton review</a>',
    'see <code>@horton review</code>',
    '<code>\n\n@horton review\n\n</code>',
    '<blockquote>\n\n@horton review\n\n</blockquote>',
    '<pre>\n@horton review\n\n@horton review</pre>',
    '<div title="@horton review">',
    '[@horton]: https://example.com',
  ])('%j', (text) => {
    expect(ask(text)).toBeUndefined();
  });
});

describe('what is asked for', () => {
  test.each([
    '@horton review',
    '@horton review now!',
    '@horton please review',
    '@horton review this please.',
    'Hey @horton, could you review this PR again?',
    '@horton re-review',
    '@horton PTAL :)',
    '@horton /review',
    '@horton `review`',
    '@horton do another review of the latest changes, thanks!',
    '@horton review again, I fixed the loop',
    '@horton review again now that it is green',
    '@horton review. The loop is fixed.',
    '@horton review\nThe loop is fixed, is it not?',
    '@horton\nreview',
    'The loop is fixed.\n\n@horton review',
    'Please review, @horton!',
    'The loop is fixed.\nreview @horton',
  ])('a review: %j', (text) => {
    expect(ask(text)).toEqual({ kind: 'review' });
  });

  test.each([
    '@horton review full',
    '@horton full review',
    '@horton full review please',
    '@horton review the whole PR',
    '@horton please review everything again',
    '@horton do a complete review from scratch',
  ])('a review of everything: %j', (text) => {
    expect(ask(text)).toEqual({ kind: 'review-full' });
  });

  test.each(['@horton status', '@horton status?', '@horton what’s the status?', '@horton review status'])(
    'the status: %j',
    (text) => {
      expect(ask(text)).toEqual({ kind: 'status' });
    },
  );

  test.each([
    '@horton help',
    '@horton --help',
    '@horton help me please',
    '@horton',
    'hi @horton!',
    '@horton ?',
  ])('help: %j', (text) => {
    expect(ask(text)).toEqual({ kind: 'help' });
  });

  test.each([
    '@horton review the retry logic in a.ts, is it right?',
    '@horton review, is it right?',
    '@horton review a.ts',
    '@horton review `a.ts`',
    '@horton review #12',
    "@horton don't review this",
    '@horton your review is wrong',
    '@horton the status of the job is wrong',
    '@horton help me understand this',
    '@horton @alice review this please',
    'This looks wrong, @horton',
    'Is this right?\n\n@horton',
    '> Is this right?\n\n@horton',
    '```ts\nconst a = 1;\n```\n@horton',
    '![a graph](a.png) @horton',
    '@horton\u00a0why?',
    '@horton 为什么?',
  ])('a question: %j', (text) => {
    expect(ask(text)).toEqual(question(text));
  });

  test('T-137 thanks ask for nothing', () => {
    expect(['@horton thanks!', 'Thank you so much, @horton', '@horton ty'].map(ask)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(kindOf('Thanks @horton, but why?')).toBe('question');
  });

  test('of several mentions the first with a command decides, else all is one question', () => {
    expect(kindOf('Is this right, @horton? If so,\n\n@horton status\n\n@horton review')).toBe('status');
    expect(kindOf('@pr-shepherd @horton review')).toBe('review');
    const both = '@horton is this right?\n\n@horton and this?';
    expect(ask(both)).toEqual(question(both));
  });

  test('a question is the comment as it was written, in bounds and with nothing hidden', () => {
    expect(ask('  @horton why **this**?\r\n\r\n> that\u202e\n')).toEqual(
      question('@horton why **this**?\n\n> that\\u{202e}'),
    );
    const long = ask(`@horton why ${'so '.repeat(5_000)}long?`);
    expect(long).toHaveProperty('text.length', 8_000);
  });
});

describe('T-136 an edit', () => {
  const edited = (previous: string | null, text: string) => summonedByEdit(previous, text, NAMES);

  test('counts where it adds a mention', () => {
    expect(edited('The loop is fixed.', 'The loop is fixed. @horton review')).toEqual({ kind: 'review' });
    expect(edited('`@horton review`', '@horton review')).toEqual({ kind: 'review' });
    expect(edited('@horton-bot review', '@horton review')).toEqual({ kind: 'review' });
    expect(edited('@horton status', '@horton status\n\n@horton review')).toEqual({ kind: 'review' });
    expect(edited('@horton review', '@horton review\n\n@horton why?')?.kind).toBe('question');
  });

  test('does not where the mention was there', () => {
    expect(edited('@horton reveiw', '@horton review')).toBeUndefined();
    expect(edited('@horton why?', 'So: @horton why is that?')).toBeUndefined();
    expect(edited('@horton review', '@pr-shepherd review')).toBeUndefined();
    expect(edited('@horton review', 'never mind')).toBeUndefined();
    expect(edited('@horton review', '`@horton review`')).toBeUndefined();
  });

  test('is read as a new text where GitHub does not tell the old one', () => {
    expect(edited(null, '@horton review')).toEqual({ kind: 'review' });
    expect(edited(null, 'fine')).toBeUndefined();
  });

  test('never counts without a change', () => {
    fc.assert(
      fc.property(text(), (same) => {
        expect(edited(same, same)).toBeUndefined();
      }),
    );
  });
});

/** Comments made of what could turn a mention on or off. */
function text(): fc.Arbitrary<string> {
  const words = [
    '@horton',
    '@horton review',
    '@pr-shepherd',
    'x',
    ' ',
    '\n',
    '\n\n',
    '    ',
    '\t',
    '"',
    '.',
    '-',
  ];
  const marks = [
    '`',
    '``',
    '```',
    '~~~',
    '```\n',
    '> ',
    '- ',
    '1. ',
    '# ',
    '|',
    '|-|\n',
    '*',
    '_',
    '~~',
    '\\',
  ];
  const links = ['[', ']', '(', ')', '![', ']: ', '][', 'https://a.b/', 'www.a.b/', 'a@b.c', '[^1]', '&#64;'];
  const html = [
    '<',
    '>',
    '<!--',
    '-->',
    '<a>',
    '</a>',
    '<code>',
    '</code>',
    '<div>',
    '</div>',
    '<pre>',
    '<?',
  ];
  return fc
    .array(fc.constantFrom(...words, ...words, ...marks, ...links, ...html), { maxLength: 25 })
    .map((parts) => parts.join(''));
}

/** The texts that GitHub's Markdown neither shows as code nor quotes nor links. */
function speaking(tree: TreeNode): readonly string[] {
  if (['blockquote', 'link', 'linkReference'].includes(tree.type)) return [];
  return tree.type === 'text' ? [tree.value ?? ''] : (tree.children ?? []).flatMap(speaking);
}

describe('whatever the text is', () => {
  test('T-133 only what speaks summons', () => {
    fc.assert(
      fc.property(text(), (comment) => {
        const named = speaking(treeOf(comment)).some((part) => /@(?:horton|pr-shepherd)/.test(part));
        if (!named) expect(ask(comment)).toBeUndefined();
      }),
      { numRuns: 600 },
    );
  });

  test('a text without a name summons nobody', () => {
    fc.assert(
      fc.property(text(), fc.string({ unit: 'binary' }), (comment, noise) => {
        expect(ask(comment.replaceAll(/@(?:horton|pr-shepherd)/g, 'horton') + noise)).toBeUndefined();
      }),
    );
  });

  test('quoted or fenced it summons nobody', () => {
    fc.assert(
      fc.property(text(), (comment) => {
        expect(ask(comment.replace(/^/gm, '> '))).toBeUndefined();
        expect(ask(`${'`'.repeat(30)}\n${comment}\n${'`'.repeat(30)}`)).toBeUndefined();
      }),
    );
  });

  test('T-132 nothing that we write of it summons us', () => {
    fc.assert(
      fc.property(text(), (comment) => {
        expect(ask(neutraliseBlocks(comment))).toBeUndefined();
      }),
    );
  });
});
