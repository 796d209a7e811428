import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

async function testFiles(): Promise<readonly string[]> {
  const folders = ['agents', 'embedded-runtime', 'github-simulator'].map(
    (name) => `${ROOT}packages/${name}/src`,
  );
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).flatMap((name) =>
        name.endsWith('.test.ts') ? [`${folder}/${name}`] : [],
      ),
    ),
  );
  return names.flat();
}

it('docs/cases.md has one line for each case that a test names, and no other', async () => {
  const texts = await Promise.all((await testFiles()).map((file) => readFile(file, 'utf8')));
  const named = new Set(texts.flatMap((text) => text.match(/\bT-\d{3}\b/g) ?? []));
  const lines = (await readFile(`${ROOT}docs/cases.md`, 'utf8')).match(/^- \*\*T-\d{3}\*\*/gm) ?? [];
  expect(lines.map((line) => line.slice(4, 9))).toEqual([...named].toSorted());
});
