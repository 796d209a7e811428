import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from '../types/wake.ts';
import { handlerWakeOf, wakeEventOf } from './wake-event.ts';

let offset = 0;
function event(type: string, value: Record<string, unknown>): ChangeEvent {
  offset += 1;
  return {
    type,
    key: `k${offset}`,
    value: { key: `k${offset}`, ...value },
    headers: { operation: 'insert', offset: `0${offset}` },
  };
}
const wake = (source: string) =>
  event('wake', {
    source,
    timeout: false,
    timestamp: 't',
    changes: [{ collection: 'c', kind: 'insert', key: source }],
  });
const message = (payload: unknown) => event('inbox', { from: '/principal/x', payload, message_type: 'm' });
const ZEROS = { fromOffset: 0, toOffset: 0, eventCount: 0 };

describe('the wake of a pass', () => {
  it('is its newest message, whatever wake rows there are', () => {
    expect(wakeEventOf('/e/a', [message(1), message(2), wake('/w/a')])).toEqual({
      source: '/principal/x',
      type: 'inbox',
      ...ZEROS,
      payload: 2,
      summary: 'm',
    });
  });

  it('is its wake row without the key', () => {
    const only = wake('/w/a');
    expect(wakeEventOf('/e/a', [only])).toEqual({
      source: '/w/a',
      type: 'wake',
      ...ZEROS,
      payload: {
        source: '/w/a',
        timeout: false,
        timestamp: 't',
        changes: [{ collection: 'c', kind: 'insert', key: '/w/a' }],
        _timeline_order: `stream:${only.headers.offset}`,
      },
    });
  });

  it('is a batch of several wake rows, from their common source or from the entity itself', () => {
    const mixed = wakeEventOf('/e/a', [wake('/w/a'), wake('/w/b'), wake('/w/a')]);
    expect(mixed).toMatchObject({ source: '/e/a', eventCount: 3 });
    expect(mixed.payload).toMatchObject({
      type: 'wake_batch',
      sources: ['/w/a', '/w/b'],
      wakes: [{ source: '/w/a' }, { source: '/w/b' }, { source: '/w/a' }],
      changes: [{ key: '/w/a' }, { key: '/w/b' }, { key: '/w/a' }],
    });
    expect(wakeEventOf('/e/a', [wake('/w/a'), wake('/w/a')])).toMatchObject({
      source: '/w/a',
      eventCount: 2,
    });
  });

  it('has no payload when there is nothing', () => {
    expect(wakeEventOf('/e/a', [])).toEqual({ source: '/e/a', type: 'message', ...ZEROS });
  });
});

describe('ctx.wake', () => {
  it('sorts wakes into messages and others', () => {
    const untyped = wakeEventOf('/e/a', [event('inbox', { from: '/p', payload: 1 })]);
    expect(handlerWakeOf(untyped)).toEqual({
      type: 'inbox',
      source: '/p',
      message: { type: 'message', payload: 1, from: '/p' },
      raw: untyped,
    });
    const other = wakeEventOf('/e/a', [wake('/w/a')]);
    expect(handlerWakeOf(other)).toEqual({
      type: 'other',
      wakeType: 'wake',
      source: '/w/a',
      payload: other.payload,
      raw: other,
    });
    const none = wakeEventOf('/e/a', []);
    expect(handlerWakeOf(none)).toEqual({ type: 'other', wakeType: 'message', source: '/e/a', raw: none });
  });
});
