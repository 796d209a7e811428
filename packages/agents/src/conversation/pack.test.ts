import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgedItem, judge, type Marker } from './gate.ts';
import type { Item } from './item.ts';
import { type Pack, packItems } from './pack.ts';
import { byGhost, comment, said, snapshotOf, summary, thread } from './testing/items.ts';

function judged(items: readonly Item[], markers: ReadonlyMap<string, Marker> = new Map()) {
  return judge(snapshotOf(items), markers, new Set());
}

function pack(items: readonly JudgedItem[], maxChars = 36_000): Pack {
  return packItems(items, { prAuthor: 'ada', isAuthorTeam: false, isOurs: ({ byUs }) => byUs, maxChars });
}

function at(minute: number): string {
  return `2026-05-26T10:${String(minute).padStart(2, '0')}:00Z`;
}

function ids({ marks }: Pack): readonly string[] {
  return marks.map(({ id }) => id);
}

describe('what reviewers are shown', () => {
  it('says what an item is, who speaks, where, and how it stands', () => {
    const items: readonly Item[] = [
      thread(
        't1',
        [
          said('c1', 'Why twice?', { editedAt: at(7) }),
          said('c2', 'Reviewed.', { byUs: true }),
          said('c3', 'Because.', { author: { login: 'ada', isBot: false }, association: 'NONE' }),
        ],
        { isResolved: true, resolvedBy: 'ada', isOutdated: true, line: undefined } as object,
      ),
      thread('t2', [byGhost(said('c4', 'Rename'))], {
        subject: 'file',
        line: undefined,
        originalLine: undefined,
      } as object),
      comment('i1', 'Coverage 80%', { author: { login: 'cov', isBot: true }, hidden: 'resolved' }),
      summary('r1', 'changes-requested', 'Split it.', {
        author: { login: 'eve', isBot: false },
        association: 'NONE',
      }),
    ];
    expect(pack(judged(items)).items).toMatchInlineSnapshot(`
      [
        {
          "head": "review thread, resolved by the author of the pull request and outdated",
          "section": "new",
          "texts": [
            {
              "about": ""src/limit.ts" line 4, by "mia" (team), 2026-05-26 10:00 UTC, edited 2026-05-26 10:07 UTC",
              "text": "Why twice?",
            },
            {
              "about": ""src/limit.ts" line 4, by yourselves, PR Shepherd, 2026-05-26 10:00 UTC",
              "text": "Reviewed.",
            },
            {
              "about": ""src/limit.ts" line 4, by "ada" (author of the pull request), 2026-05-26 10:00 UTC",
              "text": "Because.",
            },
          ],
        },
        {
          "head": "review thread about a file, active",
          "section": "new",
          "texts": [
            {
              "about": ""src/limit.ts", by a deleted account, 2026-05-26 10:00 UTC",
              "text": "Rename",
            },
          ],
        },
        {
          "head": "comment, hidden",
          "section": "new",
          "texts": [
            {
              "about": "by "cov" (bot), 2026-05-26 10:00 UTC, hidden",
              "text": "Coverage 80%",
            },
          ],
        },
        {
          "head": "review, requesting changes, active",
          "section": "new",
          "texts": [
            {
              "about": "by "eve" (community), 2026-05-26 10:00 UTC",
              "text": "Split it.",
            },
          ],
        },
      ]
    `);
  });

  it('T-147 calls of the team who GitHub says is of it, and the author only where that was asked', () => {
    const associations = ['OWNER', 'MEMBER', 'COLLABORATOR', 'CONTRIBUTOR', 'NONE'] as const;
    const classes = (login: string, isAuthorTeam: boolean) =>
      associations.map((association) => {
        const one = judged([comment('i1', 'Hm', { author: { login, isBot: false }, association })]);
        const context = { prAuthor: 'ada', isAuthorTeam, isOurs: () => false, maxChars: 36_000 };
        return /\((.*)\)/.exec(packItems(one, context).items[0]?.texts[0]?.about ?? '')?.[1];
      });
    expect(classes('mia', true)).toEqual(['team', 'team', 'collaborator', 'community', 'community']);
    expect(new Set(classes('ada', false))).toEqual(new Set(['author of the pull request']));
    expect(new Set(classes('ada', true))).toEqual(new Set(['author of the pull request, team']));
  });

  it('T-139: sections tell new, edited, reopened and closed items apart, with the first time', () => {
    const before = judged([
      comment('edited', 'So'),
      thread('reopened', [said('c1', 'Hm')], { isResolved: true }),
      thread('closed', [said('c2', 'Long ago '.repeat(200))]),
      comment('same', 'Yes'),
    ]);
    const seenAt = Date.parse('2026-05-20T08:30:00Z') / 1000;
    const markers = new Map(before.map(({ mark }) => [mark.id, { ...mark, seenAt }]));
    const after = judged(
      [
        comment('edited', 'Not so'),
        thread('reopened', [said('c1', 'Hm')]),
        thread('closed', [said('c2', 'Long ago '.repeat(200))], { isResolved: true }),
        comment('same', 'Yes'),
        comment('new', 'Hello'),
      ],
      markers,
    );
    const packed = pack(after);
    expect(packed.items.map(({ section, head }) => `${section}: ${head}`)).toMatchInlineSnapshot(`
      [
        "new: comment, active",
        "edited: comment, active; first shown 2026-05-20 08:30 UTC",
        "reopened: review thread, active; first shown 2026-05-20 08:30 UTC",
        "closed: review thread, resolved; first shown 2026-05-20 08:30 UTC",
      ]
    `);
    expect(packed.items.at(-1)?.texts[0]?.text.length).toBeLessThan(400);
    expect(ids(packed).toSorted()).toEqual(['closed', 'edited', 'new', 'reopened']);
    expect(packed.deferred).toEqual([]);
  });

  it('S9 what finds no room waits, the oldest first, and nothing younger goes before it', () => {
    const items = [3, 1, 2].map((minute) =>
      comment(`i${minute}`, 'x'.repeat(minute === 2 ? 700 : 300), { createdAt: at(minute) }),
    );
    const first = pack(judged(items), 700);
    expect(ids(first)).toEqual(['i1']);
    expect(first.deferred.map(({ item }) => item.id)).toEqual(['i2', 'i3']);
  });

  it('fault 63: long texts and long threads are cut, and say so', () => {
    const long = comment('i1', `begin${'x'.repeat(20_000)}end`);
    const [item] = pack(judged([long])).items;
    expect(item?.texts[0]?.text).toMatch(/^beginx+\n\[\d+ more characters left out here\]\nx+end$/);
    const texts = Array.from({ length: 60 }, (_, index) => said(`c${index}`, `${index} ${'y'.repeat(900)}`));
    const [packed] = pack(judged([thread('t1', texts)])).items;
    expect(packed?.head).toMatch(/; \d+ texts of it are not shown$/);
    expect(packed?.texts[0]?.text).toMatch(/^0 /);
    expect(packed?.texts.at(-1)?.text).toMatch(/^59 /);
  });

  it('S6 also a thread about a path as long as paths can be finds room in the smallest budget', () => {
    const path = `${'deep/\u0001'.repeat(600)}limit.ts`;
    const [first, next] = [thread('t1', [said('c1', 'x'.repeat(900))], { path }), comment('i1', 'Rename')];
    const packed = pack(judged([first, next]), 1_500);
    expect(ids(packed)).toContain('t1');
    expect(packed.items[0]?.texts[0]?.about).toMatch(/^"….+limit\.ts" line 4, by "mia"/);
  });

  it('any item finds room in any budget, so that nothing is deferred for ever', () => {
    const texts = fc.array(fc.string({ maxLength: 3_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1_500, max: 6_000 }),
        (drawn, max) => {
          const items = drawn.map((bodies, index) =>
            thread(
              `t${index}`,
              bodies.map((body, of) => said(`c${index}-${of}`, body)),
            ),
          );
          let markers: ReadonlyMap<string, Marker> = new Map();
          for (let round = 0; round < drawn.length; round += 1) {
            const packed = pack(judged(items, markers), max);
            const due = judged(items, markers).filter(({ outcome }) => outcome !== 'unchanged');
            expect(packed.marks.length + packed.deferred.length).toBe(due.length);
            if (due.length > 0) expect(packed.marks.length).toBeGreaterThan(0);
            markers = new Map([
              ...markers,
              ...packed.marks.map((mark) => [mark.id, { ...mark, seenAt: 1 }] as const),
            ]);
          }
          expect(pack(judged(items, markers), max).marks).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('what would take more room than it seems', () => {
  it('S9 characters that nobody sees count as they are written', () => {
    const [item] = pack(judged([comment('i1', '\u202e'.repeat(8_000))])).items;
    expect(item?.texts[0]?.text.length).toBeLessThan(1_500);
    const many = Array.from({ length: 9 }, (_, index) => comment(`i${index}`, '\u202e'.repeat(1_300)));
    expect(ids(pack(judged(many)))).toHaveLength(4);
  });

  it('what was shown and could not be marked goes after all others', () => {
    const items = ['a', 'b', 'c'].map((id, index) => comment(id, 'x'.repeat(300), { createdAt: at(index) }));
    const context = { prAuthor: 'ada', isAuthorTeam: false, isOurs: () => false, maxChars: 700 };
    expect(ids(packItems(judged(items), context))).toEqual(['a']);
    expect(ids(packItems(judged(items), { ...context, shownBefore: new Set(['a']) }))).toEqual(['b']);
  });
});

describe('the newest words', () => {
  it.each([
    [36_000, 9_000, 8_000],
    [1_500, 400, 60],
    [5_000, 1_300, 1_000],
  ])('of %i characters: an answer is shown, however long what it answers', (maxChars, first, answer) => {
    const texts = [said('c1', 'x'.repeat(first)), said('c2', `begin${'y'.repeat(answer)}end`)];
    const [item] = pack(judged([thread('t1', texts)]), maxChars).items;
    expect(item?.texts).toHaveLength(2);
    expect(item?.texts[1]?.text).toMatch(/^begin.*end$/s);
  });

  it('an edit in the middle of a long thread is shown', () => {
    const texts = Array.from({ length: 60 }, (_, index) => said(`c${index}`, `${index} ${'y'.repeat(900)}`));
    const [before] = judged([thread('t1', texts)]);
    const markers = new Map([['t1', { ...before?.mark, seenAt: 1 } as Marker]]);
    const edited = texts.map((text, index) =>
      index === 20 ? { ...text, body: 'Now so', editedAt: '2026-05-26T12:30:00Z' } : text,
    );
    const [item] = pack(judged([thread('t1', edited)], markers)).items;
    expect(item?.section).toBe('edited');
    expect(item?.texts.map(({ text }) => text)).toContain('Now so');
  });

  it('go before the news that something was closed', () => {
    const open = Array.from({ length: 20 }, (_, index) =>
      thread(`t${index}`, [said(`c${index}`, 'x'.repeat(300))]),
    );
    const markers = new Map(judged(open).map(({ mark }) => [mark.id as string, { ...mark, seenAt: 1 }]));
    const closed = open.map((item) => ({ ...item, isResolved: true }));
    const packed = pack(judged([...closed, comment('new', 'Hello')], markers), 1_500);
    expect(ids(packed)).toContain('new');
  });
});
