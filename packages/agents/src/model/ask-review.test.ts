import { beforeAll, describe, expect, test } from 'vitest';
import { ASPECTS, type Aspect } from '../ids.ts';
import type { Finding } from '../review/finding.ts';
import { reviewBudget, reviewByModel } from './ask-review.ts';
import type { ModelCall } from './model-call.ts';
import { buildReviewPrompt, type ReviewPrompt } from './prompt.ts';
import { type RunAgent, runDirect } from './run.ts';
import { findings, hang, playRound, status, text, toolCall } from './testing/answers.ts';
import { chooseAt, MODELS, recordingLog, TEST_KEY } from './testing/client.ts';
import { type ProviderServer, startProviderServer } from './testing/provider-server.ts';
import type { ProviderAnswer } from './testing/provider-types.ts';
import { sampleRound } from './testing/round.ts';

const finding: Finding = {
  severity: 'critical',
  file: 'src/limit.ts',
  line: 1,
  message: 'NaN — is “kept” 👀',
};
const second: Finding = { severity: 'suggestion', file: 'src/limit.ts', message: 'the name says too little' };

function promptFor(aspect: Aspect): ReviewPrompt {
  const own = { aspect, aspectPrompt: `About ${aspect}.`, earlier: [], evidence: [] };
  return buildReviewPrompt(sampleRound(), own, { sharedChars: 50_000, ownChars: 10_000 });
}

interface Setting {
  readonly model?: string;
  readonly aspect?: Aspect;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly run?: RunAgent;
}

/** One review at the server, with everything that it let out. */
async function review(provider: ProviderServer, setting: Setting = {}) {
  const { log, lines } = recordingLog();
  const calls: ModelCall[] = [];
  const { model, aspect = 'security', timeoutMs = 20_000, signal, run = runDirect } = setting;
  const outcome = await reviewByModel({
    prompt: promptFor(aspect),
    choice: chooseAt(provider.url, model),
    run,
    timeoutMs,
    log,
    onCall: (call) => calls.push(call),
    ...(signal === undefined ? {} : { signal }),
  });
  return { outcome, calls, lines: lines() };
}

/** A server that gives these answers in turn, the last one for ever. */
function answering(...answers: readonly [ProviderAnswer, ...ProviderAnswer[]]): Promise<ProviderServer> {
  return startProviderServer({ answer: (_, number) => answers[number - 1] ?? answers[0] });
}

beforeAll(async () => {
  // So that no deadline below is spent on loading the module.
  await import('@mariozechner/pi-ai');
});

