/**
 * Reads Markdown as GitHub does, for tests that ask what a text means rather than how it is spelled.
 *
 * @module
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A node of the tree, with what the tests look at. */
export interface TreeNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly depth?: number;
  readonly lang?: string | null | undefined;
  readonly children?: readonly TreeNode[];
}

/** The tree of a Markdown text, GitHub's extensions included. */
export function treeOf(markdown: string): TreeNode {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Every node of a tree, parents before their children. */
export function nodesOf(tree: TreeNode): readonly TreeNode[] {
  return [tree, ...(tree.children ?? []).flatMap(nodesOf)];
}

/** What a reader sees of a tree, without layout. */
export function shownText(tree: TreeNode): string {
  return tree.value ?? (tree.children ?? []).map(shownText).join('');
}

/** What GitHub would act upon: text outside of code that mentions, refers, or is an address. */
export function liveTexts(tree: TreeNode): readonly string[] {
  return nodesOf(tree)
    .filter((node) => node.type === 'text')
    .map((node) => node.value ?? '')
    .filter((value) => /@[a-z0-9]|#\d|\bGH-\d|:\/\/\w|\bwww\.\w/i.test(value));
}
