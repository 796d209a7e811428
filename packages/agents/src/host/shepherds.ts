/**
 * Reads what Shepherds know, from outside of them and without waking them.
 *
 * @module
 */
import { type OwnRow, readMachine } from '../agents/shepherd-state.ts';
import { type PrRef, parsePrKey, sameRepo, shepherdUrl } from '../ids.ts';
import type { ShepherdState } from '../review/state.ts';
import type { EmbeddedFactory } from './embedded-host.ts';

/** Every PR of the repository that has a Shepherd. */
export async function knownShepherds(factory: EmbeddedFactory): Promise<readonly PrRef[]> {
  const answer = await factory.host.fetch(new Request('http://embedded/_electric/entities?type=pr-shepherd'));
  const entities = (await answer.json()) as readonly { readonly url: string }[];
  const prs = entities.flatMap((entity) => parsePrKey(entity.url.replace('/pr-shepherd/', '')) ?? []);
  // The database may know another repository, from before the setting was changed.
  return prs.filter((pr) => sameRepo(pr, factory.services.repo));
}

/** What a Shepherd knows; `undefined` where there is none, or it has not been awake yet. */
export function shepherdState(factory: EmbeddedFactory, pr: PrRef): ShepherdState | undefined {
  const rows = factory.host.readRows(shepherdUrl(pr), 'own') as unknown as readonly OwnRow[];
  const machine = rows.find((row) => row.key === 'machine');
  return machine === undefined ? undefined : readMachine({ get: () => machine });
}
