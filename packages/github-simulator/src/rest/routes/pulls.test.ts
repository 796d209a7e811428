import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../../testing/fixture.ts';

let fixture: Fixture;
let number: number;

beforeAll(async () => {
  fixture = await startFixture();
  ({ number } = await fixture.simulator.openPullRequest({
    head: 'feature',
    base: 'main',
    title: 'Set a to 2',
    author: 'alice',
    labels: ['shepherd'],
  }));
});

afterAll(() => fixture.simulator.close());

describe('GET …/pulls/{n}', () => {
  it('has the counts of its range and mergeability only when asked again', async () => {
    const { octokit, names } = fixture;
    const first = await octokit.rest.pulls.get({ ...names, pull_number: number });
    expect(first.data).toMatchObject({
      number,
      state: 'open',
      additions: 1,
      deletions: 1,
      changed_files: 1,
      commits: 1,
      mergeable: null,
      mergeable_state: 'unknown',
      author_association: 'MEMBER',
      labels: [{ name: 'shepherd' }],
    });
    const second = await octokit.rest.pulls.get({ ...names, pull_number: number });
    expect(second.data).toMatchObject({ mergeable: true, mergeable_state: 'clean' });
  });
});
