/**
 * What people answered, for tests, with only what a test is about.
 *
 * @module
 */

import type { ItemId } from '../../conversation/item.ts';
import type { FindingId } from '../../ids.ts';
import type { Answer, Decision, Standing } from '../answer.ts';

export function item(id: string): ItemId {
  return id as ItemId;
}

/** A comment right about the finding; its item is named by who wrote it. */
export function answer(
  findingId: FindingId,
  by: string,
  standing: Standing,
  extra: Partial<Answer> = {},
): Answer {
  return {
    findingId,
    itemId: item(`item-of-${by}`),
    url: `https://github.com/acme/shop/pull/7#issuecomment-${by.length}`,
    by,
    standing,
    text: 'This is not so.',
    isDirect: true,
    ...extra,
  };
}

/** What the team decided by resolving the thread `t`. */
export function decision(findingId: FindingId, extra: Partial<Decision> = {}): Decision {
  return {
    findingId,
    state: 'withdrawn',
    because: 'resolved',
    by: 'tess',
    itemId: item('t'),
    url: 'https://github.com/acme/shop/pull/7#discussion_r12',
    why: '',
    ...extra,
  };
}
