import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  behindCursor,
  type CursorRow,
  type DeliveryRow,
  forgetOldDeliveries,
  moveCursor,
  type RowStore,
  rememberDelivery,
} from './inbox.ts';

function store<Row extends { key: string }>(): RowStore<Row> {
  const rows = new Map<string, Row>();
  return {
    get: (key) => rows.get(key),
    insert: (row) => rows.set(row.key, row),
    update: (key, change) => {
      const row = rows.get(key);
      if (row !== undefined) change(row);
    },
    delete: (key) => rows.delete(key),
    get toArray() {
      return [...rows.values()];
    },
  };
}

function row(order: number): { key: string; _timeline_order: string } {
  return { key: `m${order}`, _timeline_order: `stream:${String(order).padStart(16, '0')}` };
}

describe('the cursor', () => {
  it('S2 shows every row until its batch is done, and then never again, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ rows: fc.nat(4), crash: fc.boolean() }), { maxLength: 20 }),
        (wakes) => {
          const cursors = store<CursorRow>();
          const stream: ReturnType<typeof row>[] = [];
          const done: string[] = [];
          for (const wake of wakes) {
            for (let n = 0; n < wake.rows; n += 1) stream.push(row(stream.length + 1));
            const batch = behindCursor(stream.toReversed(), cursors, 'inbox');
            if (wake.crash) continue;
            done.push(...batch.map((message) => message.key));
            moveCursor(batch, cursors, 'inbox');
          }
          done.push(...behindCursor(stream, cursors, 'inbox').map((message) => message.key));
          expect(done).toEqual(stream.map((message) => message.key));
        },
      ),
    );
  });

  it('never moves back', () => {
    const cursors = store<CursorRow>();
    moveCursor([row(5)], cursors, 'inbox');
    moveCursor([row(3)], cursors, 'inbox');
    expect(behindCursor([row(4), row(6)], cursors, 'inbox').map(({ key }) => key)).toEqual(['m6']);
  });
});

describe('deliveries', () => {
  it('T-020 are processed once', () => {
    const deliveries = store<DeliveryRow>();
    expect(rememberDelivery(deliveries, 'd1', 0)).toBe(true);
    expect(rememberDelivery(deliveries, 'd1', 1)).toBe(false);
  });

  it('are forgotten when they cannot come again, and not before', () => {
    const deliveries = store<DeliveryRow>();
    const day = 24 * 3_600_000;
    for (let n = 0; n < 300; n += 1) rememberDelivery(deliveries, `d${n}`, n < 100 ? 0 : 5 * day);
    forgetOldDeliveries(deliveries, 7 * day);
    expect(deliveries.toArray).toHaveLength(300);
    forgetOldDeliveries(deliveries, 9 * day);
    expect(deliveries.toArray).toHaveLength(200);
  });
});
