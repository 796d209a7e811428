import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../config-secret.ts';
import { ConfigError } from '../errors.ts';
import { type PrEvent, parseWebhookRow } from '../github-events.ts';
import type { Log, LogFields } from '../log.ts';
import { allExamples, examplePayload, type Payload } from '../testing/webhook-examples.ts';
import { createIngress, type IngressDeps, type WebhookRow } from './ingress.ts';

const secret = new Secret('a secret of the tests, long enough');
const repo = { owner: 'codertocat', repo: 'hello-world' };

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

function recordingLog(lines: LogLine[], bound: LogFields = {}): Log {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    void lines.push({ level, message, fields: { ...bound, ...fields } });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordingLog(lines, { ...bound, ...fields }),
  };
}

/** An ingress with a store that lives as long as the test. */
function harness(overrides: Partial<IngressDeps> = {}) {
  const rows = new Map<string, WebhookRow>();
  const events: PrEvent[] = [];
  const lines: LogLine[] = [];
  const app = createIngress({
    secret,
    repo,
    endpointKey: 'github-repo-test',
    append: async (row) => {
      if (rows.has(row.key)) return { appended: false };
      rows.set(row.key, row);
      return { appended: true };
    },
    onEvent: async (event) => void events.push(event),
    clock: () => new Date('2026-02-03T04:05:06.789Z'),
    log: recordingLog(lines),
    healthy: () => true,
    ...overrides,
  });
  return { app, rows, events, lines };
}

