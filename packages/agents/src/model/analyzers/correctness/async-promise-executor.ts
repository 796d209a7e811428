import { structuralRule } from '../structural-rule.ts';
import { argumentsOf, catchesItself, isAwaitingAsync } from '../syntax.ts';

/** `new Promise(async …)` whose executor awaits without catching: a rejection in it never reaches the promise. */
export const asyncPromiseExecutor = structuralRule({
  id: 'async-promise-executor',
  aspect: 'correctness',
  trigger: /\basync\b/,
  scope: 'product',
  matcher: {
    rule: { kind: 'new_expression', has: { field: 'constructor', kind: 'identifier', regex: '^Promise$' } },
  },
  judge: (creation) => {
    const [executor] = argumentsOf(creation);
    if (executor === undefined || !isAwaitingAsync(executor) || catchesItself(executor)) return undefined;
    return {
      at: executor,
      severity: 'important',
      message:
        'The executor of this promise is async. What it throws after an `await` does not reject the promise.',
      impact:
        'When an awaited call fails, whoever waits for this promise waits for ever, and the error is unhandled.',
      suggestedFix:
        'Drop the wrapper and make the surrounding function `async`, or await before `new Promise` and keep the executor synchronous.',
    };
  },
});
