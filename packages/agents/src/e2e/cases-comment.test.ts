import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ASPECTS, type Aspect } from '../ids.ts';
import { hang, playRound } from '../model/testing/answers.ts';
import { chooseAt } from '../model/testing/client.ts';
import { type ProviderServerOptions, startProviderServer } from '../model/testing/provider-server.ts';
import type { Finding } from '../review/finding.ts';
import {
  openPr,
  PLAIN,
  publishedShas,
  pushTo,
  reviewsOf,
  roundsOf,
  say,
  tell,
  untold,
} from './testing/scene.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { openTimedStage } from './testing/timed-stage.ts';

const TEAM = { members: ['ada', 'mia'] };
const SOURCE = 'export const total = (prices: number[]) => prices[0] + prices[1];\n';
const MINUTE_MS = 60_000;

async function openWithModel(answer: ProviderServerOptions['answer']) {
  const provider = await startProviderServer({ answer });
  onTestFinished(() => provider.close());
  const stage = await openStage({ ...TEAM, model: chooseAt(provider.url) });
  return { provider, stage };
}

function emptyList(message: string, line: number): Finding {
  return { severity: 'critical', file: 'total.ts', line, message, quote: SOURCE.trim() };
}

/** How many entries the one comment of a PR has, and how many of them speak of an empty list. */
function entries(stage: Stage, number: number): { readonly all: number; readonly ofIt: number } {
  const [body = ''] = reviewsOf(stage, number);
  const titles = body.match(/^- \*\*(?:Critical|Important|Suggestion): .*/gm) ?? [];
  return { all: titles.length, ofIt: titles.filter((title) => /empty list/i.test(title)).length };
}

describe('a finding', () => {
  it('T-001 T-031 T-055 that comes again with each push stands once, in the one comment', async () => {
    let words = 'An empty list of prices gives NaN.';
    let line = 1;
    const { stage } = await openWithModel((request) =>
      playRound({ findings: { correctness: [emptyList(words, line)], tests: [emptyList(words, line)] } })(
        request,
      ),
    );
    await openPr(stage, 'feature', { files: { 'total.ts': SOURCE } });
    await stage.published(1);
    expect(entries(stage, 1)).toEqual({ all: 1, ofIt: 1 });

    // Word for word, in a file that did not change; then moved down; then reworded; then after a rebase.
    await pushTo(stage, 'feature', { 'b.ts': 'export const b = 1;\n' });
    await stage.published(2);
    expect(entries(stage, 1)).toEqual({ all: 1, ofIt: 1 });
    line = 4;
    await pushTo(stage, 'feature', { 'total.ts': `// Adds.\n\n\n${SOURCE}` });
    await stage.published(3);
    expect(entries(stage, 1)).toEqual({ all: 1, ofIt: 1 });
    words = 'For an empty list of prices the total is NaN.';
    await pushTo(stage, 'feature', { 'total.ts': `// Sum.\n\n\n${SOURCE}` });
    await stage.published(4);
    expect(entries(stage, 1)).toEqual({ all: 1, ofIt: 1 });
    await stage.simulator.push('main', await stage.commit('main', { 'docs.md': 'More.\n' }), { by: 'bob' });
    await stage.simulator.push('feature', await stage.merge('feature', 'main'), { by: 'ada' });
    await stage.published(5);
    await say(stage, 1, '@horton review full');
    expect(entries(stage, 1)).toEqual({ all: 1, ofIt: 1 });
    expect(reviewsOf(stage, 1)).toHaveLength(1);
    expect(stage.simulator.reviewComments(1)).toEqual([]);
  });

  it('T-001 of the built-in analyzers stands once, through pushes, restarts and a second look at the whole', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature');
    await stage.published(1);
    await pushTo(stage, 'feature', { 'feature.test.ts': "// Adds.\n\nit.only('adds', () => {});\n" });
    await stage.published(2);
    await stage.stopService();
    await stage.startService();
    await pushTo(stage, 'feature', { 'b.txt': 'b\n' });
    await stage.published(3);
    await say(stage, 1, '@horton review full');
    const [body = '', ...others] = reviewsOf(stage, 1);
    expect(others).toEqual([]);
    expect(body.match(/was left in\*\*/g)).toHaveLength(1);
    expect(publishedShas(stage, 1)).toHaveLength(4);
  });

  it('T-002 of several reviewers about one line is one entry that names them, one about another line its own', async () => {
    const said: Partial<Record<Aspect, readonly Finding[]>> = Object.fromEntries(
      ASPECTS.map((aspect, at) => {
        const message = at % 2 === 0 ? 'An empty list gives NaN.' : 'An empty list gives NaN here.';
        return [aspect, [emptyList(message, 1), emptyList(message, 1)]];
      }),
    );
    const other = { severity: 'suggestion' as const, file: 'other.ts', line: 1, message: 'Name the unit.' };
    const findings = { ...said, conventions: [...(said.conventions ?? []), other] };
    const { stage } = await openWithModel(playRound({ findings }));
    await openPr(stage, 'feature', { files: { 'total.ts': SOURCE, 'other.ts': 'export const wait = 5;\n' } });
    const { body } = await stage.published(1);
    expect(entries(stage, 1)).toEqual({ all: 2, ofIt: 1 });
    expect(body).toContain('**1 critical** · 1 suggestion');
    expect(body).toContain('also found by conventions, security, perf, tests, architecture');
  });
});

