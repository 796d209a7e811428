/**
 * The three wire formats of model providers, as far as reviews use them: reading a request, and an answer as
 * the events of its stream. From the providers' API references (Anthropic Messages; OpenAI Responses and Chat
 * Completions).
 *
 * @module
 */
import type { ProviderAnswer, ProviderApi } from './provider-types.ts';

type Fields = Readonly<Record<string, unknown>>;
type Spoken = Extract<ProviderAnswer, { readonly kind: 'speak' }>;

/** One event of a stream; `name` only where the format names its events. */
export interface StreamEvent {
  readonly name?: string;
  readonly data: Fields | '[DONE]';
}

/** How one format reads and writes. */
export interface Format {
  readonly api: ProviderApi;
  /** End of the path under which it is served. */
  readonly path: string;
  readonly system: (body: Fields) => string;
  readonly lastUserText: (body: Fields) => string;
  /** What comes at once, before any content. */
  readonly begin: (body: Fields) => readonly StreamEvent[];
  readonly pieces: (content: Spoken['content'], pieces: readonly string[]) => readonly StreamEvent[];
  /** What an answer that ends as it should, or at its limit, has after its content. */
  readonly end: (content: Spoken['content'], by: 'whole' | 'length') => readonly StreamEvent[];
  readonly error: (status: number, message: string) => Fields;
  /** The event by which a stream reports that the provider is overloaded. */
  readonly overloaded: StreamEvent;
}

/** The text of a message's content: a string, or blocks with texts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: { readonly text?: string }) => block.text ?? '').join('\n');
}

function messages(body: Fields, key: 'messages' | 'input'): readonly Fields[] {
  return Array.isArray(body[key]) ? (body[key] as readonly Fields[]) : [];
}

const anthropic: Format = {
  api: 'anthropic-messages',
  path: '/messages',
  system: (body) => textOf(body.system),
  lastUserText: (body) => textOf(messages(body, 'messages').findLast(({ role }) => role === 'user')?.content),
  begin: (body) => [
    named({
      type: 'message_start',
      message: {
        id: 'msg_test',
        type: 'message',
        role: 'assistant',
        model: body.model,
        content: [],
        stop_reason: null,
        usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 40 },
      },
    }),
  ],
  pieces: (content, pieces) => [
    named({
      type: 'content_block_start',
      index: 0,
      content_block:
        'tool' in content
          ? { type: 'tool_use', id: 'toolu_test', name: content.tool, input: {} }
          : { type: 'text', text: '' },
    }),
    ...pieces.map((piece) =>
      named({
        type: 'content_block_delta',
        index: 0,
        delta:
          'tool' in content
            ? { type: 'input_json_delta', partial_json: piece }
            : { type: 'text_delta', text: piece },
      }),
    ),
  ],
  end: (content, by) => [
    named({ type: 'content_block_stop', index: 0 }),
    named({
      type: 'message_delta',
      delta: { stop_reason: by === 'length' ? 'max_tokens' : 'tool' in content ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: 20 },
    }),
    named({ type: 'message_stop' }),
  ],
  error: (status, message) => ({ type: 'error', error: { type: `error_${status}`, message } }),
  overloaded: named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
};

function named(data: Fields & { readonly type: string }): StreamEvent {
  return { name: data.type, data };
}

/** The one output item of a Responses answer. */
function item(content: Spoken['content'], said: string, status: string): Fields {
  return 'tool' in content
    ? {
        type: 'function_call',
        id: 'fc_test',
        call_id: 'call_test',
        name: content.tool,
        arguments: said,
        status,
      }
    : {
        type: 'message',
        id: 'msg_test',
        role: 'assistant',
        status,
        content: [{ type: 'output_text', text: said }],
      };
}

const responses: Format = {
  api: 'openai-responses',
  path: '/responses',
  system: (body) =>
    textOf(messages(body, 'input').find(({ role }) => role === 'system' || role === 'developer')?.content),
  lastUserText: (body) => textOf(messages(body, 'input').findLast(({ role }) => role === 'user')?.content),
  begin: (body) => [
    named({
      type: 'response.created',
      response: { id: 'resp_test', model: body.model, status: 'in_progress' },
    }),
  ],
  pieces: (content, pieces) => {
    const place = { item_id: 'tool' in content ? 'fc_test' : 'msg_test', output_index: 0 };
    const start = named({
      type: 'response.output_item.added',
      output_index: 0,
      item: item(content, '', 'in_progress'),
    });
    if ('tool' in content) {
      return [
        start,
        ...pieces.map((delta) => named({ type: 'response.function_call_arguments.delta', ...place, delta })),
      ];
    }
    const part = { type: 'output_text', text: '', annotations: [] };
    return [
      start,
      named({ type: 'response.content_part.added', ...place, content_index: 0, part }),
      ...pieces.map((delta) =>
        named({ type: 'response.output_text.delta', ...place, content_index: 0, delta }),
      ),
    ];
  },
  end: (content, by) => {
    const said = 'tool' in content ? content.args : content.text;
    const usage = {
      input_tokens: 100,
      output_tokens: 20,
      total_tokens: 120,
      input_tokens_details: { cached_tokens: 40 },
    };
    const response = { id: 'resp_test', usage };
    const incomplete = {
      ...response,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    };
    if (by === 'length') return [named({ type: 'response.incomplete', response: incomplete })];
    return [
      named({ type: 'response.output_item.done', output_index: 0, item: item(content, said, 'completed') }),
      named({ type: 'response.completed', response: { ...response, status: 'completed' } }),
    ];
  },
  error: (status, message) => ({ error: { code: `error_${status}`, message, type: 'test' } }),
  overloaded: named({
    type: 'response.failed',
    response: {
      id: 'resp_test',
      status: 'failed',
      error: { code: 'server_is_overloaded', message: 'Overloaded' },
    },
  }),
};

function chunk(delta: Fields, finish: string | null = null): StreamEvent {
  return {
    data: {
      id: 'chatcmpl-test',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: finish }],
    },
  };
}

const completions: Format = {
  api: 'openai-completions',
  path: '/chat/completions',
  system: (body) =>
    textOf(messages(body, 'messages').find(({ role }) => role === 'system' || role === 'developer')?.content),
  lastUserText: (body) => textOf(messages(body, 'messages').findLast(({ role }) => role === 'user')?.content),
  begin: () => [chunk({ role: 'assistant', content: '' })],
  pieces: (content, pieces) =>
    'tool' in content
      ? [
          chunk({
            tool_calls: [
              {
                index: 0,
                id: 'call_test',
                type: 'function',
                function: { name: content.tool, arguments: '' },
              },
            ],
          }),
          ...pieces.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
        ]
      : pieces.map((piece) => chunk({ content: piece })),
  end: (content, by) => [
    chunk({}, by === 'length' ? 'length' : 'tool' in content ? 'tool_calls' : 'stop'),
    {
      data: {
        id: 'chatcmpl-test',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'test',
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } },
      },
    },
    { data: '[DONE]' },
  ],
  error: (status, message) => ({ error: { code: `error_${status}`, message, type: 'test' } }),
  overloaded: { data: { error: { code: 'overloaded', message: 'Overloaded' } } },
};

/** The formats, by the end of their path; the longest first, since one path may end in another. */
export const FORMATS: readonly Format[] = [completions, responses, anthropic];
