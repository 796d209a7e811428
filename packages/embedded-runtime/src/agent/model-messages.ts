/**
 * From the messages of the contract to those of pi-ai. Pure.
 *
 * @module
 */
import type {
  Api,
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  TextContent,
  ToolCall,
} from '@mariozechner/pi-ai';
import type { LLMMessage, LLMMessageContent } from '../types/llm.ts';

const NO_USAGE: AssistantMessage['usage'] = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
/** pi-ai wants a time on each message; no provider sends it. */
const NO_TIME = 0;

/** An assistant message without content, as if `model` had made it. */
export function emptyAnswer(model: Model<Api>, stopReason: AssistantMessage['stopReason']): AssistantMessage {
  const { api, provider, id } = model;
  return {
    role: 'assistant',
    content: [],
    api,
    provider,
    model: id,
    usage: NO_USAGE,
    stopReason,
    timestamp: NO_TIME,
  };
}

/** A user message with one text. */
export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: NO_TIME };
}

function blocksOf(content: LLMMessageContent): (TextContent | ImageContent)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textBlocksOf(content: LLMMessageContent): TextContent[] {
  return blocksOf(content).filter((block) => block.type === 'text');
}

/** What the assistant said and called in a row is one message. */
function addToAnswer(
  messages: Message[],
  blocks: readonly AssistantMessage['content'][number][],
  model: Model<Api>,
): void {
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    last.content.push(...blocks);
    return;
  }
  messages.push({ ...emptyAnswer(model, 'stop'), content: [...blocks] });
}

/** The same conversation as pi-ai's messages. A call without a result stays open; pi-ai closes it towards the provider. */
export function toModelMessages(conversation: readonly LLMMessage[], model: Model<Api>): Message[] {
  const messages: Message[] = [];
  const toolNames = new Map<string, string>();
  for (const message of conversation) {
    switch (message.role) {
      case 'user':
        messages.push({ role: 'user', content: blocksOf(message.content), timestamp: NO_TIME });
        break;
      case 'assistant':
        addToAnswer(messages, textBlocksOf(message.content), model);
        break;
      case 'tool_call': {
        const { toolCallId: id, toolName: name, toolArgs } = message;
        toolNames.set(id, name);
        addToAnswer(messages, [{ type: 'toolCall', id, name, arguments: argumentsOf(toolArgs) }], model);
        break;
      }
      case 'tool_result':
        messages.push({
          role: 'toolResult',
          toolCallId: message.toolCallId,
          toolName: toolNames.get(message.toolCallId) ?? '',
          content: blocksOf(message.content),
          isError: message.isError,
          timestamp: NO_TIME,
        });
        break;
    }
  }
  return messages;
}

function argumentsOf(args: unknown): ToolCall['arguments'] {
  return (typeof args === 'object' && args !== null ? args : {}) as ToolCall['arguments'];
}
