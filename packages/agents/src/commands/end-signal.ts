/**
 * How a person or a supervisor ends a command.
 *
 * @module
 */

/** One Ctrl-C arrives several times: from the terminal, and passed on by npx and pnpm. */
const SAME_SIGNAL_MS = 1_000;

/** The first SIGTERM or SIGINT. Another one, a second or more later, ends the process at once. */
export function endSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (firstMs !== undefined && Date.now() - firstMs > SAME_SIGNAL_MS) process.exit(1);
        firstMs ??= Date.now();
        resolve(signal);
      });
    }
  });
}
