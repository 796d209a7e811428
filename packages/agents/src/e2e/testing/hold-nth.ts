/**
 * Stops the simulated GitHub at a request by its number, for tests that let something happen at every moment.
 *
 * @module
 */
import type { GitHubSimulator } from '@openfactory/github-simulator';

/** What asks something, rather than write a comment or get a token. */
const QUESTION = /^(?!.*\/(?:comments|reactions|access_tokens)(?:$|\?))/;

/**
 * Holds the question of this number, counted from 1 and from now on. `reached` resolves when it is there; it goes
 * on after `release`, which also ends the hold where it was never reached.
 */
export function holdNth(
  simulator: GitHubSimulator,
  nth: number,
): { readonly reached: Promise<'reached'>; readonly release: () => void } {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  // Faults are taken in their order: the first one lets the questions before pass.
  const pass = nth > 1 ? simulator.inject({ path: QUESTION, times: nth - 1 }) : (): void => {};
  let stop = (): void => {};
  const reached = new Promise<'reached'>((resolve) => {
    stop = simulator.inject({ path: QUESTION, times: 1, gate, onRequest: () => resolve('reached') });
  });
  const release = (): void => {
    pass();
    stop();
    open();
  };
  return { reached, release };
}
