import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { statusOf } from '../review/shepherd-status.ts';
import { INITIAL_STATE } from '../review/state.ts';
import { newToken, readServiceFile, writeServiceFile } from './service-file.ts';
import { createStatusRoutes } from './status-routes.ts';

const TOKEN = newToken();
const PR = { owner: 'acme', repo: 'shop', number: 1 };
const known = statusOf(PR, INITIAL_STATE);
const routes = createStatusRoutes({
  token: TOKEN,
  repository: () => Promise.resolve({ repository: 'acme/shop', pullRequests: [known] }),
  pullRequest: ({ number }) => Promise.resolve(number === 1 ? known : undefined),
});

function get(path: string, token: string = TOKEN): Response | Promise<Response> {
  return routes.request(path, { headers: { authorization: `Bearer ${token}` } });
}

describe('the status routes', () => {
  it('answer who shows the token', async () => {
    expect(await (await get('/status')).json()).toMatchObject({ pullRequests: [known] });
    expect(await (await get('/status/acme/shop/1')).json()).toEqual(known);
  });

  it.each(['/status', '/status/acme/shop/1', '/status/acme/shop/2'])(
    'tell strangers nothing: %s',
    async (path) => {
      for (const answer of [
        await routes.request(path),
        await get(path, 'guess'),
        await get(path, newToken()),
      ]) {
        expect(answer.status).toBe(401);
        expect(await answer.text()).not.toContain('shop');
      }
    },
  );

  it('say what is wrong with a question', async () => {
    expect((await get('/status/acme/shop/2')).status).toBe(404);
    expect((await get('/status/acme/shop/zero')).status).toBe(400);
  });
});

describe("the service's file", () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'openfactory-service-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return path;
  }

  it('is for its owner alone, and goes when the service ends', async () => {
    const dataDir = await folder();
    const file = { url: 'http://127.0.0.1:1', token: TOKEN, pid: 1 };
    const forget = await writeServiceFile(dataDir, file);
    expect(await readServiceFile(dataDir)).toEqual(file);
    expect((await stat(join(dataDir, 'service.json'))).mode & 0o777).toBe(0o600);
    await forget();
    expect(await readdir(dataDir)).toEqual([]);
    expect(await readServiceFile(dataDir)).toBeUndefined();
  });

  it('that is torn counts as none', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'service.json'), '{"url":');
    expect(await readServiceFile(dataDir)).toBeUndefined();
  });
});
