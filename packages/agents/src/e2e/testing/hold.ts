/**
 * Stops the simulated GitHub at one request, for tests of what happens meanwhile.
 *
 * @module
 */
import type { GitHubSimulator } from '@openfactory/github-simulator';

/** Holds the next request that matches. `reached` resolves when it is there; it goes on after `release`. */
export function hold(
  simulator: GitHubSimulator,
  path: RegExp,
): { readonly reached: Promise<void>; readonly release: () => void } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    simulator.inject({ path, times: 1, gate, onRequest: resolve });
  });
  return { reached, release };
}
