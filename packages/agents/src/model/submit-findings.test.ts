import { parseStreamingJson } from '@mariozechner/pi-ai';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../review/finding.ts';
import { parseSubmission } from './submit-findings.ts';

const finding: Finding = { severity: 'critical', file: 'src/a.ts', line: 3, message: 'reads past the end' };

function answer(findings: readonly unknown[]): string {
  return JSON.stringify({ findings, complete: true });
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('a "quoted" {brace}', '```ts\n[1]\n```', '\\d+ \\', '"}],'),
);
const anyFinding: fc.Arbitrary<Finding> = fc.record(
  {
    severity: fc.constantFrom('critical', 'important', 'suggestion'),
    file: fc.constantFrom('src/a.ts', 'b c.md', 'd/{e}.js'),
    line: fc.integer({ min: 1, max: 99_999 }),
    message: text.map((t) => `m${t}`),
    suggestedFix: text.map((t) => `f${t}`),
    quote: text.map((t) => `q${t}`),
  },
  { requiredKeys: ['severity', 'file', 'message'] },
);
const someFindings = fc.array(anyFinding, { maxLength: 4 });

describe('a whole answer', () => {
  test('is read as it is, from text and from arguments', () => {
    fc.assert(
      fc.property(someFindings, fc.constantFrom(0, 2), (findings, indent) => {
        const expected = { status: 'ok', findings, verdicts: [] };
        const args = { findings, complete: true };
        expect(parseSubmission(JSON.stringify(args, null, indent))).toEqual(expected);
        expect(parseSubmission(args)).toEqual(expected);
        expect(parseSubmission(`Here it is:\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`\n`)).toEqual(
          expected,
        );
      }),
    );
  });

  test('without findings says that there are none', () => {
    expect(parseSubmission(answer([]))).toEqual({ status: 'ok', findings: [], verdicts: [] });
  });
});

describe('T-111 a truncated answer never looks whole', () => {
  const answers = fc.tuple(someFindings, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }));

  test('as text: what is saved is a beginning of what was sent', () => {
    fc.assert(
      fc.property(answers, ([findings, share]) => {
        const whole = answer(findings);
        const read = parseSubmission(whole.slice(0, Math.floor(whole.length * share)));
        expect(read.status).not.toBe('ok');
        expect(read.findings).toEqual(findings.slice(0, read.findings.length));
      }),
      { numRuns: 500 },
    );
  });

  test('as arguments that a lenient parser completed: whole only if nothing is missing', () => {
    fc.assert(
      fc.property(answers, ([findings, share]) => {
        const whole = answer(findings);
        const read = parseSubmission(parseStreamingJson(whole.slice(0, Math.floor(whole.length * share))));
        if (read.status === 'ok') expect(read.findings).toEqual(findings);
      }),
      { numRuns: 500 },
    );
  });

  test('a complete list without the closing field is a part', () => {
    expect(parseSubmission(JSON.stringify({ findings: [finding] }))).toEqual({
      status: 'partial',
      findings: [finding],
      verdicts: [],
      why: 'it did not confirm that it was complete',
    });
    expect(parseSubmission({ complete: true, findings: [finding] }).status).toBe('partial');
    expect(parseSubmission([finding]).status).toBe('partial');
    expect(parseSubmission({ findings: [finding], complete: false }).status).toBe('partial');
  });

  test('T-124 an empty list without the closing field says nothing', () => {
    expect(parseSubmission({ findings: [] }).status).toBe('bad');
    expect(parseSubmission('{"findings": [').status).toBe('bad');
  });

  test('the whole objects of a list that breaks off are kept', () => {
    const cut = answer([finding, { ...finding, message: 'brace } and \\" quote' }]).slice(0, -40);
    expect(parseSubmission(cut)).toEqual({
      status: 'partial',
      findings: [finding],
      verdicts: [],
      why: 'it broke off before its end',
    });
  });
});

describe('T-114 what is repaired', () => {
  test.each([
    ['Critical', 'critical'],
    ['HIGH', 'important'],
    ['medium', 'important'],
    ['Suggestions (nice to have)', 'suggestion'],
    ['nit', 'suggestion'],
  ])('the severity %s is %s', (severity, expected) => {
    expect(parseSubmission(answer([{ ...finding, severity }]))).toMatchObject({
      status: 'ok',
      findings: [{ severity: expected }],
      verdicts: [],
    });
  });

  test.each([
    ['42', 42],
    ['L42', 42],
    ['42-45', 42],
    [null, undefined],
    [0, undefined],
    [-3, undefined],
    [1.5, undefined],
    ['n/a', undefined],
  ])('the line %j is %j', (line, expected) => {
    const read = parseSubmission(answer([{ ...finding, line }]));
    expect(read.status).toBe('ok');
    expect(read.findings[0]?.line).toBe(expected);
    expect(read.findings[0]).not.toHaveProperty('line', null);
  });

  test('optional fields that are null or empty are left out', () => {
    const read = parseSubmission(answer([{ ...finding, suggestedFix: null, impact: '', quote: 7 }]));
    expect(read).toEqual({ status: 'ok', findings: [finding], verdicts: [] });
  });

  test('other names of fields, and a list inside a string', () => {
    const { file, message, ...rest } = finding;
    const other = { ...rest, path: `./${file}`, description: message, suggested_fix: 'x' };
    expect(parseSubmission({ findings: JSON.stringify([other]), complete: 'true' })).toEqual({
      status: 'ok',
      findings: [{ ...finding, suggestedFix: 'x' }],
      verdicts: [],
    });
  });

  test('line breaks and backslashes that were not escaped', () => {
    const raw = answer([{ ...finding, message: 'MSG' }]).replace('MSG', 'first\nsecond \\d \\\\ \\u00e9');
    expect(parseSubmission(raw)).toEqual({
      status: 'ok',
      findings: [{ ...finding, message: 'first\nsecond \\d \\ é' }],
      verdicts: [],
    });
  });
});

describe('what is not repaired', () => {
  test('entries that cannot be read are counted, and make the answer a part', () => {
    const entries = [finding, { ...finding, severity: 'non-critical' }, { severity: 'critical' }, 'text'];
    expect(parseSubmission(answer(entries))).toEqual({
      status: 'partial',
      findings: [finding],
      verdicts: [],
      why: '3 of 4 entries could not be read',
    });
  });

  test('an answer of nothing but such entries is bad', () => {
    expect(parseSubmission(answer(['text']))).toEqual({
      status: 'bad',
      findings: [],
      why: '1 of 1 entries could not be read',
    });
  });

  test.each([['No problems found. LGTM!'], [''], ['{}'], ['{"findings": "none"}'], ['null']])('%j', (raw) => {
    expect(parseSubmission(raw).status).toBe('bad');
  });

  test.each([[undefined], [null], [7], [{}], [{ findings: {} }]])('the arguments %j', (args) => {
    expect(parseSubmission(args).status).toBe('bad');
  });

  test('no input throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string(), fc.json()), (input) => {
        expect(['ok', 'partial', 'bad']).toContain(parseSubmission(input).status);
      }),
    );
  });
});
