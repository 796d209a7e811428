/**
 * A local range as the input of a round: what GitHub would have told, told by git.
 *
 * @module
 */
import { basename } from 'node:path';
import type { CompareFile } from '@openfactory/github-simulator/git';
import { parseSha, type Sha } from '../ids.ts';
import { assembleRound } from '../review/assemble-round.ts';
import type { RawFile } from '../review/changed-file.ts';
import type { RoundInput } from '../review/round.ts';
import { readRuleFiles } from '../review/rule-files.ts';
import type { LocalRange } from './local-range.ts';

/** Builds the input of a first round over a local range. */
export async function localRound(range: LocalRange): Promise<RoundInput> {
  const { git, headSha, comparison } = range;
  const baseSha = shaOf(comparison.mergeBaseSha);
  const { message, author } = await git.commit(headSha);
  const [title = '', ...body] = message.split('\n');
  return assembleRound({
    pr: {
      owner: 'local',
      repo: basename(git.gitDir.replace(/[\\/]\.git$/, '')),
      number: 1,
      title,
      body: body.join('\n').trim(),
      author: author.name,
      authorIsBot: false,
      headSha,
      baseRef: range.baseName,
      baseSha,
      draft: false,
      open: true,
      locked: false,
      labels: [],
    },
    headSha,
    baseSha,
    before: undefined,
    now: comparison.files.map(rawFile),
    totalFiles: comparison.files.length,
    listComplete: true,
    behindBy: comparison.behindBy,
    rules: await readRuleFiles((path) => git.readFile(baseSha, path)),
    wholePr: true,
  });
}

function shaOf(text: string): Sha {
  const sha = parseSha(text);
  if (sha === undefined) throw new TypeError(`git gave a commit id that is none: ${text}`);
  return sha;
}

function rawFile(file: CompareFile): RawFile {
  const { filename: path, status, additions, deletions, previousFilename, patch } = file;
  return {
    path,
    status,
    additions,
    deletions,
    ...(previousFilename === undefined ? {} : { previousPath: previousFilename }),
    ...(patch === undefined ? {} : { patch }),
  };
}
