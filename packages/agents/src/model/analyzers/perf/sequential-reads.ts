import type { SgNode } from '@ast-grep/napi';
import { structuralRule } from '../structural-rule.ts';
import { argumentsOf, calleeName, calleeOf, isFunction } from '../syntax.ts';

const PACING = /sleep|delay|\bwait|throttle|limit|setTimeout|retry|backoff/i;

/**
 * A loop over a collection that awaits one independent read per element: a `fetch` without options, or a
 * `select` of one row. Where the loop ends early, paces itself, writes, or carries a result to the next
 * element, one after another may be meant: no claim.
 */
export const sequentialReads = structuralRule({
  id: 'sequential-reads',
  aspect: 'perf',
  trigger: /\bawait\b/,
  within: /\bfetch\b|\bselect\b/i,
  scope: 'product',
  matcher: { rule: { kind: 'for_in_statement', has: { kind: 'statement_block' } } },
  judge: (loop) => {
    const body = loop.field('body');
    const item = loop.field('left');
    if (body === null || item === null || !loop.children().some((child) => child.is('of'))) return undefined;
    if (loop.children().some((child) => child.is('await')) || mayNeedOrder(body)) return undefined;
    const awaits = body.findAll({ rule: { kind: 'await_expression' } });
    const [only, ...others] = awaits;
    if (only === undefined || others.some((other) => !isBodyOfResponse(other))) return undefined;
    const call = awaitedCall(only);
    const read = call === undefined ? undefined : readOf(call);
    if (read === undefined || call === undefined || !mentions(call, item)) return undefined;
    return {
      at: only,
      severity: 'suggestion',
      message: `Each element waits for the ${read} of the one before. Nothing of that is used for the next, so they need not run one by one.`,
      impact: 'The loop takes as long as all round trips together; it grows with the collection.',
      suggestedFix:
        read === 'query'
          ? 'Ask once for all of them (`where id = any($1)` or `in (…)`) and pick from the result.'
          : 'Start them together: `await Promise.all(items.map((item) => fetch(…)))`, with a limit where there may be many.',
    };
  },
});

/** The call that is awaited, or, with a type argument, the call that the grammar puts around the `await`. */
function awaitedCall(node: SgNode): SgNode | undefined {
  const parent = node.parent();
  const call =
    parent?.is('call_expression') === true && calleeOf(parent)?.id() === node.child(1)?.id()
      ? parent
      : node.child(1);
  return call ?? undefined;
}

function readOf(call: SgNode): 'request' | 'query' | undefined {
  if (!call.is('call_expression')) return undefined;
  const args = argumentsOf(call);
  const callee = calleeOf(call);
  if (callee?.is('identifier') === true)
    return callee.text() === 'fetch' && args.length === 1 ? 'request' : undefined;
  return calleeName(call) === 'query' && /^[`'"]\s*select\b/i.test(args[0]?.text() ?? '')
    ? 'query'
    : undefined;
}

function mentions(call: SgNode, item: SgNode): boolean {
  const names = new Set(
    [
      item,
      ...item.findAll({
        rule: { any: [{ kind: 'identifier' }, { kind: 'shorthand_property_identifier_pattern' }] },
      }),
    ].map((node) => node.text()),
  );
  return call.findAll({ rule: { kind: 'identifier' } }).some((node) => names.has(node.text()));
}

/** `await response.json()` belongs to the request before it. */
function isBodyOfResponse(node: SgNode): boolean {
  const call = node.child(1);
  return (
    call?.is('call_expression') === true && ['json', 'text', 'arrayBuffer'].includes(calleeName(call) ?? '')
  );
}

function mayNeedOrder(body: SgNode): boolean {
  const own = (node: SgNode) => !node.ancestors().some((outer) => isFunction(outer) && isInside(outer, body));
  const leaves = body
    .findAll({
      rule: {
        any: [
          'break_statement',
          'return_statement',
          'throw_statement',
          'try_statement',
          'assignment_expression',
        ].map((kind) => ({ kind })),
      },
    })
    .some((node) => own(node) && !isMemberWrite(node));
  return leaves || PACING.test(body.text());
}

/** `names[id] = …` keeps a result and feeds nothing. */
function isMemberWrite(node: SgNode): boolean {
  return node.is('assignment_expression') && node.field('left')?.is('subscript_expression') === true;
}

function isInside(node: SgNode, outer: SgNode): boolean {
  return node.ancestors().some((ancestor) => ancestor.id() === outer.id());
}
