/** Time as GitHub writes it: UTC, whole seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** A GraphQL node id: opaque, stable, with GitHub's prefix for its kind, such as `IC` for issue comments. */
export function nodeId(prefix: string, id: number | string): string {
  return `${prefix}_${Buffer.from(`simulator:${id}`).toString('base64url')}`;
}

/** Pages for people live on github.com, whatever the address of the API. */
export const HTML_ROOT = 'https://github.com';

/** A path as part of a URL: every segment is escaped, the slashes stay. */
export function escapePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
