import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { openPr, PLAIN, pushTo, roundsOf, say, untold } from './testing/scene.ts';
import { openStage } from './testing/stage.ts';
import { markersOf, shownItems, shownLines, talkStatus } from './testing/talk-look.ts';
import { openTalk, shownIn } from './testing/talk-stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

const TEAM = { members: ['ada', 'mia'] };

async function openProvider() {
  const provider = await startProviderServer({ answer: playRound({}) });
  onTestFinished(() => provider.close());
  return provider;
}

describe('rounds that ask no model', () => {
  it('mark nothing and say so, as where there are only analyzers; the first model that comes is shown all of it', async () => {
    const provider = await openProvider();
    const stage = await openStage();
    const number = await openPr(stage, 'feature');
    await stage.published(1);
    await say(stage, number, 'Before any model');
    await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    const { body } = await stage.published(2);
    await stage.quiet();
    expect(body).toContain('<summary>Discussion not read: 1 comment; 1 new</summary>');
    expect(body).toContain('No model is configured, so nobody reads it. 1 new.');
    expect(await markersOf(stage, number)).toEqual(new Map());
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 1, memoryTrouble: null });

    await stage.stopService();
    await stage.startService(chooseAt(provider.url));
    await pushTo(stage, 'feature', { 'src/price.ts': 'export const price = 2;\n' });
    const { body: read } = await stage.published(3);
    await stage.quiet();
    expect(shownLines(shownIn(provider.requests))).toEqual(['new: comment, active: Before any model']);
    expect(read).toContain('<summary>Discussion taken into account: 1 comment; 1 new</summary>');
    expect((await markersOf(stage, number)).size).toBe(1);
  });

  it('mark nothing, as where the branch only took in its base', async () => {
    const stage = await openTalk();
    const { simulator, number, provider } = stage;
    await say(stage, number, 'Please merge main');
    const asked = provider.requests.length;
    const main = await stage.commit('main', { 'docs.md': 'More.\n' });
    await simulator.push('main', main, { by: 'bob' });
    await simulator.push('feature', await stage.merge('feature', 'main'), { by: 'ada' });
    const { body } = await stage.published(2);
    await stage.quiet();
    expect(provider.requests).toHaveLength(asked);
    expect(body).toContain('the review stands');
    expect(body).toContain('<summary>Discussion not read: 1 comment; 1 new</summary>');
    expect(body).toContain('1 deferred to the next round.');
    expect(await markersOf(stage, number)).toEqual(new Map());
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 1, memoryTrouble: null });
    expect(shownLines((await stage.round()).shown)).toEqual(['new: comment, active: Please merge main']);
    expect((await stage.round()).shown).toBe('');
  });
});

describe('what begins a round', () => {
  it('T-136: talk alone does not, and a request on a commit that was reviewed only where there is something to read', async () => {
    const stage = await openTalk(undefined, TEAM);
    const { simulator, number, provider } = stage;
    const first = provider.requests.length;
    await say(stage, number, '@horton review');
    expect(provider.requests).toHaveLength(first);
    await say(stage, number, 'The rounding is wrong, I think.', 'ben');
    expect(provider.requests).toHaveLength(first);
    expect(talkStatus(stage, number).unsurfacedItems).toBe(2);

    await say(stage, number, '@horton review');
    await stage.quiet();
    const shown = shownIn(provider.requests.slice(first));
    expect(
      shownItems(shown)
        .flatMap(({ texts }) => texts)
        .toSorted(),
    ).toEqual(['@horton review', '@horton review', 'The rounding is wrong, I think.']);
    expect((await markersOf(stage, number)).size).toBe(3);
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 0, memoryTrouble: null });

    const second = provider.requests.length;
    await say(stage, number, '@horton review');
    expect(provider.requests).toHaveLength(second);
    // Hiding, which comes as an edit, and an edit begin none either.
    const said = await simulator.comment(number, { author: 'ben', body: 'Or not' });
    await simulator.editComment(said.id, 'Or perhaps not');
    await simulator.minimize(said.nodeId, 'resolved', 'mia');
    await stage.quiet();
    expect(provider.requests).toHaveLength(second);
    expect(shownLines((await stage.round()).shown).toSorted()).toEqual([
      'new: comment, active: @horton review',
      'new: comment, hidden: Or perhaps not',
    ]);
  });

  it('the label of a community PR does, and its first round is shown what was said before', async () => {
    const provider = await openProvider();
    const stage = await openStage({ model: chooseAt(provider.url) });
    const { simulator } = stage;
    const files = { 'src/total.ts': 'export const total = 1;\n' };
    const number = await openPr(stage, 'feature', { author: 'eve', files });
    await say(stage, number, 'Who looks at this?');
    const remark = { author: 'ada', path: 'src/total.ts', line: 1, body: 'I do' };
    const thread = await simulator.startThread(number, remark);
    await simulator.resolveThread(thread.threadId, 'ada');
    await stage.quiet();
    expect(provider.requests).toEqual([]);
    await simulator.addLabel(number, 'shepherd', { by: 'ada' });
    const { body } = await stage.published(1);
    await stage.quiet();
    expect(shownLines(shownIn(provider.requests)).toSorted()).toEqual([
      'new: comment, active: Who looks at this?',
      'new: review thread, resolved by a person: I do',
    ]);
    expect(body).toContain('Discussion taken into account: 1 thread, 1 comment; 2 new');
    expect(roundsOf(stage, number)).toHaveLength(1);
  });
});

