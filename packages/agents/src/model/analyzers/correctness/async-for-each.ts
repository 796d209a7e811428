import { structuralRule } from '../structural-rule.ts';
import { argumentsOf, catchesItself, isAwaitingAsync } from '../syntax.ts';

/**
 * `xs.forEach(async …)` as a statement of its own. Where the call is awaited, returned or chained it may be
 * another `forEach` (Node's streams have one that waits), and where the callback catches what it awaits the
 * author may have meant it: no claim then.
 */
export const asyncForEach = structuralRule({
  id: 'async-for-each',
  aspect: 'correctness',
  trigger: /\basync\b/,
  within: /\bforEach\b/,
  scope: 'product',
  matcher: {
    rule: {
      kind: 'call_expression',
      has: { field: 'function', kind: 'member_expression', has: { field: 'property', regex: '^forEach$' } },
    },
  },
  judge: (call) => {
    const [callback] = argumentsOf(call);
    if (callback === undefined || call.parent()?.is('expression_statement') !== true) return undefined;
    if (!isAwaitingAsync(callback) || catchesItself(callback)) return undefined;
    return {
      at: callback,
      severity: 'important',
      message:
        '`forEach` does not wait for its async callback. The code after it runs before the work is done, and nothing handles a rejection.',
      impact:
        'Callers go on as if everything had been processed. One rejected element is an unhandled rejection, which ends a Node process by default.',
      suggestedFix:
        'Use `for (const item of items) { await … }`, or `await Promise.all(items.map(async (item) => …))` where the order does not matter.',
    };
  },
});
