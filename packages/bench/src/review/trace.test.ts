import { expect, it } from 'vitest';
import { renderTrace } from './trace.ts';

it('shows the requests to GitHub and to the model in the order of time, since the delivery', () => {
  const token = {
    method: 'POST',
    path: '/app/installations/9/access_tokens',
    beganAtMs: 1_001,
    endedAtMs: 1_003,
  };
  const read = { method: 'GET', path: '/repos/acme/shop/pulls/1', beganAtMs: 1_004, endedAtMs: 1_009.5 };
  const write = {
    method: 'POST',
    path: '/repos/acme/shop/issues/1/comments',
    beganAtMs: 1_080.25,
    endedAtMs: 1_090,
  };
  const asked = { method: 'POST', path: '/v1/messages', beganAtMs: 1_020, endedAtMs: 1_022 };
  const round = { sentAtMs: 1_000, requests: [token, read, write], modelRequests: [asked] };
  const lines = renderTrace({ first: round, later: { ...round, modelRequests: [] } }).split('\n');
  expect(lines[0]).toBe('First round: comment after 80.3 ms, 2 requests to GitHub, chain of 2');
  expect(lines.slice(2, 6).map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ['1.0', '3.0', '2.0', 'github', `POST ${token.path}`],
    ['4.0', '9.5', '5.5', 'github', `GET ${read.path}`],
    ['20.0', '22.0', '2.0', 'model', 'POST /v1/messages'],
    ['80.3', '90.0', '9.8', 'github', `POST ${write.path}`],
  ]);
  expect(lines[7]).toMatch(/^Later round: /);
});
