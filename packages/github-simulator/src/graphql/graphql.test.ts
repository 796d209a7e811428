import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, type Fixture, startFixture } from '../testing/fixture.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await startFixture();
});

afterAll(() => fixture.simulator.close());

const ask = (query: string, variables: Record<string, unknown> = {}) =>
  fixture.octokit.graphql<Record<string, never>>(query, variables);

/** The whole answer, errors included. */
async function answerTo(query: string, variables: Record<string, unknown> = {}) {
  const { data } = await fixture.octokit.request('POST /graphql', { query, variables });
  return data;
}

const inRepository = (fields: string) => `{ repository(owner: "acme", name: "widgets") { ${fields} } }`;

describe('GraphQL', () => {
  it('names the App with its [bot], and counts its own points', async () => {
    const { octokit } = fixture;
    const query = '{ viewer { login } rateLimit { cost limit remaining used resetAt nodeCount } }';
    const core = (await octokit.rest.rateLimit.get()).data.resources.core.remaining;
    const first = await answerTo(query);
    const second = await answerTo(query);
    expect(first.data).toEqual({
      viewer: { login: 'horton[bot]' },
      rateLimit: {
        cost: 1,
        limit: 5000,
        used: 1,
        remaining: 4999,
        nodeCount: 0,
        resetAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    });
    expect(second.data.rateLimit.used).toBe(2);
    const after = (await octokit.rest.rateLimit.get()).data.resources;
    expect([after.core.remaining, after.graphql?.remaining]).toEqual([core, 4998]);
  });

  it('reads many files at one commit with one query', async () => {
    const { commit, simulator } = fixture;
    const long = `${'é'.repeat(255_999)}xé${'tail'.repeat(10)}`;
    const sha = await commit('files', {
      'a dir/ü "q".ts': 'export {};\n',
      'empty.txt': '',
      'long.txt': long,
      'image.png': { content: new Uint8Array([0x89, 0x50, 0, 1]) },
    });
    const aliases = ['a dir/ü "q".ts', 'empty.txt', 'long.txt', 'image.png', 'a dir', 'gone.txt', '']
      .map((path, index) => `f${index}: object(expression: ${JSON.stringify(`${sha}:${path}`)}) { ...file }`)
      .join(' ');
    const before = simulator.requests.length;
    const { repository } = await ask(
      `${inRepository(aliases)} fragment file on GitObject {
        __typename oid ... on Blob { byteSize isBinary isTruncated text }
      }`,
    );
    expect(simulator.requests.slice(before)).toMatchObject([
      { method: 'POST', path: '/graphql', status: 200 },
    ]);
    const blob = { __typename: 'Blob', oid: expect.stringMatching(/^[0-9a-f]{40}$/), isBinary: false };
    expect(repository).toEqual({
      f0: { ...blob, byteSize: 11, isTruncated: false, text: 'export {};\n' },
      f1: { ...blob, byteSize: 0, isTruncated: false, text: '' },
      // The cut at 512,000 bytes goes through the last character, which is left out.
      f2: { ...blob, byteSize: 512_041, isTruncated: true, text: `${'é'.repeat(255_999)}x` },
      f3: { ...blob, byteSize: 4, isBinary: true, isTruncated: false, text: null },
      f4: { __typename: 'Tree', oid: expect.any(String) },
      f5: null,
      f6: { __typename: 'Tree', oid: expect.any(String) },
    });
  });

  it('reads commits, branches and nothing else by the same name', async () => {
    const { commit } = fixture;
    const sha = await commit('names', { 'x.txt': 'x\n' });
    const names = { sha, branch: 'names', none: 'nowhere', option: '--help', blank: '', nul: 'a\u0000b' };
    const aliases = Object.entries(names).map(
      ([alias, expression]) =>
        `${alias}: object(expression: ${JSON.stringify(expression)}) { __typename oid }`,
    );
    const { repository } = await ask(inRepository(aliases.join(' ')));
    const found = { __typename: 'Commit', oid: sha };
    expect(repository).toEqual({
      sha: found,
      branch: found,
      none: null,
      option: null,
      blank: null,
      nul: null,
    });
  });

  it('answers 200 with a type of error, and with whatever else could be answered', async () => {
    expect(await answerTo('{ viewer { login } repository(owner: "acme", name: "gadgets") { id } }')).toEqual({
      data: { viewer: { login: 'horton[bot]' }, repository: null },
      errors: [
        {
          type: 'NOT_FOUND',
          path: ['repository'],
          locations: [{ line: 1, column: 20 }],
          message: "Could not resolve to a Repository with the name 'acme/gadgets'.",
        },
      ],
    });
    await expect(ask('{ repository(owner: "acme", name: "gadgets") { id } }')).rejects.toMatchObject({
      name: 'GraphqlResponseError',
      errors: [{ type: 'NOT_FOUND' }],
    });
  });

  it('refuses what is no query, or none of GitHub’s', async () => {
    const messages = async (query: string, variables = {}) => {
      const { data, errors } = await answerTo(query, variables);
      expect(data).toBeNull();
      return errors.map(({ message }: { message: string }) => message);
    };
    expect(await messages('{ viewer {')).toEqual([expect.stringContaining('Syntax Error')]);
    expect(await messages('{ viewer { shoeSize } }')).toEqual([expect.stringContaining('shoeSize')]);
    expect(await messages('query($n: Int!) { nodes(ids: []) { id } }')).toEqual([
      expect.stringContaining('$n'),
    ]);
    const needsVariable = 'query($n: String!) { repository(owner: $n, name: "widgets") { id } }';
    expect(await messages(needsVariable)).toEqual([expect.stringContaining('$n')]);
    expect(await messages('query a { viewer { login } } query b { viewer { login } }')).toHaveLength(1);
  });

  it('says so where the simulator lacks what GitHub has', async () => {
    const { simulator } = fixture;
    const { data, errors } = await answerTo(inRepository('id stargazerCount'));
    expect(data).toEqual({ repository: null });
    expect(errors).toMatchObject([
      { type: 'SIMULATOR_LACKS', message: expect.stringContaining('Repository.stargazerCount') },
    ]);
    expect(simulator.requests.at(-1)).toMatchObject({ path: '/graphql', routed: false });
    expect((await answerTo('{ rateLimit(dryRun: true) { cost } }')).errors).toMatchObject([
      { type: 'SIMULATOR_LACKS', message: expect.stringContaining('dryRun') },
    ]);
    const mutation = 'mutation { addStar(input: { starrableId: "x" }) { clientMutationId } }';
    expect((await answerTo(mutation)).errors).toMatchObject([{ type: 'SIMULATOR_LACKS' }]);
  });

  it('needs a token of the installation, with the permission', async () => {
    const { appOctokit, simulator } = fixture;
    const post = (token: string) =>
      fetch(`${simulator.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `bearer ${token}` },
        body: JSON.stringify({ query: inRepository('name object(expression: "main:README.md") { oid }') }),
      });
    const { token: appToken } = (await appOctokit.auth({ type: 'app' })) as { token: string };
    expect((await post(appToken)).status).toBe(401);
    const { data } = await appOctokit.rest.apps.createInstallationAccessToken({
      installation_id: APP.installationId,
      permissions: { metadata: 'read' },
    });
    expect(await (await post(data.token)).json()).toMatchObject({
      data: { repository: { name: 'widgets', object: null } },
      errors: [{ type: 'FORBIDDEN', path: ['repository', 'object'] }],
    });
  });

  it('takes injected faults as REST does', async () => {
    fixture.simulator.inject({ method: 'POST', path: /^\/graphql$/, times: 1, respond: { status: 502 } });
    await expect(ask('{ viewer { login } }')).rejects.toMatchObject({ status: 502 });
    expect(await ask('{ viewer { login } }')).toEqual({ viewer: { login: 'horton[bot]' } });
  });
});

describe('the limits of a query', () => {
  const nested = (outer: string, inner: string) =>
    inRepository(
      `pullRequest(number: 1) { reviewThreads${outer} { nodes { comments${inner} { nodes { id } } } } }`,
    );
  const refusal = async (query: string, variables = {}) => (await answerTo(query, variables)).errors;

  it('want first or last for every connection, at most 100 and not below zero', async () => {
    expect(await refusal(nested('', '(first: 1)'))).toMatchObject([
      { type: 'MISSING_PAGINATION_BOUNDARIES', path: ['repository', 'pullRequest', 'reviewThreads'] },
    ]);
    expect(await refusal(nested('(first: 1)', '(last: 101)'))).toMatchObject([
      {
        type: 'EXCESSIVE_PAGINATION',
        message:
          'Requesting 101 records on the `comments` connection exceeds the `last` limit of 100 records.',
      },
    ]);
    expect(await refusal(nested('(first: -1)', '(first: 1)'))).toMatchObject([
      { type: 'EXCESSIVE_PAGINATION', message: expect.stringContaining('less than zero') },
    ]);
  });

  it('refuse more than 500,000 nodes', async () => {
    const threads =
      'reviewThreads(first: 100) { nodes { comments(first: $n) { nodes { reactions(first: 60) { nodes { id } } } } } }';
    const query = `query($n: Int) ${inRepository(`pullRequest(number: 1) { ${threads} }`)}`;
    expect(await refusal(query, { n: 100 })).toMatchObject([
      {
        type: 'MAX_NODE_LIMIT_EXCEEDED',
        message: expect.stringContaining('requesting up to 610,100 possible nodes'),
      },
    ]);
  });

  it('refuse with an error when the hour’s points are used up', async () => {
    const own = await startFixture({ requestsPerHour: 1 });
    try {
      const query = () => own.octokit.request('POST /graphql', { query: '{ viewer { login } }' });
      expect((await query()).headers).toMatchObject({
        'x-ratelimit-resource': 'graphql',
        'x-ratelimit-remaining': '0',
      });
      expect(await query()).toMatchObject({
        status: 200,
        data: { errors: [{ type: 'RATE_LIMIT', message: expect.stringContaining('API rate limit') }] },
      });
    } finally {
      await own.simulator.close();
    }
  });
});
