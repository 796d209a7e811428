/**
 * Cron expressions, and the streams of their ticks.
 *
 * @module
 */

import { Cron } from 'croner';
import { messageOf, RequestError } from './errors.ts';

/** When something ticks. */
export interface CronSpec {
  /** Five fields, or six with seconds first. */
  readonly expression: string;
  /** IANA name. */
  readonly timezone: string;
}

const ROOT = '/_cron/';

function invalid(reason: string): RequestError {
  return new RequestError(400, 'INVALID_REQUEST', reason);
}

/** The first tick after a time, both in milliseconds since the epoch. */
export function nextTickMs({ expression, timezone }: CronSpec, afterMs: number): number | undefined {
  const job = new Cron(expression, { timezone, mode: '5-or-6-parts', paused: true });
  return job.nextRun(new Date(afterMs))?.getTime();
}

/**
 * @param timezone - default `UTC`
 * @throws RequestError 400 when the expression or the time zone is malformed, or when it never ticks
 */
export function checkCronSpec(expression: string, timezone = 'UTC'): CronSpec {
  const named = `cron expression ${JSON.stringify(expression)} in time zone ${JSON.stringify(timezone)}`;
  const fields = expression.trim().split(/\s+/).length;
  if (fields < 5 || fields > 6) throw invalid(`${named} has neither five nor six fields`);
  let first: number | undefined;
  try {
    first = nextTickMs({ expression, timezone }, 0);
  } catch (error) {
    throw invalid(`${named} is malformed: ${messageOf(error)}`);
  }
  if (first === undefined) throw invalid(`${named} never ticks`);
  return { expression, timezone };
}

/** Names the spec in stream paths and manifest rows: base64url of its JSON. */
export function cronRefOf({ expression, timezone }: CronSpec): string {
  return Buffer.from(JSON.stringify({ expression, timezone })).toString('base64url');
}

/** `/_cron/<ref>`: one stream for each distinct expression and time zone. */
export function cronStreamPathOf(spec: CronSpec): string {
  return ROOT + cronRefOf(spec);
}

/** Whether a path is that of a stream of ticks. */
export function isCronStreamPath(path: string): boolean {
  return path.startsWith(ROOT);
}

/** @throws RequestError 400 when the path does not name a valid spec */
export function cronSpecOfPath(path: string): CronSpec {
  let parsed: Partial<CronSpec> | null;
  try {
    parsed = JSON.parse(Buffer.from(path.slice(ROOT.length), 'base64url').toString());
  } catch {
    throw invalid(`${path} is not the stream of a cron expression`);
  }
  const { expression, timezone } = parsed ?? {};
  if (typeof expression !== 'string' || typeof timezone !== 'string') {
    throw invalid(`${path} is not the stream of a cron expression`);
  }
  return checkCronSpec(expression, timezone);
}
