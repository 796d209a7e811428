/**
 * What it costs of GitHub's hourly points to read a long conversation.
 *
 * @module
 */

import { textsOf } from '../../agents/src/conversation/item.ts';
import { readSnapshot } from '../../agents/src/github/snapshot.ts';
import { SHOP, type Shop, startShop } from '../../agents/src/github/testing/shop.ts';
import type { PrRef } from '../../agents/src/ids.ts';

const THREADS = 500;
const COMMENTS_PER_THREAD = 20;

/** The least that has to be asked: each page of threads with their comments, once. */
const BARE_PAGE = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { comments(first: 100) { nodes { id } } }
      }
    }
  }
}`;

interface BarePage {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** The part of the answer that says how to go on. */
interface BareAnswer {
  readonly repository: { readonly pullRequest: { readonly reviewThreads: { readonly pageInfo: BarePage } } };
}

/** Points of the snapshot over those of its bare pages, as the simulated GitHub counts both. */
export async function measureSnapshotPoints(): Promise<{ readonly snapshot_points_ratio: number }> {
  const shop = await startShop({ 'b.txt': 'b\n' });
  try {
    const pr: PrRef = { ...SHOP, number: await shop.openPullRequest() };
    await talk(shop, pr.number);
    const snapshot = await pointsOf(shop, async () => {
      const { items } = await readSnapshot(shop.octokit, pr, Date.now());
      const comments = items.flatMap(textsOf).length;
      // A read that lacks something would look cheap.
      if (comments !== THREADS * COMMENTS_PER_THREAD) throw new Error(`${comments} comments were read.`);
    });
    const bare = await pointsOf(shop, () => readBarePages(shop, pr));
    return { snapshot_points_ratio: snapshot / bare };
  } finally {
    await shop.simulator.close();
  }
}

/** Everybody answers at once, so that each comment comes with a review of its own: the dearest way to talk. */
async function talk({ simulator }: Shop, number: number): Promise<void> {
  const replies = Array.from({ length: COMMENTS_PER_THREAD - 1 }, (_, index) => {
    return { author: `dev-${index}`, body: `Answer ${index}` };
  });
  const threads = Array.from({ length: THREADS }, (_, index) => {
    return { author: 'ada', path: 'b.txt', body: `Question ${index}`, replies };
  });
  await simulator.addThreads(number, threads);
}

async function readBarePages({ octokit }: Shop, pr: PrRef): Promise<void> {
  let page: BarePage = { hasNextPage: true, endCursor: null };
  while (page.hasNextPage) {
    const answer = await octokit.graphql<BareAnswer>(BARE_PAGE, { ...pr, after: page.endCursor });
    page = answer.repository.pullRequest.reviewThreads.pageInfo;
  }
}

async function pointsOf(shop: Shop, act: () => Promise<unknown>): Promise<number> {
  const before = await pointsUsed(shop);
  await act();
  return (await pointsUsed(shop)) - before;
}

/** To ask is free. */
async function pointsUsed({ octokit }: Shop): Promise<number> {
  const { data } = await octokit.rest.rateLimit.get();
  return data.resources.graphql?.used ?? Number.NaN;
}
