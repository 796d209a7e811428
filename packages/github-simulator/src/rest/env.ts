import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { AppPermissions } from '../options.ts';

/** Who sent a request, as its token proves. */
export type Caller =
  | { readonly kind: 'anonymous' }
  /** The App itself, by its JSON web token. */
  | { readonly kind: 'app' }
  /** The App in its installation, with what the token may do. */
  | { readonly kind: 'installation'; readonly permissions: AppPermissions };

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    caller: Caller;
    /** False when no route was found: the simulator lacks what was asked for. */
    routed: boolean;
    /** What the request takes off the primary limit. */
    points: number;
  };
}

export type Ctx = Context<Env>;
export type Middleware = MiddlewareHandler<Env>;

/** Whether the caller is shown private membership. */
export function seesMembers(c: Ctx): boolean {
  const caller = c.get('caller');
  return caller.kind === 'installation' && caller.permissions.members !== undefined;
}
