import { describe, expect, it } from 'vitest';
import { hang, playRound, status } from '../model/testing/answers.ts';
import type { ProviderAnswer, ProviderRequest } from '../model/testing/provider-types.ts';
import { hold } from './testing/hold.ts';
import { publishedShas, pushTo, untold } from './testing/scene.ts';
import { markersOf, shownItems, shownLines, talkStatus } from './testing/talk-look.ts';
import { openTalk, shownIn, type TalkStage } from './testing/talk-stage.ts';

/** The six and the texts. */
const REQUESTS = 7;
const REFUSED = { status: 422, body: { message: 'Validation Failed' } };
const play = playRound({});

/** A stage whose model can be told to answer otherwise from now on. */
async function openMoody() {
  const mood: { answer: (request: ProviderRequest) => ProviderAnswer | Promise<ProviderAnswer> } = {
    answer: play,
  };
  const stage = await openTalk((request) => mood.answer(request));
  return { stage, mood };
}

/** Somebody says something, and nobody has been shown it yet. */
async function say({ simulator, number }: TalkStage, body: string): Promise<void> {
  await simulator.comment(number, { author: 'mia', body });
}

/** Begins a round that shows what was said, and resolves when all of it was asked. */
async function begin(stage: TalkStage, text: string): Promise<void> {
  const { provider } = stage;
  const before = provider.requests.length;
  await pushTo(stage, 'feature', { 'src/other.ts': `export const why = '${text}';\n` });
  await provider.request(before + REQUESTS);
  expect(shownIn(provider.requests.slice(before))).toContain(text);
}

/** What is new to the next round; `resume` lets it begin where a push alone does not. */
async function textsOfNextRound(
  stage: TalkStage,
  resume?: () => Promise<unknown>,
): Promise<readonly string[]> {
  const { shown } = await stage.round(resume);
  expect(shownItems(shown).every(({ section }) => section === 'new')).toBe(true);
  return shownItems(shown).flatMap(({ texts }) => texts);
}

