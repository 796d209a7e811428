import { type Arguments, requireOnly } from './context.ts';
import { GraphQLProblem } from './problem.ts';

const PAGE_ARGUMENTS = ['first', 'last', 'after', 'before'];

export interface ConnectionSetup<T> {
  /** Name of the nodes' type; the connection's and the edges' follow from it. */
  readonly typeName: string;
  /** Everything, in ascending order of id. */
  readonly all: readonly T[];
  readonly args: Arguments;
  readonly toNode: (record: T) => unknown;
}

/**
 * A page of a connection. Cursors name the record and not its place, so that pages stay right while others
 * are added or deleted. That `first` or `last` is there was checked before the query ran.
 */
export function connectionOf<T extends { readonly id: number }>(setup: ConnectionSetup<T>) {
  const { typeName, all, args, toNode } = setup;
  requireOnly(args, PAGE_ARGUMENTS);
  const { after, before } = { after: readCursor(args.after), before: readCursor(args.before) };
  const reachable = all.filter(
    ({ id }) => (after === undefined || id > after) && (before === undefined || id < before),
  );
  const page = takePage(reachable, args);
  const edges = page.map((record) => ({
    __typename: `${typeName}Edge`,
    cursor: cursorOf(record),
    node: toNode(record),
  }));
  const [firstShown, lastShown] = [page[0], page.at(-1)];
  return {
    __typename: `${typeName}Connection`,
    totalCount: all.length,
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      startCursor: firstShown === undefined ? null : cursorOf(firstShown),
      endCursor: lastShown === undefined ? null : cursorOf(lastShown),
      hasNextPage: lastShown !== undefined && lastShown !== all.at(-1),
      hasPreviousPage: firstShown !== undefined && firstShown !== all[0],
    },
  };
}

function takePage<T>(reachable: readonly T[], { first, last }: Arguments): readonly T[] {
  if (typeof first === 'number') return reachable.slice(0, first);
  return typeof last === 'number' ? reachable.slice(Math.max(0, reachable.length - last)) : [];
}

const CURSOR = /^cursor:v2:(\d+)$/;

function cursorOf({ id }: { readonly id: number }): string {
  return Buffer.from(`cursor:v2:${id}`).toString('base64');
}

function readCursor(cursor: unknown): number | undefined {
  if (typeof cursor !== 'string') return undefined;
  const id = CURSOR.exec(Buffer.from(cursor, 'base64').toString('latin1'))?.[1];
  if (id === undefined) {
    throw new GraphQLProblem(
      'INVALID_CURSOR_ARGUMENTS',
      `\`${cursor}\` does not appear to be a valid cursor.`,
    );
  }
  return Number(id);
}
