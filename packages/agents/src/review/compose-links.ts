/**
 * Links of the comment into the repository, always at a commit, so that they stay true.
 *
 * @module
 */
import { type PrRef, shortSha } from '../ids.ts';
import type { PlacedFinding } from './aggregate.ts';
import { clip, codeSpan, visible } from './markdown.ts';

const PATH_MAX_CHARS = 200;

/** Where links lead. */
export interface LinkBase {
  readonly pr: PrRef;
  /** Web address of the repository, without a trailing slash; empty where it has none, then nothing is linked. */
  readonly webUrl: string;
}

/** `path:line`, linked to that line at `sha`. Says so where there is no line of the change to show. */
export function placeLink(
  { finding, place }: Omit<PlacedFinding, 'aspects'>,
  sha: string,
  base: LinkBase,
): string {
  const { file, line } = finding;
  const url = `${base.webUrl}/blob/${sha}/${encodePath(file)}`;
  switch (place.kind) {
    case 'line':
      return linked(codePath(`${file}:${line}`), `${url}#L${line}`, base);
    case 'file':
      return linked(codePath(file), url, base);
    case 'removed':
      return `${linked(codePath(file), `${base.webUrl}/pull/${base.pr.number}/files`, base)} (removed)`;
    case 'outside':
      return `${codePath(file)} (outside the reviewed changes)`;
  }
}

/** A path as code. */
export function codePath(path: string): string {
  // A path may hold a line end; a code span may not.
  return codeSpan(visible(clip(path, PATH_MAX_CHARS)).replaceAll('\n', '\\n'));
}

/** A commit by its first digits, linked. */
export function commitLink(sha: string, base: LinkBase): string {
  return linked(codeSpan(shortSha(sha)), `${base.webUrl}/commit/${sha}`, base);
}

/** A label that leads to what somebody wrote on the PR. Of the address only its anchor is taken (S7). */
export function itemLink(label: string, url: string, base: LinkBase): string {
  const anchor = /#([\w-]{1,100})$/.exec(url)?.[1];
  const page = `${base.webUrl}/pull/${base.pr.number}`;
  return anchor === undefined ? label : linked(label, `${page}#${anchor}`, base);
}

function linked(label: string, url: string, base: LinkBase): string {
  return base.webUrl === '' ? label : `[${label}](${url})`;
}

/** Every character that Markdown or an address could take for syntax is encoded. */
function encodePath(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map((name) =>
      encodeURIComponent(name).replace(
        /[!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');
}
