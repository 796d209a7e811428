/**
 * What a worker keeps: its meta row, and one row for each pass.
 *
 * @module
 */
import { z } from 'zod';
import type { ItemId } from '../conversation/item.ts';
import { ASPECTS, type FindingId } from '../ids.ts';
import type { EarlierFinding } from '../model/prompt.ts';
import { findingSchema } from '../review/finding.ts';
import { type CursorRow, cursorRowSchema, type RowStore } from './inbox.ts';
import { type ReviewMessage, verdictSchema } from './messages.ts';

/** Arguments of a spawn. */
export const workerArgsSchema = z.object({
  repo: z.string().min(1),
  prNumber: z.int().min(1),
  aspect: z.enum(ASPECTS),
  parentUrl: z.string().min(1),
});
export type WorkerArgs = z.infer<typeof workerArgsSchema>;

const metaRowSchema = z.object({
  key: z.literal('meta'),
  repo: z.string(),
  prNumber: z.int(),
  aspect: z.enum(ASPECTS),
  promptPath: z.string(),
  status: z.enum(['active', 'shutdown']),
});

const historyRowSchema = z.object({
  /** The wakeId. */
  key: z.string(),
  wakeId: z.string(),
  baseSha: z.string(),
  headSha: z.string(),
  postedAt: z.string(),
  findings: z.array(findingSchema),
  verdicts: z.exactOptional(z.array(verdictSchema)),
  heard: z.exactOptional(z.literal(true)),
  status: z.enum(['done', 'partial', 'failed']),
  why: z.exactOptional(z.string()),
  /** Paths that the pass looked at: what it said of them before is replaced by this row. */
  files: z.array(z.string()),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

/** The worker's collections, for its definition. */
export const workerCollections = {
  meta: { schema: metaRowSchema },
  findings_history: { schema: historyRowSchema },
  cursors: { schema: cursorRowSchema },
} as const;

/** The worker's collections, for its code. */
export interface WorkerState {
  readonly meta: RowStore<z.infer<typeof metaRowSchema>>;
  readonly findings_history: RowStore<HistoryRow>;
  readonly cursors: RowStore<CursorRow>;
}

/**
 * A worker's findings of earlier rounds: as its Shepherd tells them, who knows what became of them and in whose words
 * they stand; else as it remembers them itself.
 */
export function knownFindings(
  { earlier }: ReviewMessage,
  history: readonly HistoryRow[],
): readonly EarlierFinding[] {
  if (earlier === undefined) return earlierFindings(history);
  // Ids are text in a message.
  return earlier.map((told) => ({
    ...told,
    id: told.id as FindingId,
    answers: told.answers.map((answer) => ({
      ...answer,
      findingId: told.id as FindingId,
      itemId: answer.itemId as ItemId,
    })),
  }));
}

/** Passes that are looked through for earlier findings (S9). */
const MAX_PASSES = 20;

/**
 * What this worker said before and did not take back: for each file, the findings of the last completed pass
 * that looked at it.
 */
function earlierFindings(history: readonly HistoryRow[]): readonly EarlierFinding[] {
  const settled = new Set<string>();
  const earlier: EarlierFinding[] = [];
  for (const row of history.slice(-MAX_PASSES).reverse()) {
    if (row.status === 'failed') continue;
    for (const finding of row.findings) {
      if (!settled.has(finding.file)) earlier.push({ finding, state: 'open', sha: row.headSha });
    }
    if (row.status === 'done') for (const file of row.files) settled.add(file);
  }
  return earlier;
}
