import { nodeId } from '../world/node-id.ts';
import { ensureLabel, type World } from '../world/world.ts';

/** Schema `label`. */
export function label(world: World, name: string) {
  const record = ensureLabel(world, name);
  return {
    id: record.id,
    node_id: nodeId('LA', record.id),
    url: `${world.url}/repos/${world.owner}/${world.repo}/labels/${encodeURIComponent(record.name)}`,
    name: record.name,
    color: record.color,
    default: false,
    description: '',
  };
}
