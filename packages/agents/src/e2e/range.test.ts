import { describe, expect, it, onTestFinished } from 'vitest';
import { playRound } from '../model/testing/answers.ts';
import { chooseAt, MODELS } from '../model/testing/client.ts';
import { startProviderServer } from '../model/testing/provider-server.ts';
import { numbered } from '../review/testing/builders.ts';
import { openStage, type Stage } from './testing/stage.ts';

const TEXT = numbered(40);
const EDITED = TEXT.replace('line 20\n', 'const total = prices[0];\n');
const round = playRound({
  findings: {
    correctness: [
      { severity: 'important', file: 'src/total.ts', line: 20, message: 'An empty list gives NaN.' },
    ],
  },
});

/** A PR that a model has reviewed once. */
async function openReviewed() {
  const provider = await startProviderServer({ answer: round });
  onTestFinished(() => provider.close());
  const stage = await openStage({ model: chooseAt(provider.url, MODELS[0]) });
  await stage.simulator.push('main', await stage.commit('main', { 'src/total.ts': TEXT }), { by: 'bob' });
  await stage.commit('feature', { 'src/total.ts': EDITED });
  const pr = { head: 'feature', base: 'main', title: 'Add totals', author: 'ada' };
  const { number } = await stage.simulator.openPullRequest(pr);
  await stage.published(1);
  return { stage, provider, number };
}

async function push(stage: Stage, sha: string): Promise<void> {
  await stage.simulator.push('feature', sha, { by: 'ada' });
}

describe('a push', () => {
  it('T-031 after which the model says the same again leaves each remark in the comment once', async () => {
    const { stage, number } = await openReviewed();
    await push(stage, await stage.commit('feature', { 'src/total.ts': `// Totals.\n${EDITED}` }));
    const { body } = await stage.published(2);
    expect(body.match(/An empty list gives NaN/g)).toHaveLength(1);
    expect(body).toContain('Still open 1.');
    expect(stage.ours(number)).toHaveLength(1);
  });

  it('T-033 that only rebases the branch costs no model call', async () => {
    const { stage, provider } = await openReviewed();
    const before = provider.requests.length;
    const main = await stage.commit('main', { 'src/total.ts': `// Totals.\n${TEXT}`, 'docs.md': 'More.\n' });
    await stage.simulator.push('main', main, { by: 'bob' });
    await stage.simulator.push('rebased', main, { by: 'ada' });
    await push(stage, await stage.commit('rebased', { 'src/total.ts': `// Totals.\n${EDITED}` }));
    const { body } = await stage.published(2);
    expect(body).toContain('the review stands');
    expect(provider.requests).toHaveLength(before);
  });

  it('T-069 T-043 that brings nothing to read costs no model call, and is told', async () => {
    const { stage, provider } = await openReviewed();
    const before = provider.requests.filter((request) => request.aspect !== undefined).length;
    const moved = { 'README.md': null, 'docs/README.md': '# Shop\n' };
    await push(stage, await stage.commit('feature', moved));
    const { body } = await stage.published(2);
    expect(provider.requests.filter((request) => request.aspect !== undefined)).toHaveLength(before);
    expect(body).toContain('An empty list gives NaN');
    expect(body).not.toContain('the review stands');
  });
});

describe('another base', () => {
  it('T-044 starts a review of the whole PR', async () => {
    const { stage, provider, number } = await openReviewed();
    const before = provider.requests.length;
    await stage.simulator.push('release', await stage.commit('main', { 'src/old.ts': TEXT }), { by: 'bob' });
    await stage.simulator.editPullRequest(number, { base: 'release', by: 'ada' });
    await stage.published(2);
    const asked = provider.requests.slice(before).filter((request) => request.aspect !== undefined);
    expect(asked).toHaveLength(6);
    expect(asked[0]?.userText).toContain('This is the first review');
    expect(asked[0]?.userText).toContain('const total');
  });
});
