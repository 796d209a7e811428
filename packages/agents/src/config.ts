/**
 * The configuration, read from the environment and `.env.local`. Nothing else reads either.
 *
 * @module
 */
import { readLocalFile } from './config-local-file.ts';
import { Secret } from './config-secret.ts';
import { type Environment, SettingsReader } from './config-values.ts';
import { warnOfSlips } from './config-variables.ts';
import { ConfigError } from './errors.ts';
import { WEBHOOK_ENDPOINT_KEY_DEFAULT } from './github-events.ts';
import { parseRepo, type RepoRef } from './ids.ts';
import { readPrivateKey } from './private-key.ts';

/** How much the log tells, from most to least. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Which model reviews, as set and not yet judged. */
export interface ModelSettings {
  /** `SHEPHERD_MODEL`. */
  readonly setting: string | undefined;
  /** `SHEPHERD_MODEL_BASE_URL`. */
  readonly baseUrl: string | undefined;
  /** Providers' variables that are set, by name. */
  readonly keys: Secret<Readonly<Record<string, string>>>;
}

/** What every command needs, and all of it has defaults. */
export interface CommonConfig {
  readonly model: ModelSettings;
  readonly logLevel: LogLevel;
  /** Where the service listens, and where commands that ask it find it. Port 0 is any free port. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly repo: RepoRef;
  /** The entities' database. Absolute. */
  readonly dataDir: string;
  /** The seen markers. Absolute. */
  readonly stateDir: string;
  /** What is probably not meant so, one sentence each. */
  readonly warnings: readonly string[];
}

