/**
 * How far whose word goes. Pure: whom GitHub knows as one of the team is told from outside.
 *
 * @module
 */
import { type Association, type Item, type Said, textsOf } from '../conversation/item.ts';
import type { Standing } from './answer.ts';

/** Whose texts are whose. */
export interface Speakers {
  /** Login of the pull request's author. */
  readonly prAuthor: string;
  /** Whether a person is one of the team; of who only resolved a thread the association is not known. */
  isTeam(login: string, association?: Association): boolean;
  isOurs(said: Said): boolean;
}

/** Login of a deleted account, as GitHub shows it. */
export const GHOST = 'ghost';

/** Of who said something. */
export function standingOf({ author, association }: Said, speakers: Speakers): Standing {
  if (author === undefined) return 'other';
  return author.isBot ? 'bot' : standingOfPerson(author.login, association, speakers);
}

function standingOfPerson(
  login: string,
  association: Association | undefined,
  { prAuthor, isTeam }: Speakers,
): Standing {
  if (isTeam(login, association)) return 'team';
  return isSame(login, prAuthor) ? 'author' : 'other';
}

/** By login in lower case; of somebody who is of the team in one place, that. */
export type Standings = ReadonlyMap<string, Standing>;

/** Of all who said something. */
export function standingsIn(items: readonly Item[], speakers: Speakers): Standings {
  const standings = new Map<string, Standing>();
  for (const said of items.flatMap(textsOf)) {
    const login = said.author?.login.toLowerCase();
    if (login === undefined || standings.get(login) === 'team') continue;
    standings.set(login, standingOf(said, speakers));
  }
  return standings;
}

/** Of who did something without a word, such as to resolve a thread; nobody is taken for one of the team unasked. */
export function standingOfLogin(login: string, standings: Standings, speakers: Speakers): Standing {
  if (login.endsWith('[bot]')) return 'bot';
  return standings.get(login.toLowerCase()) ?? standingOfPerson(login, undefined, speakers);
}

/** Whether two logins are one: GitHub keeps their case and ignores it. */
export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
