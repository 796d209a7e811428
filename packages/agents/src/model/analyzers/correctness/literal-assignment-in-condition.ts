import { structuralRule } from '../structural-rule.ts';

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
  judge: (assignment) => ({
    severity: 'important',
    message: `The condition assigns ${assignment.field('right')?.text()} to \`${assignment.field('left')?.text()}\` instead of comparing.`,
    impact: 'The branch is always or never taken, and the variable is overwritten on the way.',
    suggestedFix: `Compare: \`${assignment.field('left')?.text()} === ${assignment.field('right')?.text()}\`.`,
  }),
});