describe.each(MODELS)('a round through %s', (model) => {
  test('is one request for each aspect, which read the same beginning', async () => {
    await using provider = await startProviderServer({
      answer: playRound({ findings: { security: [finding] } }),
    });
    const reviews = await Promise.all(ASPECTS.map((aspect) => review(provider, { model, aspect })));
    expect(reviews.map(({ outcome }) => outcome)).toEqual(
      ASPECTS.map((aspect) => ({
        aspect,
        status: 'done',
        findings: aspect === 'security' ? [finding] : [],
        heard: true,
      })),
    );
    const { requests } = provider;
    expect(requests.map(({ aspect }) => aspect).sort()).toEqual([...ASPECTS].sort());
    expect(new Set(requests.map(({ system }) => system))).toEqual(new Set([promptFor('perf').system]));
    for (const { aspect, userText } of requests) {
      const { shared, own } = promptFor(aspect ?? 'perf');
      expect(userText).toBe(`${shared}\n${own}`);
      expect(userText.split('\n').at(-1)).toBe(`Aspect: ${aspect}`);
    }
  });

  test('says how many tokens it took', async () => {
    await using provider = await answering(findings([]));
    const { calls } = await review(provider, { model });
    const [call] = calls;
    expect(call).toMatchObject({ model, ok: true, cachedTokens: 40, outputTokens: 20 });
    expect(calls).toHaveLength(1);
  });

  test('has the key in its authorisation alone', async () => {
    await using provider = await answering(status(401, `Incorrect key: ${TEST_KEY}`));
    const { outcome, lines } = await review(provider, { model });
    expect(outcome).toEqual({
      aspect: 'security',
      status: 'failed',
      why: 'the provider did not accept the key (401)',
    });
    const [request] = provider.requests;
    const { authorization, 'x-api-key': apiKey, ...others } = request?.headers ?? {};
    expect(`${authorization} ${apiKey}`).toContain(TEST_KEY);
    expect(JSON.stringify([others, request?.body]) + lines).not.toContain(TEST_KEY);
    expect(lines).toContain('Incorrect key: [key]');
    expect(provider.requests).toHaveLength(1);
  });

  test.each([
    [429, 'the provider limits the rate of requests (429)'],
    [500, 'the provider failed (500)'],
    [529, 'the provider is overloaded (529)'],
  ])('T-115 T-118 a status of %i is repeated by one layer, and is then a failure', async (code, why) => {
    await using provider = await answering(status(code));
    const { outcome, calls } = await review(provider, { model });
    expect(outcome).toEqual({ aspect: 'security', status: 'failed', why });
    expect(provider.requests).toHaveLength(3);
    expect(calls).toMatchObject([{ model, ok: false }]);
  });

  test('a fault that passes leaves no trace in the outcome', async () => {
    await using provider = await answering(status(500), findings([finding]));
    expect((await review(provider, { model })).outcome).toMatchObject({
      status: 'done',
      findings: [finding],
    });
  });

  const whole = JSON.stringify({ findings: [finding, second], complete: true }).length;
  test.each(['length', 'closed', 'dropped', 'overloaded'] as const)(
    'T-110 T-111 an answer that ends early (%s) is kept as a part',
    async (by) => {
      await using provider = await answering(findings([finding, second], { afterChars: whole - 30, by }));
      const { outcome } = await review(provider, { model });
      expect(outcome).toEqual({
        aspect: 'security',
        status: 'partial',
        findings: [finding],
        heard: true,
        why: expect.stringMatching(/^only a part of the model's answer could be used: it broke off/),
      });
      expect(provider.requests).toHaveLength(1);
    },
  );

  test('T-110 an answer that ends before its first finding is asked for once more', async () => {
    const cut = findings([finding], { afterChars: 20 });
    await using provider = await answering(cut, findings([finding]));
    const { outcome, calls } = await review(provider, { model });
    expect(outcome).toEqual({ aspect: 'security', status: 'done', findings: [finding], heard: true });
    const again = provider.requests[1];
    expect(again?.userText).toContain(
      'A first answer to this could not be used: it broke off before its end',
    );
    expect(again?.userText.split('\n').at(-1)).toBe('Aspect: security');
    expect(calls).toHaveLength(2);
  });

  test('T-112 a provider that stays silent ends at the deadline', async () => {
    await using provider = await answering(hang);
    const { outcome } = await review(provider, { model, timeoutMs: 200 });
    expect(outcome).toEqual({
      aspect: 'security',
      status: 'failed',
      why: 'the model did not answer in time',
    });
    await (await provider.request(1)).closed;
  });

  test('a review that is called off stops its request', async () => {
    await using provider = await answering(hang);
    const controller = new AbortController();
    const reviewed = review(provider, { model, signal: controller.signal });
    const request = await provider.request(1);
    controller.abort();
    expect((await reviewed).outcome).toMatchObject({ status: 'failed', why: 'the review was called off' });
    await request.closed;
  });
});

describe('the form of the request', () => {
  const marked = (blocks: unknown) =>
    (blocks as readonly { cache_control?: unknown }[]).map((block) => block.cache_control !== undefined);

  test.each(['anthropic/claude-sonnet-4-6', 'openrouter/anthropic/claude-sonnet-4.6'])(
    'the cache mark of %s stands on the part that the six share',
    async (model) => {
      await using provider = await answering(findings([]));
      await review(provider, { model });
      const body = provider.requests[0]?.body as { messages: readonly { content: unknown }[] };
      expect(marked(body.messages.at(-1)?.content)).toEqual([true, false]);
      expect(JSON.stringify(body).match(/"cache_control"/g)?.length).toBeLessThanOrEqual(4);
    },
  );

  test('the six of OpenAI share the key of their cache, and reasoning is not retold', async () => {
    await using provider = await answering(findings([]));
    const model = 'openai/gpt-5.4';
    await review(provider, { model, aspect: 'perf' });
    await review(provider, { model, aspect: 'tests' });
    const [one, other] = provider.requests.map(({ body }) => body);
    expect(one?.prompt_cache_key).toMatch(/^[0-9a-f]{32}$/);
    expect(other?.prompt_cache_key).toBe(one?.prompt_cache_key);
    expect(one?.reasoning).toEqual({ effort: 'medium' });
    expect(one?.max_output_tokens).toBe(24_000);
  });

  test('what a runtime hands in is not sent', async () => {
    await using provider = await answering(findings([finding]));
    const run: RunAgent = (config, input, signal) =>
      runDirect({ ...config, systemPrompt: 'old' }, `${input}!!`, signal);
    const { outcome } = await review(provider, { run });
    expect(outcome.status).toBe('done');
    expect(JSON.stringify(provider.requests[0]?.body)).not.toContain('!!');
    expect(provider.requests[0]?.system).toBe(promptFor('security').system);
  });
});

describe('answers in other forms', () => {
  test.each([
    ['JSON as text', text(JSON.stringify({ findings: [finding], complete: true }))],
    [
      'JSON in a fence',
      text(`Done:\n\`\`\`json\n${JSON.stringify({ findings: [finding], complete: true })}\n\`\`\``),
    ],
    ['another tool name', toolCall('submit', { findings: [finding], complete: true })],
    [
      'arguments that the schema does not allow',
      toolCall('submit_findings', {
        findings: [{ ...finding, severity: 'BLOCKER', line: '1' }],
        complete: true,
      }),
    ],
  ])('%s costs no second request', async (_, answer) => {
    await using provider = await answering(answer);
    expect((await review(provider)).outcome).toEqual({
      aspect: 'security',
      status: 'done',
      findings: [finding],
      heard: true,
    });
    expect(provider.requests).toHaveLength(1);
  });

  test.each([
    ['prose', text('Looks good to me.')],
    ['nothing', text('')],
    ['an empty list without its closing field', toolCall('submit_findings', { findings: [] })],
    ['arguments of another shape', toolCall('submit_findings', { result: 'fine' })],
  ])('T-124 %s, twice, is a failure and not an empty list', async (_, answer) => {
    await using provider = await answering(answer);
    expect((await review(provider)).outcome).toEqual({
      aspect: 'security',
      status: 'failed',
      why: expect.stringMatching(/^the model gave no answer that could be used \(/),
    });
    expect(provider.requests).toHaveLength(2);
  });

  test('a second answer that fails otherwise says so', async () => {
    await using provider = await answering(text('Hm.'), status(400));
    expect((await review(provider)).outcome).toMatchObject({ why: 'the provider refused the request (400)' });
  });

  test('T-118 a connection that breaks before the first finding is a failure, and not asked for again', async () => {
    await using provider = await answering(findings([finding], { afterChars: 20, by: 'dropped' }));
    expect((await review(provider)).outcome).toMatchObject({
      status: 'failed',
      why: 'the provider could not be reached, or the connection broke',
    });
    expect(provider.requests).toHaveLength(1);
  });

  test('entries that cannot be read make a part of the whole', async () => {
    await using provider = await answering(findings([finding, { severity: 'critical' } as Finding]));
    expect((await review(provider)).outcome).toMatchObject({
      status: 'partial',
      findings: [finding],
      why: expect.stringContaining('1 of 2 entries could not be read'),
    });
  });
});

describe('what cannot be asked', () => {
  test('a model that does not exist', async () => {
    const choice = { ...chooseAt('http://127.0.0.1:1', 'openai/gpt-0'), baseUrl: undefined };
    const { baseUrl: _, ...own } = choice;
    const { log, lines } = recordingLog();
    const outcome = await reviewByModel({
      prompt: promptFor('tests'),
      choice: own,
      run: runDirect,
      timeoutMs: 5_000,
      log,
    });
    expect(outcome).toEqual({
      aspect: 'tests',
      status: 'failed',
      why: 'the model is not configured rightly',
    });
    expect(lines()).toContain('openai has no model');
  });

  test('a provider that is not there', async () => {
    await using provider = await answering(findings([]));
    const { url } = provider;
    await provider.close();
    const { outcome } = await review({ ...provider, url }, { timeoutMs: 10_000 });
    expect(outcome).toMatchObject({ status: 'failed', why: expect.stringContaining('could not be reached') });
  });

  test('a runner that fails by itself', async () => {
    await using provider = await answering(findings([]));
    const run: RunAgent = () => Promise.reject(new Error('the entity is gone'));
    const { outcome, calls } = await review(provider, { run });
    expect(outcome.status).toBe('failed');
    expect(provider.requests).toHaveLength(0);
    expect(calls).toEqual([]);
  });

  test('a review that was called off before it began', async () => {
    await using provider = await answering(findings([]));
    const { outcome } = await review(provider, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: 'failed', why: 'the review was called off' });
    expect(provider.requests).toHaveLength(0);
  });
});

test('T-079 a prompt that had no room for a file makes a part of the whole', async () => {
  await using provider = await answering(findings([finding]));
  const prompt = {
    ...promptFor('perf'),
    unseen: [
      { path: 'big.ts', partly: true },
      { path: 'z.ts', partly: false },
    ],
  };
  const choice = chooseAt(provider.url);
  const { log } = recordingLog();
  expect(await reviewByModel({ prompt, choice, run: runDirect, timeoutMs: 20_000, log })).toEqual({
    aspect: 'perf',
    status: 'partial',
    findings: [finding],
    heard: true,
    why: 'the model had no room for the end of big.ts, z.ts',
  });
});

test('the budget of a model follows its context window', async () => {
  const large = await reviewBudget(chooseAt('http://127.0.0.1:1', 'anthropic/claude-sonnet-4-6'));
  const small = await reviewBudget(chooseAt('http://127.0.0.1:1', 'cerebras/llama3.1-8b'));
  expect(large.sharedChars).toBeGreaterThan(small.sharedChars);
  expect(small.sharedChars).toBeGreaterThan(0);
});
