/**
 * From delivery to comment: how long it takes, and what it asks of GitHub.
 *
 * @module
 */

import type { Measurement } from '../measurement.ts';
import { median } from '../statistics.ts';
import type { Suite } from '../suite.ts';
import { REVIEW_FIGURES, type ReviewKey } from './figures.ts';
import { commentMs, isCommentWrite, longestChain, type RoundRecord, roundRequests } from './round-record.ts';
import { openStage, type Reviewer, type Stage } from './stage.ts';

const AT_ONCE = { kind: 'model', thinkMs: 0, analyzers: true } as const satisfies Reviewer;
const BURST_PRS = 60;
const BURST_RUNS = 3;

async function firstRounds(stage: Stage, count: number): Promise<readonly RoundRecord[]> {
  const rounds: RoundRecord[] = [];
  for (let index = 0; index < count; index += 1) rounds.push(await stage.firstRound());
  return rounds;
}

function twentyFiles(reviewer: Reviewer): Measurement<ReviewKey> {
  return {
    keys: ['comment_20_files_ms_p50', 'github_requests_first', 'github_requests_later'],
    isWarm: true,
    async open(bench) {
      const stage = await openStage(bench, { reviewer, filesPerPr: 20 });
      return async () => {
        const first = await firstRounds(stage, 5);
        const later = await stage.laterRound();
        const requests = first.map(roundRequests);
        return {
          comment_20_files_ms_p50: median(first.map(commentMs)),
          github_requests_first: Math.max(...requests.map((all) => all.length)),
          github_requests_later: roundRequests(later).length,
        };
      };
    },
  };
}

/**
 * Requests that are sent together overlap only where each takes a while: on loopback one may be answered before
 * the next has arrived, and would look as if that had waited.
 */
const LATENCY_MS = 25;

function chain(reviewer: Reviewer): Measurement<ReviewKey> {
  return {
    keys: ['github_requests_sequential'],
    isWarm: true,
    async open(bench) {
      const stage = await openStage(bench, { reviewer, filesPerPr: 20, latencyMs: LATENCY_MS });
      return async () => {
        const rounds = [...(await firstRounds(stage, 2)), await stage.laterRound()];
        return { github_requests_sequential: Math.max(...rounds.map(roundRequests).map(longestChain)) };
      };
    },
  };
}

/** One figure: so many first rounds a run. */
function comments(
  key: ReviewKey,
  reviewer: Reviewer,
  filesPerPr: number,
  rounds: number,
): Measurement<ReviewKey> {
  return {
    keys: [key],
    isWarm: true,
    async open(bench) {
      const stage = await openStage(bench, { reviewer, filesPerPr });
      return async () => ({ [key]: median((await firstRounds(stage, rounds)).map(commentMs)) });
    },
  };
}

/** GitHub takes some 80 comments a minute: each burst has a service of its own, which has written few. */
function burst(reviewer: Reviewer): Measurement<ReviewKey> {
  return {
    keys: ['burst_60_prs_s'],
    isWarm: true,
    maxRuns: BURST_RUNS,
    open: async (bench) => async () => {
      const stage = await openStage(bench, { reviewer, filesPerPr: 20 });
      const { sentAtMs, requests } = await stage.burst(BURST_PRS);
      await stage.close();
      const lastAtMs = Math.max(...requests.filter(isCommentWrite).map(({ beganAtMs }) => beganAtMs));
      return { burst_60_prs_s: (lastAtMs - sentAtMs) / 1_000 };
    },
  };
}

const WITH_A_MODEL: readonly Measurement<ReviewKey>[] = [
  comments('comment_20_files_no_analyzers_ms_p50', { ...AT_ONCE, analyzers: false }, 20, 5),
  comments('comment_model_2s_ms_p50', { ...AT_ONCE, thinkMs: 2_000 }, 20, 1),
];

/** The figures and how they are measured. @param withModel - false: the analyzers alone review */
export function reviewSuite(withModel: boolean): Suite<ReviewKey> {
  const reviewer: Reviewer = withModel ? AT_ONCE : { kind: 'analyzers' };
  return {
    figures: REVIEW_FIGURES,
    measurements: [
      twentyFiles(reviewer),
      chain(reviewer),
      comments('comment_100_files_ms_p50', reviewer, 100, 3),
      burst(reviewer),
      ...(withModel ? WITH_A_MODEL : []),
    ],
  };
}
