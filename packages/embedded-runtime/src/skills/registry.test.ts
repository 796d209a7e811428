import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSkillsRegistry } from './registry.ts';
import type { SkillsRegistry } from './types.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'skills-'));
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

const COMPLETE = '---\ndescription: Look for faults\nwhenToUse: A diff is at hand\nkeywords: a, b\n';

async function put(path: string, content = '# Text\n'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

function open(...appDirectories: readonly string[]): Promise<SkillsRegistry> {
  return createSkillsRegistry({
    baseSkillsDir: join(root, 'base'),
    appSkillsDirs: appDirectories.map((directory) => join(root, directory)),
    cacheDir: join(root, 'cache'),
  });
}

describe('discovery', () => {
  it('finds nested files, names SKILL.md by its directory and skips what is not a skill', async () => {
    await put('base/review.md');
    await put('base/deep/er/tests.md');
    await put('base/security/SKILL.md');
    await put('base/node_modules/pkg/readme.md');
    await put('base/.git/description.md');
    await put('base/notes.txt');
    const registry = await open();
    expect([...registry.catalog.keys()].sort()).toEqual(['review', 'security', 'tests']);
    expect(registry.catalog.get('tests')?.source).toBe(join(root, 'base/deep/er/tests.md'));
  });

  it('lets a later directory replace a skill of the same name', async () => {
    await put('base/review.md', 'base');
    await put('one/review.md', 'one');
    await put('two/review.md', 'two');
    const registry = await open('one', 'two');
    expect(await registry.readContent('review')).toBe('two');
  });

  it('is empty when no directory exists', async () => {
    const registry = await open('missing');
    expect(registry.catalog.size).toBe(0);
    expect(registry.renderCatalog()).toBe('');
  });

  it('reads texts when asked, front matter included', async () => {
    await put('base/review.md', `${COMPLETE}---\nold`);
    const registry = await open();
    await put('base/review.md', `${COMPLETE}---\nnew`);
    expect(await registry.readContent('review')).toBe(`${COMPLETE}---\nnew`);
    expect(await registry.readContent('other')).toBeNull();
    await rm(join(root, 'base/review.md'));
    expect(await registry.readContent('review')).toBeNull();
  });
});

describe('metadata', () => {
  it('comes from the front matter', async () => {
    const content = `${COMPLETE}arguments: [base, head]\nargument-hint: <base> <head>\n---\nText`;
    await put('base/review.md', content);
    expect((await open()).catalog.get('review')).toEqual({
      name: 'review',
      description: 'Look for faults',
      whenToUse: 'A diff is at hand',
      keywords: ['a', 'b'],
      arguments: ['base', 'head'],
      argumentHint: '<base> <head>',
      charCount: content.length,
      contentHash: createHash('sha256').update(content).digest('hex'),
      source: join(root, 'base/review.md'),
    });
  });

  it('comes from the name where it is missing, and arguments then do not count', async () => {
    await put('base/look-for_bugs.md', '---\nkeywords: x\narguments: a\nuser-invocable: true\n---\n');
    const meta = (await open()).catalog.get('look-for_bugs');
    expect(meta).toMatchObject({ description: 'Look For Bugs', keywords: ['x'] });
    expect(meta?.whenToUse).toContain('look for bugs');
    expect(meta).not.toHaveProperty('arguments');
    expect(meta).not.toHaveProperty('userInvocable');
  });

  it('people may call skills of the app, and those that say so', async () => {
    await put('base/agents-only.md', `${COMPLETE}user-invocable: false\n---\n`);
    await put('base/both.md', `${COMPLETE}user-invocable: true\n---\n`);
    await put('app/app.md', `${COMPLETE}user-invocable: false\n---\n`);
    const { catalog } = await open('app');
    const invocable = [...catalog.values()].filter((meta) => meta.userInvocable).map((meta) => meta.name);
    expect(invocable.sort()).toEqual(['app', 'both']);
  });

  it('is written to the cache directory, which git then ignores', async () => {
    await put('base/review.md', `${COMPLETE}---\n`);
    const { catalog } = await open();
    const cache = JSON.parse(await readFile(join(root, 'cache/skills-cache.json'), 'utf8'));
    expect(cache).toEqual(Object.fromEntries(catalog));
    expect(await readFile(join(root, 'cache/.gitignore'), 'utf8')).toBe('*\n');
  });
});

describe('renderCatalog', () => {
  it('says when to use a skill only where people cannot call it', async () => {
    await put('base/inner.md', `${COMPLETE}---\n`);
    await put('app/outer.md', `${COMPLETE}argument-hint: <pr>\n---\n`);
    const text = (await open('app')).renderCatalog();
    expect(text).toContain('Use when: A diff is at hand');
    expect(text).toContain('Keywords: a, b');
    expect(text.split('\n').find((line) => line.includes('outer'))).toBe('- /outer <pr>: Look for faults');
    expect(text.match(/Use when/g)).toHaveLength(1);
  });

  it('shortens in steps and keeps to every budget', async () => {
    for (let n = 0; n < 12; n += 1) {
      await put(
        `base/skill-${n}.md`,
        `---\ndescription: ${'long '.repeat(40)}\nwhenToUse: w\nkeywords: k\n---\n`,
      );
    }
    const registry = await open();
    const full = registry.renderCatalog();
    const compact = registry.renderCatalog(full.length - 1);
    expect(full).toContain('Keywords');
    expect(compact).not.toContain('Keywords');
    expect(compact).toContain('Use when');
    const names = registry.renderCatalog(compact.length - 1);
    expect(names).not.toContain('Use when');
    expect(names).toContain('skill-11');
    expect(registry.renderCatalog(names.length - 1)).toMatch(/… and \d+ more$/);
    for (let budget = 0; budget < 3000; budget += 97) {
      expect(registry.renderCatalog(budget).length).toBeLessThanOrEqual(budget);
    }
  });
});
