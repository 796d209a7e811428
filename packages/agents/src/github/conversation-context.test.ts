import type { GitHubSimulator } from '@openfactory/github-simulator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PermanentError } from '../errors.ts';
import { parseSha } from '../ids.ts';
import { markerLine } from '../review/marker.ts';
import { type Asked, readQuestionContext } from './conversation-context.ts';
import type { FileSource } from './pr-files.ts';
import { createReadCache } from './read-cache.ts';
import { SHOP, type Shop, startShop } from './testing/shop.ts';

let shop: Shop;
let simulator: GitHubSimulator;
let source: FileSource;

beforeAll(async () => {
  shop = await startShop({ 'docs/a.md': '# A\n', 'src/b.ts': 'const b = 1;\nconst c = 2;\n' });
  const { octokit, access } = shop;
  simulator = shop.simulator;
  source = { octokit, reads: access.reads };
});

afterAll(() => simulator.close());

function read(number: number, asked: Partial<Asked> = {}) {
  return readQuestionContext(
    source,
    { ...SHOP, number },
    { to: 'IC_0', place: { kind: 'comment' }, botUserId: simulator.botUserId, ...asked },
  );
}

const bodies = (remarks: readonly { readonly body: string }[] = []) => remarks.map(({ body }) => body);

function injectHere(fault: Parameters<GitHubSimulator['inject']>[0]): void {
  onTestFinished(simulator.inject(fault));
}

describe('the pull request', () => {
  it('comes with its files, the most important first', async () => {
    const context = await read(await shop.openPullRequest());
    expect(context).toMatchObject({
      pr: { title: 'Add files', body: 'Two files.', author: 'eve' },
      files: [
        { path: 'src/b.ts', additions: 2 },
        { path: 'docs/a.md', additions: 1 },
      ],
      filesComplete: true,
      remarks: [],
    });
    expect(context).not.toHaveProperty('thread');
  });

  it('can be asked about where GitHub does not tell its files', async () => {
    const number = await shop.openPullRequest();
    injectHere({ path: /\/compare\//, respond: { status: 406, body: {} } });
    injectHere({ path: /\/pulls\/\d+\/files/, respond: { status: 422, body: {} } });
    // What other tests read is remembered by commit.
    const fresh = { ...source, reads: createReadCache() };
    const asked = { to: 'IC_0', place: { kind: 'comment' }, botUserId: simulator.botUserId } as const;
    expect(await readQuestionContext(fresh, { ...SHOP, number }, asked)).toMatchObject({
      pr: { title: 'Add files' },
      files: [],
      filesComplete: false,
    });
  });

  it('must be there', async () => {
    await expect(read(999)).rejects.toBeInstanceOf(PermanentError);
  });
});

describe('the comments', () => {
  it('are those of others, without our review and the question', async () => {
    const number = await shop.openPullRequest();
    const sha = parseSha('a'.repeat(40));
    if (sha === undefined) throw new TypeError('no commit id');
    const marker = markerLine({ sha, iteration: 1 });
    await simulator.comment(number, { author: 'ada', body: 'First.' });
    const names = { ...SHOP, issue_number: number };
    await source.octokit.rest.issues.createComment({ ...names, body: `A review\n\n${marker}` });
    await source.octokit.rest.issues.createComment({ ...names, body: 'A reply.' });
    await simulator.comment(number, { author: 'eve', body: `Not ours\n\n${marker}` });
    const { nodeId } = await simulator.comment(number, { author: 'ada', body: '@horton why?' });
    const { remarks } = await read(number, { to: nodeId });
    expect(remarks).toEqual([
      { author: 'ada', isBot: false, body: 'First.' },
      { author: 'horton[bot]', isBot: true, body: 'A reply.' },
      { author: 'eve', isBot: false, body: `Not ours\n\n${marker}` },
    ]);
  });

  it('are the newest ones, over two pages where need be', async () => {
    const number = await shop.openPullRequest();
    for (let n = 1; n <= 205; n += 1) await simulator.comment(number, { author: 'ada', body: `${n}` });
    const before = simulator.requests.length;
    const { remarks } = await read(number);
    expect(bodies(remarks)).toEqual(Array.from({ length: 30 }, (_, index) => `${176 + index}`));
    const pages = simulator.requests.slice(before).filter(({ path }) => path.includes('/comments'));
    expect(pages).toHaveLength(3);
  });

  it('are not taken for none where GitHub refuses them', async () => {
    const number = await shop.openPullRequest();
    injectHere({ path: /\/comments/, respond: { status: 403, body: {} } });
    await expect(read(number)).rejects.toBeInstanceOf(PermanentError);
  });
});

describe('the thread', () => {
  it('has its place and what was said in it, without the question', async () => {
    const number = await shop.openPullRequest();
    const start = (line: number) =>
      simulator.startThread(number, { author: 'ada', path: 'src/b.ts', line, body: `On ${line}.` });
    const { threadId, commentId } = await start(2);
    await start(1);
    await simulator.reply(threadId, { author: 'eve', body: 'Because.' });
    const question = await simulator.reply(threadId, { author: 'ada', body: '@horton is it?' });
    const { thread } = await read(number, {
      to: question.commentNodeId,
      place: { kind: 'review-comment', id: commentId },
    });
    expect(thread).toMatchObject({
      place: { path: 'src/b.ts', line: 2 },
      remarks: [
        { author: 'ada', isBot: false, body: 'On 2.' },
        { author: 'eve', isBot: false, body: 'Because.' },
      ],
    });
    expect(thread?.place.hunk).toMatch(/^@@ .*\+const c = 2;$/s);
  });

  it('may be gone', async () => {
    const number = await shop.openPullRequest();
    const thread = { author: 'ada', path: 'src/b.ts', line: 1, body: 'Why?' };
    const { commentId } = await simulator.startThread(number, thread);
    await simulator.deleteReviewComment(commentId);
    const context = await read(number, { place: { kind: 'review-comment', id: commentId } });
    expect(context).not.toHaveProperty('thread');
  });
});
