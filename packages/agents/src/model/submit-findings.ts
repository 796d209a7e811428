/**
 * The tool by which a reviewer hands in its findings, and the reading of what came: lenient in form, strict in
 * what it claims. An answer counts as whole only if it ends in `complete: true`, because a provider may report
 * a truncated answer as a normal one.
 *
 * @module
 */
import { type Finding, findingSchema, type Severity } from '../review/finding.ts';
import { readJson } from './salvage.ts';
import type { ModelTool } from './tool.ts';
import { earlierParameter, type NumberedVerdict, readVerdicts } from './verdict.ts';

/** The reviewer's only tool. `complete` stands last: what it says holds for all that precedes it. */
export const submitFindings: ModelTool = {
  name: 'submit_findings',
  label: 'Submit findings',
  description:
    'Hands in the review. Call it exactly once, with every finding; with an empty list if there is none.',
  parameters: {
    type: 'object',
    properties: {
      findings: {
        type: 'array',
        description: 'Every finding, the most severe first.',
        items: {
          type: 'object',
          properties: {
            severity: { type: 'string', enum: ['critical', 'important', 'suggestion'] },
            file: {
              type: 'string',
              description: 'Path of the file, exactly as the list of files spells it.',
            },
            line: {
              type: 'integer',
              description:
                'Line number on the new side, as printed before the line. Leave out if none is meant.',
            },
            quote: { type: 'string', description: 'The text of that line, copied without its number.' },
            message: {
              type: 'string',
              description: 'What is wrong and with which input or in which situation.',
            },
            impact: { type: 'string', description: 'Who or what suffers, in one sentence.' },
            suggestedFix: { type: 'string', description: 'The change that would cure it; code where short.' },
            evidence: {
              type: 'string',
              description: 'What in the shown code proves it: lines, calls, values.',
            },
          },
          required: ['severity', 'file', 'message'],
        },
      },
      earlier: earlierParameter,
      complete: { type: 'boolean', description: 'Always true, always the last field.' },
    },
    required: ['findings', 'complete'],
  },
};

/** What an answer held. */
interface Submitted {
  readonly findings: readonly Finding[];
  /** On earlier findings; whether the prompt has such numbers is not known here. */
  readonly verdicts: readonly NumberedVerdict[];
}

/**
 * What was read of an answer. `ok`: all of it. `partial`: some of it, and `why` not all. `bad`: nothing that
 * could be used; never to be taken for "nothing found". Verdicts that cannot be read make no answer a part: what
 * they are about stays as it was.
 */
export type Submission =
  | (Submitted & { readonly status: 'ok' })
  | (Submitted & { readonly status: 'partial'; readonly why: string })
  | { readonly status: 'bad'; readonly findings: readonly []; readonly why: string };

/**
 * Reads an answer: the arguments of the tool as text or as an object, or a text that is or holds the JSON.
 * An object may come from a lenient parser, so it counts as whole only if `complete` is its last key.
 */
export function parseSubmission(answer: unknown): Submission {
  if (typeof answer !== 'string') {
    return readAnswer(answer, isRecord(answer) && Object.keys(answer).at(-1) === 'complete');
  }
  const json = readJson(answer, 'findings');
  if (json.kind === 'whole') return readAnswer(json.value, true);
  if (json.kind === 'none') return bad('it held no JSON with findings');
  const earlier = readJson(answer, 'earlier');
  return collect(
    json.entries,
    earlier.kind === 'cut' ? readVerdicts(earlier.entries) : [],
    'it broke off before its end',
  );
}

function readAnswer(value: unknown, whole: boolean): Submission {
  if (Array.isArray(value)) return collect(value, [], UNCONFIRMED);
  if (!isRecord(value)) return bad('it was not an object with findings');
  const list = listOf(value.findings);
  if (list === undefined) return bad('it had no list of findings');
  const confirmed = whole && (value.complete === true || value.complete === 'true');
  return collect(list, verdictsOf(value, whole), confirmed ? undefined : UNCONFIRMED);
}

/** Where a lenient parser may have closed what was open, the last verdict may have lost its end. */
function verdictsOf(value: Readonly<Record<string, unknown>>, whole: boolean): readonly NumberedVerdict[] {
  const entries = listOf(value.earlier) ?? [];
  const mayBeCut = !whole && Object.keys(value).at(-1) === 'earlier';
  return readVerdicts(mayBeCut ? entries.slice(0, -1) : entries);
}

const UNCONFIRMED = 'it did not confirm that it was complete';

/** A list, also one that a model wrapped into a string. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  const json = readJson(value, 'findings');
  return json.kind === 'whole' && Array.isArray(json.value) ? json.value : undefined;
}

/** Keeps what can be read of the entries; what cannot is counted, never dropped in silence. */
function collect(
  entries: readonly unknown[],
  verdicts: readonly NumberedVerdict[],
  missing: string | undefined,
): Submission {
  const findings = entries.map(readFinding).filter((finding) => finding !== undefined);
  const lost = entries.length - findings.length;
  const unread = lost === 0 ? [] : [`${lost} of ${entries.length} entries could not be read`];
  const why = [...(missing === undefined ? [] : [missing]), ...unread].join('; ');
  if (why === '') return { status: 'ok', findings, verdicts };
  // A broken list says nothing of the code, whatever came after it.
  return findings.length === 0 ? bad(why) : { status: 'partial', findings, verdicts, why };
}

function bad(why: string): Submission {
  return { status: 'bad', findings: [], why };
}

/** Other names under which models hand in a field. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  file: ['path', 'filename', 'file_path'],
  message: ['description', 'issue'],
  suggestedFix: ['suggested_fix', 'suggestion', 'fix'],
};

/** One entry in the schema's form; `undefined` if a field that must be there cannot be read. */
function readFinding(entry: unknown): Finding | undefined {
  if (!isRecord(entry)) return undefined;
  const fields = { ...entry, severity: readSeverity(entry.severity), line: readLine(entry.line) };
  const named = Object.keys(findingSchema.shape).map((name) => [name, fieldOf(fields, name)] as const);
  const parsed = findingSchema.safeParse(
    Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  );
  return parsed.success ? parsed.data : undefined;
}

function fieldOf(entry: Readonly<Record<string, unknown>>, name: string): unknown {
  for (const key of [name, ...(ALIASES[name] ?? [])]) {
    const value = entry[key];
    if (typeof value === 'number' && name === 'line') return value;
    if (typeof value !== 'string' || value.trim() === '') continue;
    return name === 'file' ? value.trim().replace(/^(?:\.\/)+/, '') : value;
  }
  return undefined;
}

/** Spellings of other scales. A word that is not here is not guessed at. */
const SEVERITY_WORDS: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  blocker: 'critical',
  severe: 'critical',
  important: 'important',
  high: 'important',
  major: 'important',
  medium: 'important',
  moderate: 'important',
  warning: 'important',
  suggestion: 'suggestion',
  suggestions: 'suggestion',
  low: 'suggestion',
  minor: 'suggestion',
  nit: 'suggestion',
  trivial: 'suggestion',
  info: 'suggestion',
};

function readSeverity(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const word = /[a-z]+/.exec(value.toLowerCase())?.[0] ?? '';
  return Object.hasOwn(SEVERITY_WORDS, word) ? SEVERITY_WORDS[word] : undefined;
}

/** `42`, `"42"`, `"L42"`, `"42-45"`; anything else means no line. */
function readLine(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? /^\s*L?(\d+)/i.exec(value)?.[1] : undefined;
  const line = typeof value === 'number' ? value : Number(digits);
  return Number.isSafeInteger(line) && line >= 1 ? line : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
