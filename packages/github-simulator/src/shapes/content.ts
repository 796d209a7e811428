import type { TreeChild } from '../git/index.ts';
import type { World } from '../world/world.ts';
import { escapePath, HTML_ROOT } from './common.ts';

/** Larger files come without content unless asked for raw. */
const MAX_INLINE_BYTES = 1_000_000;

type Named = Pick<TreeChild, 'path' | 'sha'> & { readonly sizeBytes?: number };

/** Schema `content-file`, and `content-symlink` for links. */
export function contentFile(
  world: World,
  entry: Named & { readonly type: 'file' | 'symlink' },
  bytes: Buffer,
  ref: string,
) {
  const shared = { ...described(world, entry, ref, 'blobs'), type: entry.type };
  if (entry.type === 'symlink') return { ...shared, target: bytes.toString('utf8') };
  const isInline = bytes.length <= MAX_INLINE_BYTES;
  return {
    ...shared,
    content: isInline ? wrapped(bytes.toString('base64')) : '',
    encoding: isInline ? 'base64' : 'none',
  };
}

/** Schema `content-submodule`. */
export function contentLink(world: World, entry: Named, ref: string) {
  return {
    ...described(world, entry, ref, 'trees'),
    type: 'submodule',
    submodule_git_url: `${HTML_ROOT}/${entry.path}`,
  };
}

/** Schema `content-directory`. Submodules appear there as files, as they do until API version 2026-03-10. */
export function directoryListing(world: World, children: readonly TreeChild[], ref: string) {
  const typeNames = { directory: 'dir', submodule: 'file', file: 'file', symlink: 'symlink' } as const;
  return children.map((child) => ({
    ...described(world, child, ref, child.type === 'file' || child.type === 'symlink' ? 'blobs' : 'trees'),
    type: typeNames[child.type],
  }));
}

function described(world: World, { path, sha, sizeBytes }: Named, ref: string, kind: 'blobs' | 'trees') {
  const repo = `${world.url}/repos/${world.owner}/${world.repo}`;
  const page = `${HTML_ROOT}/${world.owner}/${world.repo}`;
  const url = `${repo}/contents/${escapePath(path)}?ref=${encodeURIComponent(ref)}`;
  const git = `${repo}/git/${kind}/${sha}`;
  const html = `${page}/blob/${escapePath(ref)}/${escapePath(path)}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    size: sizeBytes ?? 0,
    url,
    html_url: html,
    git_url: git,
    download_url: kind === 'blobs' ? `${page}/raw/${escapePath(ref)}/${escapePath(path)}` : null,
    _links: { self: url, git, html },
  };
}

/** GitHub breaks base64 after 60 characters. */
function wrapped(base64: string): string {
  return base64.replace(/.{1,60}/g, '$&\n');
}

/** Mode and type of a tree's entry. The listing does not tell executables; their mode says plain file. */
const TREE_ENTRIES = {
  directory: { mode: '040000', type: 'tree', kind: 'trees' },
  submodule: { mode: '160000', type: 'commit', kind: 'commits' },
  file: { mode: '100644', type: 'blob', kind: 'blobs' },
  symlink: { mode: '120000', type: 'blob', kind: 'blobs' },
} as const;

/** Schema `git-tree`. */
export function gitTree(world: World, sha: string, children: readonly TreeChild[]) {
  const git = `${world.url}/repos/${world.owner}/${world.repo}/git`;
  return {
    sha,
    url: `${git}/trees/${sha}`,
    truncated: false,
    tree: children.map(({ path, type, sha: child, sizeBytes }) => {
      const { mode, type: kindOfObject, kind } = TREE_ENTRIES[type];
      const size = kindOfObject === 'blob' ? { size: sizeBytes } : {};
      return { path, mode, type: kindOfObject, sha: child, ...size, url: `${git}/${kind}/${child}` };
    }),
  };
}
