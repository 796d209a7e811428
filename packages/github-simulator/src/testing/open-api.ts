import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { once } from '../once.ts';

type Json = Readonly<Record<string, unknown>>;

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Json;
    readonly responses: Readonly<Record<string, ResponseEntry>>;
  };
}

interface Operation {
  readonly responses: Readonly<Record<string, ResponseEntry>>;
}

interface ResponseEntry {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

/** Checks answers against GitHub's own description of its API. Problems come as text, none as undefined. */
export interface OpenApi {
  /** `template` as Octokit names routes: `/repos/{owner}/{repo}/pulls/{pull_number}`. */
  checkAnswer(method: string, template: string, status: number, body: unknown): string | undefined;
  /** A component schema by name, such as `webhook-pull-request-opened`. */
  checkSchema(name: string, body: unknown): string | undefined;
}

/** The same for all tests of a file: reading and compiling take longer than most of them. */
export const loadOpenApi: () => OpenApi = once(() => {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@octokit/openapi/generated/api.github.com.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  const compile = createCompiler(document);
  const compiled = new Map<string, ValidateFunction>();
  const check = (key: string, schema: Json, body: unknown): string | undefined => {
    const validate = compiled.get(key) ?? compile(schema);
    compiled.set(key, validate);
    if (validate(body)) return undefined;
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`).join('\n');
  };
  return {
    checkAnswer: (method, template, status, body) => {
      const operation = findOperation(document, method, template);
      if (operation === undefined) return `GitHub has no ${method} ${template}`;
      const schema = answerSchema(document, operation, status);
      return schema === undefined ? undefined : check(`${method} ${template} ${status}`, schema, body);
    },
    checkSchema: (name, body) => check(name, { $ref: `#/components/schemas/${name}` }, body),
  };
});

/** Templates whose parameters are named otherwise and whole addresses, as pagination asks for, are found too. */
function findOperation(document: OpenApiDocument, method: string, route: string): Operation | undefined {
  const exact = document.paths[route];
  const segments = route
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/\?.*$/, '')
    .split('/');
  const candidates = exact === undefined ? Object.keys(document.paths) : [route];
  const [best] = candidates
    .filter((path) => document.paths[path]?.[method.toLowerCase()] !== undefined)
    .map((path) => ({ path, literals: literalMatches(path.split('/'), segments) }))
    .sort((a, b) => b.literals - a.literals);
  if (best === undefined || best.literals < 0) return undefined;
  return document.paths[best.path]?.[method.toLowerCase()];
}

/** How many segments are the same word; -1 when the path does not match. */
function literalMatches(template: readonly string[], segments: readonly string[]): number {
  if (template.length !== segments.length) return -1;
  const isParameter = (index: number) => template[index]?.startsWith('{') === true;
  const same = segments.map((segment, index) => segment === template[index]);
  return same.every((found, index) => found || isParameter(index)) ? same.filter(Boolean).length : -1;
}

/** Errors that the description does not list for an operation still have the shape of an error. */
function answerSchema(document: OpenApiDocument, operation: Operation, status: number): Json | undefined {
  const listed = operation.responses[String(status)];
  if (listed === undefined && status >= 400) return { $ref: '#/components/schemas/basic-error' };
  const entry =
    listed?.$ref === undefined ? listed : document.components.responses[listed.$ref.split('/').at(-1) ?? ''];
  return entry?.content?.['application/json']?.schema;
}

/** Compiles schemas with what they refer to, every component once and nothing else of the 12 MB. */
function createCompiler(document: OpenApiDocument): (schema: Json) => ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  const known = new Set<string>();
  const addReferred = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (known.has(name)) continue;
      known.add(name);
      const schema = document.components.schemas[name];
      ajv.addSchema(
        { ...(toJsonSchema(schema) as Json), $id: `${ID_ROOT}${name}` },
        undefined,
        undefined,
        false,
      );
      addReferred(schema);
    }
  };
  return (schema) => {
    addReferred(schema);
    return ajv.compile(toJsonSchema(schema) as Json);
  };
}

const ID_ROOT = 'https://schemas.example/';
const REFERENCE_ROOT = '#/components/schemas/';

/** OpenAPI 3.0 writes `nullable` where JSON Schema wants `null` among the types; references lead to own schemas. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value === 'string' && value.startsWith(REFERENCE_ROOT)) {
    return `${ID_ROOT}${value.slice(REFERENCE_ROOT.length)}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'nullable');
  const plain = Object.fromEntries(entries.map(([key, inner]) => [key, toJsonSchema(inner)]));
  return 'nullable' in value && value.nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}
