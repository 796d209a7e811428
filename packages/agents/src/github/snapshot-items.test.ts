import { describe, expect, it } from 'vitest';
import { type ConversationNodes, toItems } from './snapshot-items.ts';
import { reviewNode, saidNode, threadNode } from './testing/snapshot-nodes.ts';

const itemsOf = (nodes: Partial<ConversationNodes>) =>
  toItems({ threads: [], comments: [], reviews: [], ...nodes });

const threadOf = (thread: Parameters<typeof threadNode>[1], ...comments: ReturnType<typeof saidNode>[]) =>
  itemsOf({ threads: [{ thread: threadNode('T', thread), comments }] })[0];

describe('items', () => {
  it('stand in the order of their first text, and of their ids where that is equal', () => {
    const at = (minute: number) => ({ createdAt: `2026-05-26T14:0${minute}:00Z` });
    const items = itemsOf({
      threads: [
        { thread: threadNode('T1'), comments: [saidNode('a', at(2)), saidNode('b', at(9))] },
        { thread: threadNode('T2'), comments: [saidNode('c', at(1))] },
      ],
      comments: [saidNode('Cb', at(3)), saidNode('Ca', at(3)), saidNode('CB', at(3))],
      reviews: [reviewNode('R', at(0))],
    });
    expect(items.map(({ id }) => id)).toEqual(['R', 'T2', 'T1', 'CB', 'Ca', 'Cb']);
  });

  it('begin when others could read them', () => {
    const drafted = { createdAt: '2026-05-20T10:00:00Z', publishedAt: '2026-05-26T10:00:00Z' };
    expect(itemsOf({ comments: [saidNode('C', drafted)] })).toMatchObject([
      { said: { createdAt: '2026-05-26T10:00:00Z' } },
    ]);
  });

  it('have a number only where it can be told exactly', () => {
    const numberOf = (fullDatabaseId: string | null) => {
      const [item] = itemsOf({ comments: [saidNode('C', { fullDatabaseId })] });
      return item?.kind === 'comment' ? item.said.restId : undefined;
    };
    expect(['3737455045', '9007199254740993', '', '-1', '1e3', null].map(numberOf)).toEqual([
      3737455045,
      ...Array(5).fill(undefined),
    ]);
  });

  it('may be hidden for a reason that GitHub does not name', () => {
    expect(itemsOf({ comments: [saidNode('C', { isMinimized: true })] })).toMatchObject([
      { said: { hidden: '' } },
    ]);
  });
});

describe('a review', () => {
  const verdictOf = (state: string, body: string) => {
    const [item] = itemsOf({ reviews: [reviewNode('R', { state, body })] });
    return item?.kind === 'summary' ? item.verdict : undefined;
  };

  it('is an item in every state, but for drafts and envelopes', () => {
    const states = ['COMMENTED', 'APPROVED', 'CHANGES_REQUESTED', 'DISMISSED', 'PENDING', 'INVENTED_LATER'];
    const verdicts = ['commented', 'approved', 'changes-requested', 'dismissed', undefined, 'commented'];
    expect(states.map((state) => verdictOf(state, 'x'))).toEqual(verdicts);
    expect(states.map((state) => verdictOf(state, ' \r\n'))).toEqual([undefined, ...verdicts.slice(1)]);
  });

  it('may be of a commit that is gone', () => {
    expect(itemsOf({ reviews: [reviewNode('R')] })[0]).not.toHaveProperty('sha');
    const sha = 'a'.repeat(40);
    expect(itemsOf({ reviews: [reviewNode('R', { commit: { oid: sha } })] })).toMatchObject([{ sha }]);
  });
});

describe('a thread', () => {
  it('at the old side has no line of the new one', () => {
    const thread = threadOf({ diffSide: 'LEFT' }, saidNode('a'));
    expect(thread).toMatchObject({ originalLine: 3 });
    expect(thread).not.toHaveProperty('line');
  });

  it('in which nobody says anything any more is no item', () => {
    expect(threadOf({})).toBeUndefined();
  });

  it('that a bot resolved names it as bots are named, also where GitHub leaves that away', () => {
    const bot = saidNode('a', { author: { __typename: 'Bot', login: 'linter' } });
    const by = (login: string) => ({ isResolved: true, resolvedBy: { login } });
    expect(threadOf(by('linter'), bot)).toMatchObject({ resolvedBy: 'linter[bot]' });
    expect(threadOf(by('linter[bot]'), bot)).toMatchObject({ resolvedBy: 'linter[bot]' });
    expect(threadOf(by('ada'), bot)).toMatchObject({ resolvedBy: 'ada' });
  });

  it('that a bot resolved without a word in it names it so, where it speaks anywhere else', () => {
    const bot = saidNode('b', { author: { __typename: 'Bot', login: 'linter' } });
    const resolved = threadNode('T', { isResolved: true, resolvedBy: { login: 'linter' } });
    const threads = [{ thread: resolved, comments: [saidNode('a')] }];
    const review = reviewNode('R', { author: { __typename: 'Bot', login: 'linter' } });
    expect(itemsOf({ threads, comments: [bot] })[0]).toMatchObject({ resolvedBy: 'linter[bot]' });
    expect(itemsOf({ threads, reviews: [review] })[1]).toMatchObject({ resolvedBy: 'linter[bot]' });
    expect(itemsOf({ threads })[0]).toMatchObject({ resolvedBy: 'linter' });
  });
});
