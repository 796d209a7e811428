import type { SgNode } from '@ast-grep/napi';
import { isInRequestHandler } from '../request-handler.ts';
import { structuralRule } from '../structural-rule.ts';
import {
  argumentsOf,
  calleeName,
  declaredValue,
  isConstant,
  substituted,
  substitutionsOf,
} from '../syntax.ts';

const STATEMENT_TEXT = /`\s*(?:select|insert|update|delete|with|merge|replace)\b/i;
const STATEMENT = new RegExp(`^${STATEMENT_TEXT.source}`, 'i');
/** A value stands here: in quotes, or right of a comparison. Names of tables and lists of `?` stand elsewhere. */
const VALUE_POSITION = /'[^'\s]*$|(?:=|<>|[<>]|\bi?like)\s*$/i;
const POSITIONAL = /[$:@]$/;
const ESCAPING = /escape|quote|literal|sanitize|format|^Number$|^BigInt$|^parseInt$|^parseFloat$/i;

/** SQL text with a value pasted into it, given to `.query(…)` and its kin. */
export const sqlTemplate = structuralRule({
  id: 'sql-template',
  aspect: 'security',
  trigger: /\$\{/,
  within: STATEMENT_TEXT,
  scope: 'product',
  matcher: {
    rule: {
      kind: 'call_expression',
      has: { field: 'function', regex: '\\.(?:query|execute|\\$queryRawUnsafe|\\$executeRawUnsafe)$' },
    },
  },
  judge: (call) => {
    const template = statementOf(argumentsOf(call)[0]);
    const pasted = template === undefined ? undefined : pastedValue(template);
    if (pasted === undefined) return undefined;
    return {
      at: pasted,
      severity: 'critical',
      message: `A value is pasted into SQL text. \`${calleeName(call)}\` runs it as it is, so a quote in the value ends the string, and the rest is read as SQL.`,
      impact: isInRequestHandler(call)
        ? 'Whoever sends the request can read, change or delete what this connection may.'
        : 'Whoever has a say in the value can read, change or delete what this connection may.',
      suggestedFix:
        "Bind the value instead: put a placeholder of your driver into the text and pass the value beside it, for example `query('… where code = $1', [code])`.",
    };
  },
});

function statementOf(argument: SgNode | undefined): SgNode | undefined {
  const text = argument?.is('identifier') === true ? declaredValue(argument) : argument;
  return text?.is('template_string') === true && STATEMENT.test(text.text()) ? text : undefined;
}

function pastedValue(template: SgNode): SgNode | undefined {
  const text = template.text();
  const offset = template.range().start.index;
  return substitutionsOf(template).find((part) => {
    const before = withoutSubstitutions(text.slice(0, part.range().start.index - offset));
    const value = substituted(part);
    if (value === undefined || isConstant(value) || isEscaped(value)) return false;
    return VALUE_POSITION.test(before) && !POSITIONAL.test(before);
  });
}

/** Earlier values must not be mistaken for SQL. */
function withoutSubstitutions(text: string): string {
  return text.replace(/\$\{[^}]*\}/g, '?');
}

function isEscaped(value: SgNode): boolean {
  return value.is('call_expression') && ESCAPING.test(calleeName(value) ?? '');
}
