/**
 * A clock that all processes of this machine share and that never jumps.
 *
 * @module
 */

/** Milliseconds since some moment in the past; the same moment for every process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
