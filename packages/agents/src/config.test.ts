import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseEnv } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loadCommonConfig, loadConfig, processEnvironment, type ServiceConfig } from './config.ts';
import { VARIABLES } from './config-variables.ts';
import { ConfigError } from './errors.ts';

const privateKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const webhookSecret = 'a secret of the tests, long enough';
const required = {
  HOME: '/home/somebody',
  GH_APP_ID: '12345',
  GH_APP_INSTALLATION_ID: '678',
  GH_APP_PRIVATE_KEY: privateKey,
  GITHUB_WEBHOOK_SECRET: webhookSecret,
};
const modelVariables = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'];

let cwd = mkdtempSync(join(tmpdir(), 'config-'));
const directories = [cwd];
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-'));
  directories.push(cwd);
});
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

function load(environment: Record<string, string | undefined>): ServiceConfig {
  return loadConfig({ ...required, ...environment }, cwd, modelVariables);
}

function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('has the documented defaults', () => {
    const config = load({});
    expect(config).toMatchObject({
      app: { id: 12345, installationId: 678 },
      repo: { owner: 'electric-sql', repo: 'electric' },
      endpointKey: 'github-repo-electricsql-electric',
      github: { apiUrl: 'https://api.github.com', webUrl: 'https://github.com' },
      windows: { settleMs: 10_000, roundTimeoutMs: 300_000, sweepMs: 900_000 },
      dataDir: '/home/somebody/.local/share/openfactory',
      stateDir: '/home/somebody/.local/state/pr-shepherd',
      listen: { host: '127.0.0.1', port: 8787 },
      logLevel: 'info',
      analyzers: true,
      model: { setting: undefined, baseUrl: undefined },
      warnings: [],
    });
    expect(config.model.keys.reveal()).toEqual({});
    expect(config.webhookSecret.reveal()).toBe(webhookSecret);
    expect(config.app.privateKey.reveal()).toContain('PRIVATE KEY');
  });

  it('takes what is set', () => {
    const config = load({
      GITHUB_API_URL: 'https://ghe.example.com/api/v3/',
      SHEPHERD_REPO: 'Some-Org/some.repo',
      WEBHOOK_ENDPOINT_KEY: 'github-repo-x',
      SHEPHERD_MODEL: ' anthropic/claude ',
      SHEPHERD_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
      SHEPHERD_ANALYZERS: 'Off',
      ANTHROPIC_API_KEY: 'the key',
      OPENAI_API_KEY: '',
      XAI_API_KEY: 'not asked for',
      SHEPHERD_SETTLE_MS: '0',
      SHEPHERD_ROUND_TIMEOUT_MS: '1',
      SHEPHERD_SWEEP_MS: '0',
      DATA_DIR: 'data',
      PR_SHEPHERD_STATE_DIR: '~/state',
      HOST: '::1',
      PORT: '0',
      LOG_LEVEL: 'WARN',
    });
    expect(config).toMatchObject({
      github: { apiUrl: 'https://ghe.example.com/api/v3', webUrl: 'https://ghe.example.com' },
      repo: { owner: 'Some-Org', repo: 'some.repo' },
      endpointKey: 'github-repo-x',
      analyzers: false,
      model: { setting: 'anthropic/claude', baseUrl: 'http://127.0.0.1:9/v1' },
      windows: { settleMs: 0, roundTimeoutMs: 1, sweepMs: 0 },
      dataDir: join(cwd, 'data'),
      stateDir: '/home/somebody/state',
      listen: { host: '::1', port: 0 },
      logLevel: 'warn',
    });
    expect(config.model.keys.reveal()).toEqual({ ANTHROPIC_API_KEY: 'the key' });
  });

  it.each([
    ['https://api.github.com', 'https://github.com'],
    ['https://api.acme.ghe.com', 'https://acme.ghe.com'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ])('%s is read by people at %s', (apiUrl, webUrl) => {
    expect(load({ GITHUB_API_URL: apiUrl }).github.webUrl).toBe(webUrl);
  });

  it('follows the XDG base directories, unless they are relative', () => {
    expect(load({ XDG_DATA_HOME: '/data', XDG_STATE_HOME: 'state' })).toMatchObject({
      dataDir: '/data/openfactory',
      stateDir: '/home/somebody/.local/state/pr-shepherd',
    });
  });

  it('needs no HOME where the directories are told otherwise', () => {
    const without = { HOME: undefined, XDG_DATA_HOME: '/data', PR_SHEPHERD_STATE_DIR: '/state' };
    expect(load(without)).toMatchObject({ dataDir: '/data/openfactory', stateDir: '/state' });
    expect(problemsOf({ HOME: undefined, DATA_DIR: '~/x' })).toEqual([
      'DATA_DIR cannot be told because HOME is not set: set DATA_DIR to an absolute path.',
      'PR_SHEPHERD_STATE_DIR cannot be told because HOME is not set: set PR_SHEPHERD_STATE_DIR to an absolute path.',
    ]);
  });

  it('tells all that is missing at once, each with its remedy', () => {
    const nothing = Object.fromEntries(Object.keys(required).map((name) => [name, undefined]));
    const problems = problemsOf({ ...nothing, HOME: '/h' });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'GH_APP_ID is not set',
      'GH_APP_INSTALLATION_ID is not set',
      'GH_APP_PRIVATE_KEY is not set',
      'GITHUB_WEBHOOK_SECRET is not set',
    ]);
    for (const problem of problems) expect(problem).toMatch(/^[A-Z_]+ is not set: \S.{20,}\.$/);
  });

  it.each([
    ['GH_APP_ID', 'Iv1.0123456789abcdef'],
    ['GH_APP_ID', '0'],
    ['GH_APP_INSTALLATION_ID', '12.5'],
    ['GH_APP_PRIVATE_KEY', 'no-such-file.pem'],
    ['SHEPHERD_REPO', 'electric'],
    ['SHEPHERD_REPO', 'https://github.com/electric-sql/electric'],
    ['WEBHOOK_ENDPOINT_KEY', 'Upper'],
    ['WEBHOOK_ENDPOINT_KEY', `${'x'.repeat(64)}`],
    ['GITHUB_API_URL', 'ftp://example.com'],
    ['GITHUB_API_URL', 'api.github.com'],
    ['GITHUB_API_URL', 'https://user:word@example.com'],
    ['SHEPHERD_SETTLE_MS', '-1'],
    ['SHEPHERD_SETTLE_MS', '10s'],
    ['SHEPHERD_SETTLE_MS', '600001'],
    ['SHEPHERD_ROUND_TIMEOUT_MS', '0'],
    ['SHEPHERD_SWEEP_MS', '1e9'],
    ['HOST', 'not a host'],
    ['PORT', '65536'],
    ['PORT', '0x10'],
    ['LOG_LEVEL', 'verbose'],
  ])('%s=%s is one problem that names the variable and not the value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} (must be|is) .*(such as|one of|:|listen).*\\.$`));
    expect(problems[0]).not.toContain(` ${value} `);
  });

  it('never repeats a value in a problem or a warning, wherever a key was put by mistake', () => {
    const value = fc.string({ minLength: 12 }).map((text) => `k3y!${text}`);
    fc.assert(
      fc.property(fc.constantFrom(...VARIABLES), value, (name, key) => {
        for (const line of problemsOf({ [name]: key })) expect(line).not.toContain('k3y!');
      }),
    );
  });

  it('shows no secret, however it is printed', () => {
    const config = load({ ANTHROPIC_API_KEY: 'the key of a model' });
    const shown = [
      JSON.stringify(config),
      inspect(config, { depth: 9, showHidden: true }),
      `${config.webhookSecret}`,
    ];
    for (const text of shown) {
      expect(text).toContain('[secret]');
      expect(text).not.toContain(webhookSecret);
      expect(text).not.toContain('the key of a model');
      expect(text).not.toContain('PRIVATE KEY');
    }
  });
});

