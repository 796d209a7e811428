/**
 * The errors that cross a module's edge. Each says whether trying again can help, so that nobody has to
 * match message texts. Expected outcomes are return values; these are for I/O and for our own bugs.
 *
 * @module
 */

/** Base of every error that this package throws on purpose. */
export abstract class FactoryError extends Error {
  /** Stable, machine-readable name of the fault. */
  abstract readonly code: string;
  /** Whether the same call can succeed later without anybody changing anything. */
  abstract readonly retryable: boolean;

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Input that a person gave and that a person can correct: a range, a path, a setting. Exit status 65. */
export class InputError extends FactoryError {
  override readonly code = 'INPUT';
  override readonly retryable = false;
}

/** Something that has to run does not. Exit status 69. */
export class UnavailableError extends FactoryError {
  override readonly code = 'UNAVAILABLE';
  override readonly retryable = true;
}

/** Everything that is wrong with the configuration, told at once. Exit status 78. */
export class ConfigError extends FactoryError {
  override readonly code = 'CONFIG';
  override readonly retryable = false;
  /** One sentence for each fault, each with its remedy. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length === 1 ? 'a fault' : `${problems.length} faults`}.`);
    this.problems = problems;
  }
}

/** GitHub or the network failed in a way that passes. */
export class TransientError extends FactoryError {
  override readonly code = 'TRANSIENT';
  override readonly retryable = true;
  /** How long GitHub asked to be left alone; `undefined` where it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options?: { readonly cause?: unknown; readonly retryAfterMs?: number | undefined },
  ) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** GitHub refused in a way that stays until a person changes something. */
export class PermanentError extends FactoryError {
  override readonly code = 'PERMANENT';
  override readonly retryable = false;
}

/** The sentence of an unknown thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
