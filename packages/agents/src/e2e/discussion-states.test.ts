import { describe, expect, it } from 'vitest';
import { tell, untold } from './testing/scene.ts';
import { markersOf, shownItems, shownLines, talkStatus } from './testing/talk-look.ts';
import { openTalk, type TalkStage } from './testing/talk-stage.ts';

/** A file that no round changes, so that a thread on it stays where it was begun. */
const NOTES = { 'src/notes.ts': 'export const a = 1;\nexport const b = 2;\nexport const c = 3;\n' };
const openWithNotes = (): Promise<TalkStage> => openTalk(undefined, { pr: { files: NOTES } });

function start({ simulator, number }: TalkStage, body: string, line?: number, author = 'mia') {
  const place = { path: 'src/notes.ts', ...(line === undefined ? {} : { line }) };
  return simulator.startThread(number, { author, body, ...place });
}

function hearAgain({ simulator, service }: TalkStage): void {
  simulator.setWebhookUrl(`${service().url}/webhooks/github`);
}

describe('whatever state an item is in when it is first seen', () => {
  it('row 2.12 a, row 2.12 f, row 2.12 g, fault 1, fault 20, fault 45, fault 48: its text is shown with its state, once', async () => {
    const stage = await openWithNotes();
    const { simulator, number } = stage;
    await untold(stage, async () => {
      const comment = await simulator.comment(number, { author: 'mia', body: 'Hidden comment' });
      const summary = await simulator.submitReview(number, { author: 'mia', body: 'Hidden summary' });
      const approval = await simulator.submitReview(number, {
        author: 'mia',
        state: 'approved',
        body: 'Hidden approval',
      });
      const thread = await start(stage, 'Hidden remark', 1);
      for (const id of [comment.nodeId, summary.reviewNodeId, approval.reviewNodeId, thread.commentNodeId]) {
        await simulator.minimize(id, 'off-topic', 'ada');
      }
      const resolved = await start(stage, 'Resolved remark', 2);
      await simulator.reply(resolved.threadId, { author: 'ben', body: 'Then I close it' });
      await simulator.resolveThread(resolved.threadId, 'ada');
      const outdated = { author: 'mia', path: 'src/total.ts', line: 1, body: 'Outdated remark' };
      await simulator.startThread(number, outdated);
      await start(stage, 'File remark');
      const changes = { author: 'ben', state: 'changes_requested', body: 'Not like this' } as const;
      await simulator.submitReview(number, changes);
      await simulator.submitReview(number, { author: 'ben', state: 'approved', body: 'Fine now' });
      await simulator.submitReview(number, { author: 'zoe', state: 'approved' });
      const stop = await simulator.submitReview(number, { ...changes, author: 'eve', body: 'Stop it' });
      await simulator.dismissReview(stop.reviewId, 'ada');
    });
    const { shown, body } = await stage.round();
    expect(shownLines(shown).toSorted()).toEqual([
      'new: comment, hidden: Hidden comment',
      'new: review thread about a file, active: File remark',
      'new: review thread, hidden: Hidden remark',
      'new: review thread, outdated: Outdated remark',
      'new: review thread, resolved by the author of the pull request: Resolved remark | Then I close it',
      'new: review, approving, active: ',
      'new: review, approving, active: Fine now',
      'new: review, approving, hidden: Hidden approval',
      'new: review, dismissed by a person, dismissed: Stop it',
      'new: review, requesting changes, active: Not like this',
      'new: review, with comments, hidden: Hidden summary',
    ]);
    expect(body).toContain('Discussion taken into account: 4 threads, 1 comment, 6 reviews; 11 new');
    expect(body).toContain('11 new · 1 resolved, 1 outdated, 4 hidden.');
    expect((await markersOf(stage, number)).size).toBe(11);
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 0, memoryTrouble: null });
    expect((await stage.round()).shown).toBe('');
  });

  it('row 2.12 k, row 2.12 l, fault 14: however many there are, and however long a thread is', async () => {
    const stage = await openWithNotes();
    const { simulator, number } = stage;
    const replies = Array.from({ length: 130 }, (_, index) => ({ author: 'ben', body: `Answer ${index}.` }));
    const [thread] = await simulator.addThreads(number, [
      { author: 'mia', path: 'src/notes.ts', line: 1, body: 'Begun long ago.', replies },
    ]);
    await untold(stage, async () => {
      for (let count = 0; count < 60; count += 1) {
        const body = `Approved, ${count}.`;
        await simulator.submitReview(number, { author: `dev${count}`, state: 'approved', body });
      }
    });
    const items = shownItems((await stage.round()).shown);
    expect(items).toHaveLength(61);
    const texts = items.flatMap((item) => item.texts);
    for (let count = 0; count < 60; count += 1) expect(texts).toContain(`Approved, ${count}.`);
    const long = items.find(({ head }) => head.startsWith('review thread'));
    expect(long?.texts[0]).toBe('Begun long ago.');
    expect(long?.texts.at(-1)).toBe('Answer 129.');
    expect(131 - (long?.texts.length ?? 0)).toBe(
      Number(/(\d+) texts of it/.exec(long?.head ?? '')?.[1] ?? 0),
    );
    // A reply beyond the first page of the thread is news, wherever the thread stands by then.
    await simulator.resolveThread(thread?.threadId ?? '', 'ada');
    await simulator.reply(thread?.threadId ?? '', { author: 'mia', body: 'One more.' });
    const [again, ...others] = shownItems((await stage.round()).shown);
    expect(again).toMatchObject({
      section: 'edited',
      head: expect.stringContaining('resolved by the author'),
    });
    expect(again?.texts.at(-1)).toBe('One more.');
    expect(others).toEqual([]);
  });
});

