/**
 * What marking costs beside the disk.
 *
 * @module
 */

import type { GateKey } from './gate-figures.ts';
import type { GateHostCommands } from './hosts/gate-host.ts';
import type { Measurement } from './measurement.ts';
import { median } from './statistics.ts';

/** Turns of each within a run: a disk that others use as well swings by half. */
const TURNS = 3;
const MAX_RUNS = 3;

/** Marks and bare writes in turn, each into a new folder. */
export const GATE_MARK: Measurement<GateKey> = {
  keys: ['mark_6000_ratio'],
  maxRuns: MAX_RUNS,
  async open(bench) {
    const host = await bench.start<GateHostCommands>('gate-host.ts', []);

    async function inNewDir(command: 'markMs' | 'bareMs'): Promise<number> {
      const dir = await bench.createDir();
      const elapsedMs = await host.call(command, dir);
      await bench.removeDir(dir);
      return elapsedMs;
    }

    return async () => {
      const marks: number[] = [];
      const bare: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        bare.push(await inNewDir('bareMs'));
        marks.push(await inNewDir('markMs'));
      }
      return { mark_6000_ratio: median(marks) / median(bare) };
    };
  },
};
