import { describe, expect, it } from 'vitest';
import { ASPECTS } from '../ids.ts';
import { analyze } from '../model/analyzers/index.ts';
import { type Change, rangeOf } from '../model/analyzers/testing/range.ts';
import { createSampleHistory, type SampleCommit } from './sample-history.ts';

const history = createSampleHistory();

describe('the sample history', () => {
  it('has one fault per aspect before the follow-up, each in another place', async () => {
    expect(await faultsOf(history.slice(0, -1))).toEqual([
      'correctness important src/notices.ts:10',
      'conventions important src/app.ts',
      'security critical src/store.ts:23',
      'perf important src/app.ts:28',
      'tests important src/label.test.ts:12',
      'architecture important package.json:20',
    ]);
  });

  it('has three faults less after the follow-up, and no new one', async () => {
    expect(await faultsOf(history)).toEqual([
      'correctness important src/notices.ts:10',
      'perf important src/app.ts:28',
      'architecture important package.json:20',
    ]);
  });

  it('has nothing to remark in the follow-up itself', async () => {
    const input = rangeOf(
      changesBetween(history.slice(0, -1), history),
      Object.fromEntries(stateAfter(history)),
    );
    expect((await Promise.all(ASPECTS.map((aspect) => analyze(aspect, input)))).flat()).toEqual([]);
  });

  it('is clean at its base, and goes forward in time with every commit', async () => {
    expect(await faultsOf(history.slice(0, 1), [])).toEqual([]);
    const dates = history.map((commit) => Date.parse(commit.dateIso));
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
    const paths = history.map((commit) => Object.keys(commit.files));
    expect(paths.every((list) => list.length > 0)).toBe(true);
    expect(paths[0]).toContain('.changeset/config.json');
  });
});

/** What the analyzers say about the commits after the base, as one line a finding. */
async function faultsOf(
  commits: readonly SampleCommit[],
  base: readonly SampleCommit[] = history.slice(0, 1),
): Promise<readonly string[]> {
  const input = rangeOf(changesBetween(base, commits), Object.fromEntries(stateAfter(commits)));
  const found = await Promise.all(
    ASPECTS.map(async (aspect) => {
      const findings = await analyze(aspect, input);
      return findings.map(
        ({ severity, file, line }) => `${aspect} ${severity} ${[file, line ?? []].flat().join(':')}`,
      );
    }),
  );
  return found.flat();
}

function changesBetween(
  base: readonly SampleCommit[],
  head: readonly SampleCommit[],
): Record<string, Change> {
  const before = stateAfter(base);
  const after = stateAfter(head);
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return Object.fromEntries(
    paths.map((path) => [path, { before: before.get(path) ?? null, after: after.get(path) ?? null }]),
  );
}

function stateAfter(commits: readonly SampleCommit[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [path, content] of commits.flatMap((commit) => Object.entries(commit.files))) {
    if (content === null) files.delete(path);
    else files.set(path, content);
  }
  return files;
}
