import type { SgNode } from '@ast-grep/napi';
import { isBenchmark, isOwnTool } from '../paths.ts';
import { structuralRule } from '../structural-rule.ts';
import { isFunction, literalText } from '../syntax.ts';

const CHOICES = new Set(['ternary_expression', 'if_statement', 'switch_case']);

const STATEMENT = /_(?:statement|declaration|definition)$/;
const LOOPBACK = /^(?:[a-z][a-z+.-]*:\/\/)?(?:localhost|127(?:\.\d+){3}|\[?::1\]?)(?:[:/?#]|$)/i;

/**
 * TLS certificates that nobody checks: `rejectUnauthorized: false`, or the environment variable set by the
 * program. Where a condition decides (for example on the environment), in benchmarks, and where the statement
 * speaks of this machine alone, nothing is claimed; in the team's own scripts it is a suggestion.
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
  judge: (node, path) => {
    if (node.is('assignment_expression') && !setsZero(node.field('right'))) return undefined;
    if (isBenchmark(path) || isConditional(node) || isOnLoopback(node)) return undefined;
    return {
      severity: isOwnTool(path) ? 'suggestion' : 'critical',
      message:
        'The certificate of the other side is not checked here. The traffic is encrypted, but nobody knows for whom.',
      impact: 'Anybody on the way can pose as the server, read the traffic and change it.',
      suggestedFix:
        'Leave the check on. For a private authority pass its certificate as `ca`, or set `NODE_EXTRA_CA_CERTS`.',
    };
  },
});

function setsZero(value: SgNode | null): boolean {
  return value?.text() === '0' || literalText(value ?? undefined) === '0';
}

/** Whether the innermost statement around a node names an address of this machine. */
function isOnLoopback(node: SgNode): boolean {
  const statement = node.ancestors().find((ancestor) => STATEMENT.test(String(ancestor.kind())));
  const texts =
    statement?.findAll({ rule: { any: [{ kind: 'string' }, { kind: 'template_string' }] } }) ?? [];
  return texts.some((text) => LOOPBACK.test(text.text().slice(1, -1)));
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
