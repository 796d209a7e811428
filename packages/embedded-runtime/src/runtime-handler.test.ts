import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NotSupportedError } from './errors.ts';
import { createRuntimeHandler } from './runtime-handler.ts';

it('names the line that stands between this package and the published runtime', () => {
  const target = 'link:packages/embedded-runtime';
  const workspace = readFileSync(new URL('../../../pnpm-workspace.yaml', import.meta.url), 'utf8');
  const line = workspace.split('\n').find((candidate) => candidate.includes(target));
  expect(line).toContain('@electric-ax/agents-runtime');
  expect(() => createRuntimeHandler({ baseUrl: 'http://localhost:4437' })).toThrow(NotSupportedError);
  expect(() => createRuntimeHandler({ baseUrl: 'http://localhost:4437' })).toThrow(target);
  expect(() => createRuntimeHandler({ baseUrl: 'http://localhost:4437' })).toThrow('pnpm-workspace.yaml');
});
