/**
 * Which part of a text answers which finding: a person may quote three findings and write a line below each.
 *
 * @module
 */
import type { LedgerEntry } from './ledger-entry.ts';
import type { NamedFindings } from './named-findings.ts';
import { type ReplyBlock, type ReplyLine, replyBlocks } from './reply-blocks.ts';

/** What a text says, and of which findings it says what. */
export interface ReplyParts {
  /** All that its writer wrote, without quotations. */
  readonly own: string;
  /** The same without code. */
  readonly live: string;
  /** For each finding that it names, what it says of it; empty where it names it and says nothing. */
  readonly about: ReadonlyMap<LedgerEntry, string>;
}

/** Reads a text. */
export function replyParts(body: string, findings: NamedFindings): ReplyParts {
  const blocks = replyBlocks(body);
  const lines = blocks.flatMap((block) => (block.kind === 'own' ? block.lines : []));
  return {
    own: textOf(lines),
    live: lines.map((line) => line.live).join('\n'),
    about: textsOf(sections(blocks, findings)),
  };
}

/** Lines that are about the same findings; about none where nothing tells. */
interface Section {
  readonly about: Set<LedgerEntry>;
  readonly begunBy: 'own' | 'quote' | 'mail';
  readonly lines: ReplyLine[];
}

function sections(blocks: readonly ReplyBlock[], findings: NamedFindings): readonly Section[] {
  const found: Section[] = [{ about: new Set(), begunBy: 'own', lines: [] }];
  for (const { kind, byMail, lines } of blocks) {
    if (kind === 'quote') {
      const about = new Set(findings.inQuote(lines.map((line) => line.live)));
      found.push({ about, begunBy: byMail ? 'mail' : 'quote', lines: [] });
      continue;
    }
    for (const line of lines) addLine(found, line, findings);
  }
  return found;
}

/** Below a quotation all is about it, whatever else is named there; else a line that names findings begins anew. */
function addLine(found: Section[], line: ReplyLine, findings: NamedFindings): void {
  const section = found.at(-1);
  const about = section?.begunBy === 'own' || section?.about.size === 0 ? findings.inText(line.live) : NONE;
  const isMore = [...about].every((entry) => section?.about.has(entry));
  if (section !== undefined && isMore) section.lines.push(line);
  else found.push({ about: new Set(about), begunBy: 'own', lines: [line] });
}

const NONE: ReadonlySet<LedgerEntry> = new Set();

function textsOf(found: readonly Section[]): ReadonlyMap<LedgerEntry, string> {
  const texts = new Map<LedgerEntry, string>();
  const first = found.find(({ about }) => about.size > 0);
  // Of a text that names one thing all is about it, unless a mail program did the naming.
  const isWhole = found.every(
    (section) => (section === first || section.about.size === 0) && section.begunBy !== 'mail',
  );
  for (const section of found) {
    const text = textOf(isWhole ? found.flatMap(({ lines }) => lines) : section.lines);
    for (const entry of section.about) {
      texts.set(entry, [texts.get(entry) ?? '', text].filter((part) => part !== '').join('\n\n'));
    }
  }
  return texts;
}

function textOf(lines: readonly ReplyLine[]): string {
  return lines
    .map((line) => line.text)
    .join('\n')
    .trim();
}
