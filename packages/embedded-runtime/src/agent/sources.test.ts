import { describe, expect, it } from 'vitest';
import type { LLMMessage, SourceConfig, TimestampedMessage } from '../types/llm.ts';
import { checkContextConfig, composeContext } from './sources.ts';

const fixed = (content: SourceConfig['content'], max = 100): SourceConfig => ({
  content,
  cache: 'stable',
  max,
});
const changing = (content: SourceConfig['content'], max?: number): SourceConfig => ({
  content,
  cache: 'volatile',
  ...(max !== undefined && { max }),
});
const said = (at: number, content: string): TimestampedMessage => ({ role: 'user', content, at });

async function compose(sources: Record<string, SourceConfig>, sourceBudget = 1_000) {
  const { messages, snapshots } = await composeContext({ sourceBudget, sources });
  return { texts: messages.map(({ content }) => content), messages, snapshots };
}

describe('settings are refused', () => {
  it.each([
    [
      'an endless budget',
      Number.POSITIVE_INFINITY,
      { a: fixed(() => '') },
      /sourceBudget must be a positive/,
    ],
    ['no budget', 0, { a: fixed(() => '') }, /sourceBudget must be a positive/],
    ['no sources', 10, {}, /at least one source/],
    [
      'a fixed source without a limit',
      10,
      { a: { content: () => '', cache: 'pinned' } },
      /"a" must specify max/,
    ],
    ['a limit of nothing', 10, { a: changing(() => '', 0) }, /"a" max must be a positive/],
    ['an unknown tier', 10, { a: { content: () => '', cache: 'hot', max: 1 } }, /unknown cache tier "hot"/],
    [
      'more than the budget',
      10,
      { a: fixed(() => '', 6), b: fixed(() => '', 5), c: changing(() => '', 99) },
      /max sum \(11\) exceeds sourceBudget \(10\)/,
    ],
  ])('%s', (_name, sourceBudget, sources, message) => {
    expect(() =>
      checkContextConfig({ sourceBudget, sources: sources as Record<string, SourceConfig> }),
    ).toThrow(message);
  });
});

describe('what the model reads', () => {
  it('begins with what changes least', async () => {
    const { texts } = await compose({
      now: changing(() => 'now'),
      slow: { content: () => 'slow', cache: 'slow-changing', max: 9 },
      stable: fixed(async () => 'stable'),
      pinned: { content: () => [{ role: 'user', content: 'pinned' }], cache: 'pinned', max: 9 },
    });
    expect(texts).toEqual(['pinned', 'stable', 'slow', 'now']);
  });

  it('cuts a text that is too long, and names how to read the rest', async () => {
    const { texts, snapshots } = await compose({ doc: fixed(() => 'x'.repeat(41), 10) });
    const [id = ''] = snapshots.keys();
    expect(snapshots.get(id)).toBe('x'.repeat(41));
    expect(texts).toEqual([
      `${'x'.repeat(40)}\n[truncated source "doc" chars=40..41 snapshot=${id} — use load_source_range({"name":"doc","from":40,"to":41,"snapshot":"${id}"}) to read the rest]`,
    ]);
  });

  it('keeps the first messages of a source that fit its limit', async () => {
    const messages = ['aaaa', 'bbbb', 'cccc'].map((text, at) => said(at, text));
    expect((await compose({ s: fixed(() => messages, 2) })).texts).toEqual([
      'aaaa',
      'bbbb',
      expect.stringMatching(/^\[truncated source "s" — 1 messages dropped/),
    ]);
  });

  it('keeps the newest of what changes, and names the places of the rest', async () => {
    const messages = ['aaaa', 'bbbb', 'cccc', 'dddd'].map((text, index) => said(10 + index, text));
    expect((await compose({ fix: fixed(() => 'ffff', 1), s: changing(() => messages) }, 3)).texts).toEqual([
      'ffff',
      '[truncated stream events offset=10..11 — use load_timeline_range({"from":10,"to":11}) to read]',
      'cccc',
      'dddd',
    ]);
  });

  it('never tears a tool call from its result', async () => {
    const call: LLMMessage = {
      role: 'tool_call',
      content: 'x'.repeat(40),
      toolCallId: 't',
      toolName: 'n',
      toolArgs: {},
    };
    const result: LLMMessage = { role: 'tool_result', content: 'y', toolCallId: 't', isError: false };
    const { messages } = await compose({ s: changing(() => [call, result, said(3, 'end')]) }, 5);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  it('says which source failed, without its words', async () => {
    const { texts } = await compose({
      broken: fixed(() => {
        throw new Error('a secret');
      }),
      odd: fixed(() => 7 as never),
    });
    expect(texts).toEqual([
      '[source_failed name="broken" reason="exception"]',
      '[source_failed name="odd" reason="type_mismatch"]',
    ]);
  });
});
