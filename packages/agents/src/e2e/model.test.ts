import { describe, expect, it, onTestFinished } from 'vitest';
import { ASPECTS } from '../ids.ts';
import { hang, playRound, status } from '../model/testing/answers.ts';
import { chooseAt, MODELS } from '../model/testing/client.ts';
import { type ProviderServer, startProviderServer } from '../model/testing/provider-server.ts';
import type { ProviderAnswer, ProviderRequest } from '../model/testing/provider-types.ts';
import { openStage } from './testing/stage.ts';

const SOURCE = 'export const total = (prices: number[]) => prices[0] + prices[1];\n';

async function openWithProvider(
  answer: (
    request: ProviderRequest,
    number: number,
    provider: ProviderServer,
  ) => ProviderAnswer | Promise<ProviderAnswer>,
  name: string = MODELS[0],
  roundTimeoutMs = 30_000,
) {
  const provider: ProviderServer = await startProviderServer({
    answer: (request, number) => answer(request, number, provider),
  });
  onTestFinished(() => provider.close());
  const stage = await openStage({ model: chooseAt(provider.url, name), roundTimeoutMs });
  await stage.commit('feature', { 'src/total.ts': SOURCE });
  const pr = { head: 'feature', base: 'main', title: 'Add totals', author: 'ada' };
  const { number } = await stage.simulator.openPullRequest(pr);
  return { stage, provider, number };
}

const round = playRound({
  findings: {
    correctness: [
      {
        severity: 'critical',
        file: 'src/total.ts',
        line: 1,
        message: 'An empty list gives NaN.',
        impact: 'The basket shows NaN.',
      },
    ],
  },
  texts: { summary: 'Adds a total of prices.' },
});

describe.each(MODELS)('a model of %s', (name) => {
  it('reviews by six requests that name their aspect, and one for the texts', async () => {
    const { stage, provider } = await openWithProvider(round, name);
    const { body } = await stage.published(1);
    expect(body).toContain('An empty list gives NaN');
    expect(body).toContain('Adds a total of prices. 1 critical point must be fixed first.');
    expect(body).toContain(name);
    const aspects = provider.requests.flatMap((request) => request.aspect ?? []);
    expect(aspects.toSorted()).toEqual([...ASPECTS].toSorted());
    expect(provider.requests).toHaveLength(7);
    expect(stage.modelCalls()).toBe(7);
  });
});

it('the texts and the reviews wait for nothing of each other', async () => {
  const { stage } = await openWithProvider(
    async (request, _number, provider) => {
      // Nobody is answered before all seven have asked.
      await provider.request(7);
      return round(request);
    },
    MODELS[0],
    8_000,
  );
  const { body } = await stage.published(1);
  expect(body).toContain('Adds a total of prices.');
  expect(body).toContain('An empty list gives NaN');
  expect(body).not.toMatch(/failed|incomplete/);
});

describe('a model that fails', () => {
  it.each([
    ['status', status(400)],
    ['silence', hang],
  ])('T-118 in the texts alone, by %s: code writes them, and no finding is lost', async (_name, answer) => {
    const { stage } = await openWithProvider(
      (request) => (request.aspect === undefined ? answer : round(request)),
      MODELS[0],
      2_500,
    );
    const { body } = await stage.published(1);
    expect(body).toContain('Changes 1 file (+1 −0), in `src`. 1 critical point must be fixed first.');
    expect(body).toContain('An empty list gives NaN');
    expect(body).not.toMatch(/failed|incomplete/);
  });

  it('T-115 in one aspect: the others are published, and the missing one is named', async () => {
    const { stage } = await openWithProvider((request) =>
      request.aspect === 'security' ? status(400) : round(request),
    );
    const { body } = await stage.published(1);
    expect(body).toContain('An empty list gives NaN');
    expect(body).toMatch(/security[^\n]*(not reviewed|failed)|(not reviewed|failed)[^\n]*security/i);
    expect(body).not.toContain('No issues found');
  });

  it('T-119 in all aspects: the comment does not read like a clean review', async () => {
    const { stage } = await openWithProvider(() => status(400));
    const { body } = await stage.published(1);
    expect(body).toContain('Nothing was reviewed');
    expect(body).not.toMatch(/no issues found|no open findings/i);
  });

  it('T-112 by silence: the round ends with its deadline', async () => {
    const { stage } = await openWithProvider(
      (request) => (request.aspect === 'perf' ? hang : round(request)),
      MODELS[0],
      4_000,
    );
    const { body } = await stage.published(1);
    expect(body).toContain('An empty list gives NaN');
    expect(body).toMatch(/performance|perf/i);
  });

  it('the next range holds what the missing aspect did not read (S5)', async () => {
    let broken = true;
    const { stage, provider } = await openWithProvider((request) =>
      broken && request.aspect === 'security' ? status(400) : round(request),
    );
    await stage.published(1);
    broken = false;
    const before = provider.requests.length;
    const sha = await stage.commit('feature', { 'src/other.ts': 'export const other = 1;\n' });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    await stage.published(2);
    const security = provider.requests.slice(before).find((request) => request.aspect === 'security');
    expect(security?.userText).toContain('prices[0]');
    expect(security?.userText).toContain('export const other');
  });
});

describe('a follow-up', () => {
  it('has no texts of the round before it', async () => {
    let broken = false;
    const { stage } = await openWithProvider((request) =>
      broken && request.aspect === undefined ? status(400) : round(request),
    );
    await stage.published(1);
    broken = true;
    const sha = await stage.commit('feature', { 'src/other.ts': 'export const other = 1;\n' });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    const { body } = await stage.published(2);
    expect(body).toContain('1 file of this pull request changed since the last review.');
    expect(body).not.toContain('Adds a total of prices');
  });

  it('T-032 T-056 shows the model what changed, and each reviewer its earlier findings', async () => {
    const { stage, provider } = await openWithProvider(round);
    await stage.published(1);
    const before = provider.requests.length;
    const sha = await stage.commit('feature', { 'src/other.ts': 'export const other = 1;\n' });
    await stage.simulator.push('feature', sha, { by: 'ada' });
    const { body } = await stage.published(2);
    const later = provider.requests.slice(before);
    const correctness = later.find((request) => request.aspect === 'correctness');
    expect(correctness?.userText).toContain('export const other');
    expect(correctness?.userText).toContain('An empty list gives NaN');
    const security = later.find((request) => request.aspect === 'security');
    expect(security?.userText).not.toContain('An empty list gives NaN');
    // Its file did not change, so nobody said that it was fixed.
    expect(body).toContain('An empty list gives NaN');
  });

  it('T-043 a pure rebase costs no model call', async () => {
    const { stage, provider } = await openWithProvider(round);
    await stage.published(1);
    const before = provider.requests.length;
    const main = await stage.commit('main', { 'docs.md': 'More.\n' });
    await stage.simulator.push('main', main, { by: 'bob' });
    await stage.simulator.push('feature', await stage.merge('feature', 'main'), { by: 'ada' });
    const { body } = await stage.published(2);
    expect(provider.requests).toHaveLength(before);
    expect(body).toContain('the review stands');
  });
});
