import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from './clock.ts';
import { DataDirInUseError } from './errors.ts';
import { createEmbeddedHost, type EmbeddedHost } from './host.ts';
import { createManualClock } from './testing/manual-clock.ts';
import { createReviewFactory, openedDelivery, WORKERS } from './testing/review-factory.ts';
import { createTempDir, startTestHost } from './testing/test-host.ts';

const CHILD = fileURLToPath(new URL('testing/crash-child.ts', import.meta.url));

/** Runs a host in a process of its own until a line, and kills it there. @returns the deliveries that it accepted */
async function killAt(
  dataDir: string,
  args: readonly string[],
  isTheEnd: (line: string, count: number) => boolean,
  beforeKill: (pid: number | undefined) => Promise<void> = async () => {},
): Promise<readonly number[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const accepted: number[] = [];
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    count += 1;
    if (line.startsWith('accepted ')) accepted.push(Number(line.slice('accepted '.length)));
    if (!isTheEnd(line, count)) continue;
    await beforeKill(child.pid);
    child.kill('SIGKILL');
  }
  await exited;
  return accepted;
}

function expectWholeReview(host: EmbeddedHost, number: number): void {
  const url = `/shepherd/o~r~${number}`;
  expect(host.readRows(url, 'errors')).toEqual([]);
  expect(
    host
      .readRows(url, 'answers')
      .map((row) => [row.key, row.text])
      .sort(),
  ).toEqual(WORKERS.map((aspect) => [`/worker/o~r~${number}~${aspect}`, 'fine']));
  expect(host.readRows(url, 'manifests').filter((row) => row.kind === 'child')).toHaveLength(WORKERS.length);
}

describe('a host that is killed', () => {
  it.each(['shepherd c', 'worker'])('R3: in the middle of a handler (%s) runs it again', async (step) => {
    const dataDir = createTempDir();
    await killAt(dataDir, [step, '7'], (line) => line === `step ${step}`);
    const steps: string[] = [];
    const registry = createReviewFactory((again) => void steps.push(again));
    const host = await startTestHost({ registry, dataDir });
    // The delivery was on disk before its handler saw it, accepted or not.
    expect(await host.appendWebhookEvent(openedDelivery(7))).toEqual({ appended: false });
    await host.settled();
    expect(steps).toContain(step);
    expectWholeReview(host, 7);
  });

  it('loses nothing that it accepted, wherever it is killed', async () => {
    const dataDir = createTempDir();
    const accepted = new Set<number>();
    for (const [round, lastLine] of [5, 17].entries()) {
      const numbers = [round * 2 + 1, round * 2 + 2];
      const isTheEnd = (line: string, count: number) => count === lastLine || line === 'settled';
      for (const number of await killAt(dataDir, ['', ...numbers.map(String)], isTheEnd))
        accepted.add(number);
    }
    const host = await startTestHost({ registry: createReviewFactory(), dataDir });
    await host.settled();
    expect(accepted.size).toBeGreaterThan(0);
    for (const number of accepted) expectWholeReview(host, number);
  });

  it('does not run again what had ended, and fires its timers once', async () => {
    const dataDir = createTempDir();
    await killAt(dataDir, ['', '7'], (line) => line === 'settled');
    const steps: string[] = [];
    const clock = createManualClock(systemClock.now());
    const registry = createReviewFactory((step) => void steps.push(step));
    const host = createEmbeddedHost({ registry, dataDir, clock });
    onTestFinished(() => host.close());
    await host.start();
    await host.settled();
    expect(steps).toEqual([]);
    expect(host.readRows('/shepherd/o~r~7', 'deadlines')).toEqual([]);
    clock.advance(61_000);
    await host.settled();
    await host.close();
    const later = await startTestHost({ registry, dataDir, clock });
    clock.advance(3_600_000);
    await later.settled();
    expect(later.readRows('/shepherd/o~r~7', 'deadlines')).toHaveLength(1);
  });

  it('keeps others out of its directory while it lives', async () => {
    const dataDir = createTempDir();
    await killAt(
      dataDir,
      ['', '7'],
      (line) => line === 'settled',
      async (pid) => {
        const second = createEmbeddedHost({ registry: createReviewFactory(), dataDir });
        const refusal = await second.start().catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(DataDirInUseError);
        expect((refusal as DataDirInUseError).pid).toBe(pid);
      },
    );
    await startTestHost({ registry: createReviewFactory(), dataDir });
  });
});
