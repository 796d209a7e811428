import type { Ctx } from './env.ts';

/** Formats that a request may ask for by `Accept: application/vnd.github.diff`, with or without `.v3`. */
export type Format = 'json' | 'diff' | 'raw' | 'sha';

export function requestedFormat(c: Ctx): Format {
  const format = /application\/vnd\.github(?:\.v3)?\.(diff|raw|sha)\b/.exec(
    c.req.header('accept') ?? '',
  )?.[1];
  return (format as Format | undefined) ?? 'json';
}

/** Text in one of GitHub's media types. Without the charset Octokit would hand back bytes. */
export function mediaTypeText(
  c: Ctx,
  format: Exclude<Format, 'json'>,
  body: string | Uint8Array<ArrayBuffer>,
): Response {
  return c.body(body, 200, { 'Content-Type': `application/vnd.github.${format}; charset=utf-8` });
}
