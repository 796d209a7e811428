/**
 * Real payloads of GitHub's webhooks, from `@octokit/webhooks-examples`: github.com and every Enterprise
 * Server version that the package ships.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A payload, free to be edited. */
// biome-ignore lint/suspicious/noExplicitAny: payloads are edited by path in tests
export type Payload = any;

/** One example payload. */
export interface Example {
  /** `api.github.com` or `ghes-NN`. */
  readonly source: string;
  /** Value of `X-GitHub-Event`. */
  readonly event: string;
  /** Position among the examples of that event. */
  readonly index: number;
  readonly body: Payload;
}

const require = createRequire(import.meta.url);
const root = dirname(require.resolve('@octokit/webhooks-examples/package.json'));

interface Entry {
  readonly name: string;
  readonly examples: readonly Payload[];
}

function readSource(source: string): readonly Example[] {
  const entries = JSON.parse(readFileSync(join(root, source, 'index.json'), 'utf8')) as readonly Entry[];
  return entries.flatMap(({ name, examples }) =>
    examples.map((body, index) => ({ source, event: name, index, body })),
  );
}

/** All payloads that the package ships. */
export function allExamples(): readonly Example[] {
  const sources = readdirSync(root).filter((name) => name === 'api.github.com' || name.startsWith('ghes-'));
  return sources.flatMap(readSource);
}

/** A fresh copy of one payload of github.com, edited by `edit`. */
export function examplePayload(
  event: string,
  index: number,
  edit: (body: Payload) => void = () => {},
): Payload {
  const found = githubExamples.find((example) => example.event === event && example.index === index);
  if (found === undefined) throw new Error(`no example ${event}[${index}]`);
  const body = structuredClone(found.body);
  edit(body);
  return body;
}

const githubExamples = readSource('api.github.com');
