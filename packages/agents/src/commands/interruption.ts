/**
 * What ends a command before its work is done: a signal, or an output that nobody takes any more.
 *
 * @module
 */
import { FactoryError } from '../errors.ts';
import { endSignal } from './end-signal.ts';

const EX_IOERR = 74;
/** As shells report a process that a signal ended. */
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** A command was ended from outside, after it cleaned up. */
export class InterruptedError extends FactoryError {
  override readonly code = 'INTERRUPTED';
  override readonly retryable = true;
  /** Exit status. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Resolves when a signal came or standard output broke. A reader that went away (`| head`) is no fault. */
export function interruption(): Promise<InterruptedError> {
  return Promise.race([brokenOutput(), endSignal().then(bySignal)]);
}

/** Resolves when standard output takes nothing any more. */
export function brokenOutput(): Promise<InterruptedError> {
  return new Promise((resolve) => {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      const isGone = error.code === 'EPIPE';
      resolve(
        new InterruptedError(
          isGone ? '' : `Standard output cannot be written (${error.code}).`,
          isGone ? 0 : EX_IOERR,
        ),
      );
    });
  });
}

function bySignal(signal: NodeJS.Signals): InterruptedError {
  return new InterruptedError('', signal === 'SIGINT' ? SIGNAL_STATUS.SIGINT : SIGNAL_STATUS.SIGTERM);
}
