/**
 * Is the author one of the team? `author_association` does not see private membership, so GitHub is asked.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { PermanentError } from '../errors.ts';
import type { RepoRef } from '../ids.ts';
import { githubError, statusOf } from './policy.ts';

/** Team PRs are reviewed by default, community PRs by label. Bots are community. */
export type AuthorClass = 'team' | 'community';

/**
 * Classifies a person for a repository: member of the organisation, or, where the repository belongs to a
 * user, collaborator with write access or more.
 * @throws PermanentError when the App lacks `Members: read` (GitHub then redirects to the public list)
 * @throws TransientError when GitHub does not answer
 */
export async function classifyAuthor(
  octokit: Octokit,
  repo: RepoRef,
  author: { readonly login: string; readonly isBot: boolean },
): Promise<AuthorClass> {
  if (author.isBot) return 'community';
  const membership = await organisationMembership(octokit, repo.owner, author.login);
  if (membership !== 'no-organisation') return membership;
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({
      owner: repo.owner,
      repo: repo.repo,
      username: author.login,
    });
    return data.permission === 'admin' || data.permission === 'write' ? 'team' : 'community';
  } catch (error) {
    if (statusOf(error) === 404) return 'community';
    throw githubError(`read the permission of ${author.login}`, error);
  }
}

async function organisationMembership(
  octokit: Octokit,
  org: string,
  login: string,
): Promise<AuthorClass | 'no-organisation'> {
  try {
    const { data: owner } = await octokit.rest.users.getByUsername({ username: org });
    if (owner.type !== 'Organization') return 'no-organisation';
    const answer = await octokit.request('GET /orgs/{org}/members/{username}', {
      org,
      username: login,
      // Followed, the redirect would read as "member" for public members and "not" for private ones.
      request: { redirect: 'manual' },
    });
    if (Number(answer.status) === 302) throw missingPermission(org);
    return 'team';
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) return 'community';
    if (status === 302) throw missingPermission(org);
    throw githubError(`read the membership of ${login}`, error);
  }
}

function missingPermission(org: string): PermanentError {
  return new PermanentError(
    `The App may not read the members of ${org}. Grant it the organisation permission "Members: read" ` +
      'and let an owner accept the change.',
  );
}