it('fault 55: while it waits for further pushes it listens and counts, and writes nothing', async () => {
  const provider = await openProvider();
  const stage = await openTimedStage({ model: chooseAt(provider.url), settleMs: 20_000 });
  const files = { 'src/total.ts': 'export const total = 1;\n' };
  const number = await openPr(stage, 'feature', { files });
  await openPr(stage, 'other', { files });
  await stage.pass(20_000);
  const before = provider.requests.length;
  expect(before).toBe(14);
  for (const [index, text] of ['First', 'Second', 'Third'].entries()) {
    await pushTo(stage, 'feature', { 'src/total.ts': `export const total = 2${index};\n` });
    await say(stage, number, text);
    await stage.pass(19_000);
  }
  expect(provider.requests).toHaveLength(before);
  // The last of them was said less than a window ago.
  expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 2, owed: expect.anything() });
  expect(await markersOf(stage, number)).toEqual(new Map());
  await stage.pass(1_000);
  expect(shownItems(shownIn(provider.requests.slice(before))).flatMap(({ texts }) => texts)).toEqual([
    'First',
    'Second',
    'Third',
  ]);
  expect(provider.requests).toHaveLength(before + 7);
  expect((await markersOf(stage, number)).size).toBe(3);
  // Each pull request has its own discussion.
  expect(await markersOf(stage, 2)).toEqual(new Map());
});

describe('more than one round can take', () => {
  it('is deferred, counted, and shown in the next ones, each item once, whatever else is said meanwhile', async () => {
    const stage = await openTalk();
    const { simulator, number } = stage;
    const essay = (name: string) => `Essay ${name}: ${'why '.repeat(2_500)}end of ${name}`;
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'];
    await untold(stage, async () => {
      for (const name of names) await simulator.comment(number, { author: 'mia', body: essay(name) });
    });
    const namesIn = (shown: string) =>
      shownItems(shown).flatMap(({ texts }) => texts.map((text) => /^Essay (\w)/.exec(text)?.[1] ?? text));
    const first = await stage.round();
    const shownFirst = namesIn(first.shown);
    expect(shownFirst).toHaveLength(4);
    expect(first.shown).toMatch(/\[\d+ more characters left out here\]/);
    expect(first.body).toContain('Discussion taken into account: 9 comments; 9 new, 5 deferred');
    expect(talkStatus(stage, number).unsurfacedItems).toBe(5);
    expect((await markersOf(stage, number)).size).toBe(4);

    await untold(stage, () => simulator.comment(number, { author: 'ben', body: 'Short' }));
    const second = namesIn((await stage.round()).shown);
    expect(second.filter((name) => name !== 'Short')).toHaveLength(4);
    const third = await stage.round();
    expect([...shownFirst, ...second, ...namesIn(third.shown)].toSorted()).toEqual([...names, 'Short']);
    expect(third.body).not.toContain('deferred');
    expect(talkStatus(stage, number).unsurfacedItems).toBe(0);
  });
});
