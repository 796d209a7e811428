import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FindingId } from '../ids.ts';
import type { Answer, Resolution, Standing } from './answer.ts';
import { decisionsOf, type ReviewerVerdict } from './ledger-decide.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { finding, sha } from './testing/builders.ts';
import { answer, item } from './testing/decisions.ts';

const id = 'a1' as FindingId;
const entry: LedgerEntry = {
  id,
  aspects: ['security', 'perf'],
  finding: finding('src/a.ts', 'The id goes into the query'),
  place: { kind: 'file' },
  firstSha: sha('1'),
  lastSha: sha('1'),
  firstIteration: 1,
  openedIteration: 1,
  state: 'open',
};

const says = (verdict: 'withdrawn' | 'disputed', extra: Partial<ReviewerVerdict> = {}): ReviewerVerdict => ({
  findingId: id,
  aspect: 'security',
  verdict,
  why: 'The router checks it.',
  ...extra,
});
const withdrawn = says('withdrawn');
const disputed = says('disputed');

const team = answer(id, 'tess', 'team');
const author = answer(id, 'ada', 'author');
const other = answer(id, 'olaf', 'other');
const bot = answer(id, 'lint', 'bot');
const thread = (
  login: string,
  standing: Standing,
  extra: Partial<Answer> = {},
  about: Partial<Resolution> = { named: 'by-team' },
): Answer => answer(id, 'olaf', 'other', { resolvedBy: { login, standing, ...about }, ...extra });

const takenBack = 'withdrawn, answered by tess';

/** State, reason and name of each decision. */
function decided(answers: readonly Answer[], verdicts: readonly ReviewerVerdict[] = []): readonly string[] {
  return decisionsOf([entry], { answers, verdicts }).map(
    ({ state, because, by }) => `${state}, ${because} by ${by}`,
  );
}

describe('decisionsOf: threads that somebody resolved', () => {
  test.each<readonly [string, Answer, readonly string[]]>([
    ['by the team: taken back', thread('tess', 'team'), ['withdrawn, resolved by tess']],
    ['by the author: contradicted', thread('ada', 'author'), ['disputed, resolved by ada']],
    ['by anybody else: contradicted', thread('olaf', 'other'), ['disputed, resolved by olaf']],
    ['by a bot: nothing', thread('tidy', 'bot'), []],
    ['about something else: nothing', thread('tess', 'team', {}, {}), []],
    [
      'by the team, where only others say what it is about: contradicted',
      thread('tess', 'team', {}, { named: 'by-others' }),
      ['disputed, resolved by tess'],
    ],
    [
      'by the author, who says what it is about: contradicted',
      thread('ada', 'author', {}, { named: 'by-others' }),
      ['disputed, resolved by ada'],
    ],
    [
      'which says that it is mended: nothing',
      thread('tess', 'team', {}, { named: 'by-team', claimsFix: true }),
      [],
    ],
  ])('%s', (_name, answered, expected) => {
    expect(decided([answered])).toEqual(expected);
  });

  test('fault 44 T-063 a text that says "resolved" resolves nothing', () => {
    expect(decided([answer(id, 'tess', 'team', { text: 'resolved, withdrawn' })])).toEqual([]);
  });

  test('each thread decides for itself, the weightiest first, of one weight the newest', () => {
    const threads = [
      thread('ada', 'author', { itemId: item('t1') }),
      thread('tess', 'team', { itemId: item('t2') }),
      thread('tom', 'team', { itemId: item('t3') }),
      thread('olaf', 'other', { itemId: item('t4') }),
    ];
    expect(decided(threads)).toEqual([
      'withdrawn, resolved by tom',
      'withdrawn, resolved by tess',
      'disputed, resolved by ada',
      'disputed, resolved by olaf',
    ]);
  });
});

