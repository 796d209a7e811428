import type { SgNode } from '@ast-grep/napi';

const RUNNERS = /^(?:it|test|describe|context|suite|specify|bench|[fx](?:it|test|describe|context))$/;

/**
 * The dotted name by which a test or suite is declared: `it.only`, `describe.skip.each`, `xit`. `undefined`
 * where the call is none.
 */
export function testCallee(call: SgNode): string | undefined {
  let callee = call.field('function');
  // `it.each(table)('name', fn)`: the name belongs to the inner call.
  if (callee?.is('call_expression') === true) callee = callee.field('function');
  if (callee === null || !/^[\w.]+$/.test(callee.text())) return undefined;
  const [head = ''] = callee.text().split('.');
  return RUNNERS.test(head) ? callee.text() : undefined;
}
