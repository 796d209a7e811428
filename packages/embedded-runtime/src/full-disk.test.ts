import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createManualClock } from './testing/manual-clock.ts';
import { openedDelivery } from './testing/review-factory.ts';
import { scripted } from './testing/script.ts';
import { createTempDir, startTestHost } from './testing/test-host.ts';

const CHILD = fileURLToPath(new URL('testing/full-disk-child.ts', import.meta.url));
const LIMIT_KIB = 1_500;

it('R2: a full disk stops acceptance and loses nothing that was accepted', async () => {
  const dataDir = createTempDir();
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `ulimit -f ${LIMIT_KIB}; exec "$0" --import tsx "$1" "$2"`,
    process.execPath,
    CHILD,
    dataDir,
  ]);
  const { accepted, ...refused } = JSON.parse(stdout) as { readonly accepted: readonly number[] };
  expect(accepted.length).toBeGreaterThan(5);
  expect(refused).toEqual({
    refusal: 'StorageError',
    statuses: {
      send: 503,
      delayedSend: 503,
      spawn: 503,
      signal: 503,
      tag: 503,
      schedule: 503,
      get: 200,
      spawned: 404,
    },
    inbox: 0,
    errors: ['timers could not be run'],
  });
  const clock = createManualClock();
  clock.advance(20_000);
  const host = await startTestHost({ registry: scripted({ e: () => {} }), dataDir, clock });
  await host.settled();
  expect(host.readRows('/e/a', 'inbox')).toHaveLength(1); // the delayed message, once there was room
  expect(host.readRows('/e/a', 'signals')).toEqual([]);
  for (const number of accepted) {
    expect(await host.appendWebhookEvent(openedDelivery(number))).toEqual({ appended: false });
  }
  expect(await host.appendWebhookEvent(openedDelivery(accepted.length))).toEqual({ appended: true });
});
