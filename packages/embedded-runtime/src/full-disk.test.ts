import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createEntityRegistry } from './registry.ts';
import { openedDelivery } from './testing/review-factory.ts';
import { createTempDir, startTestHost } from './testing/test-host.ts';

const CHILD = fileURLToPath(new URL('testing/full-disk-child.ts', import.meta.url));
const LIMIT_KIB = 1_000;

it('R2: a full disk stops acceptance and loses nothing that was accepted', async () => {
  const dataDir = createTempDir();
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `ulimit -f ${LIMIT_KIB}; exec "$0" --import tsx "$1" "$2"`,
    process.execPath,
    CHILD,
    dataDir,
  ]);
  const { accepted, refusal, status } = JSON.parse(stdout) as {
    readonly accepted: readonly number[];
    readonly refusal: string;
    readonly status: number;
  };
  expect(accepted.length).toBeGreaterThan(5);
  expect(refusal).toBe('StorageError');
  expect(status).toBe(503);
  const host = await startTestHost({ registry: createEntityRegistry(), dataDir });
  for (const number of accepted) {
    expect(await host.appendWebhookEvent(openedDelivery(number))).toEqual({ appended: false });
  }
  expect(await host.appendWebhookEvent(openedDelivery(accepted.length))).toEqual({ appended: true });
});
