import { describe, expect, it } from 'vitest';
import { linesFound } from '../testing/range.ts';

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
  ])('are not claimed in %s', async (code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });

  it('are left in tests', async () => {
    expect(await linesFound(RULE, 'f({ rejectUnauthorized: false });', 'test/a.ts')).toEqual([]);
  });
});
