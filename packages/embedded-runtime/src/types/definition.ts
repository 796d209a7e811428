/**
 * Entity types.
 *
 * @module
 */

import type {
  EntityActionMap,
  EntityCollectionsFromState,
  EntityStreamDBWithActions,
  HandlerActions,
  StateProxyFrom,
} from './collections.ts';
import type { HandlerContext } from './context.ts';
import type { EntityArgs, EntitySchema, EntityStateDefinition } from './schema.ts';
import type { WakeEvent } from './wake.ts';

/**
 * One entity type: its schemas, its collections and its handler. The type of `ctx.args` follows from
 * `creationSchema`, that of `ctx.state` from `state`.
 */
export interface EntityDefinition<
  TCreationSchema extends EntitySchema | undefined = EntitySchema | undefined,
  TState extends EntityStateDefinition | undefined = EntityStateDefinition | undefined,
  TActions extends EntityActionMap = EntityActionMap,
> {
  /** Default: `<name> entity`. */
  readonly description?: string;
  readonly state?: TState;
  /** Own actions over the collections, offered as `ctx.actions` and `ctx.db.actions`. */
  readonly actions?: (collections: EntityCollectionsFromState<TState>) => TActions;
  /** Checks the arguments of a spawn, when there are any. Defaults are not applied. */
  readonly creationSchema?: TCreationSchema;
  /** Checks typed messages. */
  readonly inboxSchemas?: Readonly<Record<string, EntitySchema>>;
  /** Further event types that the entity may append. */
  readonly stateSchemas?: Readonly<Record<string, EntitySchema>>;
  /** Kept for the published runtime; one process has one principal. */
  readonly permissionGrants?: readonly unknown[];
  /** Kept for the published runtime's user interface. */
  readonly slashCommands?: readonly unknown[];
  handler(
    ctx: HandlerContext<
      StateProxyFrom<TState>,
      EntityArgs<TCreationSchema>,
      HandlerActions<TActions>,
      EntityStreamDBWithActions<TState, TActions>
    >,
    wake: WakeEvent,
  ): void | Promise<void>;
}

/** A definition whose type parameters are forgotten, as the host keeps it. */
export type AnyEntityDefinition = Omit<EntityDefinition, 'handler' | 'actions'> & {
  actions?(collections: Readonly<Record<string, unknown>>): EntityActionMap;
  // biome-ignore lint/suspicious/noExplicitAny: the context was made for exactly this definition
  handler(ctx: any, wake: WakeEvent): void | Promise<void>;
};
