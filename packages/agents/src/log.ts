/**
 * The log port. Fields are data; secrets never are (the sink redacts what it knows, callers pass none).
 *
 * @module
 */

/** Fields of a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Contract: never throws, never blocks on I/O. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose every line also carries `fields`. */
  child(fields: LogFields): Log;
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
