/**
 * Members whose promise a handler may drop.
 *
 * @module
 */

// biome-ignore lint/suspicious/noExplicitAny: members have arguments of their own
type AsyncMember = (...args: any[]) => Promise<unknown>;

/**
 * The same members; a rejection that nobody waits for does not end the process. The published runtime does the
 * same: who wants to know whether a send was refused has to await it.
 */
export function quiet<TMembers extends Readonly<Record<keyof TMembers, AsyncMember>>>(
  members: TMembers,
): TMembers {
  const wrapped = Object.entries<AsyncMember>(members).map(([name, member]) => [
    name,
    (...args: readonly unknown[]) => {
      const promise = member(...args);
      promise.catch(() => {});
      return promise;
    },
  ]);
  return Object.fromEntries(wrapped) as TMembers;
}
