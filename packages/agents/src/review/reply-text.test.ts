import { describe, expect, it } from 'vitest';
import { summonedBy } from './mention.ts';
import { noModelText, type ReplyFrame, replyText, unansweredText } from './reply-text.ts';
import type { ShepherdState } from './state.ts';
import type { Request, RequestOutcome, Summons } from './summons.ts';
import { shaOf, World } from './testing/shepherd-world.ts';

const NAMES = ['horton', 'pr-shepherd'];

function world(change: Partial<World['pr']> = {}): World {
  const made = new World();
  made.deliver({ type: 'pr-changed', push: false });
  if (Object.keys(change).length > 0) made.change(change);
  return made;
}

function frame(state: ShepherdState): ReplyFrame {
  const pr = { owner: 'acme', repo: 'shop', number: 1 };
  return { pr, webUrl: 'https://github.example', name: 'horton', state, ledger: [] };
}

function summons(ask: Request, outcome?: RequestOutcome): Summons {
  return {
    key: 'k',
    to: 'n',
    by: 'mia',
    ask,
    place: { kind: 'comment' },
    atMs: 0,
    stage: 'owed',
    acknowledged: true,
    attempts: 0,
    notBeforeMs: 0,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

describe('a reply', () => {
  it('to `status` tells state and reason, the last review and where it stands', () => {
    const text = replyText(summons({ kind: 'status' }), frame(world().state));
    expect(text).toContain('active: each push is reviewed, head 0000000');
    expect(text).toContain('review 1');
    expect(text).toContain('(https://github.example/acme/shop/pull/1#issuecomment-71)');
  });

  it('after a review tells the commit and the result, with a link', () => {
    const text = replyText(summons({ kind: 'review' }, { kind: 'reviewed' }), frame(world().state));
    expect(text).toBe(
      `Reviewed at [\`0000000\`](https://github.example/acme/shop/commit/${shaOf(1)}): nothing is open. ` +
        'See [the review](https://github.example/acme/shop/pull/1#issuecomment-71).',
    );
  });

  it('says that a review stands, and how to have all reviewed again', () => {
    const text = replyText(summons({ kind: 'review' }, { kind: 'stands' }), frame(world().state));
    expect(text).toContain('stands: nothing changed since');
    expect(text).toContain('review full');
  });

  it('says why a review could not be finished, without what GitHub said becoming Markdown', () => {
    const outcome = { kind: 'failed' as const, what: 'locked by @ada, fixes #1' };
    const text = replyText(summons({ kind: 'review' }, outcome), frame(world().state));
    expect(text).toContain('could not be finished');
    expect(text).not.toMatch(/(?<![\w`\\])@ada/);
  });

  it.each<[string, Partial<World['pr']>]>([
    ['the pull request is closed', { open: false }],
    ['the label no-shepherd was set, which is for good', { labels: ['no-shepherd'] }],
  ])('T-010 is one line with the reason: %s', (reason, change) => {
    const asks: readonly Request[] = [
      { kind: 'review' },
      { kind: 'help' },
      { kind: 'question', text: 'why?' },
    ];
    for (const ask of asks) {
      expect(replyText(summons(ask), frame(world(change).state))).toBe(`Not reviewed: ${reason}.`);
    }
  });

  it('to a label says what is not there yet', () => {
    const text = replyText(summons({ kind: 'label', label: 'fix-ci' }), frame(world().state));
    expect(text).toContain('`fix-ci`');
    expect(text).toContain('not available yet');
  });

  it('T-132 never summons us, whatever is asked', () => {
    const { state } = world();
    const texts = [
      replyText(summons({ kind: 'help' }), frame(state)),
      replyText(summons({ kind: 'status' }), frame(state)),
      replyText(summons({ kind: 'review' }, { kind: 'stands' }), frame(state)),
      replyText(summons({ kind: 'review' }, { kind: 'failed', what: '@horton review' }), frame(state)),
      noModelText(frame(state)),
      unansweredText(frame(state), 'The model did not answer: @horton status.'),
    ];
    for (const text of texts) expect(summonedBy(text, NAMES)).toBeUndefined();
  });
});
