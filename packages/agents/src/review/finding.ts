/**
 * One remark of one worker.
 *
 * @module
 */
import { z } from 'zod';

/** Critical must be fixed, important should be, a suggestion may be. In descending order of weight. */
export const SEVERITIES = ['critical', 'important', 'suggestion'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * What a worker says about the code. `line` is a line of the new side of the file at the head sha.
 *
 * `impact`, `quote` and `evidence` are optional additions to the design's five fields: who or what suffers,
 * the text of the line that is meant (for anchoring), and what shows that the remark holds.
 */
export const findingSchema = z.object({
  severity: z.enum(SEVERITIES),
  file: z.string().min(1),
  line: z.exactOptional(z.int().min(1)),
  message: z.string().min(1),
  suggestedFix: z.exactOptional(z.string()),
  impact: z.exactOptional(z.string()),
  quote: z.exactOptional(z.string()),
  evidence: z.exactOptional(z.string()),
});
export type Finding = Readonly<z.infer<typeof findingSchema>>;
