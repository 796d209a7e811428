import type { AppPermissions, PermissionLevel } from '../options.ts';
import type { Caller, Middleware } from './env.ts';
import { forbidden } from './responses.ts';

/** A permission as GitHub's `X-Accepted-GitHub-Permissions` writes it, such as `issues=write`. */
export type PermissionNeed = `${string}=${PermissionLevel}`;

/** Lets an installation token pass that has one of the permissions; anybody else gets 403. */
export function needs(...alternatives: readonly PermissionNeed[]): Middleware {
  return async (c, next) => {
    const caller = c.get('caller');
    if (!alternatives.some((need) => grants(caller, need))) return forbidden(c, alternatives.join('; '));
    return next();
  };
}

export function grants(caller: Caller, need: PermissionNeed): boolean {
  if (caller.kind !== 'installation') return false;
  const [key = '', level] = need.split('=');
  const held = caller.permissions[key];
  return held === 'write' || (held === 'read' && level === 'read');
}

/** Whether `wanted` asks for nothing that `granted` lacks. */
export function isWithin(wanted: AppPermissions, granted: AppPermissions): boolean {
  const caller = { kind: 'installation', permissions: granted } as const;
  return Object.entries(wanted).every(([key, level]) => grants(caller, `${key}=${level}`));
}
