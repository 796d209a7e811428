import { nodeId } from '../world/node-id.ts';
import { REACTIONS, type ReactionContent, type ReactionRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { simpleUser } from './accounts.ts';
import { timestamp } from './common.ts';

/** Schema `reaction`. */
export function reaction(world: World, record: ReactionRecord) {
  return {
    id: record.id,
    node_id: nodeId('REA', record.id),
    user: simpleUser(world, world.accounts.ensure(record.author)),
    content: record.content,
    created_at: timestamp(record.createdAt),
  };
}

/** Schema `reaction-rollup`. */
export function reactionRollup(url: string, reactions: readonly ReactionRecord[]) {
  const count = (content: ReactionContent) => reactions.filter((found) => found.content === content).length;
  const counts = Object.fromEntries(REACTIONS.map((content) => [content, count(content)]));
  return { url, total_count: reactions.length, ...(counts as Record<ReactionContent, number>) };
}
