/**
 * From the loop's events to the entity's rows.
 *
 * @module
 */
import type { AgentEvent } from '@mariozechner/pi-agent-core';
import type { AssistantMessage, AssistantMessageEvent, Usage } from '@mariozechner/pi-ai';
import type { RunWriter } from './run-writer.ts';
import type { StepStats } from './types.ts';

const STEP_FINISH: Readonly<Record<AssistantMessage['stopReason'], string>> = {
  stop: 'stop',
  length: 'length',
  toolUse: 'tool_calls',
  error: 'error',
  aborted: 'aborted',
};

function statsOf(usage: Usage): StepStats {
  const uncachedInput = usage.input + usage.cacheWrite;
  return { input: uncachedInput + usage.cacheRead, uncachedInput, output: usage.output };
}

/** A listener for one run. It falls silent when the run has ended: a tool that outlives its run writes nothing. */
export function createEventSink(
  writer: RunWriter,
  onStepEnd: ((stats: StepStats) => void) | undefined,
): (event: AgentEvent) => void {
  let streamedText = false;

  const onUpdate = (event: AssistantMessageEvent): void => {
    switch (event.type) {
      case 'text_delta':
        streamedText = true;
        writer.text(event.delta);
        break;
      case 'thinking_delta':
        writer.reasoning(event.delta);
        break;
      case 'text_end':
      case 'thinking_end':
        writer.endBlock();
        break;
      default:
        break;
    }
  };

  const onAnswer = (answer: AssistantMessage): void => {
    // A stream may give its text with the last event only.
    const texts = streamedText ? [] : answer.content.filter((block) => block.type === 'text');
    for (const { text } of texts) writer.text(text);
    streamedText = false;
    const wasCalled = writer.endStep(STEP_FINISH[answer.stopReason], answer.usage);
    if (wasCalled) onStepEnd?.(statsOf(answer.usage));
  };

  return (event) => {
    if (writer.ended) return;
    switch (event.type) {
      case 'message_update':
        onUpdate(event.assistantMessageEvent);
        break;
      case 'message_end':
        if (event.message.role === 'assistant') onAnswer(event.message);
        break;
      case 'tool_execution_start':
        writer.startTool(event.toolCallId, event.toolName, event.args);
        break;
      case 'tool_execution_end':
        writer.endTool(event.toolCallId, event.result, event.isError);
        break;
      default:
        break;
    }
  };
}
