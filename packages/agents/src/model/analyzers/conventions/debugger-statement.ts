import { structuralRule } from '../structural-rule.ts';

/** A `debugger` statement that was left in. */
export const debuggerStatement = structuralRule({
  id: 'debugger-statement',
  aspect: 'conventions',
  trigger: /\bdebugger\b/,
  scope: 'all',
  matcher: { rule: { kind: 'debugger_statement' } },
  judge: () => ({
    severity: 'suggestion',
    message: 'A `debugger` statement was left in.',
    impact: 'Execution stops here for everyone who has the developer tools or an inspector open.',
    suggestedFix: 'Delete the line.',
  }),
});
