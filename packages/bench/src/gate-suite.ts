/**
 * What it costs to let every item of a conversation surface once.
 *
 * @module
 */

import { GATE_FIGURES, type GateKey } from './gate-figures.ts';
import { GATE_JUDGE } from './gate-judge.ts';
import { GATE_MARK } from './gate-mark.ts';
import { measureSnapshotPoints } from './gate-points.ts';
import type { Measurement } from './measurement.ts';
import type { Suite } from './suite.ts';

/** Points do not swing. */
const POINTS: Measurement<GateKey> = {
  keys: ['snapshot_points_ratio'],
  isWarm: true,
  maxRuns: 1,
  open: async () => measureSnapshotPoints,
};

/** The figures of the gate and how they are measured. */
export const GATE_SUITE: Suite<GateKey> = {
  figures: GATE_FIGURES,
  measurements: [GATE_JUDGE, GATE_MARK, POINTS],
};
