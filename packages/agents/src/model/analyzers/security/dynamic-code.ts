import type { SgNode } from '@ast-grep/napi';
import { isInRequestHandler } from '../request-handler.ts';
import { structuralRule } from '../structural-rule.ts';
import { argumentsOf, isConstant } from '../syntax.ts';

/** `eval(x)` and `new Function(x)` where the code is not a literal. */
export const dynamicCode = structuralRule({
  id: 'dynamic-code',
  aspect: 'security',
  trigger: /\beval\s*\(|\bFunction\s*\(/,
  scope: 'product',
  matcher: {
    rule: {
      any: [
        {
          kind: 'call_expression',
          has: { field: 'function', kind: 'identifier', regex: '^(?:eval|Function)$' },
        },
        { kind: 'new_expression', has: { field: 'constructor', kind: 'identifier', regex: '^Function$' } },
      ],
    },
  },
  judge: (call) => {
    const code = argumentsOf(call);
    if (code.length === 0 || code.every(isConstant)) return undefined;
    return {
      severity: isInRequestHandler(call) ? 'critical' : 'important',
      message: `\`${nameOf(call)}\` runs text as code. The text is put together at run time, so what runs is not decided here.`,
      impact: 'Whoever has a say in this text runs code with all rights of the process.',
      suggestedFix:
        'Parse data with `JSON.parse`, choose behaviour from a table of functions, or use a small expression parser.',
    };
  },
});

function nameOf(call: SgNode): string {
  return call.is('new_expression') ? 'new Function' : (call.field('function')?.text() ?? 'eval');
}
