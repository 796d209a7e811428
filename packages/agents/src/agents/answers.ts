/**
 * What people answered to findings, and whose word it is.
 *
 * @module
 */
import { type Association, isTeamAssociation } from '../conversation/item.ts';
import { messageOf } from '../errors.ts';
import type { PrRef } from '../ids.ts';
import type { Answer } from '../review/answer.ts';
import type { Ledger } from '../review/ledger-entry.ts';
import { linkAnswers } from '../review/link-answers.ts';
import { GHOST, isSame } from '../review/speakers.ts';
import type { Discussion } from './discussion.ts';
import type { ShepherdDeps } from './orders.ts';

/** People whom GitHub is asked about in one round (S9). */
const MAX_ASKED = 5;
/** Answers to one finding that are told, and how much of each. */
const MAX_ANSWERS = 20;
const MAX_ANSWER_CHARS = 1_500;
/** Of all findings together. */
const MAX_ANSWERS_IN_ALL = 200;

/** The newest of each finding: who said something twenty times has said it (S9). */
function bounded(answers: readonly Answer[]): readonly Answer[] {
  const left = new Map<string, number>();
  return answers
    .toReversed()
    .filter(({ findingId }) => {
      const count = left.get(findingId) ?? MAX_ANSWERS;
      left.set(findingId, count - 1);
      return count > 0;
    })
    .slice(0, MAX_ANSWERS_IN_ALL)
    .toReversed()
    .map((answer) => ({ ...answer, text: answer.text.slice(0, MAX_ANSWER_CHARS) }));
}

/** About whose PR. */
interface Asked {
  readonly pr: PrRef;
  readonly prAuthor: string;
  readonly isAuthorTeam: boolean;
}

/**
 * The answers to findings, by whom. GitHub shows a private member like anybody, so it is asked about those whose word
 * would count for more; where it does not say, their word goes less far, which is the safe side. What the author is
 * was asked before, and nothing else says it.
 */
export async function answersTo(
  ledger: Ledger,
  { snapshot, isOurs }: Discussion,
  deps: ShepherdDeps,
  { pr, prAuthor, isAuthorTeam }: Asked,
): Promise<readonly Answer[]> {
  const asked = new Map<string, boolean>();
  const isTeam = (login: string, association: Association = 'NONE'): boolean =>
    isSame(login, prAuthor)
      ? isAuthorTeam
      : asked.get(login.toLowerCase()) === true || isTeamAssociation(association);
  const linked = () => linkAnswers(ledger, snapshot.items, { prAuthor, isOurs, isTeam });
  let answers = linked();
  for (let left = MAX_ASKED; left > 0; ) {
    const people = unknownIn(answers).filter((login) => !asked.has(login.toLowerCase()));
    if (people.length === 0) break;
    const next = people.slice(0, left);
    left -= next.length;
    for (const login of next) asked.set(login.toLowerCase(), await isMember(login, deps, pr));
    // With whom it may be seen what others speak of.
    if (next.some((login) => isTeam(login))) answers = linked();
  }
  return bounded(answers);
}

/** Whose word would count for more if they were of the team: first who resolved threads, which few can, then the newest. */
function unknownIn(answers: readonly Answer[]): readonly string[] {
  const resolvers = answers.flatMap(({ resolvedBy }) =>
    resolvedBy?.named !== undefined && resolvedBy.standing === 'other' ? [resolvedBy.login] : [],
  );
  const speakers = answers.flatMap(({ by, standing, isDirect }) =>
    isDirect && standing === 'other' ? [by] : [],
  );
  const logins = [...resolvers, ...speakers.toReversed()].filter((login) => login !== GHOST);
  return [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()];
}

async function isMember(login: string, { services, octokit }: ShepherdDeps, pr: PrRef): Promise<boolean> {
  try {
    return (await services.memberships.classify(octokit, pr, { login, isBot: false })) === 'team';
  } catch (error) {
    services.log.warn('GitHub did not say who answered', { error: messageOf(error) });
    return false;
  }
}
