import type { ChangedFile } from '../../review/changed-file.ts';

const NO_CODE = /^\s*(?:$|\/\/|\/\*|\*|\*\/|<!--|#)/;

/** Whether a new hunk of a file adds or deletes a line that is neither blank nor plainly a comment. */
export function changesCode(file: ChangedFile): boolean {
  return file.hunks.some(
    (hunk) => hunk.isNew && hunk.lines.some((line) => line.kind !== 'context' && !NO_CODE.test(line.text)),
  );
}
