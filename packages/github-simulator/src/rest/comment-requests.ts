import { z } from 'zod';
import { timestamp } from '../shapes/common.ts';
import { REACTIONS } from '../world/records.ts';
import type { Ctx } from './env.ts';
import { type Body, readBody, validationFailed } from './responses.ts';

const commentRequest = z.object({ body: z.string() });

export const reactionRequest = z.object({ content: z.enum(REACTIONS) });

/** The measured limit; the message names a smaller one. */
const MAX_BODY_BYTES = 262_144;
const TOO_LONG = 'Body is too long (maximum is 65536 characters)';

/** The text of a new or changed comment; 422 when GitHub would not take it. `resource` as GitHub names it. */
export async function readCommentBody(
  c: Ctx,
  resource: 'IssueComment' | 'PullRequestReviewComment',
): Promise<Body<string>> {
  const body = await readBody(c, commentRequest);
  if (!body.ok) return body;
  const message = whyRefused(body.value.body);
  if (message === undefined) return { ok: true, value: body.value.body };
  const error = { resource, code: 'unprocessable', field: 'data', message };
  return { ok: false, response: validationFailed(c, error) };
}

function whyRefused(body: string): string | undefined {
  if (body.trim() === '') return 'Body cannot be blank';
  return Buffer.byteLength(body) > MAX_BODY_BYTES ? TOO_LONG : undefined;
}

/** What was updated at `since` or later, which has whole seconds, as `updated_at` has in the answers. */
export function updatedSince<T extends { readonly updatedAt: Date }>(
  records: readonly T[],
  since: string | undefined,
): readonly T[] {
  const fromMs = Date.parse(since ?? '');
  if (Number.isNaN(fromMs)) return records;
  return records.filter(({ updatedAt }) => Date.parse(timestamp(updatedAt)) >= fromMs);
}
