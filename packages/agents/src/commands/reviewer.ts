/**
 * From settings to a reviewer that can be used, before anything is spent or sent.
 *
 * @module
 */
import type { ModelSettings } from '../config.ts';
import { ConfigError } from '../errors.ts';
import { chooseModel, loadModel, type ModelChoice } from '../model/choice.ts';

/**
 * Chooses and checks the reviewer.
 * @throws ConfigError when the model or its key is not there
 */
export async function reviewerOf(settings: ModelSettings): Promise<ModelChoice> {
  const choice = chooseModel({ ...settings, keys: settings.keys.reveal() });
  if ('problem' in choice) throw new ConfigError([choice.problem]);
  if (choice.kind === 'analyzers') return choice;
  const loaded = await loadModel(choice);
  if ('problem' in loaded) throw new ConfigError([loaded.problem]);
  return choice;
}

/** One sentence that says who reviews. */
export function describeReviewer(choice: ModelChoice): string {
  return choice.kind === 'analyzers'
    ? 'Reviewing with the built-in analyzers; no model is configured, and no code leaves this machine.'
    : `Reviewing with ${choice.name}; the code under review is sent to that provider.`;
}

/**
 * Settings for demo and tests: a provider's key that happens to be there must not spend money or send code
 * away, so it counts only where a model is asked for by name.
 */
export function onlyIfAsked(settings: ModelSettings): ModelSettings {
  return settings.setting === undefined ? { ...settings, setting: 'analyzers' } : settings;
}
