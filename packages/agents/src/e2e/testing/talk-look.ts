/**
 * What can be seen of a conversation from outside: what reviewers were shown of it, what of that is remembered on
 * the disk, and what the service says of it.
 *
 * @module
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Section } from '../../conversation/pack.ts';
import { shepherdState } from '../../host/shepherds.ts';
import { shepherdUrl } from '../../ids.ts';
import { type ShepherdStatus, statusOf } from '../../review/shepherd-status.ts';
import type { Stage } from './stage.ts';

/** An item as it stands in the text that reviewers were shown. */
export interface ShownItem {
  readonly section: Section;
  /** Such as `comment, hidden`. */
  readonly head: string;
  /** Who said it, where and when: one line for each text. */
  readonly about: readonly string[];
  readonly texts: readonly string[];
}

const TITLES: Readonly<Record<string, Section>> = {
  '## New': 'new',
  '## Edited since last seen': 'edited',
  '## Reopened: closed when it was last seen, open now': 'reopened',
  '## Closed since last seen, with the same text': 'closed',
};

/** Reads the text, as a reviewer has to: by its fences, whatever stands in them. */
export function shownItems(shown: string): readonly ShownItem[] {
  const items: { section: Section; head: string; about: string[]; texts: string[] }[] = [];
  const code = /^<untrusted-(\w+) /m.exec(shown)?.[1] ?? 'none';
  const parts = shown.split(
    new RegExp(`^<untrusted-${code} what=(".*")>\n([^]*?)\n</untrusted-${code}>$`, 'm'),
  );
  let section: Section = 'new';
  for (const [index, part] of parts.entries()) {
    const item = items.at(-1);
    if (index % 3 === 1) item?.about.push(String(JSON.parse(part)));
    if (index % 3 === 2) item?.texts.push(part);
    if (index % 3 !== 0) continue;
    for (const line of part.split('\n')) {
      section = TITLES[line] ?? section;
      const head = /^A (.*):$/.exec(line)?.[1];
      if (head !== undefined) items.push({ section, head, about: [], texts: [] });
    }
  }
  return items;
}

/** Each item in a line: its section, its head, and its texts with a bar between. */
export function shownLines(shown: string): readonly string[] {
  return shownItems(shown).map(({ section, head, texts }) => `${section}: ${head}: ${texts.join(' | ')}`);
}

/** What is remembered of a pull request, by item id. */
export async function markersOf(
  { stateDir }: Pick<Stage, 'stateDir'>,
  number: number,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const folder = join(stateDir, 'acme-shop', String(number), 'seen');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return new Map(texts.map((text) => JSON.parse(text)).map((marker) => [String(marker.id), marker]));
}

type Served = Pick<Stage, 'service'>;

/** A row that the Shepherd of a pull request keeps. */
export function ownRow(stage: Served, number: number, key: string): unknown {
  const url = shepherdUrl({ owner: 'acme', repo: 'shop', number });
  const rows = stage.service().factory.host.readRows(url, 'own');
  return rows.find((row) => row.key === key)?.data;
}

/** What the service says of a pull request. */
export function talkStatus(stage: Served, number: number): ShepherdStatus {
  const pr = { owner: 'acme', repo: 'shop', number };
  const state = shepherdState(stage.service().factory, pr);
  if (state === undefined) throw new TypeError(`nobody looks after #${number}`);
  return statusOf(pr, state);
}
