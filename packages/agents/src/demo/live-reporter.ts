/**
 * The story on a terminal: while a round runs, its six workers are shown at work; the rest are plain lines.
 *
 * @module
 */
import { Listr } from 'listr2';
import type { Progress } from '../agents/services.ts';
import { ASPECTS, type Aspect } from '../ids.ts';
import { type DemoEvent, type Reporter, storyReporter, type Write, workerLine } from './reporter.ts';

type WorkerEvent = Extract<Progress, { readonly type: 'worker' }>;

/** The six lines of one round. */
interface Board {
  readonly ended: (event: WorkerEvent) => void;
  /** Ends the lines of workers that will not answer. */
  readonly close: () => void;
  /** Resolves when the terminal is free again. */
  readonly done: Promise<void>;
}

/** Writes the story, and lets the six lines of a round move while it runs. */
export function liveReporter(write: Write): Reporter {
  const story = storyReporter(write);
  let board: Board | undefined;
  // While a board is shown it owns the terminal; what happens meanwhile is told after it.
  let free: Promise<void> = Promise.resolve();
  const later = (tell: () => void): void => {
    free = free.then(tell);
  };
  return {
    say: (sentence) => later(() => story.say(sentence)),
    tell: (event: DemoEvent) => {
      if (event.type === 'worker') {
        if (event.state !== 'started') board?.ended(event);
        return;
      }
      if (event.type === 'comment' || event.type === 'failure') board?.close();
      later(() => story.tell(event));
      if (event.type === 'round' && event.state === 'started') {
        const opened = openBoard(free);
        board = opened;
        free = opened.done;
      }
    },
    finished: () => free,
  };
}

function openBoard(free: Promise<void>): Board {
  const endings = new Map<Aspect, (event: WorkerEvent | undefined) => void>();
  const tasks = ASPECTS.map((aspect) => {
    const ending = new Promise<WorkerEvent | undefined>((resolve) => endings.set(aspect, resolve));
    return {
      title: aspect,
      task: async (_: unknown, task: { title?: string }): Promise<void> => {
        const event = await ending;
        task.title = event === undefined ? `${aspect}  no answer` : workerLine(event);
        if (event?.state === 'failed') throw new Error(task.title);
      },
    };
  });
  const board = new Listr(tasks, { concurrent: true, exitOnError: false });
  const done = free.then(async () => {
    await board.run();
  });
  return {
    ended: (event) => endings.get(event.aspect)?.(event),
    close: () => {
      for (const end of endings.values()) end(undefined);
    },
    done,
  };
}
