import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyHashOf, judge, type Marker } from './gate.ts';
import type { Item, Said } from './item.ts';
import { byGhost, comment, said, snapshotOf, summary, thread } from './testing/items.ts';

const NOBODY: ReadonlySet<number> = new Set();

/** Delivered once, as they are. */
function markersOf(...items: readonly Item[]): ReadonlyMap<string, Marker> {
  const judged = judge(snapshotOf(items), new Map(), NOBODY);
  return new Map(judged.map(({ mark }) => [mark.id, { ...mark, seenAt: 1_700_000_000 }]));
}

function outcomes(items: readonly Item[], markers: ReadonlyMap<string, Marker> = new Map()) {
  return judge(snapshotOf(items), markers, NOBODY).map(({ item, outcome }) => `${item.id} ${outcome}`);
}

function hide(text: Said, reason = 'outdated'): Said {
  return { ...text, hidden: reason };
}

const question = said('c1', 'Why twice?');
const open = thread('t1', [question]);
const resolved = thread('t1', [question], { isResolved: true, resolvedBy: 'mia' });

describe('what is shown', () => {
  it.each<[string, Item]>([
    ['fault 1: a resolved thread', resolved],
    ['fault 1: an outdated thread', thread('t1', [question], { isOutdated: true })],
    ['fault 1: a hidden comment', { ...comment('i1', 'Spam?'), said: hide(said('i1', 'Spam?')) }],
    [
      'row 2.12 a: a summary that was hidden before anybody looked',
      { ...summary('r1', 'commented', 'Nice'), said: hide(said('r1', 'Nice')) },
    ],
    [
      'row 2.12 g, fault 45: a review that was dismissed before anybody looked',
      summary('r1', 'dismissed', 'No'),
    ],
    ['fault 48: a thread about a file', thread('t1', [question], { subject: 'file' })],
    ['fault 62: a deleted account', { ...comment('i1', 'Hm'), said: byGhost(said('i1', 'Hm')) }],
    ['row 2.12 i, fault 44: a text with our marker in it', comment('i1', '<!-- pr-shepherd:v1 -->\nLGTM')],
  ])('%s', (_name, item) => {
    expect(outcomes([item])).toEqual([`${item.id} new`]);
    expect(outcomes([item], markersOf(item))).toEqual([`${item.id} unchanged`]);
  });

  it('row 2.12 f, fault 20: a request for changes and the approval of the same person after it', () => {
    const both = [summary('r1', 'changes-requested', 'Split it'), summary('r2', 'approved', 'Thanks')];
    expect(outcomes(both)).toEqual(['r1 new', 'r2 new']);
    expect(outcomes(both, markersOf(...both.slice(0, 1)))).toEqual(['r1 unchanged', 'r2 new']);
  });

  it('fault 3, T-139: an edit is an edit and keeps its first time', () => {
    const [judged] = judge(
      snapshotOf([comment('i1', 'Now so')]),
      markersOf(comment('i1', 'First so')),
      NOBODY,
    );
    expect(judged).toMatchObject({ outcome: 'edited', firstSeenAt: 1_700_000_000 });
  });

  it('fault 14: a reply makes a thread edited, also one that is resolved', () => {
    const answered = { ...resolved, comments: [question, said('c2', 'Because.')] };
    expect(outcomes([answered], markersOf(resolved))).toEqual(['t1 edited']);
  });

  it('row 2.12 j, fault 43: a thread that was resolved when it was shown and is opened again', () => {
    expect(outcomes([open], markersOf(resolved))).toEqual(['t1 reopened']);
  });

  it('a text that was hidden when it was shown and is unhidden, also within a thread', () => {
    const shown = comment('i1', 'Hm');
    const hidden = { ...shown, said: hide(shown.said) };
    expect(outcomes([shown], markersOf(hidden))).toEqual(['i1 reopened']);
    const partly = thread('t1', [question, hide(said('c2', 'Rude'))]);
    expect(outcomes([thread('t1', [question, said('c2', 'Rude')])], markersOf(partly))).toEqual([
      't1 reopened',
    ]);
  });

  it('what is closed after it was shown is unchanged, and told as closed since', () => {
    const judged = (item: Item, before: Item) => judge(snapshotOf([item]), markersOf(before), NOBODY)[0];
    expect(judged(resolved, open)).toMatchObject({ outcome: 'unchanged', closedSince: true });
    expect(judged(summary('r1', 'dismissed', 'No'), summary('r1', 'changes-requested', 'No'))).toMatchObject({
      outcome: 'unchanged',
      closedSince: true,
    });
    expect(judged(resolved, resolved)).toMatchObject({ outcome: 'unchanged', closedSince: false });
  });

  it('a marker that does not say what was closed reads as reopened, never as seen', () => {
    const [marker] = markersOf(open).values();
    const { closed: _lost, ...bare } = marker as Marker;
    expect(outcomes([open], new Map([['t1', bare]]))).toEqual(['t1 reopened']);
    expect(outcomes([resolved], new Map([['t1', bare]]))).toEqual(['t1 reopened']);
  });
});

