/**
 * A time limit and a caller's abort in one signal, with the reason told apart.
 *
 * @module
 */

/** Why work ended early. */
export type EndedBy = 'deadline' | 'abort';

/** A running time limit. Call `release` when the work is over. */
export interface Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Set once the signal fired. */
  endedBy(): EndedBy | undefined;
  /** Resolves when the signal has been fired for `graceMs` without the work having ended. */
  overdue(graceMs: number): Promise<void>;
  release(): void;
}

/** Starts a limit of `timeoutMs`, which `outer` can end earlier. */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let endedBy: EndedBy | undefined;
  const end = (by: EndedBy): void => {
    endedBy ??= by;
    controller.abort();
  };
  const onAbort = (): void => end('abort');
  timers.push(setTimeout(() => end('deadline'), timeoutMs));
  if (outer?.aborted === true) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  return {
    timeoutMs,
    signal: controller.signal,
    endedBy: () => endedBy,
    overdue: (graceMs) =>
      new Promise((resolve) => {
        const wait = (): void => void timers.push(setTimeout(resolve, graceMs));
        if (controller.signal.aborted) wait();
        else controller.signal.addEventListener('abort', wait, { once: true });
      }),
    release: () => {
      outer?.removeEventListener('abort', onAbort);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
