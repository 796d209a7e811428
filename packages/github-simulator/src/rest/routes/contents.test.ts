import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture } from '../../testing/fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture();
  const files = {
    'src/deep/c.ts': 'c\n',
    alias: { content: 'README.md', mode: '120000' as const },
    vendored: { submodule: '1'.repeat(40) },
  };
  await fixture.commit('tree', files, 'main');
});

afterAll(() => fixture.simulator.close());

describe('GET …/git/trees/{sha}', () => {
  const tree = (treeSha: string, recursive?: string) =>
    fixture.octokit.rest.git.getTree({
      ...fixture.names,
      tree_sha: treeSha,
      ...(recursive === undefined ? {} : { recursive }),
    });

  it('lists everything below a commit, directories, links and submodules included', async () => {
    const { data } = await tree('tree', 'true');
    expect(data.truncated).toBe(false);
    const types = Object.fromEntries(data.tree.map((entry) => [entry.path, entry.type]));
    expect(types).toMatchObject({
      'src/deep': 'tree',
      'src/deep/c.ts': 'blob',
      alias: 'blob',
      vendored: 'commit',
    });
  });

  it('lists the top level unless asked for more', async () => {
    const { data } = await tree('tree');
    expect(data.tree.map((entry) => entry.path)).toContain('src');
    expect(data.tree.some((entry) => entry.path.includes('/'))).toBe(false);
  });

  it('is 404 for what is unknown', async () => {
    await expect(tree('f'.repeat(40))).rejects.toMatchObject({ status: 404 });
  });
});
