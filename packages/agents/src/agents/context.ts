/**
 * What our handlers use of the runtime's context, so that their parts can be typed by what they touch.
 *
 * @module
 */
import type { HandlerContext } from '@electric-ax/agents-runtime';

/** A message as the runtime keeps it. */
export interface InboxMessage {
  readonly key: string;
  readonly payload?: unknown;
  readonly message_type?: string;
  readonly _timeline_order?: string;
}

/** A wake row, as far as it is read: which rows of which source changed. */
export interface WakeNotice {
  readonly key: string;
  readonly source: string;
  readonly changes: readonly { readonly collection: string; readonly key: string }[];
  readonly _timeline_order?: string;
}

/** A context whose state collections are `State`. */
export type Ctx<State> = Pick<
  HandlerContext,
  | 'entityUrl'
  | 'signal'
  | 'spawn'
  | 'send'
  | 'observe'
  | 'useAgent'
  | 'insertContext'
  | 'removeContext'
  | 'getContext'
> & {
  readonly state: State;
  readonly db: {
    readonly collections: {
      readonly inbox: { readonly toArray: readonly InboxMessage[] };
      readonly wakes: { readonly toArray: readonly WakeNotice[] };
      readonly manifests: { has(key: string): boolean };
    };
  };
};

/**
 * Makes sure that an entity exists. Spawning one's own child again throws before anything is sent, and one
 * that somebody else spawned answers with a handle; so the manifest is asked first, and no message is given
 * along: it would be lost with the second call.
 */
export async function ensureEntity(
  ctx: Pick<Ctx<unknown>, 'spawn' | 'db'>,
  type: string,
  id: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (ctx.db.collections.manifests.has(`child:${type}:${id}`)) return;
  await ctx.spawn(type, id, args);
}
