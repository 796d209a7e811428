// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code under analysis
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { analyze } from '../index.ts';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'security/committed-secret';
// Put together at run time, so that no scanner takes this file for a leak.
const token = ['gh', 'p_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');
const slack = ['xox', 'b-123456789012-1234567890123-abcdefghijklmnopqrstuvwx'].join('');
const address = (credentials: string, host: string) =>
  ['postgres', '://', credentials, '@', host, '/app'].join('');

describe('committed secrets', () => {
  it.each([
    ['a GitHub token', `const token = '${token}';`, 'src/a.ts'],
    ['a Slack token', `SLACK=${slack}`, '.env'],
    ['a token in a bundle', `var a="${token}"`, 'dist/app.min.js'],
    ['a token in a comment', `# ${token}`, 'deploy.sh'],
    ['the address of a database', `url: ${address('app:k7Zq9TtW2m', 'db.acme.io:5432')}`, 'config.yaml'],
  ])('finds %s', async (_, content, path) => {
    const findings = await findingsOf(RULE, rangeOf({ [path]: `\n${content}\n` }));
    expect(findings.map(({ severity, line }) => [severity, line])).toEqual([['critical', 2]]);
  });

  it('finds a private key by its first line', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    expect(await linesFound(RULE, `# key\n${privateKey}`, 'deploy/key.pem')).toEqual([2]);
  });

  it('never repeats the secret, whichever rule speaks', async () => {
    const code = [
      "import { exec } from 'node:child_process';",
      `export const token = '${token}';`,
      `export const f = (u) => exec(\`curl -H ${token} \${u}\`);`,
    ].join('\n');
    const findings = await analyze('security', rangeOf({ 'src/a.ts': code }));
    expect(findings.map((finding) => finding.line)).toEqual([2, 3]);
    expect(findings[0]?.message).toContain('The same in 1 more place of this file: line 3.');
    expect(JSON.stringify(findings)).not.toContain(token);
  });

  it('is a suggestion in tests', async () => {
    const findings = await findingsOf(RULE, rangeOf({ 'src/a.test.ts': `const token = '${token}';` }));
    expect(findings.map(({ severity }) => severity)).toEqual(['suggestion']);
  });

  it.each([
    ['a local database', address('app:k7Zq9TtW2m', 'localhost:5432')],
    ['a container by its name', address('app:k7Zq9TtW2m', 'db')],
    ['a placeholder', address('user:password', 'db.acme.io')],
    ['a variable', address('app:${PASSWORD}', 'db.acme.io')],
    ['an example host', address('app:k7Zq9TtW2m', 'db.example.com')],
    ['a name of a variable', 'const token = process.env.GITHUB_TOKEN;'],
    ['a commit id', `rev = ${'0123456789abcdef'.repeat(2)}01234567`],
    ['what the team dismissed', `// secretlint-disable\nconst a = '${token}';`],
  ])('leaves %s', async (_, content) => {
    expect(await linesFound(RULE, content)).toEqual([]);
  });

  it('leaves what the range deletes or only shows around', async () => {
    const line = `const token = '${token}';\n`;
    const deleted = rangeOf({ 'a.ts': { before: line, after: 'const token = read();\n' } });
    const around = rangeOf({ 'a.ts': { before: line, after: `${line}use(token);\n` } });
    expect(await findingsOf(RULE, deleted)).toEqual([]);
    expect(await findingsOf(RULE, around)).toEqual([]);
  });
});
