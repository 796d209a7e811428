// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code under analysis
import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'security/shell-command';
const IMPORT = "import { exec, execSync, execFile } from 'node:child_process';\n";

describe('values in shell commands', () => {
  it.each([
    ['a template', 'exec(`lp ${file}`);'],
    ['a template of execSync', 'const out = execSync(`git log ${ref}`, { cwd });'],
    ['a sum', "exec('lp ' + file);"],
    ['a sum in the middle', "exec('lp ' + file + ' -n 1');"],
  ])('finds %s', async (_, code) => {
    expect(await linesFound(RULE, `${IMPORT}${code}`)).toEqual([2]);
  });

  it.each([
    ['a namespace', "import * as cp from 'child_process';\ncp.exec(`lp ${file}`);"],
    ['require', "const cp = require('child_process');\ncp.execSync(`lp ${file}`);"],
    ['an alias', "const { exec: run } = require('child_process');\nrun(`lp ${file}`);"],
  ])('knows exec by %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([2]);
  });

  it('knows a promisified exec', async () => {
    const code = `${IMPORT}import { promisify } from 'node:util';\nconst run = promisify(exec);\nawait run(\`lp \${file}\`);`;
    expect(await linesFound(RULE, code)).toEqual([4]);
  });

  it('is critical where a request is answered, and a suggestion in scripts of the team', async () => {
    const inHandler = `${IMPORT}import { Hono } from 'hono';\nconst app = new Hono();\napp.post('/print', (c) => {\n  exec(\`lp \${c.req.query('file')}\`);\n});`;
    const [finding] = await findingsOf(RULE, rangeOf({ 'src/a.ts': inHandler }));
    expect(finding?.severity).toBe('critical');
    const [other] = await findingsOf(RULE, rangeOf({ 'src/a.ts': `${IMPORT}exec(\`lp \${file}\`);` }));
    expect(other?.severity).toBe('important');
    const [tool] = await findingsOf(RULE, rangeOf({ 'scripts/a.ts': `${IMPORT}exec(\`lp \${file}\`);` }));
    expect(tool?.severity).toBe('suggestion');
  });

  it.each([
    ['a fixed command', `${IMPORT}exec('git status');`],
    ['a template without values', `${IMPORT}exec(\`git status\`);`],
    [
      'a constant of the file',
      `${IMPORT}const LEVEL = 3;\nconst tool = 'gzip';\nexec(\`\${tool} -\${LEVEL}\`);`,
    ],
    ['arguments that no shell reads', `${IMPORT}execFile(\`\${bin}/lp\`, [file]);`],
    ['exec of a pattern', 'const match = /a/.exec(`${text}`);'],
    ['an exec of something else', "import { exec } from './database.js';\nexec(`select ${id}`);"],
    ['a string', `${IMPORT}const s = 'exec(\`lp \${file}\`)';`],
    ['numbers', `${IMPORT}exec('nice -n ' + 10);`],
  ])('leaves %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });

  it('leaves tests', async () => {
    expect(await linesFound(RULE, `${IMPORT}exec(\`lp \${file}\`);`, 'src/a.test.ts')).toEqual([]);
  });
});
