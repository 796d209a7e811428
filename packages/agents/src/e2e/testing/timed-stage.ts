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

/** The machine's clock, which `pass` puts forward. Nothing but time passes: timers fire when they are due. */
function createTravelClock(): NonNullable<ServiceHooks['clock']> & { readonly pass: (ms: number) => void } {
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const rearm = new Set<() => void>();
  return {
    now,
    setTimer: (atMs, callback) => {
      let timer: NodeJS.Timeout | undefined;
      const arm = (): void => {
        clearTimeout(timer);
        // Nothing that a test waits for lies beyond the longest timeout.
        timer = setTimeout(fire, Math.min(atMs - now(), LONGEST_TIMEOUT_MS));
      };
      const fire = (): void => {
        rearm.delete(arm);
        callback();
      };
      rearm.add(arm);
      arm();
      return () => {
        rearm.delete(arm);
        clearTimeout(timer);
      };
    },
    pass: (ms) => {
      aheadMs += ms;
      for (const arm of rearm) arm();
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
  const start = async (): Promise<void> => {
    const model = options.model ?? { kind: 'analyzers' };
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
    progress,
    quiet,
    pass: async (ms) => {
      clock.pass(ms);
      // A timer that is due by now fires in the next turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 5));
      await quiet();
    },
  };
}
