import { describe, expect, it } from 'vitest';
import { findingsOf, linesFound, rangeOf } from '../testing/range.ts';

const RULE = 'perf/blocking-call-in-handler';
const FS = "import { readFileSync, existsSync } from 'node:fs';\n";
const express = (body: string) => `${FS}import express from 'express';\nconst app = express();\n${body}\n`;

describe('blocking calls while a request is answered', () => {
  it.each([
    [
      'express',
      express("app.get('/label', (req, res) => {\n  res.send(readFileSync('label.html'));\n});"),
      5,
    ],
    ['middleware', express('app.use((req, res, next) => {\n  readFileSync("a");\n  next();\n});'), 5],
    [
      'a named handler',
      express("const show = (req, res) => {\n  readFileSync('a');\n};\napp.get('/a', show);"),
      5,
    ],
    [
      'a declared handler',
      express("app.get('/a', show);\nfunction show(req, res) {\n  readFileSync('a');\n}"),
      6,
    ],
    ['after a guard', express("app.post('/a', auth, async (req, res) => {\n  readFileSync('a');\n});"), 5],
    [
      'a callback within',
      express("app.get('/a', (q, s) => {\n  q.ids.map((id) => readFileSync(id));\n});"),
      5,
    ],
    [
      'fastify by its type',
      "import type { FastifyInstance } from 'fastify';\nimport fs from 'fs';\nexport function routes(app: FastifyInstance) {\n  app.get('/a', async () => fs.readFileSync('a'));\n}",
      4,
    ],
    [
      'a plain server',
      "import { createServer } from 'node:http';\nimport { execSync } from 'node:child_process';\ncreateServer((req, res) => {\n  res.end(execSync('date'));\n});",
      4,
    ],
  ])('are found: %s', async (_, code, line) => {
    expect(await linesFound(RULE, code)).toEqual([line]);
  });

  it.each([
    [
      'at start-up',
      express("const label = readFileSync('a');\napp.get('/a', (req, res) => res.send(label));"),
    ],
    ['when the route is registered', express("app.get('/a', serve(readFileSync('a')));")],
    ['in another function', express("function load() {\n  return readFileSync('a');\n}")],
    ['read once', express("let a;\napp.get('/a', (req, res) => {\n  a ??= readFileSync('a');\n});")],
    ['read once, by if', express("let a;\napp.get('/a', (q, s) => {\n  if (!a) a = readFileSync('a');\n});")],
    ['a quick call', express("app.get('/a', (req, res) => res.json(existsSync('a')));")],
    ['no server', `${FS}cache.get('/a', (key) => readFileSync(key));`],
    ['a map beside a server', express("files.get('a', (key) => readFileSync(key));")],
    ['a function of another module', express("app.get('/a', (q, s) => store.readFileSync('a'));")],
    ['a string', express("app.get('/a', (q, s) => s.send('readFileSync(1)'));")],
  ])('are not claimed: %s', async (_, code) => {
    expect(await linesFound(RULE, code)).toEqual([]);
  });

  it('are left in tests and where the call was there before', async () => {
    const code = express("app.get('/a', (req, res) => {\n  res.send(readFileSync('a'));\n});");
    expect(await linesFound(RULE, code, 'src/app.test.ts')).toEqual([]);
    const input = rangeOf({ 'src/a.ts': { before: code, after: `${code}listen(app);\n` } });
    expect(await findingsOf(RULE, input)).toEqual([]);
  });
});
