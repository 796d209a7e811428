/**
 * Which names of a file come from which module.
 *
 * @module
 */
import type { SgNode } from '@ast-grep/napi';
import { argumentsOf, calleeName, calleeOf, literalText, rootOf } from './syntax.ts';

/** What a file binds from a module. */
interface ModuleBindings {
  /** Local names of the module itself: `import cp`, `import * as cp`, `const cp = require(…)`. */
  readonly whole: ReadonlySet<string>;
  /** Local name → exported name. */
  readonly named: ReadonlyMap<string, string>;
}

/** What the file of a node imports, by `import` or `require`, from one of the modules. */
export function bindingsOf(node: SgNode, modules: ReadonlySet<string>): ModuleBindings {
  const clauses = importClauses(rootOf(node), modules);
  return { whole: new Set(clauses.flatMap(wholeNames)), named: new Map(clauses.flatMap(namedPairs)) };
}

/** Whether the file of a node imports one of the modules, types included. */
export function importsAny(node: SgNode, modules: ReadonlySet<string>): boolean {
  const { whole, named } = bindingsOf(node, modules);
  return whole.size > 0 || named.size > 0;
}

/** Whether a name or member of a call is `name` from one of the modules, e.g. `exec` of `node:child_process`. */
export function isCallOf(call: SgNode, modules: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  const callee = calleeOf(call);
  if (callee === null) return false;
  const { whole, named } = bindingsOf(call, modules);
  if (callee.is('identifier')) return names.has(named.get(callee.text()) ?? '');
  if (!callee.is('member_expression')) return false;
  return whole.has(callee.field('object')?.text() ?? '') && names.has(callee.field('property')?.text() ?? '');
}

/** The import clauses of `import`, and the left sides of `const … = require(…)`. */
function importClauses(root: SgNode, modules: ReadonlySet<string>): readonly SgNode[] {
  const imports = root
    .findAll({ rule: { kind: 'import_statement' } })
    .filter((statement) => modules.has(literalText(statement.field('source') ?? undefined) ?? ''))
    .flatMap((statement) => statement.namedChildren().filter((child) => child.is('import_clause')));
  const requires = root
    .findAll({ rule: { kind: 'variable_declarator', has: { field: 'value', kind: 'call_expression' } } })
    .filter((declarator) => modules.has(requiredModule(declarator.field('value')) ?? ''))
    .flatMap((declarator) => declarator.field('name') ?? []);
  return [...imports, ...requires];
}

function requiredModule(call: SgNode | null): string | undefined {
  return call !== null && calleeName(call) === 'require' ? literalText(argumentsOf(call)[0]) : undefined;
}

function wholeNames(clause: SgNode): readonly string[] {
  if (clause.is('identifier')) return [clause.text()];
  if (!clause.is('import_clause')) return [];
  return clause.namedChildren().flatMap((child) => {
    if (child.is('identifier')) return [child.text()];
    return child.is('namespace_import') ? child.namedChildren().map((name) => name.text()) : [];
  });
}

function namedPairs(clause: SgNode): readonly (readonly [string, string])[] {
  const imported = clause.findAll({ rule: { kind: 'import_specifier' } }).map((specifier) => {
    const name = specifier.field('name')?.text() ?? '';
    return [specifier.field('alias')?.text() ?? name, name] as const;
  });
  const destructured = clause
    .findAll({ rule: { kind: 'shorthand_property_identifier_pattern' } })
    .map((name) => [name.text(), name.text()] as const);
  const renamed = clause
    .findAll({ rule: { kind: 'pair_pattern' } })
    .map((pair) => [pair.field('value')?.text() ?? '', pair.field('key')?.text() ?? ''] as const);
  return [...imported, ...destructured, ...renamed];
}
