/**
 * What a path alone tells about a file.
 *
 * @module
 */
import { Lang } from '@ast-grep/napi';
import { extension, isGeneratedPath } from '../../review/file-kind.ts';

const LANGUAGES: Readonly<Record<string, Lang>> = {
  ts: Lang.TypeScript,
  mts: Lang.TypeScript,
  cts: Lang.TypeScript,
  tsx: Lang.Tsx,
  js: Lang.JavaScript,
  mjs: Lang.JavaScript,
  cjs: Lang.JavaScript,
  jsx: Lang.JavaScript,
};

/** What the review as a whole still shows, but no rule should judge line by line. */
const BUILT = /(?:^|\/)(?:build|out|coverage|generated|__snapshots__)\//;

const TEST_DIRECTORY =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|cypress|playwright|testing|tests?[-_]?(?:utils?|helpers?|support|setup))\//i;
const TEST_NAME = /\.(?:test|spec|e2e|cy|test-d|stories)\.[cm]?[jt]sx?$|_test\.(?:exs?|go|py|rb)$/;
const TEST_HELPER = /(?:^|[/.])tests?[-_]?(?:utils?|helpers?|setup)\.[cm]?[jt]sx?$/i;
const FIXTURE_DIRECTORY = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|test-data|samples?|examples?)\//;

const OWN_TOOL_DIRECTORY = /(?:^|\/)(?:scripts?|tools?|ci|\.github)\//;
const BENCHMARK = /(?:^|\/)bench(?:es|marks?|marking)?(?:[-_.][^/]*)?\/|\.bench\.[cm]?[jt]sx?$/;

/** A repository that has it releases by changesets. */
export const CHANGESET_CONFIG = '.changeset/config.json';

/** The grammar for structural rules; `undefined` where none of ours fits, and for declaration files. */
export function languageOf(path: string): Lang | undefined {
  if (/\.d\.[cm]?ts$/.test(path)) return undefined;
  return LANGUAGES[extension(path)];
}

/** Lockfiles, bundles, snapshots and vendored code: nobody wrote these lines by hand. */
export function isGenerated(path: string): boolean {
  return isGeneratedPath(path) || BUILT.test(path);
}

/** A file that belongs to the tests, helpers and fixtures included. */
export function isTestPath(path: string): boolean {
  return TEST_NAME.test(path) || TEST_HELPER.test(path) || TEST_DIRECTORY.test(path) || isFixture(path);
}

/** Data and samples: what stands in them is often wrong on purpose. */
export function isFixture(path: string): boolean {
  return FIXTURE_DIRECTORY.test(path);
}

/** A note of changesets on what to release; they may be sorted into folders. */
export function isChangeset(path: string): boolean {
  return /^\.changeset\/.+\.md$/.test(path) && path !== '.changeset/README.md';
}

/** Scripts and tools that the team runs on its own input. */
export function isOwnTool(path: string): boolean {
  return OWN_TOOL_DIRECTORY.test(path) || isBenchmark(path);
}

/** Code that measures other code, on the machine that runs it. */
export function isBenchmark(path: string): boolean {
  return BENCHMARK.test(path);
}

/** A JavaScript or TypeScript file that ships: no test, no fixture, no generated code, no tool configuration. */
export function isProductSource(path: string): boolean {
  return (
    languageOf(path) !== undefined &&
    !isTestPath(path) &&
    !isGenerated(path) &&
    !/\.config\.[cm]?[jt]s$/.test(path)
  );
}

/** The folder of a path with a trailing slash; empty at the root, so that it can be prefixed. */
export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
