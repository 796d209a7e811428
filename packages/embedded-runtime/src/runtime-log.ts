/**
 * The log port.
 *
 * @module
 */

/** Contract: never throws, never blocks on I/O. */
export interface RuntimeLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A log that keeps nothing. */
export const silentLog: RuntimeLog = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