/** What the service needs. */
export interface ServiceConfig extends CommonConfig {
  readonly app: {
    readonly id: number;
    readonly installationId: number;
    /** PKCS#8 PEM. */
    readonly privateKey: Secret;
  };
  readonly webhookSecret: Secret;
  /** Whether the built-in analyzers take part. */
  readonly analyzers: boolean;
  readonly github: {
    /** REST root, without a trailing slash. */
    readonly apiUrl: string;
    /** Where people read, without a trailing slash. */
    readonly webUrl: string;
  };
  /** Name of the webhook source. */
  readonly endpointKey: string;
  readonly windows: {
    /** How long a round waits for a further push. */
    readonly settleMs: number;
    /** How long a round may take. */
    readonly roundTimeoutMs: number;
    /** Time between two looks at all open PRs; 0: only one at the start. */
    readonly sweepMs: number;
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECRET_LENGTH_ADVISED = 16;
const GITHUB_API_URL = 'https://api.github.com';
const ENDPOINT_KEY = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The environment of this process. */
export function processEnvironment(): Environment {
  // biome-ignore lint/style/noProcessEnv: the one place that reads it
  return process.env;
}

/**
 * Reads everything that the service needs.
 *
 * @param environment wins over `.env.local`, also where it sets a variable to nothing.
 * @param cwd where `.env.local` is looked for, and what relative paths start from.
 * @param modelVariables names of the variables that give access to models.
 * @throws ConfigError with all faults at once.
 */
export function loadConfig(
  environment: Environment,
  cwd: string,
  modelVariables: readonly string[],
): ServiceConfig {
  const { reader, common } = readCommon(environment, cwd, modelVariables);
  const app = {
    id: reader.id('GH_APP_ID', "it is the App ID on the App's settings page, digits only"),
    installationId: reader.id(
      'GH_APP_INSTALLATION_ID',
      "it is the number at the end of the address of the installation's settings page",
    ),
    privateKey: readKey(reader, cwd),
  };
  const webhookSecret = reader.required(
    'GITHUB_WEBHOOK_SECRET',
    "there is no unsigned mode; take 32 random bytes (openssl rand -hex 32) and enter them in the App's settings, too",
  );
  const apiUrl = reader.address('GITHUB_API_URL') ?? GITHUB_API_URL;
  const endpointKey = reader.checked(
    'WEBHOOK_ENDPOINT_KEY',
    WEBHOOK_ENDPOINT_KEY_DEFAULT,
    `at most 63 of a-z, 0-9, ".", "_" and "-", beginning with a letter or digit, such as ${WEBHOOK_ENDPOINT_KEY_DEFAULT}`,
    (text) => (ENDPOINT_KEY.test(text) ? text : undefined),
  );
  const windows = readWindows(reader);
  const analyzers = reader.checked('SHEPHERD_ANALYZERS', true, 'on or off', (text) =>
    /^(?:on|off)$/i.test(text) ? text.toLowerCase() === 'on' : undefined,
  );
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return {
    ...common,
    app,
    webhookSecret: new Secret(webhookSecret ?? ''),
    github: { apiUrl, webUrl: webUrlOf(apiUrl) },
    endpointKey,
    windows,
    analyzers,
    warnings: [...common.warnings, ...warnOfShortSecret(webhookSecret)],
  };
}

/**
 * Reads what commands need that run without the service and without credentials. Parameters as in
 * {@link loadConfig}.
 *
 * @throws ConfigError with all faults at once.
 */
export function loadCommonConfig(
  environment: Environment,
  cwd: string,
  modelVariables: readonly string[],
): CommonConfig {
  const { reader, common } = readCommon(environment, cwd, modelVariables);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return common;
}

interface Common {
  readonly reader: SettingsReader;
  readonly common: CommonConfig;
}

function readCommon(environment: Environment, cwd: string, modelVariables: readonly string[]): Common {
  const local = readLocalFile(cwd);
  const given = Object.entries(environment).filter(([, value]) => value !== undefined);
  const merged: Environment = { ...local.variables, ...Object.fromEntries(given) };
  const reader = new SettingsReader(merged);
  reader.problems.push(...local.problems);
  const keys = modelVariables.flatMap((name) => {
    const value = reader.optional(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const common: CommonConfig = {
    model: {
      setting: reader.optional('SHEPHERD_MODEL'),
      baseUrl: reader.optional('SHEPHERD_MODEL_BASE_URL'),
      keys: new Secret(Object.fromEntries(keys)),
    },
    logLevel: reader.checked<LogLevel>('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      LOG_LEVELS.find((level) => level === text.toLowerCase()),
    ),
    listen: {
      host: reader.checked('HOST', '127.0.0.1', 'a host name or an address to listen on', (text) =>
        /^[A-Za-z0-9.:%_-]+$/.test(text) ? text : undefined,
      ),
      port: reader.whole('PORT', '', { min: 0, max: 65_535, fallback: 8787 }),
    },
    repo: reader.checked<RepoRef>(
      'SHEPHERD_REPO',
      { owner: 'electric-sql', repo: 'electric' },
      'a repository as owner/repo, such as electric-sql/electric',
      parseRepo,
    ),
    dataDir: reader.directory('DATA_DIR', cwd, {
      variable: 'XDG_DATA_HOME',
      underHome: '.local/share',
      directory: 'openfactory',
    }),
    stateDir: reader.directory('PR_SHEPHERD_STATE_DIR', cwd, {
      variable: 'XDG_STATE_HOME',
      underHome: '.local/state',
      directory: 'pr-shepherd',
    }),
    warnings: warnOfSlips(Object.keys(merged)),
  };
  return { reader, common };
}

function readKey(reader: SettingsReader, cwd: string): Secret {
  const value = reader.required(
    'GH_APP_PRIVATE_KEY',
    "generate a key in the App's settings under Private keys, and give the path of the file",
  );
  if (value === undefined) return new Secret('');
  const result = readPrivateKey(value, cwd);
  if (result.kind === 'key') return result.pem;
  reader.problems.push(`GH_APP_PRIVATE_KEY ${result.problem}.`);
  return new Secret('');
}

function readWindows(reader: SettingsReader): ServiceConfig['windows'] {
  const unit = 'of milliseconds ';
  return {
    settleMs: reader.whole('SHEPHERD_SETTLE_MS', unit, { min: 0, max: 10 * MINUTE_MS, fallback: 10_000 }),
    roundTimeoutMs: reader.whole('SHEPHERD_ROUND_TIMEOUT_MS', unit, {
      min: 1,
      max: HOUR_MS,
      fallback: 5 * MINUTE_MS,
    }),
    sweepMs: reader.whole('SHEPHERD_SWEEP_MS', unit, { min: 0, max: 24 * HOUR_MS, fallback: 15 * MINUTE_MS }),
  };
}

function warnOfShortSecret(secret: string | undefined): readonly string[] {
  if (secret === undefined || secret.length >= SECRET_LENGTH_ADVISED) return [];
  return [
    `GITHUB_WEBHOOK_SECRET is short enough to be guessed: take 32 random bytes (openssl rand -hex 32).`,
  ];
}

/**
 * Enterprise Server has its API under `/api/v3` of the address that people use; github.com and the clouds of
 * ghe.com have it under the name `api.`.
 */
function webUrlOf(apiUrl: string): string {
  return apiUrl
    .replace(/\/api\/v3$/, '')
    .replace(/^https:\/\/api\.(github\.com|[a-z0-9-]+\.ghe\.com)$/, 'https://$1');
}
