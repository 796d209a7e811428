import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readPrivateKey } from './private-key.ts';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pkcs1 = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const escaped = pkcs1.replaceAll('\n', '\\n');
const base64 = Buffer.from(pkcs1).toString('base64');

const cwd = mkdtempSync(join(tmpdir(), 'private-key-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text);
  return name;
};

function problemOf(value: string): string {
  const result = readPrivateKey(value, cwd);
  return result.kind === 'problem' ? result.problem : 'no problem';
}

describe('readPrivateKey', () => {
  it.each<[string, string]>([
    ['PKCS#1 PEM, as GitHub offers it', pkcs1],
    ['PKCS#8 PEM', pkcs8],
    ['PEM with CRLF', pkcs1.replaceAll('\n', '\r\n')],
    ['PEM with escaped newlines', escaped],
    ['PEM with escaped CRLF', pkcs1.replaceAll('\n', '\\r\\n')],
    ['PEM with newlines that were escaped twice', pkcs1.replaceAll('\n', '\\\\n')],
    ['PEM in double quotes', `"${pkcs1}"`],
    ['escaped PEM in two kinds of quotes', `'"${escaped}"'`],
    ['PEM on one line, with blanks for line ends', pkcs1.replaceAll('\n', ' ')],
    ['PEM without its last newline, indented', pkcs1.trim().replaceAll('\n', '\n    ')],
    ['PEM behind other text', `Bag Attributes\n${publicPem}${pkcs1}`],
    ['base64 of PEM', base64],
    ['base64 of PEM in lines', base64.replace(/.{76}/g, '$&\n')],
    ['base64 of PEM without padding, in quotes', `"${base64.replace(/=+$/, '')}"`],
    ['base64url of PEM', Buffer.from(pkcs1).toString('base64url')],
    ['base64 of quoted PEM', Buffer.from(`"${escaped}"`).toString('base64')],
    ['a relative path', file('key.pem', pkcs1)],
    ['an absolute path', join(cwd, file('crlf.pem', pkcs1.replaceAll('\n', '\r\n')))],
    ['a quoted path', `"${file('a key.pem', pkcs8)}"`],
    ['the path of a file with base64', file('key.b64', `${base64}\n`)],
  ])('reads %s', (_, value) => {
    const result = readPrivateKey(value, cwd);
    expect(result.kind === 'key' ? result.pem.reveal() : result.problem).toBe(pkcs8);
  });

  it('says what was found instead, and the remedy', () => {
    const encrypted = pair.privateKey
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString();
    const legacy = pair.privateKey
      .export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString();
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(problemOf(encrypted)).toMatch(/passphrase.*generate a new one/);
    expect(problemOf(legacy)).toMatch(/passphrase.*generate a new one/);
    expect(problemOf(publicPem)).toMatch(/^holds a public key, not a private key: generate/);
    expect(problemOf(elliptic.export({ type: 'pkcs8', format: 'pem' }).toString())).toMatch(/type ec.*RSA/);
    expect(problemOf(pkcs1.replaceAll('RSA', 'OPENSSH'))).toMatch(/in the OpenSSH format/);
    expect(problemOf(pkcs1.slice(0, 200))).toMatch(/last line is missing: put .* in double quotes/);
    expect(problemOf(pkcs1.replace(/.{64}\n.{64}\n/, ''))).toMatch(/content cannot be read: generate/);
    expect(problemOf(pkcs1.slice(0, 20))).toMatch(/first line is broken: give/);
  });

  it('says what is wrong with a path', () => {
    mkdirSync(join(cwd, 'directory'));
    expect(problemOf('no-such.pem')).toMatch(/neither PEM.*nor the path of a file that exists: give/);
    expect(problemOf('directory')).toMatch(/not a file: give the path/);
    expect(problemOf(file('large', 'x'.repeat(65_537)))).toMatch(/too large for a key/);
    expect(problemOf(file('notes.txt', 'hello'))).toMatch(/holds neither PEM nor base64 of PEM/);
    expect(problemOf(file('path.txt', 'key.pem'))).toMatch(/holds neither PEM nor base64 of PEM/);
  });

  it('never throws and never repeats what it was given, whole or cut', () => {
    const material = pkcs1.split('\n').filter((line) => line.length === 64);
    const cut = fc
      .nat({ max: escaped.length })
      .chain((start) => fc.nat({ max: 400 }).map((length) => escaped.slice(start, start + length)));
    fc.assert(
      fc.property(fc.oneof(fc.string(), cut), (value) => {
        const problem = problemOf(value);
        for (const line of material) expect(problem).not.toContain(line.slice(0, 12));
      }),
    );
  });
});
