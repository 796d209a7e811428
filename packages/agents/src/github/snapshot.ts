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
import { readAnswer } from './snapshot-answer.ts';
import { snapshotError } from './snapshot-error.ts';
import { addPages, FIRST_ASK, firstPages, nextAsk, reviewsOf } from './snapshot-gather.ts';
import { toItems } from './snapshot-items.ts';
import { type Ask, snapshotQuery } from './snapshot-query.ts';

/** Some 20,000 threads. Nobody reads that, and no prompt takes it (S9). */
const MAX_REQUESTS = 200;

/**
 * Reads a conversation: with one request, as a rule; of longer ones all lists are read on together.
 *
 * @param nowMs - milliseconds since the epoch
 * @throws TransientError where another read may succeed: also where the pull request got another head or its
 *   conversation changed between two pages
 * @throws PermanentError where there is no such pull request, or the App may not read it
 */
export async function readSnapshot(octokit: Octokit, pr: PrRef, nowMs: number): Promise<Snapshot> {
  let gathered = firstPages(readAnswer(await send(octokit, pr, FIRST_ASK), FIRST_ASK));
  let ask = nextAsk(gathered);
  for (let requests = 1; ask !== undefined; requests += 1) {
    if (requests === MAX_REQUESTS) {
      throw new PermanentError(`The conversation of #${pr.number} is too long to be read.`);
    }
    gathered = addPages(gathered, ask, readAnswer(await send(octokit, pr, ask), ask));
    ask = nextAsk(gathered);
  }
  const { headSha, comments, threadComments } = gathered;
  const threads = gathered.threads.nodes.map((thread) => ({
    thread,
    comments: threadComments.get(thread.id)?.nodes ?? [],
  }));
  const items = toItems({ threads, comments: comments.nodes, reviews: reviewsOf(gathered) });
  return { headSha, readAtMs: nowMs, items };
}

async function send(octokit: Octokit, pr: PrRef, ask: Ask): Promise<unknown> {
  const { text, variables } = snapshotQuery(pr, ask);
  try {
    return await octokit.graphql<unknown>(text, variables);
  } catch (error) {
    throw snapshotError(pr, error);
  }
}
