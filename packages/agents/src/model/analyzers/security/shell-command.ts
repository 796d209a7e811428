import type { SgNode } from '@ast-grep/napi';
import { bindingsOf, isCallOf } from '../module-bindings.ts';
import { isOwnTool } from '../paths.ts';
import { isInRequestHandler } from '../request-handler.ts';
import { structuralRule } from '../structural-rule.ts';
import {
  argumentsOf,
  calleeName,
  calleeOf,
  declaredValue,
  isConstant,
  substituted,
  substitutionsOf,
} from '../syntax.ts';

const CHILD_PROCESS = new Set(['child_process', 'node:child_process']);
const SHELL_CALLS = new Set(['exec', 'execSync']);
const UTIL = new Set(['util', 'node:util']);

/**
 * A shell command of `child_process` into which a value is pasted that is no constant of the file. In the team's
 * own tools nobody is attacked, but a space in a value still breaks the command.
 */
export const shellCommand = structuralRule({
  id: 'shell-command',
  aspect: 'security',
  trigger: /\$\{|['"`]\s*\+|\+\s*['"`]/,
  within: /child_process/,
  scope: 'product',
  matcher: {
    rule: {
      kind: 'call_expression',
      has: { kind: 'arguments', has: { any: [{ kind: 'template_string' }, { kind: 'binary_expression' }] } },
    },
  },
  judge: (call, path) => {
    const [command] = argumentsOf(call);
    const pasted = command === undefined ? undefined : pastedValue(command);
    if (pasted === undefined || !(isCallOf(call, CHILD_PROCESS, SHELL_CALLS) || isPromisifiedExec(call))) {
      return undefined;
    }
    const fromRequest = isInRequestHandler(call);
    return {
      at: pasted,
      severity: fromRequest ? 'critical' : isOwnTool(path) ? 'suggestion' : 'important',
      message: `A value is pasted into a shell command. \`${calleeName(call)}\` hands it to a shell, which also runs what the value brings along.`,
      impact: fromRequest
        ? 'Whoever sends the request may run any command with the rights of this server.'
        : 'A space, quote or `;` in the value changes the command; if others choose the value, they run commands here.',
      suggestedFix:
        'Use `execFile(program, [argument, …])` (or `execFileSync`), which takes the arguments as they are and starts no shell.',
    };
  },
});

/** The first non-constant part of a template or of a sum with text. */
function pastedValue(command: SgNode): SgNode | undefined {
  if (command.is('template_string')) {
    return substitutionsOf(command).find((part) => {
      const value = substituted(part);
      return value !== undefined && !isConstant(value);
    });
  }
  if (!command.is('binary_expression') || command.field('operator')?.text() !== '+') return undefined;
  const sides = [command.field('left'), command.field('right')].filter((side) => side !== null);
  for (const side of sides) {
    const nested = side.is('binary_expression') || side.is('template_string');
    if (nested) {
      const found = pastedValue(side);
      if (found !== undefined) return found;
    } else if (!isConstant(side)) return side;
  }
  return undefined;
}

/** `run` of `const run = promisify(exec)`. */
function isPromisifiedExec(call: SgNode): boolean {
  const callee = calleeOf(call);
  const value = callee?.is('identifier') === true ? declaredValue(callee) : undefined;
  if (value?.is('call_expression') !== true || !isCallOf(value, UTIL, new Set(['promisify']))) return false;
  const [target] = argumentsOf(value);
  if (target === undefined) return false;
  const { whole, named } = bindingsOf(call, CHILD_PROCESS);
  if (target.is('identifier')) return named.get(target.text()) === 'exec';
  return whole.has(target.field('object')?.text() ?? '') && target.field('property')?.text() === 'exec';
}
