/**
 * Is the author one of the team? `author_association` does not see private membership, so GitHub is asked.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import { LRUCache } from 'lru-cache';
import { PermanentError } from '../errors.ts';
import type { RepoRef } from '../ids.ts';
import { githubError, statusOf } from './policy.ts';
import { createReadCache, type ReadCache } from './read-cache.ts';

/** Team PRs are reviewed by default, community PRs by label. Bots are community. */
export type AuthorClass = 'team' | 'community';

/** How long an answer is believed: people join and leave, but not within minutes (T-147). */
const MEMORY_MS = 5 * 60_000;
const MAX_PEOPLE = 1_000;

/** Asks GitHub who is of the team, and remembers the answers for some minutes; shared by all entities of a host. */
export interface Memberships {
  /**
   * Classifies a person for a repository: member of the organisation, or, where the repository belongs to a
   * user, collaborator with write access or more.
   * @throws PermanentError when the App lacks `Members: read` (GitHub then redirects to the public list)
   * @throws TransientError when GitHub does not answer
   */
  classify(octokit: Octokit, repo: RepoRef, person: Person): Promise<AuthorClass>;
}

/** Who is asked about. */
export interface Person {
  readonly login: string;
  readonly isBot: boolean;
}

/** Builds a memory that knows nobody. Contract: equal questions at one time are one request; failures are not remembered. */
export function createMemberships(): Memberships {
  const people = new LRUCache<string, Promise<AuthorClass>>({ max: MAX_PEOPLE, ttl: MEMORY_MS });
  const owners = createReadCache(MAX_PEOPLE);
  return {
    classify: (octokit, repo, { login, isBot }) => {
      if (isBot) return Promise.resolve('community');
      const key = `${repo.owner}/${repo.repo} ${login}`.toLowerCase();
      const known = people.get(key);
      if (known !== undefined) return known;
      const asked = ask(octokit, owners, repo, login);
      people.set(key, asked);
      asked.catch(() => {
        if (people.peek(key) === asked) people.delete(key);
      });
      return asked;
    },
  };
}

async function ask(octokit: Octokit, owners: ReadCache, repo: RepoRef, login: string): Promise<AuthorClass> {
  // Whether the owner is an organisation does not change while we run.
  const isOrganisation = await owners.get(repo.owner, () => isOrganisationName(octokit, repo.owner));
  return isOrganisation ? membership(octokit, repo.owner, login) : collaboration(octokit, repo, login);
}

async function isOrganisationName(octokit: Octokit, owner: string): Promise<boolean> {
  try {
    const { data } = await octokit.rest.users.getByUsername({ username: owner });
    return data.type === 'Organization';
  } catch (error) {
    throw githubError(`read the account of ${owner}`, error);
  }
}

async function collaboration(
  octokit: Octokit,
  { owner, repo }: RepoRef,
  login: string,
): Promise<AuthorClass> {
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({
      owner,
      repo,
      username: login,
    });
    return data.permission === 'admin' || data.permission === 'write' ? 'team' : 'community';
  } catch (error) {
    if (statusOf(error) === 404) return 'community';
    throw githubError(`read the permission of ${login}`, error);
  }
}

async function membership(octokit: Octokit, org: string, login: string): Promise<AuthorClass> {
  try {
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
