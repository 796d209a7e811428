/**
 * How long the gate takes before a round.
 *
 * @module
 */

import type { GateKey } from './gate-figures.ts';
import type { GateHostCommands } from './hosts/gate-host.ts';
import type { Measurement } from './measurement.ts';

/** Each run has a process of its own, with items and modules loaded; the files were read in the run before. */
export const GATE_JUDGE: Measurement<GateKey> = {
  keys: ['gate_6000_ms'],
  async open(bench) {
    const stateDir = await bench.createDir();
    const writer = await bench.start<GateHostCommands>('gate-host.ts', []);
    await writer.call('markMs', stateDir);
    await writer.stop();
    return async () => {
      const host = await bench.start<GateHostCommands>('gate-host.ts', []);
      const elapsedMs = await host.call('judgeMs', stateDir);
      await host.stop();
      return { gate_6000_ms: elapsedMs };
    };
  },
};
