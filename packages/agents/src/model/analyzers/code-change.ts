import type { ChangedFile, Hunk } from '../../review/changed-file.ts';

const NO_CODE = /^\s*(?:$|\/\/|\/\*|\*|\*\/|<!--|#)/;

/** Whether a new hunk of a file changes more than blanks, line breaks and what is plainly a comment. */
export function changesCode(file: ChangedFile): boolean {
  return file.hunks.some((hunk) => hunk.isNew && codeOf(hunk, 'add') !== codeOf(hunk, 'del'));
}

/** The lines of one kind as one text, so that other indentation and line breaks make no difference. */
function codeOf(hunk: Hunk, kind: 'add' | 'del'): string {
  const lines = hunk.lines.filter((line) => line.kind === kind && !NO_CODE.test(line.text));
  return lines.map((line) => line.text.replace(/\s+/g, '')).join('');
}
