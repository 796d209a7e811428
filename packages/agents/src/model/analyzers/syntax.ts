/**
 * Small questions about syntax trees that several rules ask. Node kinds are those of tree-sitter-javascript
 * and tree-sitter-typescript.
 *
 * @module
 */
import type { SgNode } from '@ast-grep/napi';

const MAX_SHORT_CHARS = 60;

const FUNCTION_KINDS: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
]);

/** Whether a node is a function with a body. */
export function isFunction(node: SgNode): boolean {
  return FUNCTION_KINDS.has(String(node.kind()));
}

/** The arguments of a call or of `new`, comments left out. */
export function argumentsOf(call: SgNode): readonly SgNode[] {
  const list = call.field('arguments');
  if (list === null || !list.is('arguments')) return [];
  return list.namedChildren().filter((child) => !child.is('comment'));
}

/**
 * What a call calls. The TypeScript grammar reads `await f<T>(x)` as `(await f)<T>(x)`; that is undone here.
 */
export function calleeOf(call: SgNode): SgNode | null {
  const callee = call.field('function');
  return callee?.is('await_expression') === true ? callee.child(1) : callee;
}

/** `name` of `x.name(…)`, or of `name(…)`. */
export function calleeName(call: SgNode): string | undefined {
  const callee = calleeOf(call);
  if (callee === null) return undefined;
  if (callee.is('member_expression')) return callee.field('property')?.text();
  return callee.is('identifier') ? callee.text() : undefined;
}

/** The value of a string, or of a template without substitutions. */
export function literalText(node: SgNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (!node.is('string') && !(node.is('template_string') && substitutionsOf(node).length === 0))
    return undefined;
  return node.text().slice(1, -1);
}

/** The `${…}` of a template. */
export function substitutionsOf(template: SgNode): readonly SgNode[] {
  return template.namedChildren().filter((child) => child.is('template_substitution'));
}

/** The expression within `${…}`. */
export function substituted(substitution: SgNode): SgNode | undefined {
  return substitution.namedChildren().find((child) => !child.is('comment'));
}

/** A string, number or constant of this file that is bound to one: nobody outside can choose it. */
export function isConstant(node: SgNode): boolean {
  if (literalText(node) !== undefined || node.is('number')) return true;
  if (!node.is('identifier')) return false;
  // By convention such names are constants, wherever they come from.
  if (/^[A-Z][A-Z0-9_]*$/.test(node.text())) return true;
  const value = declaredValue(node);
  return value !== undefined && (literalText(value) !== undefined || value.is('number'));
}

/** What a name was bound to by the only `const` of this name in the file. */
export function declaredValue(identifier: SgNode): SgNode | undefined {
  const name = identifier.text();
  const declarators = rootOf(identifier)
    .findAll({
      rule: { kind: 'variable_declarator', has: { field: 'name', regex: `^${escapeRegExp(name)}$` } },
    })
    .filter((node) => node.field('name')?.text() === name);
  const [only, ...others] = declarators;
  if (only === undefined || others.length > 0) return undefined;
  return only.parent()?.child(0)?.text() === 'const' ? (only.field('value') ?? undefined) : undefined;
}

/** Whether a function is `async` and awaits something itself. */
export function isAwaitingAsync(fn: SgNode): boolean {
  return isFunction(fn) && fn.children().some((child) => child.is('async')) && ownAwait(fn) !== undefined;
}

/** Whether the body can't reject: it is one `try` with `catch`, or one expression ending in `.catch(…)`. */
export function catchesItself(fn: SgNode): boolean {
  const body = fn.field('body');
  if (body === null) return false;
  if (!body.is('statement_block')) {
    const call = body.is('await_expression') ? body.child(1) : body;
    return call?.is('call_expression') === true && calleeName(call) === 'catch';
  }
  const statements = body.namedChildren().filter((child) => !child.is('comment'));
  const [first, ...rest] = statements;
  return first?.is('try_statement') === true && rest.length === 0 && first.field('handler') !== null;
}

/** The source of a node for a message: on one line, without backticks, not longer than a glance takes. */
export function shortText(node: SgNode | null | undefined): string {
  const text = (node?.text() ?? '').replace(/\s+/g, ' ').replaceAll('`', "'");
  return text.length > MAX_SHORT_CHARS ? `${text.slice(0, MAX_SHORT_CHARS)}…` : text;
}

/** The root of the tree of a node. */
export function rootOf(node: SgNode): SgNode {
  return node.getRoot().root();
}

function ownAwait(fn: SgNode): SgNode | undefined {
  const awaits = fn.findAll({ rule: { kind: 'await_expression' } });
  return awaits.find((node) => node.ancestors().find(isFunction)?.id() === fn.id());
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