describe('what becomes of an item after it was shown', () => {
  it('row 2.12 j, fault 43, fault 7: opened again it is shown once as reopened, closed since it is told once, and left alone it is not shown', async () => {
    const stage = await openWithNotes();
    const { simulator, number } = stage;
    // A busy PR is not listened to without end: what is not told costs no reading, and is in the next one.
    simulator.setWebhookUrl(undefined);
    const solved = await start(stage, 'Solved?', 1);
    await simulator.resolveThread(solved.threadId, 'ada');
    const spam = await simulator.comment(number, { author: 'eve', body: 'Buy two' });
    await simulator.minimize(spam.nodeId, 'spam', 'ada');
    const half = await start(stage, 'First half', 2);
    const other = await simulator.reply(half.threadId, { author: 'ben', body: 'Second half' });
    await simulator.minimize(other.commentNodeId, 'off-topic', 'ada');
    const open = await start(stage, 'Still open', 3);
    const said = await simulator.comment(number, { author: 'mia', body: 'Visible' });
    const blocking = { author: 'ben', state: 'changes_requested', body: 'No' } as const;
    const review = await simulator.submitReview(number, blocking);
    hearAgain(stage);
    expect(shownItems((await stage.round()).shown).map(({ section }) => section)).toEqual(
      Array.from({ length: 6 }, () => 'new'),
    );

    await untold(stage, async () => {
      await simulator.unresolveThread(solved.threadId, 'mia');
      await simulator.unminimize(spam.nodeId, 'ada');
      await simulator.unminimize(other.commentNodeId, 'ada');
      await simulator.resolveThread(open.threadId, 'ben');
      await simulator.minimize(said.nodeId, 'outdated', 'ada');
    });
    await simulator.dismissReview(review.reviewId, 'ada');
    await stage.quiet();
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 3 });
    const { shown, body } = await stage.round();
    const bare = shownLines(shown).map((line) => line.replace(/; first shown [^:]*:\d\d UTC/, ''));
    expect(bare.toSorted()).toEqual([
      'closed: comment, hidden: Visible',
      'closed: review thread, resolved by a person: Still open',
      'closed: review, dismissed by a person, dismissed: No',
      'reopened: comment, active: Buy two',
      'reopened: review thread, active: First half | Second half',
      'reopened: review thread, active: Solved?',
    ]);
    expect(body).toContain('3 reopened');
    expect((await stage.round()).shown).toBe('');
  });

  it('T-139, T-136, fault 3, fault 54: edits are shown as such, with the time of the first showing, and start no round', async () => {
    const stage = await openWithNotes();
    const { simulator, number, provider } = stage;
    simulator.setWebhookUrl(undefined);
    const typo = await simulator.comment(number, { author: 'mia', body: 'Teh price' });
    const back = await simulator.comment(number, { author: 'mia', body: 'Old text' });
    const crlf = await simulator.comment(number, { author: 'mia', body: 'One\nTwo' });
    const thread = await start(stage, 'Why?', 1);
    const closed = await start(stage, 'Wrong', 2);
    const review = await simulator.submitReview(number, { author: 'ben', body: 'Lokks fine' });
    const gone = await start(stage, 'Never mind', 3);
    hearAgain(stage);
    await stage.round();
    const first = await markersOf(stage, number);
    expect(first.size).toBe(7);

    const asked = provider.requests.length;
    const edits = await untold(stage, async () => {
      await simulator.editComment(typo.id, 'The price');
      await simulator.editComment(back.id, 'New text');
      await simulator.editComment(back.id, 'Old text');
      await simulator.editComment(crlf.id, 'One  \r\nTwo\r\n\r\n');
      await simulator.reply(thread.threadId, { author: 'ada', body: 'Because' });
      await simulator.editReviewComment(closed.commentId, 'Wrong, as said');
      await simulator.resolveThread(closed.threadId, 'ada');
      await simulator.editReview(review.reviewId, 'Looks fine');
    });
    await simulator.deleteReviewComment(gone.commentId);
    await stage.quiet();
    expect(talkStatus(stage, number)).toMatchObject({ unsurfacedItems: 4 });
    await tell(stage, edits);
    await stage.quiet();
    expect(provider.requests).toHaveLength(asked);
    const { shown, body } = await stage.round();
    const items = shownItems(shown);
    expect(items.map(({ section, texts }) => [section, ...texts]).toSorted()).toEqual([
      ['edited', 'Looks fine'],
      ['edited', 'The price'],
      ['edited', 'Why?', 'Because'],
      ['edited', 'Wrong, as said'],
    ]);
    const seenAtMs = Number(first.get(typo.nodeId)?.seenAt) * 1000;
    const minute = new Date(seenAtMs).toISOString().slice(0, 16).replace('T', ' ');
    for (const { head } of items) expect(head).toContain(`; first shown ${minute} UTC`);
    expect(items.find(({ texts }) => texts[0] === 'Wrong, as said')?.head).toContain(
      'resolved by the author',
    );
    expect(body).toContain('Discussion taken into account: 2 threads, 3 comments, 1 review');
    expect(body).toContain('4 edited');
    const second = await markersOf(stage, number);
    for (const [id, marker] of first) expect(second.get(id)?.seenAt).toBe(marker.seenAt);
    expect(second.get(typo.nodeId)?.bodyHash).not.toBe(first.get(typo.nodeId)?.bodyHash);

    // Back to a text of long ago is an edit of what was shown last.
    await simulator.editComment(typo.id, 'Teh price');
    expect(shownLines((await stage.round()).shown)).toEqual([
      expect.stringMatching(/^edited: .*: Teh price$/),
    ]);
  });
});
