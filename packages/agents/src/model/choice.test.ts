import { inspect } from 'node:util';
import { getModel, getProviders } from '@mariozechner/pi-ai';
import { describe, expect, test } from 'vitest';
import { type ChoiceInput, type ChosenModel, chooseModel, loadModel } from './choice.ts';
import { DEFAULT_MODELS, MODEL_ENV_NAMES, PROVIDERS } from './providers.ts';

const KEY = ['key', 'for', 'tests'].join('-');

function choose(input: Partial<ChoiceInput>) {
  return chooseModel({ setting: undefined, baseUrl: undefined, keys: {}, ...input });
}

function chosen(input: Partial<ChoiceInput>): ChosenModel {
  const choice = choose(input);
  if (!('kind' in choice) || choice.kind !== 'model') throw new Error(`no model: ${inspect(choice)}`);
  return choice;
}

function problem(input: Partial<ChoiceInput>): string {
  const choice = choose(input);
  if (!('problem' in choice)) throw new Error(`no problem: ${inspect(choice)}`);
  return choice.problem;
}

describe('what is chosen', () => {
  test('nothing set: the analyzers', () => {
    expect(choose({})).toEqual({ kind: 'analyzers' });
  });

  test('the analyzers can be asked for although keys are there', () => {
    expect(choose({ setting: ' analyzers ', keys: { OPENAI_API_KEY: KEY } })).toEqual({ kind: 'analyzers' });
  });

  test('the setting is split at its first slash', () => {
    const choice = chosen({
      setting: 'openrouter/anthropic/claude-sonnet-4.6',
      keys: { OPENROUTER_API_KEY: KEY },
    });
    expect(choice).toMatchObject({ provider: 'openrouter', id: 'anthropic/claude-sonnet-4.6' });
    expect(choice.name).toBe('openrouter/anthropic/claude-sonnet-4.6');
    expect(choice.apiKey()).toBe(KEY);
  });

  test.each(DEFAULT_MODELS)('$key alone chooses $provider/$id', ({ key, provider, id }) => {
    expect(chosen({ keys: { [key]: KEY } })).toMatchObject({ provider, id });
  });

  test('of several keys the earlier row counts, and an empty value is none', () => {
    expect(
      chosen({ keys: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: '  ', GROQ_API_KEY: KEY } }).provider,
    ).toBe('openai');
  });

  test('keys that people have for other ends choose nothing', () => {
    expect(choose({ keys: { GITHUB_TOKEN: KEY, AWS_PROFILE: 'work', HF_TOKEN: KEY } })).toEqual({
      kind: 'analyzers',
    });
  });

  test('a provider with credentials of its own has no key', () => {
    const choice = chosen({ setting: 'amazon-bedrock/any', keys: { AWS_PROFILE: 'work' } });
    expect(choice.apiKey()).toBeUndefined();
  });

  test('neither JSON nor an inspection of a choice shows the key', () => {
    const choice = chosen({ setting: 'openai/gpt-5.4', keys: { OPENAI_API_KEY: KEY } });
    expect(JSON.stringify(choice) + inspect(choice, { depth: 9 })).not.toContain(KEY);
  });
});

describe('what is refused, in one sentence', () => {
  test('a provider that is not known, with those that are near', () => {
    expect(problem({ setting: 'antropic/claude-sonnet-4-6' })).toMatch(
      /"antropic".*did you mean anthropic\?$/,
    );
    expect(problem({ setting: 'qqqqqqqq/x' })).toMatch(/known are amazon-bedrock, anthropic,/);
  });

  test('a setting without a slash is not repeated, since it may be a key', () => {
    expect(problem({ setting: KEY })).not.toContain(KEY);
    expect(problem({ setting: '/x' })).toContain('provider/model');
    expect(problem({ setting: 'openai/' })).toContain('provider/model');
  });

  test('a provider without its key names the variable', () => {
    expect(problem({ setting: 'openai/gpt-5.4', keys: { ANTHROPIC_API_KEY: KEY } })).toBe(
      'openai/gpt-5.4 needs a key: set OPENAI_API_KEY.',
    );
    expect(problem({ setting: 'anthropic/x' })).toContain('ANTHROPIC_API_KEY or ANTHROPIC_OAUTH_TOKEN');
  });

  test('a key that fits into no header, without showing it', () => {
    const said = problem({ setting: 'openai/gpt-5.4', keys: { OPENAI_API_KEY: `${KEY}\nx` } });
    expect(said).toContain('OPENAI_API_KEY');
    expect(said).not.toContain(KEY);
  });

  test('a provider whose address is built from another variable', () => {
    const keys = { CLOUDFLARE_API_KEY: KEY };
    expect(problem({ setting: 'cloudflare-workers-ai/x', keys })).toContain('CLOUDFLARE_ACCOUNT_ID');
    expect(
      chosen({ setting: 'cloudflare-workers-ai/x', baseUrl: 'http://127.0.0.1:1', keys }).baseUrl,
    ).toBeDefined();
  });

  test('a provider that knows sign-in only', () => {
    expect(problem({ setting: 'openai-codex/gpt-5.1' })).toContain('sign-in');
  });

  test.each(['localhost:80', 'ftp://a', 'http://u:p@a/'])('%s is no base URL', (baseUrl) => {
    expect(problem({ setting: 'openai/gpt-5.4', baseUrl, keys: { OPENAI_API_KEY: KEY } })).toContain(
      'SHEPHERD_MODEL_BASE_URL',
    );
  });
});

describe('the tables against pi-ai', () => {
  test('every provider of pi-ai is there, and no other', () => {
    expect(Object.keys(PROVIDERS).sort()).toEqual([...getProviders()].sort());
  });

  test('every default exists and its key is one that the provider takes', () => {
    for (const { key, provider, id } of DEFAULT_MODELS) {
      expect(getModel(provider, id as never), `${provider}/${id}`).toBeDefined();
      expect(PROVIDERS[provider].keys).toContain(key);
      expect(MODEL_ENV_NAMES).toContain(key);
    }
  });
});

describe('loadModel', () => {
  const keys = { ANTHROPIC_API_KEY: KEY };

  test('gives the model of the catalogue', async () => {
    const loaded = await loadModel(chosen({ setting: 'anthropic/claude-sonnet-4-6', keys }));
    expect(loaded).toEqual({ model: getModel('anthropic', 'claude-sonnet-4-6') });
  });

  test('says which ids are near to one that is not there', async () => {
    const loaded = await loadModel(chosen({ setting: 'anthropic/claude-sonnet-4.6', keys }));
    expect(loaded).toEqual({
      problem: expect.stringMatching(
        /"claude-sonnet-4\.6"; did you mean anthropic\/claude-sonnet-4-6[^?]*\?$/,
      ),
    });
  });

  test('puts the base URL in, without changing the catalogue', async () => {
    const baseUrl = 'http://127.0.0.1:9';
    const loaded = await loadModel(chosen({ setting: 'anthropic/claude-sonnet-4-6', baseUrl, keys }));
    expect(loaded).toMatchObject({ model: { baseUrl, id: 'claude-sonnet-4-6', contextWindow: 1_000_000 } });
    expect(getModel('anthropic', 'claude-sonnet-4-6').baseUrl).not.toBe(baseUrl);
  });

  test('takes an unlisted id behind a base URL', async () => {
    const baseUrl = 'http://127.0.0.1:9';
    const loaded = await loadModel(chosen({ setting: 'anthropic/house-model', baseUrl, keys }));
    expect(loaded).toMatchObject({ model: { baseUrl, id: 'house-model', api: 'anthropic-messages' } });
  });
});