function signatureOf(body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`;
}

function headersFor(event: string, body: string | Uint8Array, more: Record<string, string> = {}) {
  return {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-event': event,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-github-hook-id': '292430182',
    'x-hub-signature-256': signatureOf(body),
    ...more,
  };
}

function delivery(event: string, payload: Payload, more: Record<string, string> = {}): RequestInit {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { method: 'POST', body, headers: headersFor(event, body, more) };
}

const path = '/webhooks/github';
const opened = () => examplePayload('pull_request', 0);

async function answer(app: ReturnType<typeof harness>['app'], init: RequestInit, at = path) {
  const response = await app.request(at, init);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: response.status, json: (await response.json()) as Payload };
}

describe('a good delivery', () => {
  it('is appended with the fields of the runtime, then handed on, then answered', async () => {
    const { app, rows, events } = harness();
    const init = delivery('pull_request', opened(), { 'x-forwarded-for': '192.0.2.1', cookie: 'c=1' });
    expect(await answer(app, init, `${path}?a=1&b=2&b=3`)).toEqual({
      status: 202,
      json: { status: 'accepted' },
    });
    expect([...rows.values()]).toEqual([
      {
        key: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
        endpoint_key: 'github-repo-test',
        event_type: 'pull_request',
        body: opened(),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'GitHub-Hookshot/044aadd',
          'x-github-event': 'pull_request',
          'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
          'x-github-hook-id': '292430182',
        },
        received_at: '2026-02-03T04:05:06.789Z',
        request: {
          method: 'POST',
          content_type: 'application/json',
          size_bytes: Buffer.byteLength(JSON.stringify(opened())),
          query: { a: '1', b: ['2', '3'] },
        },
        buckets: ['prs/2', 'prs/opened'],
      },
    ]);
    expect(events).toMatchObject([{ type: 'pull_request', action: 'opened', pr: { number: 2 } }]);
    const [row] = rows.values();
    expect(row && parseWebhookRow(row)).toMatchObject({ kind: 'event', event: events[0] });
  });

  it('T-020: comes twice and is a duplicate the second time', async () => {
    const { app, rows, events } = harness();
    await answer(app, delivery('pull_request', opened()));
    expect(await answer(app, delivery('pull_request', opened()))).toEqual({
      status: 202,
      json: { status: 'duplicate' },
    });
    expect(rows.size).toBe(1);
    // Handed on again: a crash between append and hand-over is made good by a redelivery (S2).
    expect(events.map((event) => event.deliveryId)).toEqual(Array(2).fill([...rows.keys()][0]));
  });

  it('T-024: is verified over its bytes, emoji and blanks included', async () => {
    const { app, rows } = harness();
    const payload = { ...opened(), note: 'ship it 🚀 é' };
    expect(
      await answer(app, delivery('pull_request', `${JSON.stringify(payload, null, 4)}\r\n`)),
    ).toMatchObject({
      status: 202,
    });
    expect([...rows.values()][0]?.body).toEqual(payload);
  });
});

describe('what is refused', () => {
  it('401 without or with a wrong signature, and nothing of the body is parsed', async () => {
    const { app, rows, lines } = harness();
    const init = delivery('pull_request', 'not json');
    const { 'x-hub-signature-256': good, ...unsigned } = headersFor('pull_request', 'not json');
    const wrong = { ...unsigned, 'x-hub-signature-256': signatureOf('other') };
    const sha1Only = { ...unsigned, 'x-hub-signature': good };
    for (const headers of [unsigned, wrong, sha1Only]) {
      expect(await answer(app, { ...init, headers })).toMatchObject({
        status: 401,
        json: { status: 'rejected', error: expect.stringContaining('X-Hub-Signature-256') },
      });
    }
    expect(rows.size).toBe(0);
    expect(lines.map((line) => line.level)).toEqual(['warn', 'warn', 'warn']);
  });

  it.each([
    ['x-github-event', undefined],
    ['x-github-delivery', undefined],
    ['x-github-event', 'pull request\twith blanks'],
    ['x-github-delivery', '../../etc'],
    ['x-github-delivery', 'x'.repeat(129)],
  ])('400 when the header %s is %j, before the signature is looked at', async (name, value) => {
    const { app } = harness();
    const headers = new Headers(headersFor('pull_request', ''));
    headers.delete(name);
    headers.delete('x-hub-signature-256');
    if (value !== undefined) headers.set(name, value);
    const result = await answer(app, { method: 'POST', body: '{}', headers });
    expect(result).toMatchObject({ status: 400, json: { status: 'rejected' } });
    expect(result.json.error.toLowerCase()).toContain(name);
  });

  it('400 what is not JSON, or not UTF-8', async () => {
    const { app } = harness();
    const latin1 = Buffer.from('{"a":"\xe9"}', 'latin1');
    for (const body of ['', '{', "{'a':1}", latin1]) {
      const init = { method: 'POST', body, headers: headersFor('pull_request', body) };
      expect(await answer(app, init)).toMatchObject({
        status: 400,
        json: { error: 'the body is not JSON in UTF-8' },
      });
    }
  });

  it('400 a form, with the remedy', async () => {
    const { app } = harness();
    const form = delivery('pull_request', `payload=${encodeURIComponent('{}')}`, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(await answer(app, form)).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('choose the content type application/json') },
    });
  });

  it('413 what is too large, before anything else; what is just as large is taken', async () => {
    const body = JSON.stringify(opened());
    const { app } = harness({ maxBytes: Buffer.byteLength(body) });
    expect(await answer(app, delivery('pull_request', body))).toMatchObject({ status: 202 });
    expect(await answer(app, { method: 'POST', body: `${body} ` })).toMatchObject({
      status: 413,
      json: { status: 'rejected' },
    });
  });

  it('404 and 405, as JSON', async () => {
    const { app } = harness();
    expect(await answer(app, {}, '/')).toMatchObject({ status: 404, json: { status: 'rejected' } });
    expect(await answer(app, {})).toMatchObject({
      status: 405,
      json: { error: 'only POST is answered here' },
    });
    const response = await app.request('/healthz', { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('an ingress without a secret', () => {
    expect(() => harness({ secret: new Secret('') })).toThrow(ConfigError);
  });
});

describe('what is ignored', () => {
  it('202 with the reason; nothing is stored that no bucket is for', async () => {
    const { app, rows, events } = harness();
    for (const event of ['ping', 'installation', 'an_event_of_next_year']) {
      const result = await answer(
        app,
        delivery(event, { repository: { full_name: 'Codertocat/Hello-World' } }),
      );
      expect(result).toMatchObject({
        status: 202,
        json: { status: 'ignored', reason: expect.stringMatching(/\w/) },
      });
    }
    expect([rows.size, events.length]).toEqual([0, 0]);
  });

  it('202 an event that others may observe: stored, not handed on', async () => {
    const { app, rows, events } = harness();
    expect(await answer(app, delivery('issues', examplePayload('issues', 0)))).toMatchObject({
      status: 202,
      json: { status: 'ignored' },
    });
    expect([...rows.values()].map((row) => row.buckets)).toEqual([['issues/1']]);
    expect(events).toEqual([]);
  });

  it('202 another repository, logged and not stored', async () => {
    const { app, rows, events, lines } = harness({ repo: { owner: 'electric-sql', repo: 'electric' } });
    for (const event of ['pull_request', 'issues']) {
      expect(await answer(app, delivery(event, examplePayload(event, 0)))).toMatchObject({
        status: 202,
        json: { status: 'ignored', reason: expect.stringContaining('another repository') },
      });
    }
    expect([rows.size, events.length]).toEqual([0, 0]);
    expect(lines[0]).toMatchObject({ level: 'info', fields: { repo: 'Codertocat/Hello-World' } });
  });

  it('202 a payload without a field that is read, logged with delivery id and field', async () => {
    const { app, rows, lines } = harness();
    const body = examplePayload('pull_request', 0, (payload) => delete payload.pull_request.head);
    expect(await answer(app, delivery('pull_request', body))).toEqual({
      status: 202,
      json: { status: 'malformed', missing: 'pull_request.head' },
    });
    expect(rows.size).toBe(0);
    expect(lines).toMatchObject([
      {
        level: 'warn',
        fields: { deliveryId: '72d3162e-cc78-11e3-81ab-4c9367dc0958', missing: 'pull_request.head' },
      },
    ]);
    expect(await answer(app, delivery('pull_request', opened()))).toMatchObject({
      json: { status: 'accepted' },
    });
  });
});

describe('when the service fails', () => {
  it('503 when the append fails; the same delivery is accepted later', async () => {
    let full = true;
    const { app, events, lines } = harness({
      append: async () => {
        if (full) throw new Error('disk full');
        return { appended: true };
      },
    });
    expect(await answer(app, delivery('pull_request', opened()))).toMatchObject({
      status: 503,
      json: { status: 'failed' },
    });
    expect(events).toEqual([]);
    expect(lines).toMatchObject([{ level: 'error', fields: { error: 'disk full' } }]);
    full = false;
    expect(await answer(app, delivery('pull_request', opened()))).toMatchObject({ status: 202 });
  });

  it('503 when the hand-over fails; a redelivery makes it good', async () => {
    let asleep = true;
    const reached: string[] = [];
    const { app, rows } = harness({
      onEvent: async (event) => {
        if (asleep) throw new Error('asleep');
        reached.push(event.deliveryId);
      },
    });
    expect(await answer(app, delivery('pull_request', opened()))).toMatchObject({ status: 503 });
    asleep = false;
    expect(await answer(app, delivery('pull_request', opened()))).toMatchObject({
      json: { status: 'duplicate' },
    });
    expect(reached).toEqual([...rows.keys()]);
  });

  it('healthz tells whether it serves', async () => {
    expect(await answer(harness().app, {}, '/healthz')).toEqual({ status: 200, json: { status: 'ok' } });
    const unwell = harness({ healthy: () => false });
    expect(await answer(unwell.app, {}, '/healthz')).toEqual({
      status: 503,
      json: { status: 'unavailable' },
    });
  });
});

describe('all real payloads', () => {
  it('are answered 202: understood, or ignored with a reason; the log has no text of theirs', async () => {
    const surprises: unknown[] = [];
    const ours = { owner: 'Codertocat', repo: 'Hello-World' };
    const { app, lines, rows } = harness({ repo: ours });
    for (const [index, { source, event, body }] of allExamples().entries()) {
      const init = delivery(event, body, { 'x-github-delivery': `guid-${index}` });
      const { status, json } = await answer(app, init);
      const reasoned = json.status === 'accepted' || (json.status === 'ignored' && /\w/.test(json.reason));
      if (status !== 202 || !reasoned) surprises.push([source, event, body.action, status, json]);
    }
    expect(surprises).toEqual([]);
    expect(rows.size).toBeGreaterThan(100);
    expect(JSON.stringify(lines)).not.toContain('Update the README with new information');
  });
});
