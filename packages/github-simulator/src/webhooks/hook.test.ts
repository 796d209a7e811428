import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHook } from './hook.ts';

const server = createServer((request) => {
  // Never answers, as a receiver that hangs.
  request.resume();
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));

afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

function hookThatWaits(answerTimeoutMs: number) {
  const hook = createHook({ secret: 'x', hookId: 1, appId: 2, answerTimeoutMs });
  hook.setUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return hook;
}

it('gives up on a receiver that does not answer, and records why', async () => {
  const hook = hookThatWaits(20);
  const record = await hook.send('ping', { zen: 'x' });
  expect(record).toMatchObject({ status: undefined, error: expect.stringMatching(/timeout/i) });
  expect(hook.deliveries).toEqual([record]);
});

it('shows a delivery from the moment it is sent, in the order of sending', async () => {
  const hook = hookThatWaits(20);
  hook.sendInBackground('ping', { action: 'first' });
  hook.sendInBackground('ping', { action: 'second' });
  await hook.delivered();
  expect(hook.deliveries.map((delivery) => delivery.action)).toEqual(['first', 'second']);
  expect(hook.deliveries.every((delivery) => delivery.error !== undefined)).toBe(true);
});
