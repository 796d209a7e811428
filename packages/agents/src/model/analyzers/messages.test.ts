// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code under analysis
import { describe, expect, it } from 'vitest';
import { RULES } from './rules.ts';
import { type Change, findingsOf, rangeOf } from './testing/range.ts';

const BEFORE = 'export function price() {}\n';
const CONFLICT = '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n';
const FS = "import { readFileSync } from 'node:fs';\nimport express from 'express';\n";
const TOKEN = ['gh', 'p_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');
const LONG_NAME = `@acme/${'a-name-that-never-ends-'.repeat(5)}`;

const manifest = (rest: object) => JSON.stringify({ name: LONG_NAME, version: '1.2.0', ...rest }, null, 2);
const edit = (before: string, after: string): Change => ({ before, after });
const inManifest = (before: object, after: object) => ({
  'package.json': edit(manifest(before), manifest(after)),
});

const crate = (name: string, source: string) =>
  `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "${source}"\n\n`;
const crates = crate('serde', 'registry+https://github.com/rust-lang/crates.io-index');
const yarnEntry = (name: string, host: string) =>
  `${name}@^1.0.0:\n  version "1.0.0"\n  resolved "${host}/${name}/-/${name}-1.0.0.tgz#0"\n`;

/** A hit of each rule, with the longest names that it may have to tell. */
const HITS: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  'correctness/async-for-each': { 'src/a.ts': 'xs.forEach(async (x) => { await f(x); });' },
  'correctness/async-promise-executor': { 'src/a.ts': 'new Promise(async (done) => { done(await f()); });' },
  'correctness/conflict-markers': { 'a.py': CONFLICT, 'README.md': CONFLICT },
  'correctness/fresh-object-comparison': {
    'src/a.ts': 'if (x === []) f();',
    'src/b.ts': 'if (x !== {}) f();',
  },
  'correctness/literal-assignment-in-condition': {
    'src/a.ts': `if (${'state.'.repeat(20)}x = '${'done. And: '.repeat(20)}') f();`,
  },
  'correctness/nan-comparison': { 'src/a.ts': `if (${'state.'.repeat(20)}x === NaN) f();` },
  'correctness/typeof-comparison': { 'src/a.ts': `if (typeof x === '${'strng. '.repeat(20)}') f();` },
  'conventions/debugger-statement': { 'src/a.ts': 'debugger;' },
  'conventions/leftover-file': { 'a.ts.orig': 'x\n', 'a.ts.rej': 'x\n' },
  'conventions/missing-changeset': { 'src/price.ts': edit(BEFORE, `${BEFORE}f();\n`) },
  'security/committed-secret': { '.env': `A=${TOKEN}`, 'src/a.test.ts': `f('${TOKEN}');` },
  'security/dynamic-code': { 'src/a.ts': 'eval(x);', 'src/b.ts': 'new Function(x);' },
  'security/lock-source': {
    'Cargo.lock': edit(crates, `${crates}${crate(LONG_NAME, 'git+https://github.com/acme/x#1')}`),
    'web/yarn.lock': edit(
      yarnEntry('a', 'https://registry.example.org'),
      yarnEntry('a', 'http://evil.example'),
    ),
  },
  'security/shell-command': {
    'src/a.ts': "import { exec } from 'node:child_process';\nexec(`ls ${x}`);",
  },
  'security/sql-template': { 'src/a.ts': "db.query(`select * from t where a = '${x}'`);" },
  'security/tls-verification-off': { 'src/a.ts': 'f({ rejectUnauthorized: false });' },
  'perf/blocking-call-in-handler': { 'src/a.ts': `${FS}app.get('/', () => readFileSync('a'));` },
  'perf/sequential-reads': {
    'src/a.ts': 'for (const id of ids) {\n  rows.push(await fetch(id));\n}',
    'src/b.ts':
      "for (const id of ids) {\n  rows.push(await db.query('select 1 from t where a = $1', [id]));\n}",
  },
  'tests/focused-test': { 'src/a.test.ts': "test.concurrent.only('a', () => {});" },
  'tests/skipped-test': { 'src/a.test.ts': "test.concurrent.skip('a', () => {});" },
  'tests/untested-change': {
    'src/price.ts': edit(BEFORE, `${BEFORE}export function ${'discount'.repeat(20)}() {}\n`),
  },
  'architecture/new-dependency': inManifest({}, { dependencies: { [`${LONG_NAME}b`]: '^1.0.0' } }),
  'architecture/removed-export': inManifest(
    { exports: { '.': './a.js', './b': './b.js' } },
    { exports: { '.': './a.js' } },
  ),
  'architecture/unregistered-dependency': inManifest(
    { dependencies: {} },
    { dependencies: { [`${LONG_NAME}b`]: 'github:acme/b' } },
  ),
};
const OTHERS = {
  '.changeset/config.json': '{}',
  'package.json': manifest({}),
  'src/price.test.ts': 'test',
};

describe('the message of every rule has a title and an explanation', () => {
  it.each(RULES.map((rule) => `${rule.aspect}/${rule.id}`))('%s', async (rule) => {
    const changes = HITS[rule] ?? {};
    const findings = await findingsOf(rule, rangeOf(changes, OTHERS));
    expect(findings.map(({ file }) => file).sort()).toEqual(Object.keys(changes).sort());
    expect(findings).not.toEqual([]);
  });
});
