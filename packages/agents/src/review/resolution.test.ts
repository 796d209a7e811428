import { describe, expect, test } from 'vitest';
import type { Said, ThreadItem } from '../conversation/item.ts';
import type { Resolution } from './answer.ts';
import { linkAnswers } from './link-answers.ts';
import { ledger, nan, quoted, said, speakers, thread } from './testing/answers.ts';

/** What it says of the first finding that a thread was resolved. */
function resolved(comments: readonly Said[], over: Partial<ThreadItem> = {}): Resolution | undefined {
  const item = thread(comments, { isResolved: true, resolvedBy: 'tess', ...over });
  return linkAnswers(ledger, [item], speakers).find(({ findingId }) => findingId === nan.id)?.resolvedBy;
}

const by =
  (login: string) =>
  (body: string, over: Parameters<typeof said>[1] = {}) =>
    said(body, { by: login, ...over });
const ada = by('ada');
const tess = by('tess');
const eve = by('eve');
const ours = (body: string) => said(body, { byUs: true });
const NAME = 'src/limit.ts:12';
const ALIKE = 'NaN from the query goes through here, unchecked';
const elsewhere = { path: 'src/other.ts' };

describe('a thread is about a finding', () => {
  test.each<[string, Resolution['named'], readonly Said[], Partial<ThreadItem>?]>([
    ['the team begins it in its words', 'by-team', [tess(ALIKE), eve('Ok')]],
    ['the team names it in a reply', 'by-team', [eve('Hm?'), tess(`${NAME} is fine`)], elsewhere],
    ['we begin it', 'by-team', [ours(quoted(nan).replaceAll('> ', '')), eve('No')], elsewhere],
    ['the team asks us about it', 'by-team', [tess('Hm?'), ours(NAME), eve('No')], elsewhere],
    ['somebody begins it in its words', 'by-others', [eve(ALIKE), tess('No')], { line: 70 }],
    ['somebody begins it there and names it', 'by-others', [eve(`${NAME}?`), tess('No')]],
    ['who resolves names it', 'by-others', [tess('Hm?'), eve(`${NAME}?`)], { resolvedBy: 'Eve' }],
    ['nobody names it', undefined, [tess('Please rename this.')]],
    ['somebody names it in a reply', undefined, [tess('Rename?'), eve(`As in ${NAME}, ok?`)]],
    ['somebody names it elsewhere', undefined, [eve(`Like ${NAME}, ok?`), tess('Ok')], elsewhere],
    [
      'a bot names it in a reply',
      undefined,
      [tess('Rename?'), said(NAME, { author: { login: 'tess', isBot: true } })],
    ],
    ['somebody has us name it', undefined, [tess('Rename?'), eve('@horton?'), ours(NAME), tess('Ok')]],
  ])('where %s: %s', (_, named, comments, over) => {
    const found = resolved(comments, over);
    expect(found).toBeDefined();
    expect(found?.named).toBe(named);
  });
});

describe('a thread claims a fix', () => {
  const question = () => tess(`${quoted(nan)}\n\nIs this so?`);
  const fixed = () => ada('Fixed in 1234567.');

  test.each<readonly [string, readonly Said[]]>([
    ['says so last', []],
    ['is thanked', [tess('Thanks!')]],
    ['is praised', [tess('Great, thank you. LGTM 👍')]],
    ['gets a sign', [tess('👍')]],
    ['is asked more', [tess('Did you push it?')]],
    ['is answered by a bot', [said('No.', { author: { login: 'lint', isBot: true } })]],
    ['goes on', [ada('Please have a look.'), eve('It was never wrong: the router checks it.')]],
    ['says so again', [tess('It is not mended, the router checks it.'), fixed()]],
  ])('where the author says so and %s', (_, more) => {
    expect(resolved([question(), fixed(), ...more])).toMatchObject({ named: 'by-team', claimsFix: true });
  });

  test.each<[string, readonly Said[], Partial<ThreadItem>?]>([
    [
      'the team gives a reason since',
      [fixed(), tess('Thanks, but it was never wrong: the router checks it.')],
    ],
    ['so does who resolves', [fixed(), ada('The router checks it.')], { resolvedBy: 'ada' }],
    ['only a bot says so', [said('Fixed in 1234567.', { author: { login: 'lint', isBot: true } })]],
  ])('but not where %s', (_, more, over) => {
    const found = resolved([question(), ...more], over);
    expect(found?.named).toBe('by-team');
    expect(found).not.toHaveProperty('claimsFix');
  });
});
