/**
 * What stands in the file of a marker: read, joined with what is to be marked, and written. Pure.
 *
 * @module
 */
import type { Mark, Marker } from './gate.ts';
import type { ItemId } from './item.ts';

/** No marker of ours is longer; of a longer file no more is read. */
export const MAX_MARKER_BYTES = 64 * 1024;

/**
 * No snapshot was read later than now: a reading from further ahead is of a clock that was wrong, and does not hold
 * against later marks, or they would not stick until that time has come.
 */
const MAX_CLOCK_SKEW_MS = 3_600_000;

const BODY_HASH = /^[0-9a-f]{16}$/;
const KNOWN_FIELDS: ReadonlySet<string> = new Set(['id', 'seenAt', 'bodyHash', 'closed', 'readAtMs']);

/** A valid marker, with all that stood in its file. */
export interface StoredMarker {
  readonly marker: Marker;
  /** Fields of other versions survive a rewrite. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What is known of the state at the last delivery. */
interface Known {
  readonly closed: readonly string[] | undefined;
  readonly readAtMs: number | undefined;
}

/** A marker, or why there is none in this text. */
export type ParsedMarker = StoredMarker | { readonly fault: string };

/**
 * Reads the text of a file. A field of a wrong type makes the whole marker absent: its item is shown once more rather
 * than never.
 *
 * @param id - of the item whose file it is
 */
export function parseMarker(id: ItemId, text: string): ParsedMarker {
  const fields = parseObject(text);
  if (fields === undefined) return { fault: 'it is no JSON object' };
  const { seenAt, bodyHash, closed, readAtMs } = fields;
  if (fields.id !== id) return { fault: 'it is of another item' };
  if (!isCount(seenAt)) return { fault: 'seenAt is no time' };
  if (typeof bodyHash !== 'string' || !BODY_HASH.test(bodyHash)) return { fault: 'bodyHash is no hash' };
  if (closed !== undefined && !isTextList(closed)) return { fault: 'closed is no list of texts' };
  if (readAtMs !== undefined && !isNumber(readAtMs)) return { fault: 'readAtMs is no time' };
  return { marker: { id, seenAt, bodyHash, ...present({ closed, readAtMs }) }, fields };
}

/**
 * What is to stand in the file after an item was marked. Text and state are those of the later reading, where two
 * processes race; `seenAt` is the earlier one.
 *
 * @param existing - what stands there, if it is valid
 * @param seenAt - unix seconds of the first delivery, as far as the one who marks knows
 * @param nowMs - milliseconds since the epoch
 */
export function joinMark(
  existing: StoredMarker | undefined,
  mark: Mark,
  seenAt: number,
  nowMs: number,
): StoredMarker {
  const { id, bodyHash, closed, readAtMs } = mark;
  if (existing === undefined) return { marker: { id, seenAt, bodyHash, closed, readAtMs }, fields: {} };
  const { marker, fields } = existing;
  const earliest = Math.min(seenAt, marker.seenAt);
  const stays = isReadAfter(marker, readAtMs) && !isReadAfter(marker, nowMs + MAX_CLOCK_SKEW_MS);
  return { marker: { ...(stays ? marker : mark), id, seenAt: earliest }, fields };
}

/** Whether an older state overwrote, in a race, what was written; a damaged file is the next mark's affair. */
export function isBehind(found: Marker, written: Marker): boolean {
  return found.seenAt > written.seenAt || (written.readAtMs ?? 0) > (found.readAtMs ?? 0);
}

/**
 * The text of a file, the specified fields first. What would make it longer than {@link MAX_MARKER_BYTES}, and so
 * absent for the next reader, is left out: first the fields of other versions, then `closed`.
 *
 * @returns undefined where the id alone is too long
 */
export function serialiseMarker({ marker, fields }: StoredMarker): string | undefined {
  const { id, seenAt, bodyHash, closed, readAtMs } = marker;
  const specified = Object.entries({ id, seenAt, bodyHash });
  const states = Object.entries(present({ closed, readAtMs }));
  const others = Object.entries(fields).filter(([name]) => !KNOWN_FIELDS.has(name));
  const choices = [[...specified, ...states, ...others], [...specified, ...states], specified];
  for (const entries of choices) {
    const text = objectText(entries);
    if (text !== undefined && Buffer.byteLength(text) <= MAX_MARKER_BYTES) return text;
  }
  return undefined;
}

/** By hand, because an object moves names such as `7` before all others. Undefined where it is nested too deeply. */
function objectText(entries: readonly (readonly [string, unknown])[]): string | undefined {
  try {
    return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}\n`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isReadAfter({ readAtMs }: Marker, momentMs: number): boolean {
  return readAtMs !== undefined && readAtMs > momentMs;
}

function present({ closed, readAtMs }: Known): Pick<Marker, 'closed' | 'readAtMs'> {
  if (closed === undefined) return readAtMs === undefined ? {} : { readAtMs };
  return readAtMs === undefined ? { closed } : { closed, readAtMs };
}

/** JSON has numbers that are too large for one, and they are read as infinite. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
