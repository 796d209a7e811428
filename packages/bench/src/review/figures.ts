/**
 * What is measured of the service, and what it should reach.
 *
 * @module
 */

import type { Figures } from '../figures.ts';

/** All figures by key. */
export const REVIEW_FIGURES = {
  comment_20_files_ms_p50: {
    what: 'delivery sent to comment received, 20 files of 60 lines, a model that answers at once',
    target: { atMost: 120 },
  },
  comment_20_files_no_analyzers_ms_p50: {
    what: 'the same without the built-in analyzers',
    target: { atMost: 70 },
  },
  comment_100_files_ms_p50: { what: 'the same with them, 100 files', target: { atMost: 400 } },
  comment_model_2s_ms_p50: {
    what: 'the same, 20 files, a model that takes 2 s for each answer',
    target: { atMost: 2300 },
  },
  github_requests_first: {
    what: 'requests to GitHub of a first round, its author unknown, without the hourly token',
    target: { atMost: 8 },
  },
  github_requests_later: { what: 'the same of a round after a push', target: { atMost: 6 } },
  github_requests_sequential: {
    what: 'the longest chain of them that wait for one another, in either round',
    target: { atMost: 4 },
  },
  burst_60_prs_s: { what: '60 such pull requests at once, until the last comment', target: { atMost: 12 } },
} as const satisfies Figures<string>;

/** Key of a figure. */
export type ReviewKey = keyof typeof REVIEW_FIGURES;
