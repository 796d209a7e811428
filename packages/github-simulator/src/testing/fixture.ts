import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { commitFiles, type FileContent } from '../git/index.ts';
import type { SimulatorOptions } from '../options.ts';
import { createGitHubSimulator, type GitHubSimulator } from '../simulator.ts';
import { loadOpenApi, type OpenApi } from './open-api.ts';

export const APP = { id: 4711, slug: 'horton', installationId: 99 };
export const HOOK_SECRET = ['hook', 'secret'].join('-');

export interface Fixture {
  readonly simulator: GitHubSimulator;
  readonly openApi: OpenApi;
  /** Acts as the installation. Every answer it gets is checked against GitHub's description. */
  readonly octokit: Octokit;
  /** Acts as the App itself. */
  readonly appOctokit: Octokit;
  readonly names: { readonly owner: string; readonly repo: string };
  commit(branch: string, files: Readonly<Record<string, FileContent>>, parent?: string): Promise<string>;
}

/** A simulator of `acme/widgets` with a branch `main` and a branch `feature` one commit ahead. */
export async function startFixture(options: Partial<SimulatorOptions> = {}): Promise<Fixture> {
  const names = { owner: 'acme', repo: 'widgets' };
  const simulator = await createGitHubSimulator({
    ...names,
    members: ['alice'],
    collaborators: { bob: 'maintain' },
    app: { ...APP, webhookSecret: HOOK_SECRET },
    ...options,
  });
  const openApi = loadOpenApi();
  const commit: Fixture['commit'] = (branch, files, parent) =>
    commitFiles(simulator.gitDir, {
      branch,
      files,
      message: `Change ${Object.keys(files).join(', ')}`,
      ...(parent === undefined ? {} : { parent }),
    });
  await commit('main', { 'README.md': 'Widgets\n', 'src/a.ts': 'export const a = 1;\n' });
  await commit('feature', { 'src/a.ts': 'export const a = 2;\n' }, 'main');
  const auth = { appId: APP.id, privateKey: simulator.privateKeyPem };
  return {
    simulator,
    openApi,
    octokit: checkedOctokit(openApi, simulator.url, { ...auth, installationId: APP.installationId }),
    appOctokit: checkedOctokit(openApi, simulator.url, auth),
    names,
    commit,
  };
}

function checkedOctokit(openApi: OpenApi, baseUrl: string, auth: Record<string, unknown>): Octokit {
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const octokit = new Octokit({ authStrategy: createAppAuth, auth, baseUrl, log });
  const check = (options: { method: string; url: string }, status: number, data: unknown) => {
    // GraphQL is not in the description; its answers are made by the published schema itself.
    if (options.url === '/graphql' || typeof data === 'string' || data instanceof ArrayBuffer) return;
    const problem = openApi.checkAnswer(options.method, options.url, status, data);
    if (problem !== undefined) throw new Error(`${options.method} ${options.url} ${status}:\n${problem}`);
  };
  octokit.hook.after('request', (response, options) => check(options, response.status, response.data));
  return octokit;
}

function ignore(): void {}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What is answered from now on. Default: 200. */
  answer(status: number): void;
  close(): Promise<void>;
}

/** An HTTP endpoint that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
