import { describe, expect, test } from 'vitest';
import type { Finding } from '../review/finding.ts';
import { askForTexts } from './ask-compose.ts';
import type { RoundResult } from './plain-texts.ts';
import { runDirect } from './run.ts';
import { hang, playRound, status, text, toolCall } from './testing/answers.ts';
import { chooseAt, MODELS, recordingLog } from './testing/client.ts';
import { type ProviderServer, startProviderServer } from './testing/provider-server.ts';
import type { ProviderAnswer } from './testing/provider-types.ts';
import { resultOf } from './testing/result.ts';
import { sampleRound } from './testing/round.ts';

const nan: Finding = { severity: 'critical', file: 'src/limit.ts', line: 1, message: 'NaN goes through' };
const open = resultOf(sampleRound(), { correctness: [nan] });
const texts = {
  summary: 'Reads the limit from the query. One critical point first.',
  workingWell: 'The parser is shared.',
  issueConformance: 'Does what was asked.',
  previousStatus: 'Nothing was open.',
};

function submit(
  fields: Readonly<Record<string, unknown>>,
  cut?: Parameters<typeof toolCall>[2],
): ProviderAnswer {
  return toolCall('submit_review_texts', fields, cut);
}

async function ask(provider: ProviderServer, result: RoundResult = open, model?: string) {
  return askForTexts({
    skill: 'Be short.',
    result,
    choice: chooseAt(provider.url, model),
    run: runDirect,
    timeoutMs: 20_000,
    log: recordingLog().log,
  });
}

function answering(answer: ProviderAnswer): Promise<ProviderServer> {
  return startProviderServer({ answer: () => answer });
}

describe.each(MODELS)('through %s', (model) => {
  test('the texts come in one request', async () => {
    await using provider = await answering(submit({ ...texts, complete: true }));
    expect(await ask(provider, open, model)).toEqual({
      ok: true,
      texts: {
        summary: texts.summary,
        workingWell: texts.workingWell,
        issueConformance: texts.issueConformance,
      },
    });
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.aspect).toBeUndefined();
  });

  test('a failure is a clause', async () => {
    await using provider = await answering(status(401));
    expect(await ask(provider, open, model)).toEqual({
      ok: false,
      why: 'the provider did not accept the key (401)',
    });
  });
});

describe('what is sent', () => {
  test('the skill is the playbook, and what people wrote stands in fences of the message', async () => {
    await using provider = await startProviderServer({ answer: playRound({}) });
    const followUp = sampleRound({ incremental: true });
    await ask(provider, resultOf(followUp, {}, { before: { correctness: [nan] } }));
    const [request] = provider.requests;
    expect(request?.system).toMatch(/# Playbook\n\nBe short\.$/);
    expect(request?.system).not.toContain('Read the limit');
    const { userText = '' } = request ?? {};
    const code = /The code of the tags is ([0-9a-f]{16})\./.exec(userText)?.[1];
    const outside = userText.replaceAll(new RegExp(`<untrusted-${code} .*?</untrusted-${code}>`, 'gs'), '');
    expect(outside).toContain('A follow-up review');
    expect(outside).toContain('Leave workingWell out.');
    expect(outside).toContain('No new findings.');
    expect(outside).not.toContain('Read the limit');
    expect(userText).toContain('- critical, correctness, src/limit.ts:1: NaN goes through (changed)');
  });
});

describe('what is taken', () => {
  test('T-067 no praise where nothing is open', async () => {
    await using provider = await answering(submit({ ...texts, complete: true }));
    const composed = await ask(provider, resultOf(sampleRound(), {}));
    expect(composed).toMatchObject({ ok: true, texts: { summary: texts.summary } });
    expect(composed).not.toHaveProperty('texts.workingWell');
  });

  test('the status of earlier findings in a follow-up only', async () => {
    await using provider = await answering(submit({ ...texts, complete: true }));
    const followUp = resultOf(sampleRound({ incremental: true }), { correctness: [nan] });
    expect(await ask(provider, followUp)).toHaveProperty('texts.previousStatus', texts.previousStatus);
  });

  test('JSON as text, and without what is empty', async () => {
    await using provider = await answering(
      text(JSON.stringify({ summary: ' Short. ', issueConformance: '', workingWell: null, complete: true })),
    );
    expect(await ask(provider)).toEqual({ ok: true, texts: { summary: 'Short.' } });
  });

  test.each([
    ['prose', text('It is fine.')],
    ['no summary', submit({ workingWell: 'x', complete: true })],
    ['no closing field', submit({ summary: 'x' })],
    ['a truncated answer', submit({ ...texts, complete: true }, { afterChars: 80 })],
    [
      'a connection that closes early',
      submit({ ...texts, complete: true }, { afterChars: 80, by: 'closed' }),
    ],
  ])('not: %s', async (_, answer) => {
    await using provider = await answering(answer);
    expect(await ask(provider)).toEqual({ ok: false, why: 'the model gave no texts that could be used' });
    expect(provider.requests).toHaveLength(1);
  });
});

test('the question ends with its signal', async () => {
  await using provider = await answering(hang);
  const controller = new AbortController();
  const asked = askForTexts({
    skill: '',
    result: open,
    choice: chooseAt(provider.url),
    run: runDirect,
    timeoutMs: 20_000,
    signal: controller.signal,
    log: recordingLog().log,
  });
  await provider.request(1);
  controller.abort();
  expect(await asked).toEqual({ ok: false, why: 'the review was called off' });
});
