import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import type { Ctx } from './env.ts';

const DOCUMENTATION_URL = 'https://docs.github.com/rest';

export interface ValidationErrorEntry {
  readonly resource: string;
  readonly code: string;
  readonly field: string;
  readonly message?: string;
}

/** An error as GitHub words it. */
export function apiError(
  c: Ctx,
  status: ContentfulStatusCode,
  message: string,
  errors?: readonly ValidationErrorEntry[],
): Response {
  const body = { message, ...(errors === undefined ? {} : { errors }), documentation_url: DOCUMENTATION_URL };
  return c.json({ ...body, status: String(status) }, status);
}

export function notFound(c: Ctx): Response {
  return apiError(c, 404, 'Not Found');
}

export function validationFailed(c: Ctx, error: ValidationErrorEntry): Response {
  return apiError(c, 422, 'Validation Failed', [error]);
}

/** The answer to a token without the permission. `accepted` as GitHub lists it: `issues=write; pull_requests=write`. */
export function forbidden(c: Ctx, accepted: string): Response {
  c.header('X-Accepted-GitHub-Permissions', accepted);
  return apiError(c, 403, 'Resource not accessible by integration');
}

export type Body<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly response: Response };

/** Reads a JSON body: 400 when it is none, 422 when it lacks something. */
export async function readBody<T>(c: Ctx, schema: z.ZodType<T>): Promise<Body<T>> {
  let json: unknown;
  try {
    const text = await c.req.text();
    json = text === '' ? {} : JSON.parse(text);
  } catch {
    return { ok: false, response: apiError(c, 400, 'Problems parsing JSON') };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields = parsed.error.issues.map((issue) => `"${issue.path.join('.')}": ${issue.message}`).join(', ');
  return { ok: false, response: apiError(c, 422, `Invalid request.\n\n${fields}`) };
}
