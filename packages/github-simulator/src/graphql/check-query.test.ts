import { describe, expect, it } from 'vitest';
import { checkQuery } from './check-query.ts';

const ofPullRequest = (fields: string) =>
  `repository(owner: "acme", name: "widgets") { pullRequest(number: 1) { ${fields} } }`;

describe('a check of a query', () => {
  it('tells what GitHub would refuse before it looks anything up', async () => {
    const threads = 'reviewThreads(first: $first) { nodes { comments(first: 100) { nodes { id } } } }';
    const query = `query($first: Int!) { ${ofPullRequest(threads)} }`;
    const of = (first: unknown) => checkQuery({ query, variables: { first } });
    expect(await of(100)).toEqual({ problems: [], nodeCount: 10_100, points: 1 });
    expect((await of(101)).problems).toEqual([expect.stringContaining('exceeds the `first` limit')]);
    expect((await of(undefined)).problems).toEqual([expect.stringContaining('$first')]);
    expect((await checkQuery({ query: '{ viewer { shoeSize } }' })).problems).toHaveLength(1);
    expect((await checkQuery({ query: '{ viewer' })).problems).toEqual([
      expect.stringContaining('Syntax Error'),
    ]);
  });

  it('counts one point for a hundred requests, each nested page counted for each node above it', async () => {
    const threads = 'reviewThreads(first: 100) { nodes { comments(first: 50) { nodes { id } } } }';
    const query = `{ ${ofPullRequest('...talk comments(first: 100) { nodes { id } }')} }
      fragment talk on PullRequest { ${threads} reviews(first: 100) { nodes { ... on PullRequestReview {
        comments(first: 10) { nodes { id } } } } } }`;
    const nodeCount = 100 + 5000 + 100 + 1000 + 100;
    expect(await checkQuery({ query })).toEqual({ problems: [], points: 2, nodeCount });
  });

  it('counts nothing for what a directive leaves out', async () => {
    const fields = `comments(first: 100) @include(if: $no) { nodes { id } }
      reviews(first: 50) @include(if: $yes) @skip(if: $no) { nodes { id } }
      ... @skip(if: $yes) { reviewThreads(first: 100) { nodes { id } } }
      ...more @include(if: $no)`;
    const query = `query($yes: Boolean!, $no: Boolean!) { ${ofPullRequest(fields)} }
      fragment more on PullRequest { threads: reviewThreads(first: 100) { nodes { id } } }`;
    const { problems, nodeCount } = await checkQuery({ query, variables: { yes: true, no: false } });
    expect([problems, nodeCount]).toEqual([[], 50]);
  });
});
