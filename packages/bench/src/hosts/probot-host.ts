/**
 * The peer: probot with an empty handler, run as its own command runs it in production. Argument: the webhook
 * secret.
 *
 * @module
 */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { run } from 'probot';
import { WEBHOOK_PATH } from '../runtime/webhook-source.ts';
import { serveCommands } from './serve-commands.ts';

/** probot reads port 0 as its default port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const server = await run(
  (app) => {
    app.on('pull_request.opened', async () => {});
  },
  {
    env: {
      NODE_ENV: 'production',
      APP_ID: '1',
      PRIVATE_KEY: privateKey,
      WEBHOOK_SECRET: process.argv[2],
      WEBHOOK_PATH,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
    },
  },
);

serveCommands({ port: server.port, commands: {}, close: () => server.stop() });