describe('what is ours', () => {
  const ours = said('c9', 'Reviewed.', { byUs: true });

  it('fault 16: our answer in a thread is no edit of it', () => {
    const answered = { ...open, comments: [question, ours] };
    expect(outcomes([answered], markersOf(open))).toEqual(['t1 unchanged']);
    expect(outcomes([open], markersOf(answered))).toEqual(['t1 unchanged']);
  });

  it('fault 18, fault 44: known by id and GitHub’s word alone', () => {
    const stored = comment('i1', '## PR Shepherd Review', { restId: 77 });
    const judged = judge(
      snapshotOf([stored, { ...stored, id: ours.id, said: ours }]),
      new Map(),
      new Set([77]),
    );
    expect(judged).toEqual([]);
    expect(outcomes([stored])).toEqual(['i1 new']);
  });
});

describe('versions of texts', () => {
  it('fault 54: line ends and trailing blanks are no edit', () => {
    expect(bodyHashOf('a \r\nb\t\r\n\n')).toBe(bodyHashOf('a\nb'));
    expect(bodyHashOf('a\nb')).not.toBe(bodyHashOf('a b'));
    expect(bodyHashOf('a')).toMatch(/^[0-9a-f]{16}$/);
  });

  it('no two lists of texts are one version', () => {
    const hash = (bodies: readonly string[]) =>
      judge(
        snapshotOf([
          thread(
            't',
            bodies.map((body, index) => said(`c${index}`, body)),
          ),
        ]),
        new Map(),
        NOBODY,
      )[0]?.mark.bodyHash;
    expect(hash(['1:a1:b'])).not.toBe(hash(['a', 'b']));
    const bodies = fc.array(fc.string({ unit: fc.constantFrom('a', '1', ':', '\u00e9') }), { minLength: 1 });
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        expect(hash(a) === hash(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('rule 4: whatever the states, every item of others is judged once, and none is left out', () => {
    const text = fc.record({ body: fc.string(), hidden: fc.boolean(), byUs: fc.boolean() });
    const item = fc.record({
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
      isResolved: fc.boolean(),
      isOutdated: fc.boolean(),
      wasSeen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(item), (drawn) => {
        const items = drawn.map(({ texts, isResolved, isOutdated }, index) => {
          const comments = texts.map(({ body, hidden, byUs }, at) =>
            said(`c${index}-${at}`, body, { byUs, ...(hidden ? { hidden: '' } : {}) }),
          );
          return thread(`t${index}`, comments, { isResolved, isOutdated });
        });
        const markers = markersOf(...items.filter((_, index) => drawn[index]?.wasSeen));
        const expected = items.flatMap(({ id, comments }, index) => {
          if (comments.every(({ byUs }) => byUs)) return [];
          return [`${id} ${drawn[index]?.wasSeen ? 'unchanged' : 'new'}`];
        });
        expect(outcomes(items, markers)).toEqual(expected);
      }),
    );
  });
});
