/** Time as GitHub writes it: UTC, whole seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Pages for people live on github.com, whatever the address of the API. */
export const HTML_ROOT = 'https://github.com';

/** A path as part of a URL: every segment is escaped, the slashes stay. */
export function escapePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
