import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { ASPECTS } from '../ids.ts';
import { loadAspectPrompts } from './prompts.ts';

test('the package has six different prompts', async () => {
  const prompts = await loadAspectPrompts();
  expect(Object.keys(prompts).sort()).toEqual([...ASPECTS].sort());
  expect(new Set(Object.values(prompts)).size).toBe(6);
});

test('a damaged package names the files that are missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prompts-'));
  try {
    for (const aspect of ASPECTS) {
      if (aspect !== 'perf')
        await writeFile(join(folder, `${aspect}.md`), aspect === 'tests' ? ' \n' : 'text');
    }
    const error = await loadAspectPrompts(pathToFileURL(`${folder}/`)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems).toEqual([
      'The prompt file perf.md is missing; install anew.',
      'The prompt file tests.md is missing; install anew.',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
