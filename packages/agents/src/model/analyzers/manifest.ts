/**
 * package.json files, at head and as they were before the range.
 *
 * @module
 */
import { Lang, parse } from '@ast-grep/napi';
import { z } from 'zod';
import type { ChangedFile } from '../../review/changed-file.ts';
import { directoryOf } from './paths.ts';
import type { RangeView } from './rule.ts';
import { literalText } from './syntax.ts';

const versions = z.record(z.string(), z.string()).catch({});
const manifestSchema = z.object({
  name: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  private: z.boolean().catch(false),
  dependencies: versions,
  devDependencies: versions,
  peerDependencies: versions,
  optionalDependencies: versions,
  exports: z.unknown().optional(),
});

/** The fields of a package.json that the rules read; malformed fields count as absent. */
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** A package.json and where it stands. */
export interface Package {
  readonly path: string;
  /** With a trailing slash; empty at the root. */
  readonly directory: string;
  readonly manifest: Manifest;
}

/** Reads a package.json; `undefined` where it is no JSON object. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The package that a file belongs to; `undefined` where there is none or its manifest can't be read. */
export async function packageOf(range: RangeView, path: string): Promise<Package | undefined> {
  let directory = directoryOf(path);
  for (;;) {
    const manifestPath = `${directory}package.json`;
    const text = await range.read(manifestPath);
    if (text !== undefined) {
      const manifest = parseManifest(text);
      return manifest === undefined ? undefined : { path: manifestPath, directory, manifest };
    }
    if (directory === '') return undefined;
    directory = directoryOf(directory.slice(0, -1));
  }
}

/** Whether a package goes to a registry: it has what publishing needs and does not forbid it. */
export function isPublishable(manifest: Manifest): boolean {
  return manifest.name !== undefined && manifest.version !== undefined && !manifest.private;
}

/** The line of one entry of one section, 1-based; `undefined` where it can't be found. */
export function entryLine(text: string, section: string, key: string): number | undefined {
  const object = parse(Lang.JavaScript, `(${text})`)
    .root()
    .find({ rule: { kind: 'object', inside: { kind: 'parenthesized_expression' } } });
  const pair = [section, key].reduce<typeof object>((node, name) => {
    const holder = node?.is('pair') === true ? node.field('value') : node;
    const entries = holder?.children().filter((child) => child.is('pair')) ?? [];
    return entries.find((entry) => literalText(entry.field('key') ?? undefined) === name) ?? null;
  }, object);
  return pair === null ? undefined : pair.range().start.line + 1;
}

/**
 * A file as it was before the range, from its content at head and all its hunks. `undefined` where the hunks
 * do not fit the content, since then nothing about the past is certain.
 */
export function contentBefore(file: ChangedFile, head: string): string | undefined {
  const headLines = head.split('\n');
  const before: string[] = [];
  let next = 0;
  for (const hunk of [...file.hunks].sort((a, b) => a.newStart - b.newStart)) {
    // Zero where nothing is left of the file.
    const start = Math.max(0, hunk.newStart - 1);
    before.push(...headLines.slice(next, start));
    next = start;
    for (const line of hunk.lines) {
      if (line.kind !== 'add') before.push(line.text);
      if (line.kind === 'del') continue;
      if (headLines[next] !== line.text) return undefined;
      next += 1;
    }
  }
  return [...before, ...headLines.slice(next)].join('\n');
}