describe('T-161 an identity that GitHub does not tell for a while', () => {
  it('costs no second comment, neither at first nor after a restart', async () => {
    const stage = await openTimedStage(TEAM);
    const path = /^\/app$/;
    const limited = { status: 429, body: {}, headers: { 'retry-after': '20' } };
    stage.simulator.inject({ path, times: 2, respond: limited });
    await openPr(stage, 'feature');
    await stage.quiet();
    expect(stage.ours(1)).toEqual([]);
    for (let count = 0; count < 3; count += 1) await stage.pass(MINUTE_MS);
    expect(stage.ours(1)).toHaveLength(1);

    await stage.stopService();
    await stage.startService();
    stage.simulator.inject({ path, times: 2, respond: limited });
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    await stage.quiet();
    expect(publishedShas(stage, 1)).not.toContain(head);
    for (let count = 0; count < 3; count += 1) await stage.pass(MINUTE_MS);
    expect(publishedShas(stage, 1).at(-1)).toBe(head);
    expect(stage.ours(1)).toHaveLength(1);
    expect(roundsOf(stage, 1)).toHaveLength(2);
  });
});

describe('T-162 the one comment', () => {
  it('that was created by another process, or whose creation we did not hear of, is taken over', async () => {
    const stage = await openStage(TEAM);
    await openPr(stage, 'feature', { draft: true });
    await stage.quiet();
    const { github } = stage.service().factory.services;
    const octokit = github.prepare(new Octokit({ authStrategy: createAppAuth, ...github.options }));
    const { sha } = stage.simulator.pullRequest(1).head;
    const marker = `<!-- pr-shepherd {"v":1,"sha":"${sha}","iteration":1} -->`;
    const names = { owner: 'acme', repo: 'shop', issue_number: 1 };
    const { data } = await octokit.rest.issues.createComment({
      ...names,
      body: `Of another one.\n\n${marker}`,
    });
    // A comment of ours that is no review is not taken for it.
    await octokit.rest.issues.createComment({ ...names, body: 'Hello.' });
    await stage.simulator.setDraft(1, false);
    expect(await stage.published(1)).toMatchObject({ action: 'updated', commentId: data.id });
    await stage.quiet();
    expect(stage.ours(1)).toHaveLength(2);

    // Behind a hundred others, where the answer to its creation was lost.
    const lost = await openPr(stage, 'lost', { draft: true });
    await untold(stage, async () => {
      for (let count = 0; count < 101; count += 1) {
        await stage.simulator.comment(lost, { author: 'eve', body: `Comment ${count}` });
      }
    });
    const fault = { method: 'POST', path: /\/issues\/2\/comments$/, times: 1, afterEffect: true };
    stage.simulator.inject(fault);
    await stage.simulator.setDraft(lost, false);
    expect(await stage.published(1, lost)).toMatchObject({ action: 'updated' });
    expect(stage.ours(lost)).toHaveLength(1);
  });

  it('that is deleted, told twice or not at all, is created once more and stays one', async () => {
    const stage = await openStage(TEAM);
    for (const [at, told] of [true, false].entries()) {
      const head = `deleted-${at}`;
      const number = await openPr(stage, head);
      const { commentId } = await stage.published(1, number);
      await stage.quiet();
      if (!told) stage.simulator.setWebhookUrl(undefined);
      await stage.simulator.deleteComment(commentId, 'ada');
      stage.simulator.setWebhookUrl(`${stage.service().url}/webhooks/github`);
      await pushTo(stage, head, { [`${head}.test.ts`]: PLAIN });
      expect(await stage.published(2, number)).toMatchObject({ action: 'created' });
      // Told once more, of the one that is gone: that is no second deletion.
      await tell(
        stage,
        stage.simulator.deliveries.filter(({ action }) => action === 'deleted'),
      );
      await pushTo(stage, head, { 'c.ts': 'export const c = 1;\n' });
      expect(await stage.published(3, number)).toMatchObject({ action: 'updated' });
      await stage.quiet();
      expect(stage.ours(number)).toHaveLength(1);
    }
  });

  it('T-027 that GitHub does not know for a moment is not created a second time', async () => {
    const stage = await openTimedStage(TEAM);
    await openPr(stage, 'feature');
    await stage.quiet();
    const respond = { status: 404, body: { message: 'Not Found' } };
    stage.simulator.inject({ method: 'PATCH', path: /\/issues\/comments\//, times: 1, respond });
    const head = await pushTo(stage, 'feature', { 'feature.test.ts': PLAIN });
    for (const seconds of [1, 4, 15]) await stage.pass(seconds * 1_000);
    expect(publishedShas(stage, 1).at(-1)).toBe(head);
    expect(stage.ours(1)).toHaveLength(1);
  });
});

describe('T-013 many pushes', () => {
  it('within the window make one round, over all of them, from the last reviewed commit', async () => {
    const stage = await openTimedStage({ ...TEAM, settleMs: 10_000 });
    await openPr(stage, 'feature');
    await stage.quiet();
    let head = '';
    for (let count = 0; count < 4; count += 1) {
      head = await pushTo(stage, 'feature', { [`${count}.ts`]: `export const n = ${count};\n` });
      await stage.pass(4_000);
    }
    // The window outlives the process.
    await stage.stopService();
    await stage.startService();
    expect(publishedShas(stage, 1)).toHaveLength(1);
    await stage.pass(10_000);
    expect(publishedShas(stage, 1).slice(1)).toEqual([head]);
    expect(roundsOf(stage, 1)).toHaveLength(2);
  });

  it('that never stop are reviewed all the same: a minute after the first, and eight times in an hour', async () => {
    const stage = await openTimedStage({ ...TEAM, settleMs: 10_000 });
    await openPr(stage, 'feature');
    await stage.quiet();
    let count = 0;
    const push = (): Promise<string> => {
      count += 1;
      return pushTo(stage, 'feature', { 'n.ts': `export const n = ${count};\n` });
    };
    for (let at = 0; at < 8; at += 1) {
      await push();
      await stage.pass(9_000);
    }
    expect(publishedShas(stage, 1)).toHaveLength(2);
    for (let at = 0; at < 8; at += 1) {
      await push();
      await stage.pass(MINUTE_MS);
    }
    expect(publishedShas(stage, 1)).toHaveLength(8);
    const [body = ''] = reviewsOf(stage, 1);
    expect(body).toMatch(/Newer commits wait until \d\d:\d\d UTC/);
    const head = await push();
    await stage.pass(60 * MINUTE_MS);
    expect(publishedShas(stage, 1).at(-1)).toBe(head);
    expect(publishedShas(stage, 1)).toHaveLength(9);
    expect(reviewsOf(stage, 1)).toEqual([expect.not.stringContaining('Newer commits wait')]);
  });
});

describe('T-012 T-008 work that nobody wants any more', () => {
  it('is stopped in the middle of a model call: by a push for the newer commit, by a close for good', async () => {
    let silent = true;
    const { stage, provider } = await openWithModel((request) =>
      silent && request.aspect !== undefined ? hang : playRound({})(request),
    );
    const asked = () => provider.requests.filter(({ aspect }) => aspect !== undefined);
    /** The requests of all six reviewers, from this number on. */
    const sixFrom = async (number: number) => {
      while (asked().length < number + ASPECTS.length) await provider.request(provider.requests.length + 1);
      return asked().slice(number);
    };
    await openPr(stage, 'feature', { files: { 'total.ts': SOURCE } });
    const first = await sixFrom(0);
    silent = false;
    const head = await pushTo(stage, 'feature', { 'b.ts': 'export const b = 1;\n' });
    await Promise.all(first.map(({ closed }) => closed));
    expect(await stage.published(1)).toMatchObject({ sha: head });

    silent = true;
    const before = asked().length;
    await pushTo(stage, 'feature', { 'c.ts': 'export const c = 1;\n' });
    const second = await sixFrom(before);
    await stage.simulator.closePullRequest(1, { merged: true });
    await Promise.all(second.map(({ closed }) => closed));
    await stage.quiet();
    expect(publishedShas(stage, 1)).toEqual([head]);
    expect(asked()).toHaveLength(before + ASPECTS.length);
  });
});
