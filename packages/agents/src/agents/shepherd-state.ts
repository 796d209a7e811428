/**
 * What a Shepherd keeps: the design's three collections, and in collections of their own what the state
 * machine, the ledger and the inbox need.
 *
 * @module
 */
import { z } from 'zod';
import { ASPECTS } from '../ids.ts';
import { findingSchema } from '../review/finding.ts';
import { INITIAL_STATE, type ShepherdState } from '../review/state.ts';
import {
  type CursorRow,
  cursorRowSchema,
  type DeliveryRow,
  deliveryRowSchema,
  type RowStore,
} from './inbox.ts';
import { verdictSchema } from './messages.ts';

/** Arguments of a spawn. */
export const shepherdArgsSchema = z.object({
  owner: z.string().min(1),
  repo: z.string().min(1),
  number: z.int().min(1),
});

const metaRowSchema = z.object({
  key: z.literal('meta'),
  repo: z.string(),
  prNumber: z.int(),
  /** `null` until GitHub has said who the author is. */
  isTeamPr: z.boolean().nullable(),
  labels: z.array(z.string()),
  status: z.enum(['active', 'paused']),
});
export type MetaRow = z.infer<typeof metaRowSchema>;

/** A posted review. The key is the wakeId: one commit may be reviewed twice. */
const reviewRowSchema = z.object({
  key: z.string(),
  sha: z.string(),
  commentId: z.int(),
  postedAt: z.string(),
  summary: z.string(),
});

/** What one worker said in one round. The key is `wakeId~aspect`. */
const findingsRowSchema = z.object({
  key: z.string(),
  wakeId: z.string(),
  aspect: z.enum(ASPECTS),
  status: z.enum(['done', 'partial', 'failed']),
  findings: z.array(findingSchema),
  verdicts: z.exactOptional(z.array(verdictSchema)),
  heard: z.exactOptional(z.literal(true)),
  why: z.exactOptional(z.string()),
});
export type FindingsRow = z.infer<typeof findingsRowSchema>;

/** One row of our own making: `data` is a value of this package, versioned by `v`. */
const ownRowSchema = z.object({ key: z.string(), v: z.int(), data: z.unknown() });
export type OwnRow = z.infer<typeof ownRowSchema>;

/** The Shepherd's collections, for its definition. */
export const shepherdCollections = {
  meta: { schema: metaRowSchema },
  reviews: { schema: reviewRowSchema },
  findings: { schema: findingsRowSchema },
  /** `machine`: the state machine. `memory`: ledger and last comment; `draft`: see `publish.ts`. `texts`: see `compose-texts.ts`. `discussion`: see `round-discussion.ts`. `in-vain`: see `in-vain.ts`. `replies`: see `serve-summons.ts`. `unheard`: see `unheard.ts`. `final`: see `conclude.ts`. `skill`: its hash. */
  own: { schema: ownRowSchema },
  cursors: { schema: cursorRowSchema },
  deliveries: { schema: deliveryRowSchema },
} as const;

/** The Shepherd's collections, for its code. */
export interface ShepherdRows {
  readonly meta: RowStore<MetaRow>;
  readonly reviews: RowStore<z.infer<typeof reviewRowSchema>>;
  readonly findings: RowStore<FindingsRow>;
  readonly own: RowStore<OwnRow>;
  readonly cursors: RowStore<CursorRow>;
  readonly deliveries: RowStore<DeliveryRow>;
}

/** Reads a row of our own; `undefined` where there is none yet. */
export function readOwn<T>(rows: Pick<RowStore<OwnRow>, 'get'>, key: string): T | undefined {
  // Written by `writeOwn` of the same version; a row of another version is not understood, and built anew.
  const row = rows.get(key);
  return row?.v === OWN_VERSION ? (row.data as T) : undefined;
}

/** Writes a row of our own, whole: one row is one atomic change. A row that would stay the same is not written. */
export function writeOwn(rows: RowStore<OwnRow>, key: string, data: unknown): void {
  const known = rows.get(key);
  if (known === undefined) rows.insert({ key, v: OWN_VERSION, data });
  else if (!holds(known, { v: OWN_VERSION, data })) {
    rows.update(key, (draft) => {
      draft.v = OWN_VERSION;
      draft.data = data;
    });
  }
}

const OWN_VERSION = 1;

/** The state machine's state. */
export function readMachine(rows: Pick<RowStore<OwnRow>, 'get'>): ShepherdState {
  // Rows of an earlier version lack what was added since.
  return { ...INITIAL_STATE, ...readOwn<ShepherdState>(rows, 'machine') };
}

/** Keeps the state machine's state, and the part of it that the design shows in `meta`. */
export function writeMachine(
  state: ShepherdRows,
  args: { repo: string; prNumber: number },
  next: ShepherdState,
): void {
  writeOwn(state.own, 'machine', next);
  const labels = [...(next.seen?.labels ?? [])];
  const row: MetaRow = {
    key: 'meta',
    repo: args.repo,
    prNumber: args.prNumber,
    isTeamPr: next.authorClass === undefined ? null : next.authorClass === 'team',
    labels,
    status: labels.includes('pause-shepherd') ? 'paused' : 'active',
  };
  const known = state.meta.get('meta');
  if (known === undefined) state.meta.insert(row);
  else if (!holds(known, row)) state.meta.update('meta', (draft) => void Object.assign(draft, row));
}

/** Whether a row has these fields with these values; the runtime adds fields of its own. */
function holds(row: object, fields: object): boolean {
  const known = row as Readonly<Record<string, unknown>>;
  return Object.entries(fields).every(
    ([name, value]) => JSON.stringify(known[name]) === JSON.stringify(value),
  );
}
