/**
 * What was said on a PR, and what of it no reviewer has been shown yet (S6).
 *
 * @module
 */
import { isOurs, type JudgedItem, judge } from '../conversation/gate.ts';
import { type Said, type Snapshot, textsOf } from '../conversation/item.ts';
import { messageOf } from '../errors.ts';
import { knownIdentity } from '../github/identity.ts';
import type { PrRef } from '../ids.ts';
import type { Unsurfaced } from '../review/conversation-state.ts';
import { summonedBy } from '../review/mention.ts';
import type { ShepherdState } from '../review/state.ts';
import type { ShepherdDeps } from './orders.ts';

/** A conversation that was read and judged. */
export interface Discussion {
  readonly snapshot: Snapshot;
  readonly judged: readonly JudgedItem[];
  readonly isOurs: (said: Said) => boolean;
  /** What people call us, as far as it is known; empty where nothing is new, so that nobody asked. */
  readonly names: readonly string[];
  /** Why it is not sure what was delivered before; items may then be shown again. */
  readonly memoryTrouble?: string;
}

/** Words of an order and of politeness: whoever writes no others tells reviewers nothing. */
const ORDER_WORDS = new Set(
  'a again all and can could cheers full hello help hey hi kindly lot many me much now once please pls pr re review rerun run so status thank thanks the this u update us we would you your'.split(
    ' ',
  ),
);

/**
 * Reads and judges it.
 * @throws TransientError or PermanentError where GitHub does not tell all of it: it is never taken for less
 */
export async function readDiscussion(
  deps: ShepherdDeps,
  pr: PrRef,
  state: ShepherdState,
): Promise<Discussion> {
  const { services, conversation } = deps;
  const snapshot = await conversation.recent();
  const ids = snapshot.items.map(({ id }) => id);
  const { markers, trouble } = await services.markers.load(pr, ids);
  const ours = ourIds(state, snapshot);
  const judged = judge(snapshot, markers, ours);
  return {
    snapshot,
    judged,
    isOurs: (said) => isOurs(said, ours),
    names: judged.some(isUnshown) ? await ourNames(deps) : [],
    ...(trouble === undefined ? {} : { memoryTrouble: trouble }),
  };
}

/** Whether no reviewer was shown it as it is now. */
export function isUnshown({ outcome }: JudgedItem): boolean {
  return outcome !== 'unchanged';
}

/** Our review comment, whoever edited it: it is put back. An answer that somebody else edited is theirs from then on. */
function ourIds(state: ShepherdState, { items }: Snapshot): ReadonlySet<number> {
  const { commentId } = state.published ?? {};
  const edited = new Set(items.flatMap(textsOf).flatMap((said) => (said.editedAt && said.restId) || []));
  const replies = state.ourReplyIds.filter((id) => !edited.has(id));
  return new Set([...(commentId === undefined ? [] : [commentId]), ...state.deletedCommentIds, ...replies]);
}

/** What people call us; by the name alone that always counts where GitHub does not tell the other. */
async function ourNames({ services, octokit }: ShepherdDeps): Promise<readonly string[]> {
  try {
    return [(await knownIdentity(services.github, octokit)).slug];
  } catch (error) {
    services.log.warn('GitHub did not say who we are', { error: messageOf(error) });
    return [];
  }
}

/** Counts what no reviewer has been shown. Without a model nobody reads it, so that nothing is worth a round. */
export function countUnsurfaced(
  { services }: Pick<ShepherdDeps, 'services'>,
  { judged, isOurs, names }: Discussion,
): Unsurfaced {
  const count = judged.filter(isUnshown).length;
  if (services.model.kind === 'analyzers') return { count, worthReading: 0 };
  const isWorthReading = (candidate: JudgedItem): boolean => {
    // That somebody closed it may settle a finding.
    if (!isUnshown(candidate)) return candidate.closedSince;
    return textsOf(candidate.item).some((said) => !isOurs(said) && !isOrder(said.body, names));
  };
  return { count, worthReading: judged.filter(isWorthReading).length };
}

/** "@horton review" tells reviewers nothing. */
function isOrder(body: string, names: readonly string[]): boolean {
  const ask = summonedBy(body, names);
  if (ask === undefined || ask.kind === 'question') return false;
  const words =
    body
      .toLowerCase()
      .replace(/@[\w-]+/g, ' ')
      .match(/\p{L}+/gu) ?? [];
  return words.every((word) => ORDER_WORDS.has(word));
}
