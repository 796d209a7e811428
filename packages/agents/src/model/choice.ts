/**
 * Who reviews: the built-in analyzers, or which model of which provider. The choice itself is pure; only
 * {@link loadModel} touches pi-ai, whose import is slow.
 *
 * @module
 */
import type { Api, KnownProvider, Model } from '@mariozechner/pi-ai';
import { nearest } from '../near.ts';
import { DEFAULT_MODELS, isProvider, PROVIDERS } from './providers.ts';

/** A model that was chosen. `apiKey` is a function so that no log or JSON of a choice can hold the key. */
export interface ChosenModel {
  readonly kind: 'model';
  readonly provider: KnownProvider;
  readonly id: string;
  /** `provider/model`, as people write it. */
  readonly name: string;
  /** Address instead of the provider's own. */
  readonly baseUrl?: string;
  /** The key; `undefined` where the provider's own client finds its credentials by itself. */
  readonly apiKey: () => string | undefined;
}

/** Who reviews. */
export type ModelChoice = { readonly kind: 'analyzers' } | ChosenModel;

/** What the choice depends on. */
export interface ChoiceInput {
  /** `SHEPHERD_MODEL`: `provider/model`, or `analyzers`. */
  readonly setting: string | undefined;
  /** `SHEPHERD_MODEL_BASE_URL`. */
  readonly baseUrl: string | undefined;
  /** Those of `MODEL_ENV_NAMES` that are set, with their values. */
  readonly keys: Readonly<Record<string, string>>;
}

/** One sentence for a person who can correct the configuration. Never holds a key. */
export interface ChoiceProblem {
  readonly problem: string;
}

/**
 * Chooses who reviews: what `SHEPHERD_MODEL` says, split at its first `/`; else the first row of
 * `DEFAULT_MODELS` whose key is set; else the analyzers. Whether the model id exists is seen by
 * {@link loadModel}.
 */
export function chooseModel(input: ChoiceInput): ModelChoice | ChoiceProblem {
  const setting = input.setting?.trim() ?? '';
  const baseUrl = input.baseUrl?.trim() || undefined;
  if (setting.toLowerCase() === 'analyzers') return { kind: 'analyzers' };
  if (baseUrl !== undefined && !isHttpUrl(baseUrl)) {
    return { problem: 'SHEPHERD_MODEL_BASE_URL must be an http or https address without user and password.' };
  }
  if (setting === '') return chooseByKey(input.keys, baseUrl);
  const slash = setting.indexOf('/');
  const provider = setting.slice(0, slash);
  const id = setting.slice(slash + 1);
  if (slash < 1 || id === '') {
    // The value is not repeated: what stands there by mistake may be a key.
    return {
      problem:
        'SHEPHERD_MODEL must be "analyzers" or "provider/model", for example "anthropic/claude-sonnet-4-6".',
    };
  }
  if (!isProvider(provider)) {
    const known = nearest(provider, Object.keys(PROVIDERS));
    return {
      problem: `SHEPHERD_MODEL names the provider ${JSON.stringify(provider)}, which is not known${didYouMean(known) ?? `; known are ${oneOf(Object.keys(PROVIDERS))}.`}`,
    };
  }
  return withAccess(provider, id, input.keys, baseUrl);
}

function chooseByKey(keys: ChoiceInput['keys'], baseUrl: string | undefined): ModelChoice | ChoiceProblem {
  const row = DEFAULT_MODELS.find(({ key }) => isSet(keys, key));
  return row === undefined ? { kind: 'analyzers' } : withAccess(row.provider, row.id, keys, baseUrl);
}

function withAccess(
  provider: KnownProvider,
  id: string,
  keys: ChoiceInput['keys'],
  baseUrl: string | undefined,
): ChosenModel | ChoiceProblem {
  const access = PROVIDERS[provider];
  const name = `${provider}/${id}`;
  const variables = [...access.keys, ...(access.ambient ?? [])];
  if (variables.length === 0) {
    return {
      problem: `${name} works only with an interactive sign-in, which a service cannot do; choose another provider.`,
    };
  }
  const variable = variables.find((candidate) => isSet(keys, candidate));
  if (variable === undefined) return { problem: `${name} needs a key: set ${oneOf(variables)}.` };
  const missing = access.address !== undefined && !access.address.some((needed) => isSet(keys, needed));
  if (missing && baseUrl === undefined) {
    return {
      problem: `${name} needs an address: set ${oneOf([...(access.address ?? []), 'SHEPHERD_MODEL_BASE_URL'])}.`,
    };
  }
  const key = access.keys.includes(variable) ? keys[variable]?.trim() : undefined;
  // Checked here because the HTTP client would repeat a key that fits into no header in its message.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    return { problem: `The value of ${variable} holds characters that no key has; set it anew.` };
  }
  return {
    kind: 'model',
    provider,
    id,
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    apiKey: () => key,
  };
}

function isSet(keys: ChoiceInput['keys'], variable: string): boolean {
  return (keys[variable]?.trim() ?? '') !== '';
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === ''
  );
}

function oneOf(words: readonly string[]): string {
  const [last, ...others] = [...words].reverse();
  return others.length === 0 ? (last ?? '') : `${others.reverse().join(', ')} or ${last}`;
}

function didYouMean(near: readonly string[]): string | undefined {
  return near.length > 0 ? `; did you mean ${oneOf(near)}?` : undefined;
}

/** A model as pi-ai calls it, or why there is none. */
export type LoadedModel = { readonly model: Model<Api> } | ChoiceProblem;

/** What is assumed of a model that only a gateway knows: little room, and no settings for reasoning. */
const UNLISTED = { contextWindow: 128_000, maxTokens: 16_384, reasoning: false };

/**
 * Fetches the chosen model from pi-ai's catalogue. With a base URL an id that the catalogue lacks is taken
 * too, spoken to as the provider's first model is: gateways have names of their own.
 */
export async function loadModel(choice: ChosenModel): Promise<LoadedModel> {
  const { getModels } = await import('@mariozechner/pi-ai');
  const known: readonly Model<Api>[] = getModels(choice.provider);
  const listed = known.find((model) => model.id === choice.id);
  if (choice.baseUrl === undefined) {
    if (listed !== undefined) return { model: listed };
    const ids = known.map((model) => model.id);
    const near = nearest(choice.id, ids).map((id) => `${choice.provider}/${id}`);
    return {
      problem: `${choice.provider} has no model ${JSON.stringify(choice.id)}${didYouMean(near) ?? '.'}`,
    };
  }
  if (listed !== undefined) return { model: { ...listed, baseUrl: choice.baseUrl } };
  const [pattern] = known;
  if (pattern === undefined) return { problem: `No model of ${choice.provider} is known.` };
  return { model: { ...pattern, ...UNLISTED, id: choice.id, name: choice.id, baseUrl: choice.baseUrl } };
}
