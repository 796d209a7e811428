/**
 * The log port on pino: one JSON object a line, on standard error because standard output belongs to commands.
 *
 * @module
 */
import {
  type DestinationStream,
  destination as fileDestination,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';
import type { LogLevel } from '../config.ts';
import type { Log, LogFields } from '../log.ts';
import { redactText, redactValue } from './redact.ts';

/** Settings of {@link createLog}. */
export interface LogOptions {
  /** Lines below it are dropped. */
  readonly level: LogLevel;
  /** Takes whole lines; default: standard error, written at once, so that a crash loses no line. */
  readonly destination?: DestinationStream;
  /** Lines for people instead of JSON; default false. */
  readonly pretty?: boolean;
}

/** A log that writes what is left after redaction. Never throws. */
export function createLog(options: LogOptions): Log {
  const destination = options.destination ?? fileDestination({ dest: STANDARD_ERROR, sync: true });
  const logger = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.pretty === true ? prettyTo(destination) : destination,
  );
  return portOver(logger);
}

const STANDARD_ERROR = 2;
type Method = 'debug' | 'info' | 'warn' | 'error';

function portOver(logger: Logger<never>): Log {
  const write = (method: Method, message: string, fields: LogFields | undefined): void => {
    // Redaction walks the fields, so a line that nobody reads must not pay for it.
    if (!logger.isLevelEnabled(method)) return;
    logger[method](redactFields(fields), redactText(message));
  };
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    child: (fields) => portOver(logger.child(redactFields(fields))),
  };
}

function redactFields(fields: LogFields | undefined): Record<string, unknown> {
  const redacted = redactValue(fields ?? {});
  return typeof redacted === 'object' && redacted !== null ? { ...redacted } : { fields: redacted };
}

/** `12:34:56.789 WARN  message key=value`. */
function prettyTo(destination: DestinationStream): DestinationStream {
  return {
    write: (line) => {
      const { time, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
      const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${bare(value)}`);
      const clock = String(time).slice(11, 23);
      destination.write(`${clock} ${String(level).toUpperCase().padEnd(5)} ${message}${pairs.join('')}\n`);
    },
  };
}

function bare(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
