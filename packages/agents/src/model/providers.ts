/**
 * How a key for each provider of pi-ai is called in the environment, and which model is taken when only a key
 * is there. The names are pi-ai's own (`env-api-keys` of 0.70); a test compares the providers with its list.
 *
 * @module
 */
import type { KnownProvider } from '@mariozechner/pi-ai';

/** How a process proves to a provider who it is. */
export interface ProviderAccess {
  /** Variables whose value is the key, the first that is set counts. */
  readonly keys: readonly string[];
  /** Variables that the provider's own client reads by itself: one of them stands for a key. */
  readonly ambient?: readonly string[];
  /** Of these one must be set besides, unless a base URL is given: the address is built from it. */
  readonly address?: readonly string[];
}

/** Every provider of pi-ai. No variable at all: the provider knows interactive sign-in only. */
export const PROVIDERS: Readonly<Record<KnownProvider, ProviderAccess>> = {
  'amazon-bedrock': {
    keys: [],
    ambient: [
      'AWS_BEARER_TOKEN_BEDROCK',
      'AWS_ACCESS_KEY_ID',
      'AWS_PROFILE',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    ],
  },
  anthropic: { keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_OAUTH_TOKEN'] },
  'azure-openai-responses': {
    keys: ['AZURE_OPENAI_API_KEY'],
    address: ['AZURE_OPENAI_BASE_URL', 'AZURE_OPENAI_RESOURCE_NAME'],
  },
  cerebras: { keys: ['CEREBRAS_API_KEY'] },
  'cloudflare-workers-ai': { keys: ['CLOUDFLARE_API_KEY'], address: ['CLOUDFLARE_ACCOUNT_ID'] },
  deepseek: { keys: ['DEEPSEEK_API_KEY'] },
  fireworks: { keys: ['FIREWORKS_API_KEY'] },
  'github-copilot': { keys: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'] },
  google: { keys: ['GEMINI_API_KEY'] },
  'google-antigravity': { keys: [] },
  'google-gemini-cli': { keys: [] },
  'google-vertex': { keys: ['GOOGLE_CLOUD_API_KEY'], ambient: ['GOOGLE_APPLICATION_CREDENTIALS'] },
  groq: { keys: ['GROQ_API_KEY'] },
  huggingface: { keys: ['HF_TOKEN'] },
  'kimi-coding': { keys: ['KIMI_API_KEY'] },
  minimax: { keys: ['MINIMAX_API_KEY'] },
  'minimax-cn': { keys: ['MINIMAX_CN_API_KEY'] },
  mistral: { keys: ['MISTRAL_API_KEY'] },
  openai: { keys: ['OPENAI_API_KEY'] },
  'openai-codex': { keys: [] },
  opencode: { keys: ['OPENCODE_API_KEY'] },
  'opencode-go': { keys: ['OPENCODE_API_KEY'] },
  openrouter: { keys: ['OPENROUTER_API_KEY'] },
  'vercel-ai-gateway': { keys: ['AI_GATEWAY_API_KEY'] },
  xai: { keys: ['XAI_API_KEY'] },
  zai: { keys: ['ZAI_API_KEY'] },
};

/** One row of {@link DEFAULT_MODELS}. */
export interface DefaultModel {
  readonly key: string;
  readonly provider: KnownProvider;
  readonly id: string;
}

/**
 * What reviews when no model was named: the first row whose key is set. Keys that people have for other ends
 * (GitHub, AWS, Google Cloud, Hugging Face, Cloudflare) are not in it: finding one must not send code away.
 */
export const DEFAULT_MODELS: readonly DefaultModel[] = [
  { key: 'ANTHROPIC_API_KEY', provider: 'anthropic', id: 'claude-sonnet-4-6' },
  { key: 'OPENAI_API_KEY', provider: 'openai', id: 'gpt-5.4' },
  { key: 'GEMINI_API_KEY', provider: 'google', id: 'gemini-2.5-pro' },
  { key: 'MISTRAL_API_KEY', provider: 'mistral', id: 'mistral-large-latest' },
  { key: 'XAI_API_KEY', provider: 'xai', id: 'grok-4' },
  { key: 'DEEPSEEK_API_KEY', provider: 'deepseek', id: 'deepseek-v4-pro' },
  { key: 'ZAI_API_KEY', provider: 'zai', id: 'glm-5.1' },
  { key: 'KIMI_API_KEY', provider: 'kimi-coding', id: 'kimi-for-coding' },
  { key: 'MINIMAX_API_KEY', provider: 'minimax', id: 'MiniMax-M2.7' },
  { key: 'OPENROUTER_API_KEY', provider: 'openrouter', id: 'anthropic/claude-sonnet-4.6' },
  { key: 'AI_GATEWAY_API_KEY', provider: 'vercel-ai-gateway', id: 'anthropic/claude-sonnet-4.6' },
  { key: 'FIREWORKS_API_KEY', provider: 'fireworks', id: 'accounts/fireworks/models/kimi-k2p6' },
  { key: 'GROQ_API_KEY', provider: 'groq', id: 'openai/gpt-oss-120b' },
  { key: 'CEREBRAS_API_KEY', provider: 'cerebras', id: 'zai-glm-4.7' },
];

/** Every variable that {@link PROVIDERS} names: what a reader of the environment hands to the choice. */
export const MODEL_ENV_NAMES: readonly string[] = [
  ...new Set(
    Object.values(PROVIDERS).flatMap((access) => [
      ...access.keys,
      ...(access.ambient ?? []),
      ...(access.address ?? []),
    ]),
  ),
].sort();

/** Whether pi-ai knows a provider of this name. */
export function isProvider(name: string): name is KnownProvider {
  return Object.hasOwn(PROVIDERS, name);
}
