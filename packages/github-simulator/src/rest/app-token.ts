import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { compactVerify } from 'jose';
import { z } from 'zod';
import { once } from '../once.ts';

export interface AppKeys {
  readonly publicKey: KeyObject;
  /** PKCS#1, as GitHub hands it out. */
  readonly privateKeyPem: string;
}

/** The keys of this process: they guard nothing, and to make some for each simulator takes longer than all else of it. */
export const appKeys = once(async (): Promise<AppKeys> => {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { publicKey, privateKeyPem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString() };
});

/** Why GitHub refuses a JSON web token: the status and its own words. */
export interface JwtRefusal {
  readonly status: 401 | 404;
  readonly message: string;
}

export interface JwtRules {
  readonly publicKey: KeyObject;
  /** App id and client id: either may be the issuer. */
  readonly issuers: readonly string[];
  readonly now: Date;
}

/** GitHub accepts tokens that expire at most ten minutes from now. */
const MAX_LIFE_SECONDS = 600;

const REFUSALS = {
  unreadable: 'A JSON web token could not be decoded',
  issuedAt:
    "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
  expired:
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
  tooFar: "'Expiration time' claim ('exp') is too far in the future",
} as const;

const claimsSchema = z.object({
  iss: z.union([z.string(), z.number()]).transform(String),
  iat: z.unknown(),
  exp: z.unknown(),
});

/** Checks signature, issuer and times. Undefined means that the token is good. */
export async function refuseJwt(token: string, rules: JwtRules): Promise<JwtRefusal | undefined> {
  const claims = await verifiedClaims(token, rules.publicKey);
  if (claims === undefined) return { status: 401, message: REFUSALS.unreadable };
  if (!rules.issuers.includes(claims.iss)) return { status: 404, message: 'Integration not found' };
  const nowSeconds = Math.floor(rules.now.getTime() / 1000);
  const { iat, exp } = claims;
  if (typeof iat !== 'number' || iat > nowSeconds) return { status: 401, message: REFUSALS.issuedAt };
  if (typeof exp !== 'number' || exp <= nowSeconds) return { status: 401, message: REFUSALS.expired };
  if (exp > nowSeconds + MAX_LIFE_SECONDS) return { status: 401, message: REFUSALS.tooFar };
  return undefined;
}

async function verifiedClaims(token: string, publicKey: KeyObject) {
  try {
    const { payload } = await compactVerify(token, publicKey, { algorithms: ['RS256'] });
    return claimsSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch {
    return undefined;
  }
}
