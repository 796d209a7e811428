import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BUCKET_CATALOGUE,
  bucketsFor,
  type ParsedDelivery,
  parseDelivery,
  parseWebhookRow,
  repositoryOf,
} from './github-events.ts';
import { allExamples, examplePayload, type Payload } from './testing/webhook-examples.ts';

function parse(event: string, body: unknown): ParsedDelivery {
  return parseDelivery({ event, deliveryId: 'guid-1', body });
}

describe('bucketsFor', () => {
  it('has the three buckets of the catalogue', () => {
    expect(BUCKET_CATALOGUE.map((rule) => [rule.key, rule.pathTemplate])).toEqual([
      ['issues', 'issues/:number'],
      ['pull_requests', 'prs/:number'],
      ['pull_request_opened', 'prs/opened'],
    ]);
  });

  it.each([
    ['pull_request', { action: 'opened', number: 7, pull_request: { number: 7 } }, ['prs/7', 'prs/opened']],
    ['pull_request', { action: 'closed', pull_request: { number: 7 } }, ['prs/7']],
    ['pull_request_review', { action: 'submitted', pull_request: { number: 7 } }, ['prs/7']],
    ['pull_request_review_comment', { action: 'created', pull_request: { number: 7 } }, ['prs/7']],
    ['pull_request_review_thread', { action: 'resolved', pull_request: { number: 7 } }, ['prs/7']],
    ['issue_comment', { action: 'created', issue: { number: 7 } }, ['issues/7', 'prs/7']],
    ['issues', { action: 'opened', issue: { number: 7 } }, ['issues/7']],
    ['label', { action: 'created' }, []],
    ['ping', {}, []],
    ['push', { number: 7 }, []],
  ])('%s %j goes into %j', (event, body, buckets) => {
    expect(bucketsFor(event, body)).toEqual(buckets);
  });

  it('never builds a path from anything but a positive whole number', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (number) => {
        for (const bucket of bucketsFor('issues', { issue: { number } })) {
          expect(bucket).toMatch(/^issues\/[1-9]\d*$/);
        }
      }),
    );
  });
});

describe('parseDelivery on real payloads', () => {
  const examples = allExamples();

  it('understands each or ignores it with a reason, and changes none', () => {
    const unexplained: unknown[] = [];
    for (const { source, event, index, body } of examples) {
      const before = JSON.stringify(body);
      const result = parse(event, body);
      const name = `${source} ${event}[${index}]`;
      if (JSON.stringify(body) !== before) unexplained.push([name, 'was changed']);
      if (result.kind === 'malformed') unexplained.push([name, result.missing]);
      if (result.kind === 'ignored' && !/\w/.test(result.why)) unexplained.push([name, 'no reason']);
    }
    expect(unexplained).toEqual([]);
    expect(examples.length).toBeGreaterThan(700);
  });

  it('gives each event its type, action, PR and bucket', () => {
    const actions = new Set<string>();
    for (const { event, body } of examples) {
      const result = parse(event, body);
      if (result.kind !== 'event') continue;
      actions.add(`${event}.${result.event.action}`);
      expect(result.event).toMatchObject({ type: event, action: body.action, deliveryId: 'guid-1' });
      expect(result.event.pr.number).toBe(body.pull_request.number);
      expect(result.buckets).toContain(`prs/${body.pull_request.number}`);
    }
    expect([...actions].sort()).toEqual([
      'pull_request.closed',
      'pull_request.converted_to_draft',
      'pull_request.labeled',
      'pull_request.opened',
      'pull_request.ready_for_review',
      'pull_request.reopened',
      'pull_request.synchronize',
      'pull_request.unlabeled',
      'pull_request_review.dismissed',
      'pull_request_review.submitted',
      'pull_request_review_comment.created',
      'pull_request_review_comment.deleted',
      'pull_request_review_comment.edited',
      'pull_request_review_thread.resolved',
      'pull_request_review_thread.unresolved',
    ]);
  });
});

