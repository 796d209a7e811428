/**
 * Items of a {@link Forum}, as GitHub tells them, and what is one version of an item and what is another.
 *
 * @module
 */
import type { Item, ItemId, Said } from '../../conversation/item.ts';

/** An order to us, in the words of a person. */
export const ORDER = '@pr-shepherd review';

/** What has to be told again when it changes. */
export interface Version {
  /** What others said, in order. */
  readonly words: readonly string[];
  /** What of it is closed, sorted. */
  readonly closed: readonly string[];
  /** All texts as they stand there. */
  readonly bodies: readonly string[];
  /** When each text was written or last edited, ISO 8601. */
  readonly times: readonly string[];
  /** Whether it is nothing but orders to us. */
  readonly isOrder: boolean;
}

export interface Text {
  readonly id: string;
  word: string;
  style: number;
  byUs: boolean;
  isHidden: boolean;
  readonly createdAt: string;
  editedAt?: string;
  readonly earlier: string[];
}

export interface Thing {
  readonly id: string;
  readonly kind: Item['kind'];
  readonly path: string;
  readonly texts: Text[];
  isResolved: boolean;
  isOutdated: boolean;
  isDismissed: boolean;
}

/** Whoever says something in an item says so in no other, so that it is known by its speaker, and a thread by its path. */
export function isAbout(about: string, id: string): boolean {
  return about.includes(`"by-${id}"`) || about.includes(`${id}.ts"`);
}

function bodyOf({ word, style }: Text): string {
  if (style === 1) return `${word.replaceAll('\n', '\r\n')}\r\n`;
  return style === 2 ? `${word.replaceAll('\n', ' \t\n')}  \n` : word;
}

export function versionOf({ texts, isResolved, isDismissed }: Thing): Version {
  const others = texts.filter(({ byUs }) => !byUs);
  const hidden = others.filter(({ isHidden }) => isHidden).map(({ id }) => id);
  return {
    words: others.map(({ word }) => word),
    closed: [...(isResolved || isDismissed ? ['whole'] : []), ...hidden].toSorted(),
    bodies: texts.map(bodyOf),
    times: texts.map(({ createdAt, editedAt }) => editedAt ?? createdAt),
    isOrder: others.every(({ word }) => word === ORDER),
  };
}

export function itemOf(thing: Thing): Item {
  const id = thing.id as ItemId;
  const [first, ...others] = thing.texts.map((text) => saidOf(text, thing.id));
  if (first === undefined) throw new RangeError('an item without a text');
  switch (thing.kind) {
    case 'comment':
      return { kind: 'comment', id, said: first };
    case 'summary':
      return { kind: 'summary', id, verdict: thing.isDismissed ? 'dismissed' : 'commented', said: first };
    case 'thread': {
      const { path, isResolved, isOutdated } = thing;
      const comments = [first, ...others];
      return { kind: 'thread', id, path, line: 4, subject: 'line', isResolved, isOutdated, comments };
    }
  }
}

function saidOf(text: Text, itemId: string): Said {
  return {
    id: text.id as ItemId,
    author: { login: text.byUs ? 'pr-shepherd-app' : `by-${itemId}`, isBot: text.byUs },
    association: 'MEMBER',
    body: bodyOf(text),
    createdAt: text.createdAt,
    ...(text.editedAt === undefined ? {} : { editedAt: text.editedAt }),
    ...(text.isHidden ? { hidden: 'OUTDATED' } : {}),
    byUs: text.byUs,
    url: `https://github.example/acme/shop/pull/7#${text.id}`,
  };
}
