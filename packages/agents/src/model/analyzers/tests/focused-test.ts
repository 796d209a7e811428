import { structuralRule } from '../structural-rule.ts';
import { argumentsOf, isFunction, literalText } from '../syntax.ts';
import { testCallee } from './test-call.ts';

/** `it.only`, `describe.only`, `fit` and their like: the rest of the file is silently not run. */
export const focusedTest = structuralRule({
  id: 'focused-test',
  aspect: 'tests',
  trigger: /\.only\b|\bf(?:it|describe|context)\b/,
  scope: 'tests',
  matcher: { rule: { kind: 'call_expression' } },
  judge: (call) => {
    const callee = testCallee(call);
    if (callee === undefined || !/\.only(?:\.|$)|^f(?:it|describe|context)(?:\.|$)/.test(callee))
      return undefined;
    const args = argumentsOf(call);
    // A suite's name and body; a table of `each` is the call that this one calls.
    if (literalText(args[0]) === undefined && !(args[0]?.is('template_string') === true)) return undefined;
    if (!args.slice(1).some((argument) => isFunction(argument))) return undefined;
    return {
      severity: 'important',
      message: `\`${callee}\` was left in. The other tests of this file are not run.`,
      impact: 'The build is green whatever the skipped tests would say.',
      suggestedFix: `Take the focus away: \`${callee.replace(/\.only\b/, '').replace(/^f(?=it|describe|context)/, '')}(…)\`.`,
    };
  },
});
