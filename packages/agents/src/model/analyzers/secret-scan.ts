/**
 * Credentials in text, by secretlint's recommended rules. Nothing here returns the credential itself.
 *
 * @module
 */
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

/** Where a credential stands and what kind it is. */
export interface SecretHit {
  /** 1-based line within the text, where the credential begins. */
  readonly line: number;
  /** For people: `GitHub token`, `private key`, … */
  readonly kind: string;
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const KINDS: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic API key',
  aws: 'AWS credential',
  '1password': '1Password token',
  azure: 'Azure credential',
  'database-connection-string': 'database address with its password',
  basicauth: 'address with a user name and password',
  gcp: 'Google Cloud credential',
  github: 'GitHub token',
  linear: 'Linear API key',
  privatekey: 'private key',
  npm: 'npm token',
  openai: 'OpenAI API key',
  sendgrid: 'SendGrid API key',
  shopify: 'Shopify token',
  slack: 'Slack token',
};

const CREDENTIALS = /^[a-z][a-z0-9+.-]*:\/\/([^:@/\s]*):([^@/\s]*)@([^:/?#\s]*)/i;
const LOCAL_HOST =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|[^.]*|(?:.*\.)?example\.(?:com|net|org)|.*\.(?:local|test|example|invalid|localhost))$/i;
const PLACEHOLDER =
  /^(?:pass(?:word|wd)?|pwd?|secret|changeme|example|test(?:ing)?|root|admin|postgres|user|x+|\*+|\.+)$|[<>{}$*%]|your|placeholder/i;

/** All credentials of a text that are not plainly made up (a placeholder, or the password of a local database). */
export async function scanForSecrets(content: string): Promise<readonly SecretHit[]> {
  const result = await lintSource({
    source: { content, filePath: 'range.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: { rules: [{ id: PRESET, rule: creator }] },
      noPhysicFilePath: true,
      maskSecrets: true,
    },
  });
  return result.messages
    .filter((message) => !isMadeUp(content.slice(message.range[0], message.range[1])))
    .map((message) => ({ line: message.loc.start.line, kind: kindOf(message.ruleId) }));
}

/** Between two sources: nothing that spans lines goes on behind it. */
const SEPARATOR = ['', '~', ''];

/**
 * {@link scanForSecrets} for several texts at once, since setting the scanner up is what takes the time. The
 * hits of each, with lines counted in it.
 */
export async function scanSources(sources: readonly string[]): Promise<readonly (readonly SecretHit[])[]> {
  if (sources.every((source) => source === '')) return sources.map(() => []);
  const lines: string[] = [];
  const starts = sources.map((source) => {
    const start = lines.length;
    lines.push(...source.split('\n'), ...SEPARATOR);
    return start;
  });
  const hits = await scanForSecrets(lines.join('\n'));
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    return hits.flatMap((hit) =>
      hit.line > start && hit.line <= end ? [{ ...hit, line: hit.line - start }] : [],
    );
  });
}

function kindOf(ruleId: string): string {
  return KINDS[ruleId.replace('@secretlint/secretlint-rule-', '')] ?? 'credential';
}

function isMadeUp(found: string): boolean {
  const [, user, password, host] = CREDENTIALS.exec(found) ?? [];
  if (user === undefined || password === undefined || host === undefined) return false;
  return password === user || LOCAL_HOST.test(host) || PLACEHOLDER.test(password);
}
