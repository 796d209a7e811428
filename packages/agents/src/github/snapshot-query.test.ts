import { checkQuery } from '@openfactory/github-simulator';
import { expect, it } from 'vitest';
import { type Ask, snapshotQuery } from './snapshot-query.ts';

const PR = { owner: 'acme', repo: 'shop', number: 1 };
const ALL: Ask['lists'] = { threads: null, comments: null, reviews: null, opinions: null };

function queryFor(lists: Ask['lists'], threads: number) {
  const wanted = Array.from({ length: threads }, (_, index) => ({ id: `T${index}`, after: `C${index}` }));
  return snapshotQuery(PR, { lists, threads: wanted, reviewIds: [] }, 100);
}

const check = (query: ReturnType<typeof snapshotQuery>) =>
  checkQuery({ query: query.text, variables: query.variables });

it('asks what is in GitHub’s published schema, in every text that there is', async () => {
  for (let threads = 0; threads <= 20; threads += 1) {
    const { problems, nodeCount, points } = await check(queryFor(ALL, threads));
    expect(problems).toEqual([]);
    expect(nodeCount).toBeLessThan(500_000 / 10);
    expect(points).toBe(1);
  }
});

it('asks only for the lists that go on', async () => {
  const all = await check(queryFor(ALL, 0));
  const some = await check(queryFor({ comments: 'C' }, 0));
  expect(some).toEqual({ problems: [], nodeCount: 100, points: 1 });
  expect(all.nodeCount).toBe(100 + 100 * 100 + 100 + 100 + 100);
});

it('has what GitHub and people gave as variables only', async () => {
  const evil = '") { id } } } }\n#';
  const pr = { owner: evil, repo: evil, number: 1 };
  const ask: Ask = { lists: { comments: evil }, threads: [{ id: evil, after: evil }], reviewIds: [evil] };
  const { text, variables } = snapshotQuery(pr, ask, 100);
  expect(text).toBe(queryFor({}, 1).text);
  expect(
    Object.values(variables)
      .flat()
      .filter((value) => value === evil),
  ).toHaveLength(6);
  expect((await checkQuery({ query: text, variables })).problems).toEqual([]);
});
