/**
 * Findings, and what people said to them, for tests.
 *
 * @module
 */

import type { Item, ItemId, Said, ThreadItem } from '../../conversation/item.ts';
import type { FindingId } from '../../ids.ts';
import { writeFindings } from '../compose-findings.ts';
import type { Finding } from '../finding.ts';
import type { LedgerEntry } from '../ledger-entry.ts';
import { linkAnswers } from '../link-answers.ts';
import type { Speakers } from '../speakers.ts';
import { finding, sha } from './builders.ts';

/** Ada wrote the pull request, Tess is of the team. */
export const speakers: Speakers = {
  prAuthor: 'ada',
  isTeam: (login) => login.toLowerCase() === 'tess',
  isOurs: (said) => said.byUs,
};

/** An open finding. */
export function entry(id: string, of: Finding): LedgerEntry {
  return {
    id: id as FindingId,
    aspects: ['correctness'],
    finding: of,
    place: of.line === undefined ? { kind: 'file' } : { kind: 'line', text: 'x' },
    firstSha: sha('b'),
    lastSha: sha('b'),
    firstIteration: 1,
    openedIteration: 1,
    state: 'open',
  };
}

export const nan = entry(
  'nan',
  finding(
    'src/limit.ts',
    'NaN from the query goes through unchecked. A request with `limit=x` reads every row.',
    {
      line: 12,
      severity: 'critical',
      impact: 'The database is read from end to end.',
    },
  ),
);
export const retry = entry(
  'retry',
  finding('src/client.ts', 'The retry loop never ends when the server answers 503. It has no upper bound.', {
    line: 40,
  }),
);
export const naming = entry(
  'naming',
  finding('src/limit.ts', 'Vague name', { line: 90, severity: 'suggestion' }),
);
export const ledger: readonly LedgerEntry[] = [nan, retry, naming];

const PR = { owner: 'acme', repo: 'shop', number: 7 } as const;

/** An entry as our comment shows it, and as "quote reply" puts it into an answer. */
export function quoted(...shown: readonly LedgerEntry[]): string {
  const base = { pr: PR, webUrl: 'https://github.example/acme/shop' };
  return writeFindings(shown, new Map(), base)
    .flatMap(({ title, file, issue }) => [`- ${title}`, `  **File**: ${file}`, `  **Issue**: ${issue}`])
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Counts the texts of a test, so that each is a minute later than the one before. */
let ids = 0;

/** A text of the author, unless told otherwise. */
export function said(body: string, over: Partial<Said> & { readonly by?: string } = {}): Said {
  ids += 1;
  const { by = 'ada', ...rest } = over;
  return {
    id: `S${ids}` as ItemId,
    author: { login: by, isBot: false },
    association: 'CONTRIBUTOR',
    body,
    createdAt: new Date(ids * 60_000).toISOString(),
    byUs: false,
    url: `https://github.example/c/${ids}`,
    ...rest,
  };
}

/** A comment of the author, unless told otherwise. */
export function comment(body: string, over: Parameters<typeof said>[1] = {}): Item {
  const one = said(body, over);
  return { kind: 'comment', id: one.id, said: one };
}

/** An open thread at the line of {@link nan}, unless told otherwise. */
export function thread(comments: readonly Said[], over: Partial<ThreadItem> = {}): ThreadItem {
  return {
    kind: 'thread',
    id: `T${comments[0]?.id}` as ItemId,
    path: 'src/limit.ts',
    line: 12,
    originalLine: 12,
    subject: 'line',
    isResolved: false,
    isOutdated: false,
    comments,
    ...over,
  };
}

/** Which finding got which text, and how. */
export function link(items: readonly Item[], entries = ledger) {
  return linkAnswers(entries, items, speakers).map(({ findingId, text, isDirect }) => [
    findingId,
    text,
    isDirect ? 'direct' : 'nearby',
  ]);
}
