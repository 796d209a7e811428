/**
 * The agent of a pass, and what it reads.
 *
 * @module
 */

import { createAgentHandle } from '../agent/handle.ts';
import type { AgentBridge, TimelineRow } from '../agent/port.ts';
import { checkContextConfig } from '../agent/sources.ts';
import { timelineMessages } from '../agent/timeline.ts';
import type { AgentHandle } from '../agent/types.ts';
import { NoAgentError } from '../errors.ts';
import type { HandlerContext } from '../types/context.ts';
import type { UseContextConfig } from '../types/llm.ts';
import type { PassScope } from './pass-scope.ts';
import { emitRow } from './runs.ts';

const TIMELINE_TYPES = [
  'inbox',
  'wake',
  'signal',
  'run',
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

function timelineOf(scope: PassScope): TimelineRow[] {
  const { streams } = scope.core.store;
  return TIMELINE_TYPES.flatMap((type) =>
    streams.rows(scope.entity.id, type).map(({ _seq, _timeline_order, ...value }) => ({
      type,
      key: String(value.key),
      at: Number(_seq),
      value,
    })),
  ).sort((a, b) => a.at - b.at);
}

/** The port through which the agent loop sees its wake. */
function createAgentBridge(scope: PassScope): AgentBridge {
  const { core, entity, manifest } = scope;
  return {
    signal: scope.signal,
    triggerText: triggerText(scope),
    nextIndex: (prefix) => scope.write('agent.run', () => core.store.streams.nextIndex(entity.id, prefix)),
    emit: (type, key, operation, value) => emitRow(scope, 'agent.run', { type, key, operation, value }),
    async flush() {
      scope.write('agent.run', () => manifest.commit());
      await scope.persisted();
    },
    timeline: async () => timelineOf(scope),
  };
}

/** The members around the model. */
export function createAgentMembers(
  scope: PassScope,
): Pick<HandlerContext, 'useAgent' | 'agent' | 'useContext' | 'timelineMessages'> {
  let handle: AgentHandle | undefined;
  let contextConfig: UseContextConfig | undefined;
  return {
    useAgent(config) {
      handle = createAgentHandle(config, createAgentBridge(scope), () => contextConfig);
      return handle;
    },
    agent: {
      run(input, signal) {
        if (handle === undefined) return Promise.reject(new NoAgentError());
        return handle.run(input, signal);
      },
    },
    useContext(config) {
      checkContextConfig(config);
      contextConfig = config;
    },
    timelineMessages: (options) => timelineMessages(timelineOf(scope), options),
  };
}
