import type { CompareFile } from '../git/index.ts';
import { MAX_COMPARED_FILES } from '../shapes/commit.ts';
import type { Ctx } from './env.ts';
import { mediaTypeText } from './media-type.ts';
import { apiError } from './responses.ts';

const MAX_DIFF_LINES = 20_000;
const MAX_DIFF_BYTES = 1_000_000;

/** A diff in its media type, or the 406 with which GitHub refuses one that is too large; it never truncates. */
export function diffAnswer(c: Ctx, files: readonly CompareFile[], diff: string): Response {
  const tooLarge = whyTooLarge(files.length, diff);
  return tooLarge === undefined
    ? mediaTypeText(c, 'diff', diff)
    : apiError(c, 406, tooLarge, [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }]);
}

function whyTooLarge(fileCount: number, diff: string): string | undefined {
  if (fileCount > MAX_COMPARED_FILES) {
    return `Sorry, the diff exceeded the maximum number of files (${MAX_COMPARED_FILES}). Consider using 'List pull requests files' API or locally cloning the repository instead.`;
  }
  if (diff.split('\n').length > MAX_DIFF_LINES) {
    return `Sorry, the diff exceeded the maximum number of lines (${MAX_DIFF_LINES})`;
  }
  return Buffer.byteLength(diff) > MAX_DIFF_BYTES
    ? `Sorry, the diff exceeded the maximum size (${MAX_DIFF_BYTES} bytes)`
    : undefined;
}
