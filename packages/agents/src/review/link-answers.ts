/**
 * Which texts of others answer which of our findings. Pure: it reads texts and places, and weighs nothing.
 *
 * @module
 */
import type { Item, ThreadItem } from '../conversation/item.ts';
import type { Answer } from './answer.ts';
import { claimsFix } from './claims-fix.ts';
import { grouped } from './grouped.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { indexFindings } from './named-findings.ts';
import { GHOST, type Speakers, standingOf, standingsIn } from './speakers.ts';
import { type FileFindings, type Link, partsOf, type Reading, threadLinks } from './thread-links.ts';
import { indexWording } from './worded-alike.ts';

/**
 * Links what others said to the findings that it answers, in whatever state these are; the oldest answers first.
 *
 * A text answers a finding directly where it names it by its title, words of its message or `file:line`, outside of
 * code; and in a thread where an earlier text by the same person, by the team or by us does so, or the first one is
 * such and worded like the finding. What stands below a naming by anybody else, who may have planted it, is an indirect
 * answer, and so is a thread within three lines. Of a comment that names several findings each gets the part that is
 * about it.
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
  const files = indexFiles(entries);
  const reading: Reading = {
    findings: indexFindings(entries),
    speakers,
    standings: standingsIn(items, speakers),
  };
  return items
    .flatMap((item) =>
      item.kind === 'thread' ? threadLinks(item, files.get(item.path), reading) : textLinks(item, reading),
    )
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => Date.parse(a.said.createdAt) - Date.parse(b.said.createdAt))
    .map((link) => answerOf(link, speakers));
}

function indexFiles(entries: readonly LedgerEntry[]): ReadonlyMap<string, FileFindings> {
  const byFile = grouped(entries, ({ finding }) => [finding.file]);
  return new Map([...byFile].map(([path, own]) => [path, { entries: own, alike: indexWording(own) }]));
}

function textLinks(
  { id: itemId, said }: Exclude<Item, ThreadItem>,
  { findings, speakers }: Reading,
): readonly Link[] {
  if (speakers.isOurs(said)) return [];
  const { about } = partsOf(said, findings);
  return [...about].map(([entry, text]) => ({ entry, itemId, said, text, isDirect: true }));
}

function answerOf({ entry, itemId, said, text, isDirect, resolvedBy }: Link, speakers: Speakers): Answer {
  return {
    findingId: entry.id,
    itemId,
    url: said.url,
    by: said.author?.login ?? GHOST,
    standing: standingOf(said, speakers),
    text,
    isDirect,
    ...(claimsFix(text) ? { claimsFix: true } : {}),
    ...(resolvedBy === undefined ? {} : { resolvedBy }),
  };
}
