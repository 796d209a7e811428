/**
 * How the demo tells what happens: for people, or one JSON object a line for programs.
 *
 * @module
 */
import type { Progress } from '../agents/services.ts';
import { ASPECTS, shortSha } from '../ids.ts';

/** What happens in a demo, besides the rounds' own progress. */
export type DemoEvent =
  | {
      readonly type: 'delivery';
      readonly event: string;
      readonly action: string;
      readonly id: string;
      readonly status: number | null;
    }
  | Progress
  | DemoDone;

/** The last event. */
export interface DemoDone {
  readonly type: 'done';
  /** How many comments of ours stand on the PR. */
  readonly comments: number;
  readonly githubCalls: number;
  readonly modelCalls: number;
  readonly ms: number;
}

/** Receives events in the order in which they happen. */
export interface Reporter {
  /** What is about to happen, for people only. */
  say(sentence: string): void;
  tell(event: DemoEvent): void;
  /** Resolves when everything told so far is written. */
  finished(): Promise<void>;
}

/** Writes a line, without its end. */
export type Write = (line: string) => void;

/** One JSON object a line, and nothing else. */
export function jsonReporter(write: Write): Reporter {
  return {
    say: () => {},
    tell: (event) => write(JSON.stringify(forPrograms(event))),
    finished: () => Promise.resolve(),
  };
}

/** A comment's fields are those that scripts rely on; the PR is the only one there is. */
function forPrograms(event: DemoEvent): unknown {
  if (!('pr' in event)) return event;
  const { pr, ...rest } = event;
  return { ...rest, pr: pr.number };
}

/** Plain sentences. */
export function storyReporter(write: Write): Reporter {
  return {
    say: write,
    tell: (event) => {
      for (const line of story(event)) write(line);
    },
    finished: () => Promise.resolve(),
  };
}

function story(event: DemoEvent): readonly string[] {
  switch (event.type) {
    case 'delivery':
      return [
        `  ← ${event.event}${event.action === '' ? '' : `.${event.action}`} delivered, answered ${event.status ?? 'nothing'}`,
      ];
    case 'round': {
      const range = `${shortSha(event.baseSha)}..${shortSha(event.headSha)}`;
      if (event.state === 'unchanged') return [`  Round ${event.iteration}: nothing changed in ${range}`];
      return [
        `  Round ${event.iteration}: ${event.files} ${event.files === 1 ? 'file' : 'files'} in ${range}, six reviewers`,
      ];
    }
    case 'worker':
      return event.state === 'started' ? [] : [`    ${workerLine(event)}`];
    case 'comment':
      return [
        `  → comment ${event.commentId} ${event.action} (iteration ${event.iteration}, ${shortSha(event.sha)})`,
        '',
        ...readable(event.body).map((line) => `  │ ${line}`),
        '',
      ];
    case 'reply':
      return [`  → reply ${event.commentId}`, ...readable(event.body).map((line) => `  │ ${line}`)];
    case 'failure':
      return [`  ! ${event.what}${event.retryable ? ' (it is tried again)' : ''}`];
    case 'done':
      return [
        `Done in ${(event.ms / 1000).toFixed(1)} s: ${count(event.comments, 'comment')} of ours on the pull request, ` +
          `${count(event.githubCalls, 'GitHub request')}, ${count(event.modelCalls, 'model call')}.`,
      ];
  }
}

/** Markdown for a terminal: links without their addresses, and without the marker that GitHub hides. */
function readable(body: string): readonly string[] {
  const text = body.replace(/\[([^\]]*)\]\(http[^)\s]*\)/g, '$1').replace(/\n*<!--.*-->\s*$/, '');
  return text.split('\n').map((line) => line.trimEnd());
}

/** How a worker ended, in words. */
export function workerLine(event: Extract<Progress, { readonly type: 'worker' }>): string {
  const name = event.aspect.padEnd(Math.max(...ASPECTS.map((aspect) => aspect.length)));
  if (event.state === 'failed') return `${name}  failed: ${event.why ?? 'no reason given'}`;
  const found = count(event.findings ?? 0, 'finding');
  return `${name}  ${found}${event.state === 'partial' ? ` (partial: ${event.why ?? 'no reason given'})` : ''}`;
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
