/**
 * Deliveries as GitHub sends them.
 *
 * @module
 */

import { randomUUID } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import { examplePayload } from '../../../agents/src/testing/webhook-examples.ts';
import type { PostRequest } from '../http-load.ts';
import { WEBHOOK_PATH } from './webhook-source.ts';

/** How many pull requests the deliveries are about: each has a bucket of its own. */
const PULL_REQUESTS = 100;

/** A body of about 20 KB with its signature. */
interface SignedBody {
  readonly body: string;
  readonly signature: string;
}

async function signedBody(secret: string, number: number): Promise<SignedBody> {
  const payload = examplePayload('pull_request', 0, (edited) => {
    edited.action = 'opened';
    edited.number = number;
    edited.pull_request.number = number;
    // As an app gets it; probot makes a client for the installation.
    edited.installation = { id: 1, node_id: 'MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9uMQ==' };
  });
  const body = JSON.stringify(payload);
  return { body, signature: await sign(secret, body) };
}

/** Makes requests, each a `pull_request.opened` with an id of its own. Signing is done beforehand. */
export async function createDeliveries(secret: string): Promise<() => PostRequest> {
  const numbers = Array.from({ length: PULL_REQUESTS }, (_, index) => index + 1);
  const bodies = await Promise.all(numbers.map((number) => signedBody(secret, number)));
  let sent = 0;
  return () => {
    const { body, signature } = bodies[sent % bodies.length] as SignedBody;
    sent += 1;
    return {
      method: 'POST',
      path: WEBHOOK_PATH,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/1234567',
        'x-github-event': 'pull_request',
        'x-github-delivery': randomUUID(),
        'x-github-hook-id': '1',
        'x-hub-signature-256': signature,
      },
    };
  };
}
