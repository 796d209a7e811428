import { structuralRule } from '../structural-rule.ts';
import { shortText } from '../syntax.ts';

/**
 * `if (state = 'done')`. Only a literal on the right is certain to be a slip: assigning the result of a call in
 * a condition is an idiom, and so are double parentheses.
 */
export const literalAssignmentInCondition = structuralRule({
  id: 'literal-assignment-in-condition',
  aspect: 'correctness',
  trigger: /\b(?:if|while)\s*\(.*[^=!<>]=(?![=>])/,
  scope: 'all',
  matcher: {
    rule: {
      kind: 'assignment_expression',
      has: {
        field: 'right',
        any: ['string', 'number', 'true', 'false', 'null', 'undefined'].map((kind) => ({ kind })),
      },
      inside: {
        kind: 'parenthesized_expression',
        inside: {
          field: 'condition',
          any: ['if_statement', 'while_statement', 'do_statement'].map((kind) => ({ kind })),
        },
      },
    },
  },
  judge: (assignment) => {
    const variable = shortText(assignment.field('left'));
    const value = shortText(assignment.field('right'));
    return {
      severity: 'important',
      message: `This condition assigns instead of comparing. It gives \`${variable}\` the value \`${value}\`, and tests that value.`,
      impact: 'The branch is always or never taken, and the variable is overwritten on the way.',
      suggestedFix: `Compare instead: \`${variable} === ${value}\`.`,
    };
  },
});
