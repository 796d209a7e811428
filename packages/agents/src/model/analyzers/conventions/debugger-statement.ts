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
    message:
      'A `debugger` statement was left in. With developer tools or an inspector attached, the program halts here.',
    impact: 'Everyone who debugs something else is stopped at this line, too.',
    suggestedFix: 'Delete the line.',
  }),
});