describe('row 2.12 b, row 2.12 c, row 2.12 d, row 2.12 e, fault 2, fault 41: what stood in a round that is not published', () => {
  it('is shown again: after a push, a pause, and a stop of the service', async () => {
    const { stage, mood } = await openMoody();
    const { simulator, number } = stage;
    mood.answer = () => hang;
    await say(stage, 'Before the push');
    await begin(stage, 'Before the push');
    mood.answer = play;
    expect(await textsOfNextRound(stage)).toEqual(['Before the push']);

    mood.answer = () => hang;
    await say(stage, 'Before the pause');
    await begin(stage, 'Before the pause');
    await simulator.addLabel(number, 'pause-shepherd');
    await stage.quiet();
    mood.answer = play;
    expect(talkStatus(stage, number)).toMatchObject({ state: 'paused', round: null });
    expect((await markersOf(stage, number)).size).toBe(1);
    const unpause = () => simulator.removeLabel(number, 'pause-shepherd');
    expect(await textsOfNextRound(stage, unpause)).toEqual(['Before the pause']);

    mood.answer = ({ aspect }) => (aspect === 'perf' ? hang : play({ aspect } as ProviderRequest));
    await say(stage, 'Before the stop');
    await begin(stage, 'Before the stop');
    await stage.stopService();
    expect((await markersOf(stage, number)).size).toBe(2);
    mood.answer = play;
    expect(await textsOfNextRound(stage, () => stage.startService())).toEqual(['Before the stop']);

    expect((await markersOf(stage, number)).size).toBe(3);
  });

  it('is shown again after a fence just before the write, when all that the model said is in', async () => {
    const { stage, mood } = await openMoody();
    const { simulator, number, provider } = stage;
    const before = provider.requests.length;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    mood.answer = (request) => held.then(() => play(request));
    await say(stage, 'Before the fence');
    await begin(stage, 'Before the fence');
    await untold(stage, () => simulator.addLabel(number, 'pause-shepherd'));
    release();
    await stage.waitFor(() => talkStatus(stage, number).state === 'paused');
    expect(await markersOf(stage, number)).toEqual(new Map());
    expect(provider.requests).toHaveLength(before + REQUESTS);
    expect(stage.progress).toContainEqual(expect.objectContaining({ type: 'round', state: 'dropped' }));
    mood.answer = play;
    const unpause = () => simulator.removeLabel(number, 'pause-shepherd');
    expect(await textsOfNextRound(stage, unpause)).toEqual(['Before the fence']);
  });

  it('is shown again where GitHub does not answer or refuses the comment, and as what it is by then', async () => {
    const { stage } = await openMoody();
    const { simulator, number } = stage;
    const published = publishedShas(stage, number).length;
    const refuse = simulator.inject({ method: 'PATCH', path: /\/issues\/comments\//, respond: REFUSED });
    const said = await simulator.comment(number, { author: 'mia', body: 'Before the refusal' });
    await begin(stage, 'Before the refusal');
    await stage.failed();
    await stage.quiet();
    expect(publishedShas(stage, number)).toHaveLength(published);
    expect(await markersOf(stage, number)).toEqual(new Map());
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 1, stranded: true });
    refuse();

    // The snapshot was taken by then, and the round has nothing to review.
    const fail = simulator.inject({ path: /\/compare\//, respond: REFUSED });
    await simulator.minimize(said.nodeId, 'resolved', 'ada');
    await say(stage, 'Before the failure');
    await pushTo(stage, 'feature', { 'src/other.ts': 'export const why = 2;\n' });
    await stage.failed();
    await stage.quiet();
    fail();
    expect(await markersOf(stage, number)).toEqual(new Map());
    const { shown } = await stage.round();
    expect(shownLines(shown).toSorted()).toEqual([
      'new: comment, active: Before the failure',
      'new: comment, hidden: Before the refusal',
    ]);
    expect((await stage.round()).shown).toBe('');
  });

  it('is shown again where nobody read it: a published round of which every model call failed', async () => {
    const { stage, mood } = await openMoody();
    const { number } = stage;
    await say(stage, 'Read by nobody');
    mood.answer = () => status(401);
    const failed = await stage.round();
    expect(failed.shown).toContain('Read by nobody');
    expect(failed.body).toContain('<summary>Discussion not read: 1 comment; 1 new</summary>');
    expect(failed.body).toContain('No model read it in this round.');
    expect(failed.body).toContain('1 deferred to the next round.');
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 1, memoryTrouble: null });
    expect(await markersOf(stage, number)).toEqual(new Map());

    // One call that completes has read it, of whichever kind it is.
    mood.answer = (request) => (request.aspect === undefined ? play(request) : status(401));
    expect(await textsOfNextRound(stage)).toEqual(['Read by nobody']);
    expect((await markersOf(stage, number)).size).toBe(1);
    await say(stage, 'Read by one');
    mood.answer = (request) => (request.aspect === 'tests' ? play(request) : status(401));
    expect(await textsOfNextRound(stage)).toEqual(['Read by one']);
    mood.answer = play;
    const { shown, body } = await stage.round();
    expect(shown).toBe('');
    expect(body).toContain('Discussion taken into account: 2 comments');
  });
});

it('fault 33, T-028: what is said while a round is under way belongs to the next one', async () => {
  const { stage, mood } = await openMoody();
  const { simulator, number } = stage;
  await say(stage, 'In time');
  const writing = hold(simulator, /\/issues\/comments\//);
  const first = stage.round();
  await writing.reached;
  await say(stage, 'While it is written');
  writing.release();
  const { shown, body } = await first;
  expect(shown).toContain('In time');
  expect(shown).not.toContain('While it is written');
  expect(body).toContain('Discussion taken into account: 1 comment; 1 new');
  expect((await markersOf(stage, number)).size).toBe(1);
  expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 1 });

  // Also what changes while the models read it is shown as it is afterwards.
  const said = await simulator.comment(number, { author: 'ben', body: 'First wording' });
  let edited = false;
  mood.answer = async (request) => {
    if (!edited) {
      edited = true;
      await simulator.editComment(said.id, 'Second wording');
    }
    return play(request);
  };
  expect(await textsOfNextRound(stage)).toEqual(['While it is written', 'First wording']);
  expect(shownLines((await stage.round()).shown)).toEqual([
    expect.stringMatching(/^edited: comment, active; first shown .*: Second wording$/),
  ]);
  expect((await stage.round()).shown).toBe('');
});
