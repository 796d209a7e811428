/**
 * What came in and was not yet processed, in order. A wake is only a hint (S10): several messages may be
 * folded into one wake, and after a crash some are seen by no wake at all. So entities read what lies behind
 * their own durable cursor.
 *
 * @module
 */
import { z } from 'zod';

/** How far each stream was processed. `key` names the stream: `inbox`, `wakes`, `bucket`. */
export const cursorRowSchema = z.object({ key: z.string(), order: z.string() });
export type CursorRow = z.infer<typeof cursorRowSchema>;

/** Deliveries that were processed, since one may come through the bucket and the inbox, and again later. */
export const deliveryRowSchema = z.object({ key: z.string(), atMs: z.int() });
export type DeliveryRow = z.infer<typeof deliveryRowSchema>;

/** The longest time after which GitHub lets a delivery be sent again is 7 days (Enterprise Server). */
const DELIVERY_MEMORY_MS = 8 * 24 * 3_600_000;
/** Below this number nothing is forgotten, so that a quiet PR never pays for it. */
const DELIVERY_MEMORY_MIN = 200;

/** A row that knows its place in its stream. */
export interface OrderedRow {
  readonly key: string;
  readonly _timeline_order?: string;
}

/** The part of a state collection that is used here. */
export interface RowStore<Row extends { readonly key: string }> {
  get(key: string): Row | undefined;
  insert(row: Row): unknown;
  update(key: string, change: (draft: Row) => void): unknown;
  delete(key: string): unknown;
  readonly toArray: readonly Row[];
}

/** Rows of a stream behind its cursor, oldest first. */
export function behindCursor<Row extends OrderedRow>(
  rows: readonly Row[],
  cursors: RowStore<CursorRow>,
  stream: string,
): readonly Row[] {
  const order = cursors.get(stream)?.order ?? '';
  return rows.filter((row) => orderOf(row) > order).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf(row: OrderedRow): string {
  return row._timeline_order ?? '';
}

/** Moves a stream's cursor behind the last of `rows`. Call it once their effect is in the state (S2). */
export function moveCursor(rows: readonly OrderedRow[], cursors: RowStore<CursorRow>, stream: string): void {
  const last = rows.at(-1);
  if (last === undefined) return;
  const order = orderOf(last);
  const row = cursors.get(stream);
  if (row === undefined) cursors.insert({ key: stream, order });
  else if (row.order < order) {
    cursors.update(stream, (draft) => {
      draft.order = order;
    });
  }
}

/** Remembers a delivery; false when it was known, so that nothing happens twice. */
export function rememberDelivery(deliveries: RowStore<DeliveryRow>, key: string, nowMs: number): boolean {
  if (deliveries.get(key) !== undefined) return false;
  deliveries.insert({ key, atMs: nowMs });
  return true;
}

/** Forgets deliveries that cannot come again. */
export function forgetOldDeliveries(deliveries: RowStore<DeliveryRow>, nowMs: number): void {
  const rows = deliveries.toArray;
  if (rows.length <= DELIVERY_MEMORY_MIN) return;
  for (const row of rows) {
    if (row.atMs < nowMs - DELIVERY_MEMORY_MS) deliveries.delete(row.key);
  }
}
