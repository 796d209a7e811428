/**
 * Runs: the agent loop's, and those that a handler records itself.
 *
 * @module
 */

import { createAgentHandle } from '../agent/handle.ts';
import type { AgentBridge, AgentEventType } from '../agent/port.ts';
import type { AgentHandle } from '../agent/types.ts';
import { appendOwn } from '../engine/append-own.ts';
import { NoAgentError } from '../errors.ts';
import type { HandlerContext } from '../types/context.ts';
import type { ChangeOperation } from '../types/wake.ts';
import type { PassScope } from './pass-scope.ts';

type Fields = Readonly<Record<string, unknown>>;

const TIMELINE_TYPES = [
  'inbox',
  'wake',
  'run',
  'text',
  'text_delta',
  'tool_call',
  'context_inserted',
  'context_removed',
];

/** What woke the entity, as text for a model. */
function triggerText(scope: PassScope): string {
  const { payload, type } = scope.wake;
  if (typeof payload === 'string' && payload !== '') return payload;
  return payload === undefined || payload === '' ? type : JSON.stringify(payload);
}

function timelineOf(scope: PassScope) {
  const { streams } = scope.core.store;
  return TIMELINE_TYPES.flatMap((type) =>
    streams.rows(scope.entity.id, type).map(({ _seq, _timeline_order, ...value }) => ({
      seq: Number(_seq),
      row: { type, key: String(value.key), value },
    })),
  )
    .sort((a, b) => a.seq - b.seq)
    .map(({ row }) => row);
}

/** The port through which the agent loop sees its wake. */
function createAgentBridge(scope: PassScope): AgentBridge {
  const { core, entity, manifest } = scope;
  return {
    signal: scope.signal,
    triggerText: triggerText(scope),
    nextIndex: (prefix) => scope.write('agent.run', () => core.store.streams.nextIndex(entity.id, prefix)),
    emit(type, key, operation, value) {
      emit(scope, 'agent.run', type, key, operation, value);
    },
    async flush() {
      scope.write('agent.run', () => manifest.commit());
      await scope.persisted();
    },
    timeline: async () => timelineOf(scope),
  };
}

function emit(
  scope: PassScope,
  member: string,
  type: AgentEventType,
  key: string,
  operation: ChangeOperation,
  value: Fields,
): void {
  scope.write(member, () =>
    appendOwn(scope.core, scope.entity, { type, key, operation, value: { key, ...value } }),
  );
}

function createRun(scope: PassScope, member: string) {
  const { streams } = scope.core.store;
  const next = (prefix: string) => scope.write(member, () => streams.nextIndex(scope.entity.id, prefix));
  const key = `run-${next('run')}`;
  emit(scope, member, 'run', key, 'insert', { status: 'started' });
  const textId = `msg-${next('msg')}`;
  let deltas = 0;
  return {
    key,
    attachResponse(text: string) {
      if (deltas === 0) emit(scope, member, 'text', textId, 'insert', { run_id: key, status: 'streaming' });
      const value = { text_id: textId, run_id: key, delta: text };
      emit(scope, member, 'text_delta', `${textId}:${deltas}`, 'insert', value);
      deltas += 1;
    },
    end({
      status,
      finishReason,
    }: {
      readonly status: 'completed' | 'failed';
      readonly finishReason?: string;
    }) {
      if (deltas > 0) emit(scope, member, 'text', textId, 'update', { run_id: key, status: 'completed' });
      const reason = finishReason === undefined ? {} : { finish_reason: finishReason };
      emit(scope, member, 'run', key, 'update', { status, ...reason });
    },
  };
}

/** The members that run. */
export function createRuns(
  scope: PassScope,
): Pick<HandlerContext, 'useAgent' | 'agent' | 'recordRun' | 'replyText'> {
  let handle: AgentHandle | undefined;
  return {
    useAgent(config) {
      handle = createAgentHandle(config, createAgentBridge(scope));
      return handle;
    },
    agent: {
      run(input, signal) {
        if (handle === undefined) return Promise.reject(new NoAgentError());
        return handle.run(input, signal);
      },
    },
    recordRun: () => createRun(scope, 'recordRun'),
    replyText(text) {
      if (text === '') return;
      const run = createRun(scope, 'replyText');
      run.attachResponse(text);
      run.end({ status: 'completed', finishReason: 'stop' });
    },
  };
}
