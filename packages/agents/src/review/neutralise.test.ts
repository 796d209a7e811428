import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeBlock, codeSpan } from './markdown.ts';
import { literalLine, neutraliseBlocks, neutraliseLine } from './neutralise.ts';
import { liveTexts, nodesOf, shownText, type TreeNode, treeOf } from './testing/markdown-tree.ts';

const ALLOWED = new Set(
  'root paragraph text inlineCode code emphasis strong delete list listItem blockquote break'.split(' '),
);

function ofType(tree: TreeNode, type: string): readonly TreeNode[] {
  return nodesOf(tree).filter((node) => node.type === type);
}

/** Pieces from which hostile and honest texts are made. */
const piece = fc.constantFrom(
  ...[
    '@alice',
    '@org/team',
    'fixes #12',
    'acme/shop#3',
    'GH-7',
    'https://github.com/a/b/issues/1',
    'www.x.io',
    'me@x.io',
  ],
  ...[
    '<!-- pr-shepherd {"v":1} -->',
    '<!--',
    '-->',
    '<b>',
    '</details>',
    '<img src=x onerror=y>',
    '<script>',
    '<a href="//x">',
  ],
  ...[
    '[a](http://x)',
    '![a](http://x)',
    '[a]: http://x',
    '[a][b]',
    '[^1]',
    '[^1]: note',
    '- [ ] todo',
    '[!NOTE]',
  ],
  ...[
    '```',
    '~~~',
    '`',
    '``',
    '```js\n',
    '*',
    '**',
    '_',
    '__',
    '~~',
    '|',
    '|-|',
    '---',
    '===',
    '# ',
    '> ',
    '- ',
    '1. ',
    '+ ',
  ],
  ...[
    '\\',
    '\\@',
    '&#64;bob',
    '&lt;',
    '&',
    '$x$',
    '$$',
    '\n',
    '\n\n',
    '    ',
    '\t',
    ' ',
    '\r\n',
    '\u202e',
    '\u200b',
    '\u0000',
    '\ud800',
  ],
  ...[
    'word',
    "it's",
    'é',
    '漢字',
    '😀',
    'a_b',
    'x < y',
    'C:\\tmp',
    '100%',
    ':tada:',
    '/lgtm',
    '(',
    ')',
    '.',
    '!',
    '0',
  ],
);
const hostile = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

function expectHarmless(markdown: string): void {
  const tree = treeOf(markdown);
  expect(nodesOf(tree).filter((node) => !ALLOWED.has(node.type))).toEqual([]);
  expect(liveTexts(tree)).toEqual([]);
}

describe('S7 what untrusted text can become', () => {
  test('T-154 nothing but paragraphs, lists, quotes, emphasis and code, and nothing live', () => {
    fc.assert(
      fc.property(hostile, (text) => expectHarmless(neutraliseBlocks(text))),
      { numRuns: 300 },
    );
  });

  test('T-154 a line stays one paragraph', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of [neutraliseLine(text), literalLine(text)]) {
          expectHarmless(line);
          expect(line).not.toContain('\n');
          expect(treeOf(`x ${line} y`).children).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a literal line shows every character', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const words = text.replace(/\s+/g, ' ').trim();
        fc.pre(!/[^ -~]/.test(words));
        expect(shownText(treeOf(literalLine(words)))).toBe(words);
      }),
      { numRuns: 200 },
    );
  });

  test('a plain sentence is written as the parser would have it', () => {
    const words = fc.constantFrom(
      'word',
      '`code`',
      '``',
      '`',
      '`a b`',
      '` x `',
      "it's",
      '1.',
      '- ',
      '+',
      '=',
      'www.x.io',
      '$a',
      '%',
      '  ',
      ':',
      '(',
      '/x',
      'GH-1',
      '!',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 5 }), fc.constantFrom('', ' '), (parts, blank) => {
        const text = parts.join(blank);
        // The empty line at its end makes it a text that only the parser reads.
        expect(neutraliseBlocks(text)).toBe(neutraliseBlocks(`${text}\n\n`));
      }),
      { numRuns: 300 },
    );
  });

  test('whatever follows a neutralised text is not drawn into it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tree = treeOf(`${neutraliseBlocks(text)}\n\n## After`);
        expect(tree.children?.at(-1)).toMatchObject({ type: 'heading', depth: 2 });
      }),
      { numRuns: 150 },
    );
  });
});

