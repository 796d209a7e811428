/**
 * Reads the whole conversation of a pull request by GraphQL, which alone tells what is resolved, outdated and
 * hidden. All of it, or none: a page that fails fails the read, and is never taken for the end of a list (S6).
 * Nothing is kept between reads, since an old answer would hide what is new.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import type { Snapshot } from '../conversation/item.ts';
import { PermanentError } from '../errors.ts';
import type { PrRef } from '../ids.ts';
import { readAnswer, type SnapshotAnswer } from './snapshot-answer.ts';
import { isTimeout, snapshotError } from './snapshot-error.ts';
import { addPages, FIRST_ASK, firstPages, type Gathered, nextAsk, reviewsOf } from './snapshot-gather.ts';
import { toItems } from './snapshot-items.ts';
import { type Ask, snapshotQuery } from './snapshot-query.ts';

/** Some 20,000 threads. Nobody reads that, and no prompt takes it (S9). */
const MAX_REQUESTS = 200;
/** GitHub's most. A request costs a point at least, so smaller pages cost more. */
const PAGE_SIZE = 100;
/** GitHub gives up on a query after 10 s, and would do so each time: what is too much at once is asked in parts. */
const SMALL_PAGE_SIZE = 20;

/**
 * Reads a conversation: with one request, as a rule; of longer ones all lists are read on together.
 *
 * @param nowMs - milliseconds since the epoch
 * @throws TransientError where another read may succeed: also where the pull request got another head or its
 *   conversation changed between two pages
 * @throws PermanentError where there is no such pull request, or the App may not read it
 */
export async function readSnapshot(octokit: Octokit, pr: PrRef, nowMs: number): Promise<Snapshot> {
  try {
    return await readAll(octokit, pr, nowMs, PAGE_SIZE);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return readAll(octokit, pr, nowMs, SMALL_PAGE_SIZE);
  }
}

async function readAll(octokit: Octokit, pr: PrRef, nowMs: number, pageSize: number): Promise<Snapshot> {
  const send = async (ask: Ask): Promise<SnapshotAnswer> => {
    const { text, variables } = snapshotQuery(pr, ask, pageSize);
    const data = await octokit.graphql<unknown>(text, variables).catch((error: unknown) => {
      throw snapshotError(pr, error);
    });
    return readAnswer(data, ask);
  };
  let gathered = firstPages(await send(FIRST_ASK));
  let ask = nextAsk(gathered);
  for (let requests = 1; ask !== undefined; requests += 1) {
    if (requests === MAX_REQUESTS) {
      throw new PermanentError(`The conversation of #${pr.number} is too long to be read.`);
    }
    gathered = addPages(gathered, ask, await send(ask));
    ask = nextAsk(gathered);
  }
  return toSnapshot(gathered, nowMs);
}

function toSnapshot(gathered: Gathered, readAtMs: number): Snapshot {
  const { headSha, comments, threadComments } = gathered;
  const threads = gathered.threads.nodes.map((thread) => ({
    thread,
    comments: threadComments.get(thread.id)?.nodes ?? [],
  }));
  return {
    headSha,
    readAtMs,
    items: toItems({ threads, comments: comments.nodes, reviews: reviewsOf(gathered) }),
  };
}
