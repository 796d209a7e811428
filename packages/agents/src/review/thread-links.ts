/**
 * Which texts of a review thread answer which of our findings. Pure.
 *
 * @module
 */
import type { ItemId, Said, ThreadItem } from '../conversation/item.ts';
import type { Resolution } from './answer.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { FindingIndex } from './named-findings.ts';
import { type ReplyParts, replyParts } from './reply-parts.ts';
import { type Naming, resolutionOf } from './resolution.ts';
import { isSame, type Speakers, type Standings, standingOf } from './speakers.ts';
import type { AlikeIn } from './worded-alike.ts';
import { SAME_FILE_SIMILARITY, SAME_LINE_SIMILARITY } from './wording.ts';

/** A text and a finding that it answers. */
export interface Link {
  readonly entry: LedgerEntry;
  readonly itemId: ItemId;
  readonly said: Said;
  /** What of it is about the finding. */
  readonly text: string;
  readonly isDirect: boolean;
  readonly resolvedBy?: Resolution;
}

/** The findings in the file of a thread. */
export interface FileFindings {
  readonly entries: readonly LedgerEntry[];
  readonly alike: AlikeIn;
}

/** What threads are read with. */
export interface Reading {
  readonly findings: FindingIndex;
  readonly speakers: Speakers;
  readonly standings: Standings;
}

/** A thread so near to a finding may be about it. */
const NEAR_LINES = 3;

/** The links of a thread, in the order of its texts. */
export function threadLinks(
  thread: ThreadItem,
  file: FileFindings | undefined,
  { findings, speakers, standings }: Reading,
): readonly Link[] {
  const near = new Set(file?.entries.filter((entry) => isNear(thread, entry)));
  const namings = new Map<LedgerEntry, readonly Naming[]>();
  let isAmongUs = true;
  const links = thread.comments.flatMap((said, index): readonly Link[] => {
    const isOurs = speakers.isOurs(said);
    const isTeam = !isOurs && standingOf(said, speakers) === 'team';
    // Our own words do not count where somebody else may have asked for them.
    const isSure = isTeam || (isOurs && isAmongUs);
    isAmongUs &&= isOurs || isTeam;
    const { own, live, about } = partsOf(said, findings);
    const alike = new Set(index === 0 ? alikeAt(live, file, near) : []);
    for (const entry of new Set([...alike, ...about.keys()])) {
      const isBeginning = index === 0 && (near.has(entry) || alike.has(entry));
      namings.set(entry, [...(namings.get(entry) ?? []), { said, isSure, isBeginning }]);
    }
    if (isOurs) return [];
    return [...new Set([...namings.keys(), ...near])].map((entry) => ({
      entry,
      itemId: thread.id,
      said,
      text: about.get(entry) || own,
      isDirect: (namings.get(entry) ?? []).some((naming) => naming.isSure || isBySame(naming.said, said)),
    }));
  });
  if (!thread.isResolved) return links;
  return withResolutions(links, (entry, texts) =>
    resolutionOf({ thread, namings: namings.get(entry) ?? [], texts }, standings, speakers),
  );
}

/** What a text says, and of which findings; by the time at which it was written, whenever it was edited. */
export function partsOf({ body, createdAt }: Said, findings: FindingIndex): ReplyParts {
  return replyParts(body, findings.asOf(Date.parse(createdAt)));
}

function withResolutions(
  links: readonly Link[],
  resolved: (entry: LedgerEntry, texts: readonly Link[]) => Resolution | undefined,
): readonly Link[] {
  const entries = [...new Set(links.map(({ entry }) => entry))];
  const resolutions = new Map(
    entries.map((entry) => [
      entry,
      resolved(
        entry,
        links.filter((link) => link.entry === entry),
      ),
    ]),
  );
  return links.map((link) => {
    const resolvedBy = resolutions.get(link.entry);
    return resolvedBy === undefined ? link : { ...link, resolvedBy };
  });
}

function isBySame(a: Said, b: Said): boolean {
  if (a === b) return true;
  if (a.author === undefined || b.author === undefined) return false;
  return a.author.isBot === b.author.isBot && isSame(a.author.login, b.author.login);
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
