import type { SgNode } from '@ast-grep/napi';
import { structuralRule } from '../structural-rule.ts';
import { literalText, shortText } from '../syntax.ts';

const TYPES = ['undefined', 'object', 'boolean', 'number', 'bigint', 'string', 'symbol', 'function'];
const EQUALITY = ['===', '!==', '==', '!='];

/** `typeof x` compared with something that `typeof` never answers. */
export const typeofComparison = structuralRule({
  id: 'typeof-comparison',
  aspect: 'correctness',
  trigger: /\btypeof\b/,
  scope: 'all',
  matcher: { rule: { kind: 'binary_expression', has: { kind: 'unary_expression', regex: '^typeof\\b' } } },
  judge: (comparison) => {
    const left = comparison.field('left');
    const right = comparison.field('right');
    if (left === null || right === null) return undefined;
    if (!EQUALITY.includes(comparison.field('operator')?.text() ?? '')) return undefined;
    const [asked, answer] = isTypeof(left) ? [left, right] : [right, left];
    if (!isTypeof(asked) || !isImpossible(answer)) return undefined;
    return {
      severity: 'important',
      message: `\`typeof\` never answers what it is compared with here. Its answer is the name of a type as text, and \`${shortText(answer)}\` is none, so every value gives the same result.`,
      impact: 'Values of the type that is meant are treated like all others.',
      suggestedFix: `Compare with one of: ${TYPES.map((type) => `'${type}'`).join(', ')}.`,
    };
  },
});

function isTypeof(node: SgNode): boolean {
  return node.is('unary_expression') && node.field('operator')?.text() === 'typeof';
}

function isImpossible(node: SgNode): boolean {
  if (node.is('undefined')) return true;
  const text = literalText(node);
  // `unknown` is an answer of old browsers' host objects; an escape is not worth decoding.
  return text !== undefined && text !== 'unknown' && !text.includes('\\') && !TYPES.includes(text);
}
