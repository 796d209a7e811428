import type { Api, Model } from '@mariozechner/pi-ai';
import { expect, it } from 'vitest';
import { toModelMessages } from './model-messages.ts';
import type { TimelineRow } from './port.ts';
import { defaultMessages } from './timeline.ts';

const MODEL = { id: 'm', api: 'a', provider: 'p' } as Model<Api>;

function row(type: string, key: string, value: TimelineRow['value']): TimelineRow {
  return { type, key, at: 0, value };
}

/** Role and text of each message; a tool call as `name(args)`, several blocks joined by ` + `. */
function outline(...rows: readonly TimelineRow[]): readonly string[] {
  return toModelMessages(defaultMessages(rows), MODEL).map((message) => {
    const blocks = typeof message.content === 'string' ? [] : message.content;
    const texts = blocks.map((block) => {
      if (block.type === 'toolCall') return `${block.name}(${JSON.stringify(block.arguments)})`;
      return block.type === 'text' ? block.text : block.type;
    });
    return `${message.role}: ${texts.join(' + ')}`;
  });
}

it('tells messages and wakes in order', () => {
  const wake = { timestamp: 't', source: '/kid/k1', timeout: false, changes: [], $synced: true, _seq: 4 };
  expect(
    outline(
      row('inbox', 'i1', { payload: 'hello', status: 'processed' }),
      row('wake', 'w1', wake),
      row('inbox', 'i2', { payload: { a: 1 } }),
      row('signal', 's1', { signal: 'SIGINT' }),
    ),
  ).toEqual([
    'user: hello',
    'user: {"timestamp":"t","source":"/kid/k1","timeout":false,"changes":[]}',
    'user: {"a":1}',
  ]);
});

it('leaves out messages that are cancelled, not due, or empty', () => {
  expect(
    outline(
      row('inbox', 'i1', { payload: 'cancelled', status: 'cancelled' }),
      row('inbox', 'i2', { payload: 'later', status: 'pending', mode: 'queued' }),
      row('inbox', 'i3', { payload: 'now', status: 'pending', mode: 'immediate' }),
      row('inbox', 'i4', { status: 'processed' }),
      row('inbox', 'i5', { payload: '' }),
    ),
  ).toEqual(['user: now']);
});

it('tells own runs with their texts and tool calls where the run began', () => {
  expect(
    outline(
      row('run', 'run-0', { status: 'completed' }),
      row('text_delta', 'msg-0:0', { run_id: 'run-0', text_id: 'msg-0', delta: 'Let me ' }),
      row('text_delta', 'msg-0:1', { run_id: 'run-0', text_id: 'msg-0', delta: 'look.' }),
      row('inbox', 'i1', { payload: 'came meanwhile' }),
      row('tool_call', 'tc-0', {
        run_id: 'run-0',
        tool_name: 'look',
        args: { at: 1 },
        status: 'completed',
        result: JSON.stringify({ content: [{ type: 'text', text: 'seen' }], details: { secret: 1 } }),
      }),
      row('text_delta', 'msg-1:0', { run_id: 'run-0', text_id: 'msg-1', delta: 'Done.' }),
    ),
  ).toEqual([
    'assistant: Let me look. + look({"at":1})',
    'toolResult: seen',
    'assistant: Done.',
    'user: came meanwhile',
  ]);
});

it('tells a failed tool call as an error, and one that never ended without a result', () => {
  const call = { run_id: 'run-0', tool_name: 'look', args: undefined };
  const messages = toModelMessages(
    defaultMessages([
      row('run', 'run-0', { status: 'started' }),
      row('tool_call', 'tc-0', { ...call, status: 'failed', error: 'no such file' }),
      row('tool_call', 'tc-1', { ...call, status: 'started' }),
    ]),
    MODEL,
  );
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'toolResult', 'assistant']);
  expect(messages[1]).toMatchObject({
    toolCallId: 'tc-0',
    isError: true,
    content: [{ type: 'text', text: 'no such file' }],
  });
});

it('tells the context entries that still hold', () => {
  const entry = (id: string, content: string, attrs = {}) => ({ id, name: 'note', attrs, content });
  expect(
    outline(
      row('context_inserted', 'c1', entry('a', 'old')),
      row('context_inserted', 'c2', entry('b', 'gone')),
      row('context_inserted', 'c3', entry('a', 'new', { file: '"x"<y>' })),
      row('context_removed', 'c4', { id: 'b', name: 'note' }),
      row('context_inserted', 'c5', entry('c', 'here')),
      row('context_removed', 'c6', { id: 'c', name: 'note' }),
      row('context_inserted', 'c7', entry('c', 'here again')),
    ),
  ).toEqual(['user: <note file="&#34;x&#34;&#60;y&#62;">new</note>', 'user: <note>here again</note>']);
});
