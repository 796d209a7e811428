import type { Aspect } from '../../ids.ts';
import type { Finding } from '../../review/finding.ts';
import type { ProviderAnswer, ProviderRequest } from './provider-types.ts';

/** Where and how an answer breaks off. */
export interface Cut {
  readonly afterChars: number;
  /** `closed` ends the response early but cleanly; `dropped` resets the connection. Default `length`. */
  readonly by?: 'length' | 'closed' | 'dropped' | 'overloaded';
}

/** Calls a tool; `args` is what the model writes, or an object to be written as JSON. */
export function toolCall(tool: string, args: unknown, cut?: Cut): ProviderAnswer {
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  return { kind: 'speak', content: { tool, args: json.slice(0, cut?.afterChars) }, end: endOf(cut) };
}

/** Says something. */
export function text(said: string, cut?: Cut): ProviderAnswer {
  return { kind: 'speak', content: { text: said.slice(0, cut?.afterChars) }, end: endOf(cut) };
}

function endOf(cut: Cut | undefined) {
  return cut === undefined ? ('whole' as const) : (cut.by ?? ('length' as const));
}

/** Refuses with an HTTP status and the provider's form of an error. The client may repeat it at once. */
export function status(code: number, message = 'refused by the test'): ProviderAnswer {
  return { kind: 'status', status: code, message };
}

/** Sends the head of an answer and then nothing, until the client gives up. */
export const hang: ProviderAnswer = { kind: 'hang' };

/** A review with these findings. */
export function findings(list: readonly Finding[], cut?: Cut): ProviderAnswer {
  return toolCall('submit_findings', { findings: list, complete: true }, cut);
}

/**
 * Plays a whole round: each reviewer gets the findings of its aspect (none where there are none), the question
 * for the comment's texts gets `texts`.
 */
export function playRound(round: {
  readonly findings?: Partial<Record<Aspect, readonly Finding[]>>;
  readonly texts?: Readonly<Record<string, string>>;
}): (request: ProviderRequest) => ProviderAnswer {
  return ({ aspect }) =>
    aspect === undefined
      ? toolCall('submit_review_texts', { summary: 'A summary.', ...round.texts, complete: true })
      : findings(round.findings?.[aspect] ?? []);
}
