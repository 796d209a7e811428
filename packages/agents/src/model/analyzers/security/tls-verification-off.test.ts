import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'security/tls-verification-off';

describe('unchecked certificates', () => {
  it.each([
    'const agent = new Agent({ rejectUnauthorized: false });',
    'connect({ ssl: { "rejectUnauthorized": false } });',
    "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
    "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';",
  ])('are found in %s', async (code) => {
    expect(await linesFound(RULE, code)).toEqual([1]);
  });

  it.each([
    'const agent = new Agent({ rejectUnauthorized: true });',
    'const agent = new Agent({ rejectUnauthorized: strict });',
    'const ssl = isLocal ? { rejectUnauthorized: false } : true;',
    'if (isLocal) options.ssl = { rejectUnauthorized: false };',
    'const ssl = isLocal && { rejectUnauthorized: false };',
    "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';",
    "if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') warn();",
    "const s = '{ rejectUnauthorized: false }';",
    '// rejectUnauthorized: false',
    "get('https://localhost:8443/health', { rejectUnauthorized: false });",
    "const agent = new Agent({ host: '127.0.0.1', rejectUnauthorized: false });",
    "fetch('https://[::1]/', { dispatcher: new Agent({ connect: { rejectUnauthorized: false } }) });",
    `get(\`https://localhost:\${port}/\`, { rejectUnauthorized: false });`,
  ])('are not claimed in %s', async (code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });

  it.each([
    "const home = 'https://localhost:8443';\nget(other, { rejectUnauthorized: false });",
    "const home = 'https://localhost:8443', later = () => {\n  get(other, { rejectUnauthorized: false });\n};",
    "// as on localhost\nget('https://localhost.acme.io', { rejectUnauthorized: false });",
    "log('not only on localhost');\nget('https://acme.io/localhost', { rejectUnauthorized: false });",
  ])('are found beside an address of this machine in %s', async (code) => {
    expect(await linesFound(RULE, code)).toEqual([2]);
  });

  it.each([
    ['test/a.ts', []],
    ['examples/https/a.ts', []],
    ['bench/a.ts', []],
    ['benchmark/server/a.ts', []],
    ['bench-http/a.ts', []],
    ['scripts/release.ts', ['suggestion']],
    ['tools/a.ts', ['suggestion']],
    ['src/benchling/a.ts', ['critical']],
    ['src/scripts.ts', ['critical']],
  ])('are judged by the place: %s', async (path, severities) => {
    const findings = await findingsOf(RULE, rangeOf({ [path]: 'f({ rejectUnauthorized: false });' }));
    expect(findings.map(({ severity }) => severity)).toEqual(severities);
  });

  it('are told once for a file', async () => {
    const findings = await findingsOf(
      RULE,
      rangeOf({ 'src/a.ts': 'f({ rejectUnauthorized: false });\n'.repeat(5) }),
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toContain('in 4 more places of this file: lines 2, 3, 4 and 5.');
  });
});
