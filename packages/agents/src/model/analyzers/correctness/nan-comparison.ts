import { structuralRule } from '../structural-rule.ts';
import { shortText } from '../syntax.ts';

const COMPARISONS = ['===', '!==', '==', '!=', '<', '<=', '>', '>='];
const NAN = { regex: '^(?:Number\\.)?NaN$' };

/** A comparison with `NaN`, whose result never depends on the other side. */
export const nanComparison = structuralRule({
  id: 'nan-comparison',
  aspect: 'correctness',
  trigger: /\bNaN\b/,
  scope: 'all',
  matcher: {
    rule: {
      kind: 'binary_expression',
      any: [{ has: { field: 'left', ...NAN } }, { has: { field: 'right', ...NAN } }],
    },
  },
  judge: (comparison) => {
    const operator = comparison.field('operator')?.text() ?? '';
    if (!COMPARISONS.includes(operator)) return undefined;
    const left = comparison.field('left');
    const other = shortText(/^(?:Number\.)?NaN$/.test(left?.text() ?? '') ? comparison.field('right') : left);
    const always = operator.startsWith('!');
    return {
      severity: 'important',
      message: `A comparison with \`NaN\` tells nothing. It is equal to, less than and greater than no value, itself included, so this one is always ${always}.`,
      impact: `A value that is not a number ${always ? 'is treated like any other' : 'passes this check'} and travels on.`,
      suggestedFix: `Ask \`${always ? '!' : ''}Number.isNaN(${other})\` instead of comparing.`,
    };
  },
});
