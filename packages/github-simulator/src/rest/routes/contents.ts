import { Hono } from 'hono';
import type { TreeChild, TreeEntry } from '../../git/index.ts';
import { contentFile, contentLink, directoryListing, gitTree } from '../../shapes/content.ts';
import { nodeId } from '../../world/node-id.ts';
import type { World } from '../../world/world.ts';
import type { Ctx, Env } from '../env.ts';
import { mediaTypeText, requestedFormat } from '../media-type.ts';
import { needs } from '../permissions.ts';
import { apiError, notFound } from '../responses.ts';

/** Files, folders and blobs. */
export function contentRoutes(world: World): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get('/contents', needs('contents=read'), (c) => contentAnswer(c, world, ''));
  routes.get('/contents/:path{.*}', needs('contents=read'), (c) =>
    contentAnswer(c, world, c.req.param('path')),
  );
  routes.get('/git/trees/:ref', needs('contents=read'), async (c) => {
    const sha = await world.git.resolve(c.req.param('ref'));
    if (sha === undefined) return notFound(c);
    const children = await world.git.tree(sha);
    // GitHub takes any value of `recursive` for yes.
    const recursive = c.req.query('recursive') !== undefined;
    return c.json(gitTree(world, sha, recursive ? children : children.filter(isTopLevel)));
  });
  routes.get('/git/blobs/:sha', needs('contents=read'), async (c) => {
    const sha = c.req.param('sha');
    const bytes = await world.git.blob(sha);
    if (bytes === undefined) return notFound(c);
    if (requestedFormat(c) === 'raw') return mediaTypeText(c, 'raw', new Uint8Array(bytes));
    return c.json({
      sha,
      node_id: nodeId('B', sha),
      size: bytes.length,
      url: `${world.url}/repos/${world.owner}/${world.repo}/git/blobs/${sha}`,
      content: bytes.toString('base64'),
      encoding: 'base64',
    });
  });
  return routes;
}

function isTopLevel(child: TreeChild): boolean {
  return !child.path.includes('/');
}

async function contentAnswer(c: Ctx, world: World, path: string): Promise<Response> {
  const ref = c.req.query('ref') ?? world.defaultBranch;
  const sha = await world.git.resolve(ref);
  if (sha === undefined) return apiError(c, 404, `No commit found for the ref ${ref}`);
  const entry = await world.git.entry(sha, path);
  if (entry === undefined) return notFound(c);
  return entry.type === 'directory'
    ? c.json(directoryListing(world, entry.children, ref))
    : fileAnswer(c, world, entry, ref);
}

async function fileAnswer(
  c: Ctx,
  world: World,
  entry: Exclude<TreeEntry, { readonly type: 'directory' }>,
  ref: string,
): Promise<Response> {
  if (entry.type === 'submodule') return c.json(contentLink(world, entry, ref));
  const bytes = (await world.git.blob(entry.sha)) ?? Buffer.alloc(0);
  if (requestedFormat(c) === 'raw') return mediaTypeText(c, 'raw', new Uint8Array(bytes));
  return c.json(contentFile(world, entry, bytes, ref));
}
