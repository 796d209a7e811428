/**
 * Who we are on GitHub: the App's slug and the id of its bot user. Asked once; never guessed from a heading
 * or a login text (S4).
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import type { GitHubAccess } from './access.ts';
import { githubError } from './policy.ts';

/** The App's own identity. */
export interface Identity {
  readonly slug: string;
  readonly botUserId: number;
}

/**
 * The identity, asked once per host: it does not change while the App lives.
 * @throws TransientError or PermanentError
 */
export function knownIdentity(access: GitHubAccess, octokit: Octokit): Promise<Identity> {
  return access.reads.get('identity', () => readIdentity(octokit));
}

/**
 * Reads the identity. `GET /app` wants the App's own token, which `@octokit/auth-app` chooses by the route.
 * @throws TransientError or PermanentError
 */
export async function readIdentity(octokit: Octokit): Promise<Identity> {
  try {
    const { data: app } = await octokit.rest.apps.getAuthenticated();
    const slug = app?.slug ?? '';
    const { data: user } = await octokit.rest.users.getByUsername({ username: `${slug}[bot]` });
    return { slug, botUserId: user.id };
  } catch (error) {
    throw githubError("read the App's identity", error);
  }
}
