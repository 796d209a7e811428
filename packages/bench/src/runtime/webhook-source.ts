/**
 * What the deliveries and both hosts agree on.
 *
 * @module
 */

/** The repository that the payloads are of. */
export const REPO = { owner: 'Codertocat', repo: 'Hello-World' } as const;
/** Name of the webhook source. */
export const ENDPOINT_KEY = 'github-repo-codertocat-hello-world';
/** Where both hosts take deliveries. */
export const WEBHOOK_PATH = '/webhooks/github';
