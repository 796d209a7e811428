import { describe, expect, it } from 'vitest';
import { findingsOf, rangeOf } from '../testing/range.ts';

const RULE = 'security/lock-source';

const npm = (name: string, host = 'https://registry.example.org', sum = `sha512-${name}`) =>
  `    "node_modules/${name}": {\n      "version": "1.0.0",\n      "resolved": "${host}/${name}/-/${name}-1.0.0.tgz",\n      "integrity": "${sum}"\n    },\n`;
const USUAL = ['ant', 'bee', 'cat', 'dog'].map((name) => npm(name)).join('');

function judge(before: string | null, after: string, path = 'package-lock.json') {
  return findingsOf(RULE, rangeOf({ [path]: { before, after } }));
}

describe('lock-source finds', () => {
  it('a package that is fetched without encryption', async () => {
    const [finding] = await judge(USUAL, USUAL + npm('eel', 'http://registry.example.org'));
    expect(finding).toMatchObject({ severity: 'important', file: 'package-lock.json', line: 21 });
    expect(finding?.message).toMatch(/^`eel` is fetched without encryption\./);
  });

  it('a package from a host from which nothing else comes', async () => {
    const [finding] = await judge(USUAL, USUAL + npm('eel', 'https://evil.example'));
    expect(finding?.message).toMatch(/^`eel` comes from a host of its own\..*`evil\.example`/);
  });

  it('a package that moved there', async () => {
    const after = USUAL.replace(npm('bee'), npm('bee', 'https://evil.example'));
    expect(await judge(USUAL, after)).toMatchObject([{ severity: 'important', line: 8 }]);
  });

  it('a package from a repository, as a suggestion', async () => {
    const after =
      USUAL +
      npm('eel').replace(
        'https://registry.example.org/eel/-/eel-1.0.0.tgz',
        'git+ssh://git@github.com/e/eel.git#1f',
      );
    expect(await judge(USUAL, after)).toMatchObject([{ severity: 'suggestion' }]);
  });

  it('another checksum under the same version', async () => {
    const after = USUAL.replace('sha512-cat', 'sha512-other');
    const [finding] = await judge(USUAL, after);
    expect(finding?.message).toMatch(/^`cat` has another checksum\. Its version `1\.0\.0` is the same/);
  });
});

describe('lock-source says nothing of', () => {
  it.each([
    ['a new package from the usual host', USUAL, USUAL + npm('eel')],
    ['another version from the usual host', USUAL, USUAL.replaceAll('bee-1.0.0', 'bee-1.1.0')],
    ['a package that is gone', USUAL, USUAL.replace(npm('bee'), '')],
    ['a new lock file, whatever hosts it has', null, USUAL + npm('eel', 'https://npm.acme.example')],
    [
      'a host from which others came before',
      USUAL + npm('eel', 'https://npm.acme.example'),
      USUAL + npm('eel', 'https://npm.acme.example') + npm('fly', 'https://npm.acme.example'),
    ],
  ])('%s', async (_what, before, after) => {
    expect(await judge(before, after)).toEqual([]);
  });

  it('the repositories that Composer names for every package', async () => {
    const entry = (name: string) =>
      `{\n"name": "acme/${name}",\n"version": "1.0.0",\n"source": {\n"type": "git",\n"url": "https://github.com/acme/${name}.git"\n}\n},\n`;
    expect(await judge(entry('ant'), entry('ant') + entry('bee'), 'composer.lock')).toEqual([]);
  });

  it('a lock file whose diff nobody has', async () => {
    const input = rangeOf({
      'package-lock.json': { before: USUAL, after: USUAL + npm('eel', 'http://x.example') },
    });
    const files = input.files.map((file) => ({ ...file, hunks: [], unread: 'too-large' as const }));
    expect(await findingsOf(RULE, { ...input, files })).toEqual([]);
  });
});
