/**
 * Whole reviews for tests of the comment: rounds through range, aggregation and ledger.
 *
 * @module
 */
import { expect } from 'vitest';
import { aggregate } from '../aggregate.ts';
import type { Decision } from '../answer.ts';
import type { RawFile } from '../changed-file.ts';
import type { ReviewComment } from '../compose.ts';
import { type LedgerRound, updateLedger } from '../ledger.ts';
import type { Ledger } from '../ledger-entry.ts';
import { parseMarker } from '../marker.ts';
import { computeRange } from '../range.ts';
import type { RoundInput, WorkerOutcome } from '../round.ts';
import { selectForReview } from '../select.ts';
import { roundInput, sha } from './builders.ts';
import { liveTexts, nodesOf, type TreeNode, treeOf } from './markdown-tree.ts';

/** The comment after some rounds over the files of each. */
export function review(
  rounds: readonly ({
    files: readonly RawFile[];
    outcomes: readonly WorkerOutcome[];
    decided?: (ledger: Ledger) => readonly Decision[];
    input?: Partial<RoundInput>;
  } & Pick<LedgerRound, 'reopenedItems'>)[],
  extra: Partial<ReviewComment> = {},
): ReviewComment {
  let ledger: Ledger = [];
  let before: readonly RawFile[] = [];
  let comment: ReviewComment | undefined;
  rounds.forEach(({ files, outcomes, decided, input: special = {}, ...heard }, index) => {
    const iteration = index + 1;
    const range = computeRange(before, files);
    const input = roundInput(files, {
      ...range,
      files: selectForReview(range.files),
      headSha: sha(iteration.toString()),
      baseSha: sha(index.toString()),
      incremental: index > 0,
      totalFiles: files.length,
      ...special,
    });
    const coverage = aggregate(outcomes, input);
    const entered = updateLedger(ledger, {
      aggregation: coverage,
      input,
      iteration,
      decisions: decided?.(ledger) ?? [],
      ...heard,
    });
    ledger = entered.ledger;
    before = files;
    comment = {
      pr: input.pr,
      webUrl: 'https://github.com/acme/shop',
      reviewer: { kind: 'model', name: 'acme/thinker-1' },
      texts: { summary: 'Adds a basket.' },
      ...entered,
      coverage,
      headSha: input.headSha,
      baseSha: input.baseSha,
      incremental: input.incremental,
      iteration,
      date: '2026-05-26',
      notes: [],
      ...extra,
    };
  });
  if (comment === undefined) throw new Error('a review needs a round');
  return comment;
}

/** Every `<details>` of ours is closed, and so is each fence: the rule and the marker are still seen as such. */
export function expectSound(body: string): void {
  const tree = treeOf(body);
  const html = nodesOf(tree)
    .filter((node) => node.type === 'html')
    .map((node) => node.value ?? '');
  expect(html.filter((value) => value.startsWith('<details>'))).toHaveLength(
    html.filter((value) => value === '</details>').length,
  );
  expect(
    html.every((value) =>
      /^(?:<details>\n<summary>(?:\d+ suggestions?|Discussion[\w ,:;]*)<\/summary>|<\/details>|<!-- pr-shepherd \{.*\} -->)$/.test(
        value,
      ),
    ),
  ).toBe(true);
  expect(tree.children?.slice(-3).map((node: TreeNode) => node.type)).toEqual([
    'thematicBreak',
    'paragraph',
    'html',
  ]);
  expect(liveTexts(tree)).toEqual([]);
  expect(parseMarker(body)).toBeDefined();
  expect(body.length).toBeLessThan(65_000);
  expect(Buffer.byteLength(body)).toBeLessThan(262_144);
}
