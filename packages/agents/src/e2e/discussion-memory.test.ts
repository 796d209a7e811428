import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '@openfactory/github-simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { openPr, publishedShas, pushTo, repliesOf, reviewsOf, say } from './testing/scene.ts';
import { markersOf, shownItems, shownLines, talkStatus } from './testing/talk-look.ts';
import { openTalk, shownIn, type TalkStage } from './testing/talk-stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

const NOTE = 'The memory of this discussion is degraded';

/** Paths of all markers of the stage's pull request. */
async function markerFiles({ stateDir, number }: TalkStage): Promise<readonly string[]> {
  const folder = join(stateDir, 'acme-shop', String(number), 'seen');
  return (await readdir(folder)).toSorted().map((name) => join(folder, name));
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('a memory that does not work', () => {
  it('fault 52: with a file in the place of its folder is told in the comment and the status, spins nothing, and heals', async () => {
    const stage = await openTalk(undefined, { members: ['ada', 'mia'] });
    const { simulator, number, provider, stateDir } = stage;
    const shown = ['new: comment, active: Will be forgotten'];
    await say(stage, number, 'Will be forgotten');
    await rm(stateDir, { recursive: true, force: true });
    await writeFile(stateDir, 'in the way');
    const first = await stage.round();
    expect(shownLines(first.shown)).toEqual(shown);
    expect(first.body).toContain(NOTE);
    expect(reviewsOf(stage, number)).toEqual([first.body]);
    const memoryTrouble = expect.stringMatching(/seen cannot be written \(E\w+\)$/);
    expect(talkStatus(stage, number)).toMatchObject({
      memoryTrouble,
      stranded: false,
      owed: null,
      round: null,
    });

    const [asked, requests] = [provider.requests.length, simulator.requests.length];
    await stage.quiet();
    expect([provider.requests.length, simulator.requests.length]).toEqual([asked, requests]);
    // Whoever asks is told, and not where it lies on the machine.
    await say(stage, number, '@horton status');
    expect(repliesOf(stage, number)).toEqual([
      expect.stringContaining('memory of the discussion is degraded'),
    ]);
    expect(stage.ours(number).filter(({ body }) => body.includes(stateDir))).toEqual([]);

    const again = await stage.round();
    expect(shownLines(again.shown).toSorted()).toEqual(['new: comment, active: @horton status', ...shown]);
    expect(again.body).toContain(NOTE);
    await rm(stateDir);
    const healed = await stage.round();
    expect(shownItems(healed.shown)).toHaveLength(2);
    expect(healed.body).not.toContain(NOTE);
    expect(talkStatus(stage, number)).toMatchObject({ memoryTrouble: null, unsurfacedItems: 0 });
    expect((await stage.round()).shown).toBe('');
    expect(await modeOf(join(stateDir, 'acme-shop', String(number), 'seen'))).toBe(0o700);
    for (const file of await markerFiles(stage)) expect(await modeOf(file)).toBe(0o600);
  });

  it('fault 53: of markers that say nothing sensible is as if it had not seen those items, and heals', async () => {
    const stage = await openTalk();
    const { simulator, number, stateDir } = stage;
    for (const name of ['One', 'Two', 'Three', 'Four'])
      await simulator.comment(number, { author: 'mia', body: name });
    await stage.round();
    const files = await markerFiles(stage);
    expect(files).toHaveLength(4);
    const [wrongType = '', torn = '', empty = '', extended = ''] = files;
    const marker = JSON.parse(await readFile(extended, 'utf8'));
    await writeFile(extended, JSON.stringify({ ...marker, note: 'of a later version' }));
    const wrong = JSON.parse(await readFile(wrongType, 'utf8'));
    await writeFile(wrongType, JSON.stringify({ ...wrong, bodyHash: 5 }));
    await writeFile(torn, (await readFile(torn, 'utf8')).slice(0, 20));
    await writeFile(empty, '');
    const { shown, body } = await stage.round();
    expect(shownItems(shown).map(({ section }) => section)).toEqual(['new', 'new', 'new']);
    expect(body).not.toContain(NOTE);
    expect((await stage.round()).shown).toBe('');
    expect((await markersOf(stage, number)).size).toBe(4);

    // An edit keeps what a later version wrote, and the first time.
    const comments = simulator.comments(number).filter(({ nodeId }) => nodeId === marker.id);
    await simulator.editComment(comments[0]?.id ?? 0, 'Edited');
    expect(shownLines((await stage.round()).shown)).toEqual([expect.stringMatching(/^edited: .*: Edited$/)]);
    const { seenAt } = marker;
    expect((await markersOf(stage, number)).get(marker.id)).toMatchObject({
      seenAt,
      note: 'of a later version',
    });

    // All of it gone, as a cleaner may do: everything is shown once more, once.
    await rm(stateDir, { recursive: true });
    expect(shownItems((await stage.round()).shown)).toHaveLength(4);
    expect((await stage.round()).shown).toBe('');
  });
});

describe('GitHub that does not tell the conversation', () => {
  const LIMIT = [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }];
  const FAULTS: readonly [string, Omit<Fault, 'path'>][] = [
    [
      'null',
      { respond: { status: 200, body: { data: null, errors: [{ message: 'Something went wrong' }] } } },
    ],
    ['part', { respond: { status: 200, body: { data: { repository: { pullRequest: {} } } } } }],
    ['limit', { respond: { status: 200, body: { errors: LIMIT } } }],
  ];

  it('fault 32, fault 34, fault 38: makes the round wait, and is never taken for silence', async () => {
    const provider = await startProviderServer({ answer: playRound({}) });
    onTestFinished(() => provider.close());
    const stage = await openTimedStage({ model: chooseAt(provider.url), roundTimeoutMs: 3_600_000 });
    const { simulator } = stage;
    const number = await openPr(stage, 'feature', { files: { 'src/total.ts': 'export const a = 1;\n' } });
    await stage.quiet();
    await say(stage, number, 'Do you hear me?');
    const [asked, head] = [provider.requests.length, publishedShas(stage, number)];
    expect(head).toHaveLength(1);
    // One attempt for each, as long after the one before as the service waits.
    const waitsMs = [0, 1_000, 4_000];
    for (const [index, [name, fault]] of FAULTS.entries()) {
      const restore = simulator.inject({ path: /^\/graphql$/, ...fault });
      if (index === 0) await pushTo(stage, 'feature', { 'src/total.ts': 'export const a = 2;\n' });
      await stage.pass(waitsMs[index] ?? 60_000);
      const { round, waitsFor } = talkStatus(stage, number);
      expect({ name, round, waitsFor }).toMatchObject({
        ...{ name, round: { phase: 'preparing', attempts: index + 1 } },
        waitsFor: expect.any(String),
      });
      restore();
    }
    expect(provider.requests).toHaveLength(asked);
    expect(publishedShas(stage, number)).toEqual(head);
    await stage.pass(61_000);
    expect(shownLines(shownIn(provider.requests.slice(asked)))).toEqual([
      'new: comment, active: Do you hear me?',
    ]);
    expect(publishedShas(stage, number)).toHaveLength(2);
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 0, memoryTrouble: null });
  });
});
