/**
 * A simulated repository with one branch to open pull requests from, and the App's access to it.
 *
 * @module
 */
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { createGitHubSimulator, type GitHubSimulator } from '@openfactory/github-simulator';
import { commitFiles } from '@openfactory/github-simulator/git';
import { silentLog } from '../../log.ts';
import { createGitHubAccess, type GitHubAccess } from '../access.ts';

/** The repository's name. */
export const SHOP = { owner: 'acme', repo: 'shop' };

/** A running repository. */
export interface Shop {
  readonly simulator: GitHubSimulator;
  readonly access: GitHubAccess;
  readonly octokit: Octokit;
  /** Opens another pull request of the same branch, by `eve`; resolves to its number. */
  openPullRequest(): Promise<number>;
}

/** Starts one whose branch adds `files`. The team is `ada`. Close the simulator afterwards. */
export async function startShop(files: Readonly<Record<string, string>>): Promise<Shop> {
  const app = { id: 7, slug: 'horton', installationId: 8, webhookSecret: ['a', 'b'].join('-') };
  const simulator = await createGitHubSimulator({ ...SHOP, members: ['ada'], app });
  const { gitDir } = simulator;
  const parent = await commitFiles(gitDir, { branch: 'main', files: { 'a.txt': 'a\n' }, message: 'Begin' });
  await commitFiles(gitDir, { branch: 'feature', parent, files, message: 'Add files' });
  const access = createGitHubAccess({
    appId: app.id,
    installationId: app.installationId,
    privateKey: simulator.privateKeyPem,
    baseUrl: simulator.url,
    log: silentLog,
    onRequest: () => {},
  });
  const octokit = access.prepare(new Octokit({ authStrategy: createAppAuth, ...access.options }));
  return {
    simulator,
    access,
    octokit,
    openPullRequest: async () => {
      const wanted = { head: 'feature', base: 'main', title: 'Add files', author: 'eve', body: 'Two files.' };
      return (await simulator.openPullRequest(wanted)).number;
    },
  };
}
