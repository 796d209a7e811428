import type { SgNode } from '@ast-grep/napi';
import { structuralRule } from '../structural-rule.ts';
import { argumentsOf, isFunction, literalText } from '../syntax.ts';
import { testCallee } from './test-call.ts';

/** A reason with a link, an issue number or a ticket: the team knows, and will find it again. */
const TRACKED = /https?:\/\/|#\d+|\b[A-Z][A-Z0-9]+-\d+\b/;

/** A test or suite that is switched off without a hint to where that is tracked. */
export const skippedTest = structuralRule({
  id: 'skipped-test',
  aspect: 'tests',
  trigger: /\.skip\b|\bx(?:it|test|describe|context)\b/,
  scope: 'tests',
  ignoresMoved: true,
  matcher: { rule: { kind: 'call_expression' } },
  judge: (call) => {
    const callee = testCallee(call);
    if (callee === undefined || !/\.skip(?:\.|$)|^x(?:it|test|describe|context)(?:\.|$)/.test(callee))
      return undefined;
    const args = argumentsOf(call);
    const [name] = args;
    if (literalText(name) === undefined || !args.slice(1).some(isFunction)) return undefined;
    if (TRACKED.test(name?.text() ?? '') || TRACKED.test(commentBefore(call))) return undefined;
    return {
      severity: 'suggestion',
      message: `\`${callee}\` switches tests off. Nothing near it says until when, or where that is tracked.`,
      impact: 'What it covered can break unnoticed.',
      suggestedFix: 'Mend or delete the test, or write a comment above it that links to where it is tracked.',
    };
  },
});

function commentBefore(call: SgNode): string {
  const before = call.parent()?.prev();
  return before?.is('comment') === true ? before.text() : '';
}
