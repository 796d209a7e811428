/**
 * The tools that `ctx.useContext` adds, with which a model reads what its context leaves out.
 *
 * @module
 */
import { MissingContextError } from '../errors.ts';
import type { TimelineRow } from './port.ts';
import { contextHistory, timelineMessages } from './timeline.ts';
import type { AgentTool } from './types.ts';

function reader(
  name: string,
  label: string,
  description: string,
  properties: Readonly<Record<string, 'string' | 'number'>>,
  // biome-ignore lint/suspicious/noExplicitAny: arguments are checked against `parameters` before
  read: (params: any) => Promise<string>,
): AgentTool {
  const types = Object.entries(properties).map(([key, type]) => [key, { type }]);
  return {
    name,
    label,
    description,
    parameters: { type: 'object', properties: Object.fromEntries(types), required: Object.keys(properties) },
    execute: async (_id, params) => ({
      content: [{ type: 'text', text: await read(params) }],
      details: {},
    }),
  };
}

/** The loop hands what a tool throws to the model. */
function found(text: string | undefined, what: string): string {
  if (text === undefined) throw new MissingContextError(what);
  return text;
}

/**
 * @param loadTimeline - the entity's rows as they are when a tool is called
 * @param snapshots - whole texts of the sources that were cut, by snapshot id
 */
export function createContextTools(
  loadTimeline: () => Promise<readonly TimelineRow[]>,
  snapshots: ReadonlyMap<string, string>,
): AgentTool[] {
  return [
    reader(
      'load_timeline_range',
      'Load timeline range',
      'Reads messages of the timeline that were dropped, by their offsets.',
      { from: 'number', to: 'number' },
      async ({ from, to }: { readonly from: number; readonly to: number }) =>
        timelineMessages(await loadTimeline(), { since: from })
          .filter(({ at }) => at <= to)
          .map(({ at: _at, ...message }) => JSON.stringify(message))
          .join('\n'),
    ),
    reader(
      'load_source_range',
      'Load source range',
      'Reads characters of a source that was cut.',
      { name: 'string', from: 'number', to: 'number', snapshot: 'string' },
      async ({
        from,
        to,
        snapshot,
      }: {
        readonly from: number;
        readonly to: number;
        readonly snapshot: string;
      }) => found(snapshots.get(snapshot), `snapshot ${snapshot}`).slice(from, to),
    ),
    reader(
      'load_context_history',
      'Load context history',
      'Reads a context entry as it was before it was replaced or removed, by its offset.',
      { id: 'string', offset: 'string' },
      async ({ id, offset }: { readonly id: string; readonly offset: string }) =>
        found(contextHistory(await loadTimeline(), id, offset), `context history for ${id} @ ${offset}`),
    ),
  ];
}
