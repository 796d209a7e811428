/** A GraphQL node id: opaque, stable, with GitHub's prefix for its kind, such as `IC` for issue comments. */
export function nodeId(prefix: string, id: number | string): string {
  return `${prefix}_${Buffer.from(`simulator:${id}`).toString('base64url')}`;
}
