import { describe, expect, test } from 'vitest';
import { updateLedger } from '../review/ledger.ts';
import type { Ledger } from '../review/ledger-entry.ts';
import { askForTexts, type ComposeJob } from './ask-compose.ts';
import { runDirect } from './run.ts';
import { hang, playRound, status, text, toolCall } from './testing/answers.ts';
import { chooseAt, MODELS, recordingLog } from './testing/client.ts';
import { type ProviderServer, startProviderServer } from './testing/provider-server.ts';
import type { ProviderAnswer } from './testing/provider-types.ts';
import { resultOf } from './testing/result.ts';
import { sampleFile, sampleRound } from './testing/round.ts';

const texts = {
  summary: 'Reads the limit from the query.',
  workingWell: 'The parser is shared.',
  issueConformance: 'Does what was asked.',
};

/** What an earlier round left open. */
function leftOpen(): Ledger {
  const nan = { severity: 'critical', file: 'src/limit.ts', line: 1, message: 'NaN\ngoes through' } as const;
  const { input, aggregation } = resultOf(sampleRound(), { correctness: [nan] });
  return updateLedger([], { aggregation, input, iteration: 1 }).ledger;
}

function submit(
  fields: Readonly<Record<string, unknown>>,
  cut?: Parameters<typeof toolCall>[2],
): ProviderAnswer {
  return toolCall('submit_review_texts', fields, cut);
}

async function ask(provider: ProviderServer, over: Partial<ComposeJob> = {}, model?: string) {
  return askForTexts({
    skill: 'Be short.',
    input: sampleRound(),
    open: [],
    discussion: [],
    choice: chooseAt(provider.url, model),
    run: runDirect,
    timeoutMs: 20_000,
    log: recordingLog().log,
    ...over,
  });
}

/** The message, and what of it is ours. */
async function sent(over: Partial<ComposeJob> = {}) {
  await using provider = await startProviderServer({ answer: playRound({}) });
  await ask(provider, over);
  const { userText = '', system = '' } = provider.requests[0] ?? {};
  const code = /The code of the tags is ([0-9a-f]{16})\./.exec(userText)?.[1];
  const ours = userText.replaceAll(new RegExp(`<untrusted-${code} .*?</untrusted-${code}>`, 'gs'), '<>');
  return { system, userText, ours };
}

function answering(answer: ProviderAnswer): Promise<ProviderServer> {
  return startProviderServer({ answer: () => answer });
}

describe.each(MODELS)('through %s', (model) => {
  test('the texts come in one request', async () => {
    await using provider = await answering(submit({ ...texts, complete: true }));
    expect(await ask(provider, {}, model)).toEqual({ ok: true, texts });
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.aspect).toBeUndefined();
  });

  test('a failure is a clause', async () => {
    await using provider = await answering(status(401));
    expect(await ask(provider, {}, model)).toEqual({
      ok: false,
      why: 'the provider did not accept the key (401)',
    });
  });
});

describe('what is sent', () => {
  test('the skill is the playbook, and what people wrote stands in fences of the message', async () => {
    const { system, userText, ours } = await sent();
    expect(system).toMatch(/# Playbook\n\nBe short\.$/);
    expect(system).not.toContain('Read the limit');
    expect(ours).toContain('The first review of this pull request, which changes 1 files.');
    expect(ours).toContain('No finding of an earlier review is open.');
    expect(ours).not.toMatch(/Read the limit|callers can choose|limit\.ts|Number/);
    expect(userText).toContain('So that callers can choose.');
    expect(userText).toContain('added "src/limit.ts" +1 -0');
    expect(userText).toContain('+|export const limit = Number(input);');
  });

  test('a follow-up shows what changed before the rest of the pull request, and what was open', async () => {
    const otherFiles = [sampleFile('src/other.ts', ['export const other = 1;'])];
    const input = sampleRound({ incremental: true, otherFiles, totalFiles: 2, listComplete: false });
    const { userText, ours } = await sent({ input, open: leftOpen() });
    expect(ours).toContain('A follow-up review: 1 of 2 files changed since the last one.');
    expect(ours).toContain('there are more.');
    expect(userText).toContain('- critical, correctness, src/limit.ts:1: NaN goes through');
    const order = ['export const limit', 'export const other'].map((line) => userText.indexOf(line));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('of a large change as much as has room, with what is missing', async () => {
    const lines = Array.from({ length: 900 }, (_, index) => `export const value${index} = ${index};`);
    const files = Array.from({ length: 20 }, (_, index) => sampleFile(`src/f${index}.ts`, lines));
    const logo = sampleFile('logo.png', [], { unread: 'binary', hunks: [] });
    const { userText, ours } = await sent({ input: sampleRound({ files: [...files, logo] }) });
    expect(userText.length).toBeLessThan(70_000);
    expect(ours).toContain('more lines are not shown');
    expect(ours).toContain('The diffs of 1 files are not shown.');
    expect(userText).toContain('"logo.png" +0 -0; NOT SHOWN: binary');
  });
});

describe('what is taken', () => {
  test('a summary on one line, of a length that leaves room for what code adds', async () => {
    const summary = `Adds this:\n\n\`\`\`\n${'long '.repeat(600)}`;
    await using provider = await answering(submit({ summary, complete: true }));
    const composed = await ask(provider);
    if (!composed.ok) throw new Error(composed.why);
    expect(composed.texts.summary).toMatch(/^Adds this: ``` long long [^\n]+ long…$/);
    expect(composed.texts.summary.length).toBeLessThanOrEqual(1_501);
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
  const asked = ask(provider, { signal: controller.signal });
  await provider.request(1);
  controller.abort();
  expect(await asked).toEqual({ ok: false, why: 'the review was called off' });
});
