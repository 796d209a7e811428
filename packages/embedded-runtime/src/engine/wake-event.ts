/**
 * What a handler is told about the events of its pass. Pure.
 *
 * @module
 */

import type { ChangeEvent, HandlerWake, WakeEvent, WakeMessage } from '../types/wake.ts';

const NO_OFFSETS = { fromOffset: 0, toOffset: 0, eventCount: 0 } as const;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(event: ChangeEvent): Fields {
  return (event.value ?? {}) as Fields;
}

function inboxWake(event: ChangeEvent): WakeEvent {
  const { from, payload, message_type: messageType } = fieldsOf(event);
  return {
    source: String(from ?? ''),
    type: 'inbox',
    ...NO_OFFSETS,
    payload,
    ...(typeof messageType === 'string' && { summary: messageType }),
  };
}

function messageOf(event: ChangeEvent): WakeMessage {
  const { key: _key, ...message } = fieldsOf(event);
  return message as unknown as WakeMessage;
}

function singleWake(event: ChangeEvent): WakeEvent {
  const message = messageOf(event);
  const payload = { ...message, _timeline_order: `stream:${event.headers.offset}` };
  return { source: message.source, type: 'wake', ...NO_OFFSETS, payload };
}

function wakeBatch(entityUrl: string, events: readonly ChangeEvent[]): WakeEvent {
  const wakes = events.map(messageOf);
  const sources = [...new Set(wakes.map((wake) => wake.source))];
  const [onlySource] = sources;
  return {
    source: sources.length === 1 && onlySource !== undefined ? onlySource : entityUrl,
    type: 'wake',
    ...NO_OFFSETS,
    eventCount: wakes.length,
    payload: { type: 'wake_batch', sources, wakes, changes: wakes.flatMap((wake) => wake.changes) },
  };
}

/**
 * The wake of a pass: its newest message, else its wake row, else all its wake rows as one batch.
 *
 * @param entityUrl - source of a batch whose wakes have different sources
 * @param events - messages and wake rows of the pass, in stream order
 */
export function wakeEventOf(entityUrl: string, events: readonly ChangeEvent[]): WakeEvent {
  const newestMessage = events.findLast((event) => event.type === 'inbox');
  if (newestMessage !== undefined) return inboxWake(newestMessage);
  const wakes = events.filter((event) => event.type === 'wake');
  const [onlyWake] = wakes;
  if (onlyWake === undefined) return { source: entityUrl, type: 'message', ...NO_OFFSETS };
  return wakes.length === 1 ? singleWake(onlyWake) : wakeBatch(entityUrl, wakes);
}

/** The wake as `ctx.wake` gives it. */
export function handlerWakeOf(wake: WakeEvent): HandlerWake {
  if (wake.type === 'inbox') {
    const message = { type: wake.summary ?? 'message', payload: wake.payload, from: wake.source };
    return { type: 'inbox', source: wake.source, message, raw: wake };
  }
  return {
    type: 'other',
    wakeType: wake.type,
    source: wake.source,
    ...(wake.payload !== undefined && { payload: wake.payload }),
    raw: wake,
  };
}
