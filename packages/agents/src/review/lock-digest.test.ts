import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangedFile } from './changed-file.ts';
import { indexFile } from './diff-index.ts';
import { digestOf, isReadBy, lockDigests, originsIn } from './lock-digest.ts';
import { originOf } from './lock-entries.ts';
import { selectForReview } from './select.ts';
import { numbered, rawFile } from './testing/builders.ts';

function lockFile(path: string, before: string, after: string): ChangedFile {
  const [file] = selectForReview([indexFile(rawFile(path, before, after))]);
  if (file === undefined) throw new TypeError('one file in, one file out');
  return file;
}

function digest(path: string, before: string, after: string) {
  return digestOf(lockFile(path, before, after));
}

const npm = (
  name: string,
  version: string,
  host = 'https://registry.example.org',
  sum = `sha512-${name}${version}`,
) =>
  `    "node_modules/${name}": {\n      "version": "${version}",\n      "resolved": "${host}/${name}/-/${name}-${version}.tgz",\n      "integrity": "${sum}",\n      "dependencies": {\n        "wrappy": "1"\n      }\n    },\n`;
const pnpm = (name: string, version: string, more = '') =>
  `  ${name}@${version}:\n    resolution: {integrity: sha512-${name}${version}${more}}\n    engines: {node: '>=4'}\n\n`;
const yarn = (name: string, version: string, host = 'https://registry.yarnpkg.com') =>
  `${name}@^${version}, ${name}@^1.0.0:\n  version "${version}"\n  resolved "${host}/${name}/-/${name}-${version}.tgz#1f"\n  integrity sha512-${name}${version}\n  dependencies:\n    wrappy "1"\n\n`;
const berry = (name: string, version: string, proto = `npm:${version}`) =>
  `"${name}@npm:^1.0.0":\n  version: ${version}\n  resolution: "${name}@${proto}"\n  checksum: 10/${name}${version}\n  languageName: node\n  linkType: hard\n\n`;
const bun = (name: string, version: string, registry = '') =>
  `    "${name}": ["${name}@${version}", "${registry}", { "dependencies": { "wrappy": "1" } }, "sha512-${name}${version}"],\n\n`;
const cargo = (
  name: string,
  version: string,
  source = 'registry+https://github.com/rust-lang/crates.io-index',
) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "${source}"\nchecksum = "${name}${version}"\n\n`;
const uv = (name: string, version: string, source = 'registry = "https://pypi.org/simple"') =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { ${source} }\nsdist = { url = "https://files.pythonhosted.org/packages/1/${name}-${version}.tar.gz", hash = "sha256:${name}${version}", size = 1 }\n\n`;
const poetry = (name: string, version: string, sum = `${name}${version}`) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\ndescription = "x"\nfiles = [\n    {file = "${name}-${version}.tar.gz", hash = "sha256:${sum}"},\n]\n\n`;
const gem = (name: string, version: string) => `    ${name} (${version})\n      rack (>= 2)\n`;
const composer = (name: string, version: string, host = 'https://github.com') =>
  `        {\n            "name": "acme/${name}",\n            "version": "${version}",\n            "source": {\n                "type": "git",\n                "url": "${host}/acme/${name}.git",\n                "reference": "1f"\n            },\n            "authors": [\n                {\n                    "name": "Jane Doe"\n                }\n            ]\n        },\n`;
const go = (name: string, version: string, sum = `${name}${version}`) =>
  `example.com/${name} ${version} h1:${sum}=\nexample.com/${name} ${version}/go.mod h1:mod${sum}=\n`;
const gems = (body: string) =>
  `GEM\n  remote: https://rubygems.org/\n  specs:\n${body}\nDEPENDENCIES\n  rails\n`;

type Entry = (name: string, version: string) => string;
interface Format {
  readonly path: string;
  readonly entry: Entry;
  readonly nameOf?: (name: string) => string;
  readonly wrap?: (body: string) => string;
}