describe('what is neutralised, by example', () => {
  test.each([
    ['a mention', 'Ask @alice.', 'Ask `@alice`.'],
    ['a team', '(@acme/core)', '(`@acme/core`)'],
    ['our own name (T-132)', '@horton review', '`@horton` review'],
    [
      'a closing keyword',
      'This fixes #12 and closes acme/shop#3.',
      'This fixes `#12` and closes `acme/shop#3`.',
    ],
    ['an address', 'See https://x.io/a?b=1.', 'See `https://x.io/a?b=1`.'],
    ['a link', '[docs](https://x.io)', 'docs (`https://x.io`)'],
    ['an image', '![pixel](https://x.io/p.png)', 'pixel (`https://x.io/p.png`)'],
    ['a comment', 'a <!-- hidden --> b', 'a `<!-- hidden -->` b'],
    ['a tag', 'Close the <div> first', 'Close the `<div>` first'],
    ['a type', 'returns Promise<void> here', 'returns `Promise<void>` here'],
    ['a heading', '# Approved', '**Approved**'],
    ['a formula', 'between $a and $b', 'between `$a` and `$b`'],
    ['a command of another bot', '/lgtm', '\\/lgtm'],
    ['a hidden turn of direction', 'a\u202eb', 'a\\u{202e}b'],
    ['an entity that spells a mention', '&#64;alice', '`@alice`'],
    ['an escaped mention', '\\@alice', '`@alice`'],
    ['a table', '| a |\n|---|\n| b |', '```\n| a |\n|---|\n| b |\n```'],
    ['a diagram', '```mermaid\ngraph\n```', '```\ngraph\n```'],
  ])('%s', (_what, text, expected) => {
    expect(neutraliseBlocks(text)).toBe(expected);
  });

  test.each([
    ["T-156 apostrophes: it's the caller's job, isn't it?"],
    ['Plain words, 100% ordinary; with a dash - and (brackets) and [square] ones: fine!'],
    ['`foo()` is called before `bar`, so `x["y"]` is undefined.'],
    ['snake_case_name and arr[0] and a * b < c && d > e and costs $5.'],
    ['**Bold** and *emphasis* and ~~gone~~.'],
    ['One paragraph.\n\nAnother one,\nwith two lines.'],
    ['- one\n- two\n  - nested\n\n1. first\n2. second'],
    ['> quoted'],
    ['```ts\nconst mail = "@alice"; // fixes #1 <b>\n```'],
    ['Path C:\\temp\\x and a 😀'],
  ])('%j stays as it is', (text) => {
    expect(neutraliseBlocks(text)).toBe(text);
  });

  test('a fence that was never closed is closed', () => {
    expect(neutraliseBlocks('Before\n\n```js\nlet a = 1;')).toBe('Before\n\n```js\nlet a = 1;\n```');
  });

  test('a long text is cut, also within a fence, and never within a character', () => {
    const cut = neutraliseBlocks(`Text\n\n\`\`\`\n${'😀'.repeat(50)}`, 40);
    expect(cut).toMatch(/😀…\n```$/);
    expect(cut).not.toContain('\ufffd');
  });

  test('deep nesting ends in code', () => {
    const tree = treeOf(neutraliseBlocks('> '.repeat(50).concat('deep @alice')));
    expect(ofType(tree, 'blockquote')).toHaveLength(4);
    expect(ofType(tree, 'code')).toHaveLength(1);
  });
});

describe('code stays intact', () => {
  const code = fc
    .array(
      fc.constantFrom('`', '``', '```', '````', '~~~', '\n', ' ', '@alice', '#1', '<b>', "'", 'x', '\\', '|'),
      { maxLength: 20 },
    )
    .map((pieces) => pieces.join(''));

  test('in a fence, through neutralising and back', () => {
    fc.assert(
      fc.property(code, (text) => {
        fc.pre(!text.endsWith('\n'));
        const block = codeBlock(text, 'ts');
        expect(treeOf(block)).toMatchObject({ children: [{ type: 'code', lang: 'ts', value: text }] });
        expect(ofType(treeOf(neutraliseBlocks(block)), 'code')[0]?.value).toBe(text);
      }),
    );
  });

  test('in a line, beside other text', () => {
    fc.assert(
      fc.property(code, (text) => {
        fc.pre(text !== '');
        const line = `Use ${codeSpan(text)}, not that.`;
        const flat = text.replace(/\n/g, ' ');
        expect(ofType(treeOf(line), 'inlineCode')[0]?.value).toBe(flat);
        expect(ofType(treeOf(neutraliseBlocks(line)), 'inlineCode')[0]?.value).toBe(flat);
      }),
    );
  });
});
