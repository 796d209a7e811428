import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Aspect } from '../ids.ts';
import { composeReview } from './compose.ts';
import { type Finding, SEVERITIES } from './finding.ts';
import type { WorkerOutcome } from './round.ts';
import { allDone, finding, numbered, rawFile } from './testing/builders.ts';
import { expectSound, review } from './testing/reviews.ts';

type Found = Partial<Record<Aspect, readonly Finding[]>>;

const big = rawFile('src/a.ts', '', numbered(600));

function first(found: Found): string {
  return composeReview(review([{ files: [big], outcomes: allDone(found) }]));
}

describe('composeReview: size', () => {
  function large(amount: number, chars: number): Found {
    const text = `Some *text* with \`code\`, @alice and <b>. ${'long '.repeat(chars / 5)}`;
    const many = Array.from({ length: amount }, (_, index) =>
      finding('src/a.ts', `Number${index} is wrong. ${text}`, {
        line: index + 1,
        severity: SEVERITIES[index % 3] ?? 'suggestion',
        suggestedFix: `\`\`\`ts\nconst a = ${index};\n${'// more\n'.repeat(chars / 10)}`,
      }),
    );
    return { correctness: many };
  }

  test.each([
    [30, 1000, 'Suggestion: Number2 '],
    [120, 500, 'Important: Number1 '],
    [600, 100, 'Critical: Number0 '],
  ])('T-071 T-085 %i findings of %i characters fit, and each is counted', (amount, chars, kept) => {
    const body = first(large(amount, chars));
    expectSound(body);
    expect(body).toContain(kept);
    expect(body).toContain("Shortened to fit GitHub's limit");
    const third = amount / 3;
    expect(body).toContain(`**${third} critical** · ${third} important · ${third} suggestions`);
    const listed = body.match(/^- \*\*(?:Critical|Important|Suggestion): /gm)?.length ?? 0;
    const left = Number(/\*(\d+) more findings? not listed here/.exec(body)?.[1] ?? 0);
    expect(listed + left).toBe(amount);
  });

  test('suggestions lose their text first', () => {
    const body = first(large(45, 1200));
    expect(body).toMatch(/Critical: Number0[^\n]*\n {2}\*\*File\*\*[^\n]*\n {2}\*\*Issue\*\*/);
    expect(body).not.toMatch(/Suggestion: Number2[^\n]*\n {2}\*\*File\*\*[^\n]*\n {2}\*\*Issue\*\*/);
  });

  test('S7 whatever the texts hold, the comment is sound and fits', () => {
    const nasty = fc
      .array(
        fc.constantFrom(
          '```',
          '`',
          '<details>',
          '</details>',
          '-->',
          '<!--',
          '\n',
          '\n\n',
          '@alice',
          '#1',
          '# x',
          '> ',
          '- ',
          '| a |\n|-|',
          '**',
          '_',
          '[x](http://y)',
          '$',
          'word. ',
          '\u202e',
          '😀',
          '\\',
          'x'.repeat(400),
        ),
        { maxLength: 30 },
      )
      .map((pieces) => `w${pieces.join('')}`);
    const found = fc.array(
      fc.record({
        severity: fc.constantFrom(...SEVERITIES),
        file: fc.constantFrom('src/a.ts', 'b.ts'),
        message: nasty,
        suggestedFix: nasty,
        impact: nasty,
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(found, found, nasty, (perf, tests, text) => {
        const texts = { summary: text, workingWell: text, issueConformance: text };
        const outcomes: WorkerOutcome[] = allDone({ perf, tests }).filter(
          ({ aspect }) => aspect !== 'security',
        );
        outcomes.push({ aspect: 'security', status: 'partial', findings: [], why: text });
        expectSound(
          composeReview(review([{ files: [big], outcomes }], { texts, notes: [text], incremental: true })),
        );
      }),
      { numRuns: 40 },
    );
  });
});
