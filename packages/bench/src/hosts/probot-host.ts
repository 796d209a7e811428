/**
 * The peer: probot with an empty handler. Argument: the webhook secret.
 *
 * @module
 */

import { generateKeyPairSync } from 'node:crypto';
import { createNodeMiddleware, Probot } from 'probot';
import { WEBHOOK_PATH } from '../runtime/webhook-source.ts';
import { serveCommands } from './serve-commands.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const probot = new Probot({ appId: 1, privateKey, secret: process.argv[2] ?? '', logLevel: 'warn' });
const middleware = await createNodeMiddleware(
  (app) => {
    app.on('pull_request.opened', async () => {});
  },
  { probot, webhooksPath: WEBHOOK_PATH },
);

await serveCommands({
  listener: (request, response) => void middleware(request, response),
  commands: {},
  close: async () => {},
});
