import type { SgNode } from '@ast-grep/napi';
import { structuralRule } from '../structural-rule.ts';
import { isFunction, literalText } from '../syntax.ts';

const CHOICES = new Set(['ternary_expression', 'if_statement', 'switch_case']);

/**
 * TLS certificates that nobody checks: `rejectUnauthorized: false`, or the environment variable set by the
 * program. Where a condition decides (for example on the environment), nothing is claimed.
 */
export const tlsVerificationOff = structuralRule({
  id: 'tls-verification-off',
  aspect: 'security',
  trigger: /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/,
  scope: 'product',
  matcher: {
    rule: {
      any: [
        {
          kind: 'pair',
          all: [
            { has: { field: 'key', regex: '^[\'"]?rejectUnauthorized[\'"]?$' } },
            { has: { field: 'value', kind: 'false' } },
          ],
        },
        {
          kind: 'assignment_expression',
          all: [
            { has: { field: 'left', regex: 'env(?:\\.|\\[[\'"])NODE_TLS_REJECT_UNAUTHORIZED' } },
            { has: { field: 'right', any: [{ kind: 'string' }, { kind: 'number' }] } },
          ],
        },
      ],
    },
  },
  judge: (node) => {
    if (node.is('assignment_expression') && !setsZero(node.field('right'))) return undefined;
    if (isConditional(node)) return undefined;
    return {
      severity: 'critical',
      message: 'The certificate of the other side is not checked here.',
      impact: 'Anybody on the way can pose as the server, read the traffic and change it.',
      suggestedFix:
        'Leave the check on. For a private authority pass its certificate as `ca`, or set `NODE_EXTRA_CA_CERTS`.',
    };
  },
});

function setsZero(value: SgNode | null): boolean {
  return value?.text() === '0' || literalText(value ?? undefined) === '0';
}

function isConditional(node: SgNode): boolean {
  const ancestors = node.ancestors();
  const fn = ancestors.findIndex(isFunction);
  const near = fn < 0 ? ancestors : ancestors.slice(0, fn);
  return near.some(
    (ancestor) =>
      CHOICES.has(String(ancestor.kind())) ||
      (ancestor.is('binary_expression') &&
        ['&&', '||', '??'].includes(ancestor.field('operator')?.text() ?? '')),
  );
}
