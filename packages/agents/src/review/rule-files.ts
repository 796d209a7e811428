/**
 * Rules of a repository for its reviewers.
 *
 * @module
 */
import type { RuleFile } from './round.ts';

/** Where they stand. Only the base branch is asked: a PR must not relax its own review. */
const RULE_PATHS = ['AGENTS.md', 'CLAUDE.md', '.github/pr-shepherd.md'] as const;
/** Longer files are cut, and say so. */
const MAX_CHARS = 20_000;

/** Reads the rules; `read` answers with `undefined` where there is no such file. */
export async function readRuleFiles(
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly RuleFile[]> {
  const texts = await Promise.all(RULE_PATHS.map(read));
  return RULE_PATHS.flatMap((path, index) => {
    const text = texts[index];
    if (text === undefined) return [];
    const isCut = text.length > MAX_CHARS;
    return [
      { path, text: isCut ? `${text.slice(0, MAX_CHARS)}\n[The rest of this file is not shown.]` : text },
    ];
  });
}
