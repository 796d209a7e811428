/**
 * What the suite runs against: the embedded host, or the published runtime on the agents-server whose address
 * is in `CONFORMANCE_AGENTS_URL`.
 *
 * @module
 */

import type * as embedded from '../../index.ts';

/** The exports that both runtimes have, under the same names. */
export type SharedApi = Pick<
  typeof embedded,
  | 'ModelProviderError'
  | 'buildSkillSlashCommands'
  | 'createContextSkillLoader'
  | 'createEntityRegistry'
  | 'createRuntimeHandler'
  | 'createRuntimeServerClient'
  | 'createSkillTools'
  | 'createSkillsRegistry'
  | 'cron'
  | 'db'
  | 'entity'
  | 'getWebhookStreamPath'
  | 'passthrough'
  | 'webhook'
  | 'webhookEventRowSchema'
  | 'webhookObservationCollections'
>;

/** What the suite runs against, or why it cannot. */
export type Target =
  | { readonly kind: 'embedded'; readonly api: SharedApi }
  | { readonly kind: 'published'; readonly api: SharedApi; readonly baseUrl: string }
  | { readonly kind: 'missing'; readonly reason: string };

const PUBLISHED = '@electric-ax/agents-runtime';

/** @param baseUrl - address of an agents-server; absent: the embedded host */
export async function findTarget(baseUrl: string | undefined): Promise<Target> {
  const own = await import('../../index.ts');
  if (baseUrl === undefined || baseUrl === '') return { kind: 'embedded', api: own };
  let published: object;
  try {
    published = await import(PUBLISHED);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { kind: 'missing', reason: `${PUBLISHED} is not installed (${code})` };
  }
  if ('createEmbeddedHost' in published) {
    return { kind: 'missing', reason: `${PUBLISHED} is linked to the embedded runtime: remove the override` };
  }
  return { kind: 'published', api: published as SharedApi, baseUrl };
}