describe('what is not understood', () => {
  it('a comment on a plain issue is ignored, whether issue.pull_request is null or absent', () => {
    for (const edit of [() => {}, (body: Payload) => Object.assign(body.issue, { pull_request: null })]) {
      expect(parse('issue_comment', examplePayload('issue_comment', 0, edit))).toEqual({
        kind: 'ignored',
        why: 'a comment on a plain issue',
        buckets: ['issues/1', 'prs/1'],
      });
    }
  });

  it.each([
    ['ping', {}],
    ['installation', { action: 'created' }],
    ['label', { action: 'edited' }],
    ['issues', { action: 'opened', issue: { number: 1 } }],
    ['check_run', { action: 'completed' }],
    ['pull_request', { action: 'stacked', number: 1 }],
    ['issue_comment', { action: 'pinned', issue: { number: 1 } }],
    ['an_event_of_next_year', { action: 'happened' }],
    ['constructor', { action: 'toString' }],
  ])('%s %j is ignored with a reason', (event, body) => {
    expect(parse(event, body)).toMatchObject({ kind: 'ignored', why: expect.stringMatching(/\w/) });
  });

  it.each<[string, string, (body: Payload) => void]>([
    ['action', 'pull_request', (body) => delete body.action],
    ['repository', 'pull_request', (body) => delete body.repository],
    [
      'repository.full_name',
      'pull_request',
      (body) => Object.assign(body.repository, { full_name: 'a/b/c' }),
    ],
    ['pull_request', 'pull_request', (body) => delete body.pull_request],
    ['pull_request.number', 'pull_request', (body) => Object.assign(body.pull_request, { number: 0 })],
    ['pull_request.head.sha', 'pull_request', (body) => Object.assign(body.pull_request.head, { sha: 'x' })],
    ['sender.id', 'pull_request', (body) => delete body.sender.id],
    ['review.node_id', 'pull_request_review', (body) => delete body.review.node_id],
    ['comment.id', 'pull_request_review_comment', (body) => delete body.comment.id],
    ['thread', 'pull_request_review_thread', (body) => delete body.thread],
    ['issue', 'issue_comment', (body) => delete body.issue],
  ])('tells that %s of %s is missing', (missing, event, edit) => {
    expect(parse(event, examplePayload(event, 0, edit))).toEqual({ kind: 'malformed', missing });
  });

  it.each([null, 42, 'text', [], [null]])('survives %j as a body', (body) => {
    expect(parse('pull_request', body)).toEqual({ kind: 'malformed', missing: 'action' });
    expect(repositoryOf(body)).toBeUndefined();
  });
});

describe('properties', () => {
  const names = ['pull_request', 'issue_comment', 'pull_request_review', 'pull_request_review_comment'];
  const event = fc.oneof(fc.constantFrom(...names, 'pull_request_review_thread', '__proto__'), fc.string());

  it('never throws on arbitrary JSON', () => {
    fc.assert(
      fc.property(event, fc.jsonValue(), (name, body) => {
        expect(['event', 'ignored', 'malformed']).toContain(parse(name, body).kind);
      }),
    );
  });

  it('never throws on a real payload with one field replaced, and never invents a PR', () => {
    const ours = allExamples().filter((example) => example.event.startsWith('pull_request'));
    fc.assert(
      fc.property(fc.constantFrom(...ours), fc.nat(), fc.jsonValue(), (example, at, value) => {
        const body = structuredClone(example.body);
        const holders = [body, body.pull_request, body.pull_request.head, body.repository, body.sender];
        const slots = holders
          .filter((holder) => typeof holder === 'object' && holder !== null)
          .flatMap((holder) => Object.keys(holder).map((key) => [holder, key] as const));
        const [holder, key] = slots[at % slots.length] ?? [body, 'action'];
        holder[key] = value;
        const result = parse(example.event, body);
        if (result.kind === 'event') {
          expect(result.event.pr.number).toBe(body.pull_request.number);
          expect(`${result.event.pr.owner}/${result.event.pr.repo}`).toBe(body.repository.full_name);
        }
      }),
    );
  });
});

describe('parseWebhookRow', () => {
  it('reads a stored row as it read the request', () => {
    const body = examplePayload('pull_request', 0);
    const headers = { 'x-github-event': 'pull_request', 'x-github-delivery': 'guid-1' };
    expect(parseWebhookRow({ headers, body })).toEqual(parse('pull_request', body));
  });

  it('tells which header a row lacks', () => {
    expect(parseWebhookRow({ headers: {}, body: {} })).toEqual({
      kind: 'malformed',
      missing: 'headers.x-github-event',
    });
    expect(parseWebhookRow({ headers: { 'x-github-event': 'ping' }, body: {} })).toEqual({
      kind: 'malformed',
      missing: 'headers.x-github-delivery',
    });
  });
});
