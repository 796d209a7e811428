import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { createGitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { expect, it, onTestFinished } from 'vitest';
import { TransientError } from '../errors.ts';
import { parseSha } from '../ids.ts';
import { silentLog } from '../log.ts';
import { createGitHubAccess } from './access.ts';
import { createFileReader } from './file-reader.ts';

const REPO = { owner: 'acme', repo: 'shop' };
const LARGE = 'x'.repeat(600_000);

async function open(files: Parameters<typeof commitFiles>[1]['files']) {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  const simulator = await createGitHubSimulator({ ...REPO, app });
  onTestFinished(() => simulator.close());
  const commit = await commitFiles(simulator.gitDir, { branch: 'main', files, message: 'Begin' });
  const access = createGitHubAccess({
    appId: app.id,
    installationId: app.installationId,
    privateKey: simulator.privateKeyPem,
    baseUrl: simulator.url,
    log: silentLog,
    onRequest: () => {},
  });
  const octokit = access.prepare(new Octokit({ authStrategy: createAppAuth, ...access.options }));
  const ref = parseSha(commit);
  if (ref === undefined) throw new TypeError(commit);
  const reader = createFileReader();
  const read = (path: string) => reader.read(octokit, { repo: REPO, path, ref });
  const queries = () => simulator.requests.filter(({ path }) => path.startsWith('/graphql')).length;
  return { simulator, read, queries };
}

it('T-170 reads what is asked for in one turn with one request, whatever the paths are', async () => {
  const texts = {
    'a.ts': 'one\r\n',
    'dir/ü "b" #1\t.txt': '√\n',
    'src/x:y.ts': '',
    'a b/c.md': 'no line end',
  };
  const { read, queries } = await open(texts);
  const paths = [...Object.keys(texts), 'absent.ts', 'dir', ''];
  const found = await Promise.all(paths.map(read));
  expect(found).toEqual([...Object.values(texts), undefined, undefined, undefined]);
  expect(queries()).toBe(1);
});

it('asks for more than a query holds with several', async () => {
  const files = Object.fromEntries(Array.from({ length: 151 }, (_, n) => [`f${n}.ts`, `${n}\n`]));
  const { read, queries } = await open(files);
  expect(await Promise.all(Object.keys(files).map(read))).toEqual(Object.values(files));
  expect(queries()).toBe(2);
});

it('gives the whole of a file of which GraphQL cuts the text, and nothing of a binary or a huge one', async () => {
  const binary = { content: new Uint8Array([0, 1, 2, 255]) };
  const { read } = await open({ 'large.ts': LARGE, 'huge.ts': LARGE + LARGE, 'a.png': binary });
  const [large, huge, image] = await Promise.all(['large.ts', 'huge.ts', 'a.png'].map(read));
  expect(large).toBe(LARGE);
  expect([huge, image]).toEqual([undefined, undefined]);
});

it('fails for all who waited when GitHub refuses', async () => {
  const { simulator, read } = await open({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
  const respond = {
    status: 403,
    body: { message: 'secondary rate limit' },
    headers: { 'retry-after': '3600' },
  };
  simulator.inject({ path: /graphql/, respond });
  const failed = await Promise.allSettled(['a.ts', 'b.ts'].map(read));
  const reasons = failed.map((result) => (result.status === 'rejected' ? result.reason : undefined));
  expect(reasons).toEqual([expect.any(TransientError), expect.any(TransientError)]);
});
