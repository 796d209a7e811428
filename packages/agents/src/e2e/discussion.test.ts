import { describe, expect, it } from 'vitest';
import { answered, untold } from './testing/scene.ts';
import { openTalk } from './testing/talk-stage.ts';

describe('what people say between two rounds', () => {
  it('is shown to all reviewers of the next round, once, and the comment has a receipt of it', async () => {
    const stage = await openTalk();
    const { simulator, number } = stage;
    await simulator.comment(number, { author: 'mia', body: 'Why only two prices?' });
    const { shown, body, requests } = await stage.round();
    expect(shown).toMatch(/## New\nA comment, active:\n<untrusted-\w+ what="by \\"mia\\" \(community\), /);
    expect(requests).toHaveLength(7);
    expect(requests.every(({ userText = '' }) => userText.includes('Why only two prices?'))).toBe(true);
    expect(body).toContain('<summary>Discussion taken into account: 1 comment; 1 new</summary>');
    const next = await stage.round();
    expect(next.shown).toBe('');
    expect(next.body).toContain('<summary>Discussion taken into account: 1 comment</summary>');
  });

  it('S2 T-023 a request whose delivery was lost is heard with what is said next, and answered once', async () => {
    const stage = await openTalk();
    const { simulator, number } = stage;
    const lost = await untold(stage, () =>
      simulator.comment(number, { author: 'ada', body: '@horton status' }),
    );
    await stage.quiet();
    expect(answered(stage, number)).toEqual([]);
    await simulator.comment(number, { author: 'mia', body: 'Anybody there?' });
    await stage.quiet();
    expect(answered(stage, number)).toHaveLength(1);
    for (const { event, payload } of lost) await simulator.send(event, payload);
    await stage.quiet();
    expect(answered(stage, number)).toHaveLength(1);
  });
});
