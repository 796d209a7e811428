/**
 * The hidden last line of the review comment: which commit was reviewed, and how often so far. A hint for
 * people and for recovery; the entity's state is the truth. Anyone with write access can edit the comment, so
 * it is only believed on a comment that our App wrote (S4).
 *
 * @module
 */
import { z } from 'zod';
import { parseSha, type Sha } from '../ids.ts';

/** What the marker says. */
export interface Marker {
  readonly sha: Sha;
  /** From 1. */
  readonly iteration: number;
}

const LINE = /^<!-- pr-shepherd (\{.*\}) -->$/;
const schema = z.object({ v: z.literal(1), sha: z.string(), iteration: z.int().min(1) });

/** The marker as a line of the comment. */
export function markerLine({ sha, iteration }: Marker): string {
  return `<!-- pr-shepherd ${JSON.stringify({ v: 1, sha, iteration })} -->`;
}

/** Reads the marker of a comment; `undefined` where its last line is none, or of another version. */
export function parseMarker(body: string): Marker | undefined {
  const last = body.trimEnd().split('\n').at(-1) ?? '';
  const json = LINE.exec(last.trim())?.[1];
  if (json === undefined) return undefined;
  const parsed = schema.safeParse(parseJson(json));
  const sha = parsed.success ? parseSha(parsed.data.sha) : undefined;
  return parsed.success && sha !== undefined ? { sha, iteration: parsed.data.iteration } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