const FORMATS: readonly Format[] = [
  { path: 'package-lock.json', entry: npm },
  { path: 'web/npm-shrinkwrap.json', entry: npm },
  { path: 'pnpm-lock.yaml', entry: pnpm },
  { path: 'yarn.lock', entry: yarn },
  { path: 'berry/yarn.lock', entry: berry },
  { path: 'bun.lock', entry: bun },
  { path: 'Cargo.lock', entry: cargo },
  { path: 'uv.lock', entry: uv },
  { path: 'poetry.lock', entry: poetry },
  { path: 'Gemfile.lock', entry: gem, wrap: gems },
  { path: 'composer.lock', entry: composer, nameOf: (name) => `acme/${name}` },
  {
    path: 'go.sum',
    entry: (name, version) => go(name, `v${version}`),
    nameOf: (name) => `example.com/${name}`,
  },
];
const same = (text: string): string => text;

describe.each(FORMATS)('T-083 $path', ({ path, entry, nameOf = same, wrap = same }) => {
  const kept = ['ant', 'bee', 'cat', 'dog'].map((name) => entry(name, '1.0.0'));
  const [ant = '', bee = '', cat = '', dog = ''] = kept;
  const before = wrap(kept.join(''));

  test('a package that is new', () => {
    const found = digest(path, before, wrap([ant, bee, entry('evil', '6.6.6'), cat, dog].join('')));
    expect(found).toMatchObject({ isKnown: true, updated: 0, removed: 0, moved: [], reissued: [] });
    expect(found.added.map(({ name }) => name)).toEqual([nameOf('evil')]);
    expect(found.added[0]?.version).toMatch(/^v?6\.6\.6$/);
  });

  test('another version, and one that is gone, are counted and not named', () => {
    const found = digest(path, before, wrap([ant, entry('bee', '2.0.0'), dog].join('')));
    expect(found).toMatchObject({ added: [], updated: 1, removed: 1, moved: [], reissued: [] });
  });
});

describe('T-083 sources', () => {
  const filler = (entry: Entry) => entry('ant', '1.0.0') + entry('bee', '1.0.0');

  test.each([
    [
      'package-lock.json',
      filler(npm),
      npm('cat', '1.0.0'),
      npm('cat', '1.0.0', 'https://evil.example'),
      'https registry.example.org',
    ],
    [
      'yarn.lock',
      filler(yarn),
      yarn('cat', '1.0.0'),
      yarn('cat', '1.0.0', 'http://evil.example'),
      'https registry.yarnpkg.com',
    ],
    [
      'Cargo.lock',
      filler(cargo),
      cargo('cat', '1.0.0'),
      cargo('cat', '1.0.0', 'git+https://github.com/evil/cat#1f'),
      'https github.com',
    ],
    [
      'uv.lock',
      filler(uv),
      uv('cat', '1.0.0'),
      uv('cat', '1.0.0', 'git = "https://github.com/evil/cat"'),
      'https pypi.org',
    ],
    [
      'composer.lock',
      filler(composer),
      composer('cat', '1.0.0'),
      composer('cat', '1.0.0', 'https://evil.example'),
      'git github.com',
    ],
  ])('%s: a package that comes from elsewhere now', (path, rest, before, after, from) => {
    const found = digest(path, rest + before, rest + after);
    expect(found.moved).toHaveLength(1);
    expect(found.moved[0]?.from).toContain(from);
    expect(found.added).toEqual([]);
  });

  test.each([
    [
      'package-lock.json',
      npm('cat', '1.0.0'),
      npm('cat', '1.0.0', 'https://registry.example.org', 'sha512-other'),
    ],
    ['pnpm-lock.yaml', pnpm('cat', '1.0.0'), pnpm('cat', '1.0.0', 'other')],
    ['Cargo.lock', cargo('cat', '1.0.0'), cargo('cat', '1.0.0').replace('"cat1.0.0"', '"other"')],
    ['poetry.lock', poetry('cat', '1.0.0'), poetry('cat', '1.0.0', 'other')],
    ['go.sum', go('cat', 'v1.0.0'), go('cat', 'v1.0.0', 'other')],
  ])('%s: another checksum under the same version', (path, before, after) => {
    expect(digest(path, before, after).reissued).toMatchObject([
      { version: expect.stringMatching(/1\.0\.0$/) },
    ]);
  });

  test('a checksum by another algorithm is not another checksum', () => {
    const before = npm('cat', '1.0.0', undefined, 'sha1-abc');
    expect(digest('package-lock.json', before, npm('cat', '1.0.0')).reissued).toEqual([]);
  });

  test('a package from a repository tells it', () => {
    const git =
      '  cat@https://codeload.github.com/evil/cat/tar.gz/1f:\n    resolution: {tarball: https://codeload.github.com/evil/cat/tar.gz/1f}\n    version: 1.0.0\n\n';
    expect(digest('pnpm-lock.yaml', filler(pnpm), filler(pnpm) + git).added).toMatchObject([
      { name: 'cat', source: 'https://codeload.github.com/evil/cat/tar.gz/1f' },
    ]);
    const other = gems(gem('ant', '1.0.0'));
    const withGit = `GIT\n  remote: https://github.com/evil/cat.git\n  revision: 1f\n  specs:\n${gem('cat', '1.0.0')}\n${other}`;
    expect(digest('Gemfile.lock', other, withGit).added).toMatchObject([
      { name: 'cat', source: 'git+https://github.com/evil/cat.git' },
    ]);
  });

  test('the unusual stands first, however much else is new', () => {
    const many = Array.from({ length: 300 }, (_, n) => npm(`p${n}`, '1.0.0')).join('');
    const { added, origins } = digest(
      'package-lock.json',
      '',
      many + npm('cat', '1.0.0', 'https://evil.example'),
    );
    expect(added[0]?.name).toBe('cat');
    expect(added).toHaveLength(301);
    expect(origins.get('https registry.example.org')).toBe(300);
  });

  test.each([
    ['https://registry.example.org/a/-/a-1.tgz', 'https registry.example.org'],
    ['http://user:secret@Evil.example:8080/a', 'http evil.example:8080'],
    ['git+ssh://git@github.com/a/b.git#1f', 'git github.com'],
    ['git@gitlab.com:a/b.git', 'git gitlab.com'],
    ['github:a/b#1f', 'git github.com'],
    ['registry+https://github.com/rust-lang/crates.io-index', 'https github.com'],
    ['sparse+https://index.crates.io/', 'https index.crates.io'],
    ['file:../a', undefined],
    ['../a', undefined],
    ['1.0.0', undefined],
  ])('the origin of %s', (source, origin) => {
    expect(originOf(source)).toBe(origin);
  });

  test('the origins of a whole file are counted by package', () => {
    expect(originsIn('uv.lock', filler(uv))).toEqual(
      new Map([
        ['https pypi.org', 2],
        ['https files.pythonhosted.org', 2],
      ]),
    );
  });
});

