/**
 * Runs that a handler records itself.
 *
 * @module
 */

import type { AgentEventType } from '../agent/port.ts';
import { appendOwn } from '../engine/append-own.ts';
import type { HandlerContext, RunHandle } from '../types/context.ts';
import type { ChangeOperation } from '../types/wake.ts';
import type { PassScope } from './pass-scope.ts';

/** A row of a run. */
export interface RunEvent {
  readonly type: AgentEventType;
  readonly key: string;
  readonly operation: ChangeOperation;
  /** The row without its key. */
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Appends a row of a run.
 *
 * @param member - the context's member that runs, for errors
 */
export function emitRow(scope: PassScope, member: string, event: RunEvent): void {
  const { key, value } = event;
  scope.write(member, () => appendOwn(scope.core, scope.entity, { ...event, value: { key, ...value } }));
}

function createRun(scope: PassScope, member: string): RunHandle {
  const { streams } = scope.core.store;
  const next = (prefix: string) => scope.write(member, () => streams.nextIndex(scope.entity.id, prefix));
  const emit = (type: AgentEventType, key: string, operation: ChangeOperation, value: RunEvent['value']) =>
    emitRow(scope, member, { type, key, operation, value });
  const key = `run-${next('run')}`;
  emit('run', key, 'insert', { status: 'started' });
  const textId = `msg-${next('msg')}`;
  let deltas = 0;
  return {
    key,
    attachResponse(text) {
      if (deltas === 0) emit('text', textId, 'insert', { run_id: key, status: 'streaming' });
      const value = { text_id: textId, run_id: key, delta: text };
      emit('text_delta', `${textId}:${deltas}`, 'insert', value);
      deltas += 1;
    },
    end({ status, finishReason }) {
      if (deltas > 0) emit('text', textId, 'update', { run_id: key, status: 'completed' });
      const reason = finishReason === undefined ? {} : { finish_reason: finishReason };
      emit('run', key, 'update', { status, ...reason });
    },
  };
}

/** The members that run without a model. */
export function createRuns(scope: PassScope): Pick<HandlerContext, 'recordRun' | 'replyText'> {
  return {
    recordRun: () => createRun(scope, 'recordRun'),
    replyText(text) {
      if (text === '') return;
      const run = createRun(scope, 'replyText');
      run.attachResponse(text);
      run.end({ status: 'completed', finishReason: 'stop' });
    },
  };
}
