import type { SgNode } from '@ast-grep/napi';
import { structuralRule } from '../structural-rule.ts';

/** `x === []` and the like: a literal is a new object, so nothing is identical to it. */
export const freshObjectComparison = structuralRule({
  id: 'fresh-object-comparison',
  aspect: 'correctness',
  trigger: /[=!]==\s*[[{]|[\]}]\s*[=!]==/,
  scope: 'all',
  matcher: {
    rule: { kind: 'binary_expression', any: [{ has: { kind: 'array' } }, { has: { kind: 'object' } }] },
  },
  judge: (comparison) => {
    const operator = comparison.field('operator')?.text();
    if (operator !== '===' && operator !== '!==') return undefined;
    const left = comparison.field('left');
    const right = comparison.field('right');
    if (!isFresh(left) && !isFresh(right)) return undefined;
    const isArray = left?.is('array') === true || right?.is('array') === true;
    return {
      severity: 'important',
      message: `A new ${isArray ? 'array' : 'object'} is identical to nothing else. The literal makes one each time, so this comparison is always ${operator === '!=='}.`,
      impact: 'The case that the comparison is for is never recognised.',
      suggestedFix: isArray
        ? 'Look at the length, for example `items.length === 0`, or compare element by element.'
        : 'Compare the fields that matter, or `Object.keys(value).length === 0` for an empty object.',
    };
  },
});

function isFresh(node: SgNode | null): boolean {
  return node?.is('array') === true || node?.is('object') === true;
}
