/**
 * What is measured of the conversation and its gate, and what it should reach.
 *
 * @module
 */

import type { Figures } from './figures.ts';

/** All figures by key. Those with `ratio` have no unit. */
export const GATE_FIGURES = {
  gate_6000_ms: {
    what: 'markers of 6,000 items read and the items judged, in a new process',
    target: { atMost: 150 },
  },
  mark_6000_ratio: {
    what: '6,000 items marked, over a bare loop that writes, flushes and renames as many files, 64 at once',
    target: { atMost: 1.6 },
  },
  snapshot_points_ratio: {
    what: "points of GitHub's hourly budget for 500 threads of 20 comments, over those of the bare pages",
    target: { atMost: 1.5 },
  },
} as const satisfies Figures<string>;

/** Key of a figure. */
export type GateKey = keyof typeof GATE_FIGURES;
