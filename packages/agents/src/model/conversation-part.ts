/**
 * The discussion in a prompt: what a round's reviewers have not been shown yet, in sections, each text in a fence
 * of its own, so that no text can look like the next one (S7).
 *
 * @module
 */
import { type PackedItem, SECTIONS, type Section } from '../conversation/pack.ts';
import type { Fence } from './fence.ts';

const TITLES: Readonly<Record<Section, string>> = {
  new: '## New',
  edited: '## Edited since last seen',
  reopened: '## Reopened: closed when it was last seen, open now',
  closed: '## Closed since last seen, with the same text',
};

/** Of a prompt's shared part a fifth; of the largest not more, and of the smallest not less than this. */
const MAX_CHARS = 36_000;
const MIN_CHARS = 1_500;

/** What the discussion may take of a prompt whose shared part has `sharedChars` characters. */
export function conversationChars(sharedChars: number): number {
  return Math.max(MIN_CHARS, Math.min(MAX_CHARS, Math.floor(sharedChars / 5)));
}

/** All that will stand in fences, for {@link conversationPart}. */
export function conversationTexts(items: readonly PackedItem[]): readonly string[] {
  return items.flatMap(({ texts }) => texts.flatMap(({ about, text }) => [about, text]));
}

/** The part, or nothing where there is nothing to show. Nothing is cut here: what is shown was chosen before. */
export function conversationPart(items: readonly PackedItem[], fence: Fence): readonly string[] {
  if (items.length === 0) return [];
  const sections = SECTIONS.flatMap((section) => {
    const shown = items.filter((item) => item.section === section);
    return shown.length === 0 ? [] : [TITLES[section], ...shown.flatMap((item) => itemText(item, fence))];
  });
  return ['# Discussion on the pull request that you have not seen', ...sections, ''];
}

function itemText({ head, texts }: PackedItem, fence: Fence): readonly string[] {
  return [`A ${head}:`, ...texts.map(({ about, text }) => fence.wrap(about, text))];
}
