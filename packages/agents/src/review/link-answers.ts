/**
 * Which texts of others answer which of our findings. Pure: it reads texts and places, and weighs nothing.
 *
 * @module
 */
import { type Association, type Item, type Said, type ThreadItem, textsOf } from '../conversation/item.ts';
import type { Answer, Standing } from './answer.ts';
import { claimsFix } from './claims-fix.ts';
import { grouped } from './grouped.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { indexFindings, type NamedFindings } from './named-findings.ts';
import { replyParts } from './reply-parts.ts';
import { type AlikeIn, indexWording } from './worded-alike.ts';
import { SAME_FILE_SIMILARITY, SAME_LINE_SIMILARITY } from './wording.ts';

/** Whose texts are whose. */
export interface Speakers {
  /** Login of the pull request's author. */
  readonly prAuthor: string;
  /** Whether a person is one of the team. */
  isTeam(login: string, association: Association): boolean;
  isOurs(said: Said): boolean;
}

/** A thread so near to a finding may be about it. */
const NEAR_LINES = 3;
/** Login of a deleted account, as GitHub shows it. */
const GHOST = 'ghost';

/**
 * Links what others said to the findings that it answers, in whatever state these are; the oldest answers first.
 *
 * A text answers a finding directly where it names it by its title, words of its message or `file:line`, outside of
 * code, and in a thread where an earlier text, also one of ours, does so, or the first one is worded like the finding.
 * Else a thread within three lines is an indirect answer. Of a comment that names several findings each gets the part
 * that is about it.
 *
 * Costs time by the length of all texts, and for each thread by the findings in its file; wordings are compared at
 * length with four of these at most.
 */
export function linkAnswers(
  entries: readonly LedgerEntry[],
  items: readonly Item[],
  speakers: Speakers,
): readonly Answer[] {
  if (entries.length === 0) return [];
  const findings = indexFindings(entries);
  const files = indexFiles(entries);
  const links = items.flatMap((item) =>
    item.kind === 'thread'
      ? threadLinks(item, files.get(item.path), findings, speakers)
      : textLinks(item, findings, speakers),
  );
  const standings = standingsIn(items, speakers);
  return links
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => Date.parse(a.said.createdAt) - Date.parse(b.said.createdAt))
    .map((link) => answerOf(link, standings, speakers));
}

interface Link {
  readonly entry: LedgerEntry;
  readonly item: Item;
  readonly said: Said;
  readonly text: string;
  readonly isDirect: boolean;
}

interface FileFindings {
  readonly entries: readonly LedgerEntry[];
  readonly alike: AlikeIn;
}

function indexFiles(entries: readonly LedgerEntry[]): ReadonlyMap<string, FileFindings> {
  const byFile = grouped(entries, ({ finding }) => [finding.file]);
  return new Map([...byFile].map(([path, own]) => [path, { entries: own, alike: indexWording(own) }]));
}

function textLinks(
  item: Exclude<Item, ThreadItem>,
  findings: NamedFindings,
  { isOurs }: Speakers,
): readonly Link[] {
  const { said } = item;
  if (isOurs(said)) return [];
  const { about } = replyParts(said.body, findings);
  return [...about].map(([entry, text]) => ({ entry, item, said, text, isDirect: true }));
}

function threadLinks(
  item: ThreadItem,
  file: FileFindings | undefined,
  findings: NamedFindings,
  { isOurs }: Speakers,
): readonly Link[] {
  const near = new Set(file?.entries.filter((entry) => isNear(item, entry)));
  const named = new Set<LedgerEntry>();
  return item.comments.flatMap((said, index) => {
    const { own, live, about } = replyParts(said.body, findings);
    for (const entry of index === 0 ? alikeAt(live, file, near) : []) named.add(entry);
    for (const entry of about.keys()) named.add(entry);
    if (isOurs(said)) return [];
    const direct = [...named].map((entry): Link => {
      return { entry, item, said, text: about.get(entry) || own, isDirect: true };
    });
    const indirect = [...near].filter((entry) => !named.has(entry));
    return [...direct, ...indirect.map((entry) => ({ entry, item, said, text: own, isDirect: false }))];
  });
}

function alikeAt(
  text: string,
  file: FileFindings | undefined,
  near: ReadonlySet<LedgerEntry>,
): readonly LedgerEntry[] {
  return file?.alike(text, (entry) => (near.has(entry) ? SAME_LINE_SIMILARITY : SAME_FILE_SIMILARITY)) ?? [];
}

/** A thread that is outdated stands where it was begun; one about a file at the findings about that file. */
function isNear({ subject, line, originalLine, isOnOldSide }: ThreadItem, { finding }: LedgerEntry): boolean {
  const at = isOnOldSide === true ? undefined : (line ?? originalLine);
  if (finding.line === undefined) return subject === 'file';
  return subject === 'line' && at !== undefined && Math.abs(at - finding.line) <= NEAR_LINES;
}

function answerOf(
  { entry, item, said, text, isDirect }: Link,
  standings: Standings,
  speakers: Speakers,
): Answer {
  return {
    findingId: entry.id,
    itemId: item.id,
    url: said.url,
    by: said.author?.login ?? GHOST,
    standing: standingOf(said, speakers),
    text,
    isDirect,
    ...(claimsFix(text) ? { claimsFix: true } : {}),
    ...(item.kind === 'thread' && item.isResolved
      ? { resolvedBy: resolverOf(item, standings, speakers) }
      : {}),
  };
}

function standingOf({ author, association }: Said, { prAuthor, isTeam }: Speakers): Standing {
  if (author === undefined) return 'other';
  if (author.isBot) return 'bot';
  if (isTeam(author.login, association)) return 'team';
  return isSame(author.login, prAuthor) ? 'author' : 'other';
}

/** By login in lower case; of somebody who is of the team in one place, that. */
type Standings = ReadonlyMap<string, Standing>;

function standingsIn(items: readonly Item[], speakers: Speakers): Standings {
  const standings = new Map<string, Standing>();
  for (const said of items.flatMap(textsOf)) {
    const login = said.author?.login.toLowerCase();
    if (login === undefined || standings.get(login) === 'team') continue;
    standings.set(login, standingOf(said, speakers));
  }
  return standings;
}

/** Only the pull request's author and people who may write can resolve a thread. */
function resolverOf({ resolvedBy }: ThreadItem, standings: Standings, { prAuthor }: Speakers) {
  if (resolvedBy === undefined) return { login: GHOST, standing: 'other' } as const;
  const known = standings.get(resolvedBy.toLowerCase());
  return { login: resolvedBy, standing: known ?? (isSame(resolvedBy, prAuthor) ? 'author' : 'team') };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
