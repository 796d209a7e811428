import { extension } from '../../../review/file-kind.ts';
import type { Finding } from '../../../review/finding.ts';
import { isFixture } from '../paths.ts';
import type { Rule } from '../rule.ts';

/** Files that `git apply`, `patch` and merge tools leave behind. */
export const leftoverFile: Rule = {
  id: 'leftover-file',
  aspect: 'conventions',
  run: async (range) =>
    range.files.flatMap(({ path, status, hunks }): readonly Finding[] => {
      const kind = extension(path);
      const isNew = status === 'added' && hunks.some((hunk) => hunk.isNew);
      if (!isNew || isFixture(path) || (kind !== 'orig' && kind !== 'rej')) return [];
      const rejected = kind === 'rej';
      return [
        {
          severity: rejected ? 'important' : 'suggestion',
          file: path,
          message: rejected
            ? 'A reject file of `patch` is committed. It holds a part of a patch that could not be applied.'
            : 'A backup of a merge tool or of `patch` is committed. It holds the file as it was before, which git keeps anyway.',
          impact: rejected
            ? 'The change is missing from the code.'
            : 'Readers and searches find an old copy of the code.',
          suggestedFix: rejected
            ? `Apply what \`${path}\` holds by hand, then delete it.`
            : `\`git rm ${path}\`, and add \`*.orig\` to \`.gitignore\`.`,
        },
      ];
    }),
};
