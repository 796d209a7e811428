import type { ReactionContent, ReactionRecord } from './records.ts';
import type { World } from './world.ts';

/** What can be reacted to. */
interface Reactable {
  readonly id: number;
  readonly reactions: readonly ReactionRecord[];
}

/** Adds a reaction unless this person has it there already. */
export function react<T extends Reactable>(
  world: World,
  records: Map<number, T>,
  record: T,
  wanted: { readonly author: string; readonly content: ReactionContent },
): { readonly reaction: ReactionRecord; readonly created: boolean } {
  const isSame = ({ author, content }: ReactionRecord) =>
    author === wanted.author && content === wanted.content;
  const known = record.reactions.find(isSame);
  if (known !== undefined) return { reaction: known, created: false };
  const reaction = { ...wanted, id: world.nextId(), createdAt: world.now() };
  records.set(record.id, { ...record, reactions: [...record.reactions, reaction] });
  return { reaction, created: true };
}
