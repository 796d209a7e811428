/**
 * The names of the settings.
 *
 * @module
 */
import { nearest } from './near.ts';

/** Every variable that is read, besides those of the model providers; `.env.example` has them all. */
export const VARIABLES = [
  'GH_APP_ID',
  'GH_APP_INSTALLATION_ID',
  'GH_APP_PRIVATE_KEY',
  'GITHUB_WEBHOOK_SECRET',
  'SHEPHERD_REPO',
  'SHEPHERD_MODEL',
  'SHEPHERD_MODEL_BASE_URL',
  'SHEPHERD_ANALYZERS',
  'HOST',
  'PORT',
  'LOG_LEVEL',
  'DATA_DIR',
  'PR_SHEPHERD_STATE_DIR',
  'SHEPHERD_SETTLE_MS',
  'SHEPHERD_ROUND_TIMEOUT_MS',
  'SHEPHERD_SWEEP_MS',
  'GITHUB_API_URL',
  'WEBHOOK_ENDPOINT_KEY',
] as const;

/** A variable that begins so is meant for us: one that is not known is a slip. */
const OURS = /^(?:SHEPHERD_|PR_SHEPHERD_|GH_APP_|GITHUB_WEBHOOK|WEBHOOK_ENDPOINT)/;

/** One warning for each of `names` that looks like a setting and is none. */
export function warnOfSlips(names: readonly string[]): readonly string[] {
  const known: readonly string[] = VARIABLES;
  return names
    .filter((name) => OURS.test(name) && !known.includes(name))
    .sort()
    .map((name) => {
      const [near] = nearest(name, known, 1);
      return near === undefined
        ? `${name} is not a setting and is ignored.`
        : `${name} is not a setting and is ignored; did you mean ${near}?`;
    });
}
