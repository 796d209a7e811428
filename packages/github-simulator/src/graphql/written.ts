import { simpleUser } from '../shapes/accounts.ts';
import { timestamp } from '../shapes/common.ts';
import type { WrittenRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { QueryContext } from './context.ts';

/** Interface `Actor`: null when the account is gone. The login of a bot lacks the `[bot]` that it has in REST. */
export function actor(world: World, login: string) {
  if (world.accounts.isRemoved(login)) return null;
  const account = simpleUser(world, world.accounts.ensure(login));
  return {
    __typename: account.type,
    id: account.node_id,
    databaseId: account.id,
    login: account.type === 'Bot' ? account.login.replace(/\[bot\]$/, '') : account.login,
    url: account.html_url,
  };
}

/** The fields that everything written has: interfaces `Comment` and `Minimizable`. */
export function written({ world, seesMembers }: QueryContext, record: WrittenRecord, url: string) {
  const { lastEdit, minimized } = record;
  return {
    id: record.nodeId,
    databaseId: record.id,
    fullDatabaseId: String(record.id),
    url,
    author: actor(world, record.author),
    authorAssociation: world.accounts.associationOf(record.author, seesMembers),
    viewerDidAuthor: record.author === world.accounts.bot.login,
    body: record.body,
    createdAt: timestamp(record.createdAt),
    publishedAt: timestamp(record.createdAt),
    updatedAt: timestamp(record.updatedAt),
    lastEditedAt: lastEdit === undefined ? null : timestamp(lastEdit.at),
    editor: lastEdit === undefined ? null : actor(world, lastEdit.by),
    isMinimized: minimized !== undefined,
    minimizedReason: minimized ?? null,
  };
}
