import { describe, expect, test } from 'vitest';
import type { ModelChoice } from './choice.ts';
import { reviewAspect } from './review-aspect.ts';
import { createRoundMemo } from './round-memo.ts';
import { runDirect } from './run.ts';
import { findings } from './testing/answers.ts';
import { chooseAt, recordingLog } from './testing/client.ts';
import { startProviderServer } from './testing/provider-server.ts';
import { sampleFile, sampleRound } from './testing/round.ts';

const moved = sampleFile('b.ts', [], { status: 'renamed', previousPath: 'a.ts', hunks: [] });

function pass(choice: ModelChoice, files = sampleRound().files) {
  return reviewAspect({
    aspect: 'perf',
    aspectPrompt: 'About perf.',
    round: { input: sampleRound({ files }), readFile: async () => undefined },
    earlier: [],
    discussion: [],
    analyzers: false,
    memo: createRoundMemo(),
    choice,
    run: runDirect,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    log: recordingLog().log,
    onCall: () => {},
  });
}

describe('S6 the conversation was heard', () => {
  test('where a model was asked and answered', async () => {
    await using provider = await startProviderServer({ answer: () => findings([]) });
    expect(await pass(chooseAt(provider.url))).toEqual({
      aspect: 'perf',
      status: 'done',
      findings: [],
      heard: true,
    });
  });

  test('and not where there was nothing to ask about', async () => {
    await using provider = await startProviderServer({ answer: () => findings([]) });
    const outcome = await pass(chooseAt(provider.url), [moved]);
    expect(outcome).toEqual({ aspect: 'perf', status: 'done', findings: [] });
    expect(provider.requests).toHaveLength(0);
  });

  test('and not by analyzers', async () => {
    expect(await pass({ kind: 'analyzers' })).toEqual({ aspect: 'perf', status: 'done', findings: [] });
  });
});