describe('warnings', () => {
  it('point out names that were probably meant otherwise', () => {
    const { warnings } = load({
      SHEPHERD_SETTLE: '1',
      GH_APP_KEY: 'x',
      SHEPHERD_XYZZY_PLUGH: '1',
      SHELL: 'sh',
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^GH_APP_KEY is not a setting and is ignored; did you mean GH_APP_/),
      'SHEPHERD_SETTLE is not a setting and is ignored; did you mean SHEPHERD_SETTLE_MS?',
      expect.stringMatching(/^SHEPHERD_XYZZY_PLUGH is not a setting and is ignored/),
    ]);
  });

  it('point out a webhook secret that can be guessed', () => {
    expect(load({ GITHUB_WEBHOOK_SECRET: 'hunter2' }).warnings).toEqual([
      expect.stringMatching(/^GITHUB_WEBHOOK_SECRET is short/),
    ]);
  });
});

describe('.env.local', () => {
  const write = (text: string) => writeFileSync(join(cwd, '.env.local'), text);

  it('gives what the environment does not, also a key of several lines in quotes', () => {
    write(
      `\uFEFFPORT=1\r\nGH_APP_PRIVATE_KEY="${privateKey}"\r\nexport LOG_LEVEL='debug' # aloud\r\nHOST=0.0.0.0\r\n`,
    );
    const config = load({ GH_APP_PRIVATE_KEY: undefined, PORT: '2' });
    expect(config).toMatchObject({ listen: { host: '0.0.0.0', port: 2 }, logLevel: 'debug' });
    expect(config.app.privateKey.reveal()).toBe(load({}).app.privateKey.reveal());
  });

  it('is overruled by a variable that is set to nothing', () => {
    write('ANTHROPIC_API_KEY=of-the-file\nLOG_LEVEL=debug\n');
    const config = load({ ANTHROPIC_API_KEY: '', LOG_LEVEL: undefined });
    expect(config.model.keys.reveal()).toEqual({});
    expect(config.logLevel).toBe('debug');
  });

  it('is a problem of its own where it cannot be read', () => {
    mkdirSync(join(cwd, '.env.local'));
    expect(problemsOf({})).toEqual([
      '.env.local cannot be read (EISDIR): make it a readable file, or remove it.',
    ]);
  });
});

describe('loadCommonConfig', () => {
  it('needs no credentials', () => {
    expect(loadCommonConfig({ HOME: '/h' }, cwd, modelVariables)).toMatchObject({ listen: { port: 8787 } });
    expect(() => loadCommonConfig({ HOME: '/h', PORT: 'x' }, cwd, [])).toThrow(ConfigError);
  });

  it('can be given the environment of the process', () => {
    expect(processEnvironment().PATH).toBeTypeOf('string');
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => /^#?[A-Z_]+=/.test(line));

  it('has every variable once, commented', () => {
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([]);
    const names = lines.map((line) => line.slice(1, line.indexOf('=')));
    expect(names.filter((name) => name !== 'ANTHROPIC_API_KEY').sort()).toEqual([...VARIABLES].sort());
  });

  it('shows the true defaults', () => {
    const shown = parseEnv(lines.map((line) => line.slice(1)).join('\n')) as Record<string, string>;
    const given = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== ''));
    expect(given).not.toEqual({});
    expect(JSON.stringify(load(given))).toBe(JSON.stringify(load({})));
  });
});
