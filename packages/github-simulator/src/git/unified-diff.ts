/**
 * Splits git's patch text into its per-file sections. Inside a hunk every line starts with a blank, `+`,
 * `-` or `\`, so a line that starts with `diff --git ` is always a new section, whatever the files contain.
 */
export function splitSections(patchText: string): readonly string[] {
  const starts: number[] = patchText.startsWith(SECTION_START) ? [0] : [];
  for (
    let at = patchText.indexOf(`\n${SECTION_START}`);
    at !== -1;
    at = patchText.indexOf(`\n${SECTION_START}`, at + 1)
  ) {
    starts.push(at + 1);
  }
  return starts.map((start, index) => patchText.slice(start, starts[index + 1] ?? patchText.length));
}

/** The hunks of one section, as GitHub's `patch` has them: from the first `@@`, without a final newline. */
export function hunksOf(section: string): string | undefined {
  const at = section.indexOf('\n@@ ');
  return at === -1 ? undefined : section.slice(at + 1).replace(/\n$/, '');
}

const SECTION_START = 'diff --git ';