describe('a lock file', () => {
  const file = lockFile('yarn.lock', '', yarn('cat', '1.0.0'));

  test('is read by nobody but security, through its digest', () => {
    expect(file.unread).toBe('generated');
    expect(isReadBy(file, 'security')).toBe(true);
    expect(isReadBy(file, 'correctness')).toBe(false);
  });

  test('of a form that is not known gives its counts alone, and is read by nobody', () => {
    const flake = lockFile('flake.lock', '', numbered(3));
    expect(lockDigests([flake])).toMatchObject([{ isKnown: false, additions: 3, added: [] }]);
    expect(isReadBy(flake, 'security')).toBe(false);
  });

  test('whose diff GitHub does not give has no digest, and is read by nobody', () => {
    const [large] = selectForReview([
      indexFile({ path: 'package-lock.json', status: 'modified', additions: 42_000, deletions: 17 }),
    ]);
    expect(large?.unread).toBe('too-large');
    expect(lockDigests(large === undefined ? [] : [large])).toEqual([]);
    expect(large !== undefined && isReadBy(large, 'security')).toBe(false);
  });

  test('says only what is new of hunks that were seen before', () => {
    const before = rawFile('yarn.lock', '', yarn('cat', '1.0.0'));
    expect(digestOf(indexFile(before, before)).added).toEqual([]);
  });

  test('of any text breaks nothing, and takes time in proportion', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('[[package]]', 'GIT', '  remote: x', '"a": {', 'a@1:', '  a@1:', '"a": ["a@1"],'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...FORMATS.map(({ path }) => path)), fc.array(line), (path, lines) => {
        const text = `${lines.join('\n')}\n`;
        expect(digest(path, '', text).additions).toBeGreaterThan(0);
      }),
    );
    const awkward = [
      `    "${'node_modules/'.repeat(300)}`,
      `"a": ["${'a@'.repeat(1900)}`,
      `${' '.repeat(3900)}"`,
    ];
    for (const { path } of FORMATS) digest(path, '', `${awkward.join('\n')}\n`.repeat(50));
  });
});
