/**
 * Schemas of GitHub's webhook payloads, only for the fields that are read. Whole payloads differ between
 * github.com, Enterprise Server and the years, so what is not read is not checked.
 *
 * @module
 */
import { z } from 'zod';
import { type Actor, GHOST } from './github-event-types.ts';
import { parseRepo, parseSha, type RepoRef, type Sha } from './ids.ts';

/** A parser of text as a zod transform; `undefined` from the parser is an issue at that field. */
function parsed<T>(parse: (text: string) => T | undefined) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: 'not understood' });
    return z.NEVER;
  });
}

const sha = parsed<Sha>(parseSha);
const number = z.int().positive();
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

const actor = z
  .object({ login: z.string(), id: z.int(), type: z.string().optional() })
  .nullish()
  .transform((account): Actor => {
    if (!account) return GHOST;
    const isBot = account.type === 'Bot' || account.login.endsWith('[bot]');
    return { login: account.login, id: account.id, isBot };
  });

/** What every payload of a repository carries. `sender` is not promised on review threads. */
const envelope = z.object({
  repository: z.object({ full_name: parsed<RepoRef>(parseRepo) }),
  sender: actor,
});

const labels = z
  .array(z.object({ name: z.string() }))
  .nullish()
  .transform((list) => (list ?? []).map(({ name }) => name));

const pullRequest = z.object({ number, state: z.string() });

/** The text of a comment before an edit, where GitHub tells it. */
const changedBody = z
  .object({ body: z.object({ from: z.string() }).nullish() })
  .nullish()
  .transform((changes) => changes?.body?.from ?? null);

/** Just enough to tell whose delivery it is. */
export const repositoryPayload = envelope.pick({ repository: true });

/** `pull_request`, all actions. */
export const pullRequestPayload = envelope.extend({
  pull_request: pullRequest.extend({
    head: z.object({ sha }),
    base: z.object({ sha }),
    draft: flag,
    merged: flag,
    user: actor,
    labels,
  }),
});

/** `pull_request.synchronize`: alone in having `before` and `after`. */
export const synchronizePayload = pullRequestPayload.extend({ before: sha, after: sha });

/** `pull_request.labeled` and `unlabeled`: one event for each label. */
export const labelPayload = pullRequestPayload.extend({ label: z.object({ name: z.string() }) });

/** `pull_request.edited`: a new base branch comes as this event, not as `synchronize`. */
export const editedPayload = pullRequestPayload.extend({
  changes: z.object({
    base: z.object({ ref: z.object({ from: z.string() }) }).nullish(),
    title: z.unknown().optional(),
    body: z.unknown().optional(),
  }),
});

/** `issue_comment`; it belongs to a PR if, and only if, `issue.pull_request` exists. */
export const issueCommentPayload = envelope.extend({
  issue: pullRequest.extend({ pull_request: z.unknown().optional() }),
  comment: z.object({ id: number, node_id: z.string(), body: text, user: actor }),
  changes: changedBody,
});

/** `pull_request_review`: `review.body` is null where somebody only pressed a button. */
export const reviewPayload = envelope.extend({
  pull_request: pullRequest,
  review: z.object({
    id: number,
    node_id: z.string(),
    state: z.string().toLowerCase(),
    body: text,
    user: actor,
  }),
  changes: changedBody,
});

/** `pull_request_review_comment`. */
export const reviewCommentPayload = envelope.extend({
  pull_request: pullRequest,
  comment: z.object({
    id: number,
    node_id: z.string(),
    body: text,
    user: actor,
    in_reply_to_id: number.nullish().transform((id) => id ?? null),
    pull_request_review_id: number.nullish().transform((id) => id ?? null),
  }),
  changes: changedBody,
});

/** `pull_request_review_thread`: the thread's state is in the action alone. */
export const reviewThreadPayload = envelope.extend({
  pull_request: pullRequest,
  thread: z.object({ node_id: z.string() }),
});
