/**
 * A stage whose service goes by a clock that can be put forward, for tests of windows, waits and limits.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Progress } from '../../agents/services.ts';
import { type Service, type ServiceHooks, startService } from '../../host/serve.ts';
import { silentLog } from '../../log.ts';
import { configFor, openStage, type Stage, type StageOptions } from './stage.ts';

/** A stage with a clock. */
export interface TimedStage extends Omit<Stage, 'published' | 'failed' | 'modelCalls' | 'databaseText'> {
  /** Lets time pass at once: what is due by then becomes due now. */
  readonly pass: (ms: number) => Promise<void>;
}

/** What setTimeout can wait for. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

interface TravelClock extends NonNullable<ServiceHooks['clock']> {
  readonly travel: (ms: number) => void;
  /** Calls back whoever waits for a time that has come. Returns whether there was one. */
  readonly fire: () => boolean;
}

interface Timer {
  readonly atMs: number;
  readonly ring: () => void;
  readonly arm: () => void;
}

/** The machine's clock, which can be put forward. Nothing but time passes: timers ring when they are due. */
function createTravelClock(): TravelClock {
  let aheadMs = 0;
  const timers = new Set<Timer>();
  const now = (): number => Date.now() + aheadMs;
  return {
    now,
    setTimer: (atMs, callback) => {
      let timeout: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        clearTimeout(timeout);
        timers.delete(timer);
      };
      const ring = (): void => {
        cancel();
        callback();
      };
      const arm = (): void => {
        clearTimeout(timeout);
        // Nothing that a test waits for lies beyond the longest timeout.
        timeout = setTimeout(ring, Math.min(atMs - now(), LONGEST_TIMEOUT_MS));
      };
      const timer: Timer = { atMs, ring, arm };
      timers.add(timer);
      arm();
      return cancel;
    },
    travel: (ms) => {
      aheadMs += ms;
      for (const { arm } of timers) arm();
    },
    fire: () => {
      const due = [...timers].filter(({ atMs }) => atMs <= now()).toSorted((a, b) => a.atMs - b.atMs);
      // One that rang before it may have taken it back.
      for (const timer of due) if (timers.has(timer)) timer.ring();
      return due.length > 0;
    },
  };
}

/** Opens a stage like `openStage`, with a clock of its own that also survives restarts of the service. */
export async function openTimedStage(options: Omit<StageOptions, 'serve'> = {}): Promise<TimedStage> {
  const clock = createTravelClock();
  const stage = await openStage({ ...options, serve: false });
  const { simulator } = stage;
  const folder = await mkdtemp(join(tmpdir(), 'openfactory-timed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const progress: Progress[] = [];
  let service: Service | undefined;
  const running = (): Service => {
    if (service === undefined) throw new TypeError('the service does not run');
    return service;
  };
  const stopService = async (): Promise<void> => {
    simulator.setWebhookUrl(undefined);
    await service?.close();
    service = undefined;
  };
  const start: Stage['startService'] = async (model = options.model ?? { kind: 'analyzers' }) => {
    service = await startService(configFor(simulator, folder, options), model, silentLog, {
      clock,
      onProgress: (event) => void progress.push(event),
    });
    simulator.setWebhookUrl(`${service.url}/webhooks/github`);
  };
  const quiet = async (): Promise<void> => {
    // Twice: our own writes make deliveries, too.
    for (const _ of [1, 2]) {
      await simulator.delivered();
      await running().factory.host.settled();
    }
  };
  onTestFinished(stopService);
  await start();
  return {
    ...stage,
    service: running,
    stopService,
    startService: start,
    stateDir: join(folder, 'state'),
    progress,
    quiet,
    pass: async (ms) => {
      // What happened before happens before.
      await quiet();
      clock.travel(ms);
      while (clock.fire()) await quiet();
    },
  };
}