describe('decisionsOf: what a reviewer makes of answers', () => {
  test.each<readonly [string, readonly Answer[], readonly ReviewerVerdict[], readonly string[]]>([
    ['the team is right', [team], [withdrawn], ['withdrawn, answered by tess']],
    ['the team has reasons', [team], [disputed], ['disputed, answered by tess']],
    ['T-052 the author is right', [author], [withdrawn], ['disputed, answered by ada']],
    ['somebody else is right', [other], [withdrawn], ['disputed, answered by olaf']],
    ['only bots answered', [bot], [withdrawn], []],
    ['nobody answered', [], [withdrawn], []],
    ['an answer without a verdict', [team], [], []],
    ['an answer that claims a fix', [{ ...author, claimsFix: true }], [withdrawn], []],
    [
      'one of the team that only stands at its place is one, and takes nothing back',
      [{ ...team, isDirect: false }],
      [withdrawn],
      ['disputed, answered by tess'],
    ],
    [
      'whoever of the team only speaks nearby lends others no weight',
      [{ ...team, isDirect: false }, author],
      [withdrawn],
      ['disputed, answered by ada'],
    ],
    ['several of the team', [answer(id, 'tom', 'team'), team], [withdrawn], ['disputed, answered by tess']],
    ['one of the team, twice', [team, team], [withdrawn], [takenBack]],
    ['the team, and the author spoke, too', [team, author], [withdrawn], ['disputed, answered by tess']],
    ['anybody spoke, and then the team', [other, team], [withdrawn], ['disputed, answered by tess']],
    ['the author says that it is mended', [{ ...author, claimsFix: true }, team], [withdrawn], [takenBack]],
    ['others only speak nearby', [{ ...other, isDirect: false }, team, bot], [withdrawn], [takenBack]],
    ['the weightiest is named', [other, team, author, bot], [disputed], ['disputed, answered by tess']],
    ['then the newest', [author, answer(id, 'bea', 'author')], [disputed], ['disputed, answered by bea']],
    [
      'two who are not of one mind',
      [team],
      [withdrawn, says('disputed', { aspect: 'perf' })],
      ['disputed, answered by tess'],
    ],
    ['a reviewer whose finding it is not', [team], [says('withdrawn', { aspect: 'tests' })], []],
  ])('%s', (_name, answers, verdicts, expected) => {
    expect(decided(answers, verdicts)).toEqual(expected);
  });

  test('what is critical is taken back by a person’s act alone', () => {
    const critical: LedgerEntry = { ...entry, finding: { ...entry.finding, severity: 'critical' } };
    const states = (heard: Parameters<typeof decisionsOf>[1]) =>
      decisionsOf([critical], heard).map(({ state, because }) => `${state}, ${because}`);
    expect(states({ answers: [team], verdicts: [withdrawn] })).toEqual(['disputed, answered']);
    expect(states({ answers: [thread('tess', 'team')], verdicts: [] })).toEqual(['withdrawn, resolved']);
  });

  test('a decision says whose word it was, where, and why', () => {
    expect(decisionsOf([entry], { answers: [team], verdicts: [withdrawn] })).toEqual([
      {
        findingId: id,
        state: 'withdrawn',
        because: 'answered',
        by: 'tess',
        itemId: team.itemId,
        url: team.url,
        why: 'The router checks it.',
      },
    ]);
  });

  test('what takes it back goes before what contradicts it', () => {
    const byAuthor = { ...thread('ada', 'author'), by: 'tess', standing: 'team' } as const;
    expect(decided([byAuthor, team], [withdrawn])).toEqual([
      'withdrawn, answered by tess',
      'disputed, resolved by ada',
    ]);
    expect(decided([thread('tess', 'team'), author], [disputed])[0]).toBe('withdrawn, resolved by tess');
  });

  test('answers to another finding decide nothing about this one', () => {
    const elsewhere = 'b2' as FindingId;
    expect(decided([{ ...team, findingId: elsewhere }], [withdrawn])).toEqual([]);
    expect(decided([team], [says('withdrawn', { findingId: elsewhere })])).toEqual([]);
  });
});

const resolution = (login: string, standing: Standing, named: Resolution['named']): Resolution =>
  named === undefined ? { login, standing } : { login, standing, named };

test('fault 15 whatever is said, no model and no bot alone decides, and only the team takes back', () => {
  const standing = fc.constantFrom<Standing>('team', 'author', 'other', 'bot');
  const named = fc.constantFrom('by-team' as const, 'by-others' as const, undefined);
  const answers = fc.array(
    fc.record({
      standing,
      resolver: fc.option(standing),
      named,
      isDirect: fc.boolean(),
      fixes: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  const verdicts = fc.array(fc.constantFrom(withdrawn, disputed, says('withdrawn', { aspect: 'perf' })));
  fc.assert(
    fc.property(answers, verdicts, (said, given) => {
      const heard = said.map(({ standing: who, resolver, named: whose, isDirect, fixes }, index) =>
        answer(id, `p${index}`, who, {
          itemId: item(`i${index}`),
          isDirect,
          ...(fixes ? { claimsFix: true as const } : {}),
          ...(resolver === null ? {} : { resolvedBy: resolution(`r${index}`, resolver, whose) }),
        }),
      );
      for (const { by, state, because } of decisionsOf([entry], { answers: heard, verdicts: given })) {
        const whose =
          because === 'answered'
            ? heard.find((candidate) => candidate.by === by)?.standing
            : heard.find(({ resolvedBy }) => resolvedBy?.login === by)?.resolvedBy?.standing;
        expect(whose).toBeDefined();
        expect(whose).not.toBe('bot');
        if (state === 'withdrawn') expect(whose).toBe('team');
        if (because === 'answered') expect(given.length).toBeGreaterThan(0);
        if (state !== 'withdrawn' || because !== 'answered') continue;
        const reasons = heard.filter(({ isDirect, claimsFix }) => isDirect && claimsFix !== true);
        const people = reasons.filter(({ standing: who }) => who !== 'bot');
        expect(new Set(people.map(({ standing: who }) => who))).toEqual(new Set(['team']));
      }
    }),
  );
});
