import { randomBytes } from 'node:crypto';
import type { AppPermissions } from '../options.ts';
import { clientId } from '../shapes/app.ts';
import type { World } from '../world/world.ts';
import { type AppKeys, refuseJwt } from './app-token.ts';
import type { Caller, Middleware } from './env.ts';
import { apiError } from './responses.ts';

/** Installation tokens and who they stand for. */
export interface Tokens {
  mint(permissions: AppPermissions): { readonly token: string; readonly expiresAt: Date };
  find(token: string): Caller | undefined;
}

const TOKEN_LIFE_MS = 60 * 60 * 1000;

export function createTokens(world: World): Tokens {
  const minted = new Map<string, { readonly caller: Caller; readonly expiresAt: Date }>();
  return {
    mint: (permissions) => {
      // GitHub's newer tokens carry the App's id and three encoded parts; their length is not fixed.
      const parts = [12, 60, 32].map((sizeBytes) => randomBytes(sizeBytes).toString('base64url'));
      const token = `${['ghs', world.app.id].join('_')}_${parts.join('.')}`;
      const expiresAt = new Date(world.now().getTime() + TOKEN_LIFE_MS);
      minted.set(token, { caller: { kind: 'installation', permissions }, expiresAt });
      return { token, expiresAt };
    },
    find: (token) => {
      const found = minted.get(token);
      return found !== undefined && found.expiresAt > world.now() ? found.caller : undefined;
    },
  };
}

/** Finds out who is calling. No token and a bad token get 401, as on a private GitHub. */
export function authenticate(world: World, keys: AppKeys, tokens: Tokens): Middleware {
  const issuers = [String(world.app.id), clientId(world)];
  return async (c, next) => {
    const token = /^(?:bearer|token) +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (token === undefined) return apiError(c, 401, 'Requires authentication');
    const known = tokens.find(token);
    if (known !== undefined) {
      c.set('caller', known);
      return next();
    }
    if (!isJwtShaped(token)) return apiError(c, 401, 'Bad credentials');
    const refusal = await refuseJwt(token, { publicKey: keys.publicKey, issuers, now: world.now() });
    if (refusal !== undefined) return apiError(c, refusal.status, refusal.message);
    c.set('caller', { kind: 'app' });
    return next();
  };
}

/** For routes that only the App's JSON web token opens. */
export const onlyApp: Middleware = async (c, next) =>
  c.get('caller').kind === 'app' ? next() : apiError(c, 401, 'A JSON web token could not be decoded');

/** An expired installation token has the same number of dots, but not this beginning. */
function isJwtShaped(token: string): boolean {
  return token.split('.').length === 3 && token.startsWith('ey');
}
