/**
 * What a file is, told by its path: what it is for, whether people write it, whether its name speaks of text.
 * The lists follow the conventions that github-linguist collects.
 *
 * @module
 */

/** In the order in which reviewers read. */
export const FILE_KINDS = ['source', 'tests', 'config', 'docs'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'cargo.lock',
  'poetry.lock',
  'pipfile.lock',
  'uv.lock',
  'pdm.lock',
  'gemfile.lock',
  'composer.lock',
  'go.sum',
  'mix.lock',
  'rebar.lock',
  'flake.lock',
  'pubspec.lock',
  'podfile.lock',
  'package.resolved',
  'packages.lock.json',
  'gradle.lockfile',
]);

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|\.yarn\/releases|\.yarn\/plugins|dist)\//i;
const GENERATED_NAME =
  /(?:^|\/)__generated__\/|[.-]min\.(?:js|mjs|cjs|css)$|\.(?:js|mjs|cjs|css)\.map$|\.(?:generated|gen)\.[a-z0-9]+$|\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|ts|d\.ts)$|\.g\.(?:dart|cs)$|\.designer\.cs$|\.snap$/i;

const DOCS =
  /(?:^|\/)(?:docs?|documentation)\/|\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:licen[cs]e|copying|authors|notice|changelog)(?:$|\.)/i;
const TESTS =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|integration[_-]tests?|testdata|fixtures?|__mocks__)\/|[._-](?:test|spec|e2e|bench)s?\.[a-z0-9]+$|(?:^|\/)test_[^/]+\.py$/i;
const SOURCE_EXTENSIONS =
  'ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi rb rs go ex exs erl hrl java kt kts scala clj cljs groovy c h cc cpp cxx hpp hh cs fs vb swift m mm php pl pm lua r jl dart zig nim hs ml mli elm sql sh bash zsh fish ps1 bat html htm css scss sass less graphql gql proto sol wat asm s';
const CONFIG_EXTENSIONS =
  'json jsonc json5 yaml yml toml ini cfg conf env properties xml plist tf tfvars hcl nix lock gradle cmake mk csv tsv svg editorconfig gitignore gitattributes dockerignore npmrc nvmrc';
const DOC_EXTENSIONS = 'md mdx markdown rst adoc txt';

const SOURCE = new Set(SOURCE_EXTENSIONS.split(' '));
const TEXT = new Set([...SOURCE, ...CONFIG_EXTENSIONS.split(' '), ...DOC_EXTENSIONS.split(' ')]);
const TEXT_NAMES =
  /^(?:dockerfile|makefile|rakefile|gemfile|procfile|justfile|\.(?:git)?keep|licen[cs]e|readme|codeowners)$/i;

/** Where a mistake costs most: read first within its kind. */
const SENSITIVE =
  /auth|login|session|password|passwd|secret|token|crypt|permission|access|admin|payment|billing|migrat|sql|security|sanitiz|webhook|upload|deploy/i;

/** What a file is for. What is neither tests, docs nor configuration counts as source. */
export function fileKind(path: string): FileKind {
  if (TESTS.test(path)) return 'tests';
  if (DOCS.test(path)) return 'docs';
  return SOURCE.has(extension(path)) ? 'source' : 'config';
}

/** Lock files, minified, vendored and generated files: machines wrote them, so people do not review them. */
export function isGeneratedPath(path: string): boolean {
  return isLockPath(path) || VENDORED.test(path) || GENERATED_NAME.test(path);
}

/** Whether a package manager wrote down there which versions it took, and from where. */
export function isLockPath(path: string): boolean {
  return LOCK_FILES.has(baseName(path).toLowerCase());
}

/** Whether a file of this name holds text, whatever its content may be. */
export function hasTextName(path: string): boolean {
  return TEXT.has(extension(path)) || TEXT_NAMES.test(baseName(path));
}

/** Whether the path speaks of something where a mistake costs more than elsewhere. */
export function isSensitivePath(path: string): boolean {
  return SENSITIVE.test(path);
}

/** Lower-case extension without its dot; of a dot file, the name; empty where there is none. */
export function extension(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
