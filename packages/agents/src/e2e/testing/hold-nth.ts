/**
 * Stops the simulated GitHub at a request by its number, for tests that let something happen at every moment.
 *
 * @module
 */
import type { GitHubSimulator } from '@openfactory/github-simulator';

/** What asks something, rather than write a comment or get a token. */
const QUESTION = /^(?!.*\/(?:comments|reactions|access_tokens)(?:$|\?))/;

/**
 * Holds the question of this number, counted from 1 and from now on. `reached` resolves with a name for the
 * moment when it is there; it goes on after `release`.
 */
export function holdNth(
  simulator: GitHubSimulator,
  nth: number,
): { readonly reached: Promise<string>; readonly release: () => void } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<string>((resolve) => {
    // Faults are taken in their order: this one lets the questions before it pass.
    if (nth > 1) simulator.inject({ path: QUESTION, times: nth - 1 });
    const onRequest = (): void => resolve(`at question ${nth}`);
    simulator.inject({ path: QUESTION, times: 1, gate, onRequest });
  });
  return { reached, release };
}
