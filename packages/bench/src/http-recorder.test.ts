import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { recordHttp } from './http-recorder.ts';

const recorder = recordHttp();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('knows of each request when it began and ended, and when the first of our own was sent', async () => {
  const url = await serve((_, response) => void response.end('yes'));
  await (await fetch(`${url}/before`)).text();
  recorder.rewind();
  expect(recorder.firstSentAtMs()).toBeUndefined();
  await (await fetch(`${url}/first?page=1`, { method: 'POST', body: '{}' })).text();
  await (await fetch(`${url}/second`)).text();
  await recorder.quiet(1);
  const [first, second, ...more] = recorder.requests();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ method: 'POST', path: '/first?page=1' });
  expect(second).toMatchObject({ method: 'GET', path: '/second' });
  const times = [recorder.firstSentAtMs(), first?.beganAtMs, first?.endedAtMs, second?.beganAtMs];
  expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
});

it('tells when so many wanted requests have begun, without waiting for their answers', async () => {
  const waiting: (() => void)[] = [];
  const url = await serve((_, response) => void waiting.push(() => response.end()));
  recorder.rewind();
  const isWrite = ({ method }: { readonly method: string }) => method === 'POST';
  const asked = ['GET', 'POST', 'POST'].map((method) => fetch(url, { method }));
  await recorder.began(2, isWrite, 10_000);
  expect(recorder.requests()).toEqual([]);
  const quiet = recorder.quiet(1);
  while (waiting.length < 3) await new Promise(setImmediate);
  for (const answer of waiting) answer();
  await Promise.all([...asked, quiet]);
  expect(recorder.requests()).toHaveLength(3);
});

it('says how many there are when they are too few', async () => {
  recorder.rewind();
  await expect(recorder.began(1, () => true, 1)).rejects.toThrow('0 of 1');
});
