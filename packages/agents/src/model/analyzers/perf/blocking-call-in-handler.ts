import type { SgNode } from '@ast-grep/napi';
import { isCallOf } from '../module-bindings.ts';
import { requestHandlerOf } from '../request-handler.ts';
import { structuralRule } from '../structural-rule.ts';
import { calleeName } from '../syntax.ts';

const MODULES = new Set(
  ['fs', 'fs-extra', 'graceful-fs', 'child_process', 'crypto', 'zlib'].flatMap((name) => [
    name,
    `node:${name}`,
  ]),
);
/** Calls that take long enough to be felt; `existsSync` and `statSync` do not. */
const BLOCKING = new Set([
  'readFileSync',
  'writeFileSync',
  'appendFileSync',
  'copyFileSync',
  'readdirSync',
  'rmSync',
  'cpSync',
  'execSync',
  'execFileSync',
  'spawnSync',
  'pbkdf2Sync',
  'scryptSync',
  'gzipSync',
  'gunzipSync',
  'brotliCompressSync',
]);

/** A call that blocks the event loop while a request is answered. A value that is read once and kept is fine. */
export const blockingCallInHandler = structuralRule({
  id: 'blocking-call-in-handler',
  aspect: 'perf',
  trigger: /Sync\b/,
  scope: 'product',
  matcher: { rule: { kind: 'call_expression', has: { field: 'function', regex: 'Sync$' } } },
  judge: (call) => {
    if (!isCallOf(call, MODULES, BLOCKING)) return undefined;
    const handler = requestHandlerOf(call);
    if (handler === undefined || isReadOnce(call, handler)) return undefined;
    const name = calleeName(call) ?? '';
    return {
      severity: 'important',
      message: `\`${name}\` blocks the event loop in a request handler. It is called for every request, and until it returns nothing else runs.`,
      impact: 'All other requests of this process wait; under load they queue up.',
      suggestedFix: `Do it once at start-up and keep the result, or await the asynchronous counterpart (\`${name.replace(/Sync$/, '')}\`).`,
    };
  },
});

/** `cached ??= readFileSync(…)`, or `if (!cached) …`. */
function isReadOnce(call: SgNode, handler: SgNode): boolean {
  const ancestors = call.ancestors();
  const within = ancestors.slice(
    0,
    ancestors.findIndex((ancestor) => ancestor.id() === handler.id()),
  );
  return within.some((ancestor) => {
    if (ancestor.is('augmented_assignment_expression')) return /^(?:\?\?|\|\|)=$/.test(operatorOf(ancestor));
    if (!ancestor.is('if_statement')) return false;
    return /^\(\s*!|[!=]==?\s*(?:undefined|null)\b|\.has\(/.test(ancestor.field('condition')?.text() ?? '');
  });
}

function operatorOf(node: SgNode): string {
  return node.field('operator')?.text() ?? '';
}
