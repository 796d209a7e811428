/**
 * How a person or a supervisor ends a command.
 *
 * @module
 */

/** The first of the two signals. A second one ends the process at once, as people expect. */
export function endSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
