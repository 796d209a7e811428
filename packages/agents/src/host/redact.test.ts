import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../config-secret.ts';
import { redactText, redactValue } from './redact.ts';

const run = (length: number) => 'Ab1'.repeat(length).slice(0, length);
const jwt = ['ey', run(20), '.', 'ey', run(40), '.', run(30)].join('');
const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

describe('redactText', () => {
  it.each([
    ['an installation token', `gh${'s'}_${run(36)}`],
    ['an installation token that holds a JWT', `gh${'s'}_123456_${jwt}`],
    ['a personal token', `github${'_pat'}_${run(40)}`],
    ['a JWT', jwt],
    ['a key of Anthropic', `s${'k'}-ant-api03-${run(40)}`],
    ['a key of OpenAI', `s${'k'}-proj-${run(40)}`],
    ['a PEM key', privateKey],
    ['a PEM key that was cut', privateKey.slice(0, 100)],
    ['credentials in an address', `https://x-access-token:${run(20)}@github.com/o/r.git`],
    ['a header', `authorization: Bearer ${run(24)}`],
  ])('hides %s', (_, secret) => {
    const shown = redactText(`before ${secret}`);
    expect(shown).toContain('before ');
    expect(shown).toContain('[secret]');
    expect(shown).not.toContain(run(12));
    expect(shown).not.toContain(privateKey.split('\n')[1]);
  });

  it.each([
    'ec26c3e57ca3a959ca5aad62de7213c562f8c821 is the head',
    'the token authentication-was-refused by GitHub; basic understanding',
    'task-runner-of-the-project-failed, ghost_writer_of_letters, https://example.com/a@b',
    'The configuration of electric-sql/electric#4411 holds no key.',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('cuts what is long, and hides a secret across the cut', () => {
    const long = `${'x '.repeat(4090)}gh${'p'}_${run(40)} ${'y'.repeat(20_000)}`;
    const shown = redactText(long);
    expect(shown.length).toBeLessThan(8300);
    expect(shown).not.toContain(run(8));
    expect(shown).toMatch(/… \(cut\)$/);
  });
});

describe('redactValue', () => {
  it('hides by name at any depth, and keeps counts of tokens', () => {
    expect(
      redactValue({
        token: 'x',
        GITHUB_WEBHOOK_SECRET: 'x',
        request: { headers: { authorization: 'x', 'x-api-key': 'x' }, list: [{ privateKey: 'x' }] },
        installationToken: 5,
        maxTokens: 5,
        tokens: 3,
        secret: undefined,
        password: '',
      }),
    ).toEqual({
      token: '[secret]',
      GITHUB_WEBHOOK_SECRET: '[secret]',
      request: {
        headers: { authorization: '[secret]', 'x-api-key': '[secret]' },
        list: [{ privateKey: '[secret]' }],
      },
      installationToken: '[secret]',
      maxTokens: 5,
      tokens: 3,
      secret: undefined,
      password: '',
    });
  });

  it('makes plain data of what is not', () => {
    const circular: Record<string, unknown> = { name: 'a' };
    circular.self = circular;
    const shared = { n: 1 };
    const value = {
      circular,
      twice: [shared, shared],
      date: new Date(0),
      map: new Map([['k', 1n]]),
      set: new Set([1]),
      bytes: Buffer.from('a payload'),
      wrapped: new Secret('x'),
      call: () => 1,
      throws: {
        get it() {
          throw new Error('no');
        },
      },
    };
    expect(redactValue(value)).toEqual({
      circular: { name: 'a', self: '[circular]' },
      twice: [{ n: 1 }, { n: 1 }],
      date: '1970-01-01T00:00:00.000Z',
      map: { k: '1' },
      set: [1],
      bytes: '[9 bytes]',
      wrapped: '[secret]',
      call: '[function]',
      throws: '[unreadable]',
    });
  });

  it('keeps of an error what helps, not the request that it carries', () => {
    const error = Object.assign(new Error(`refused gh${'s'}_${run(36)}`, { cause: new TypeError('below') }), {
      status: 401,
      request: { body: 'the whole body' },
    });
    const shown = redactValue(error);
    expect(shown).toMatchObject({
      name: 'Error',
      message: 'refused [secret]',
      status: 401,
      cause: { name: 'TypeError', message: 'below' },
    });
    expect(JSON.stringify(shown)).not.toMatch(/the whole body|Ab1Ab1/);
  });

  it('is bounded, never throws, and always gives what JSON can hold (S9)', () => {
    const wide = Array.from({ length: 1000 }, (_, index) => index);
    expect(redactValue(wide)).toHaveLength(101);
    expect(
      Object.keys(redactValue(Object.fromEntries(wide.map((n) => [`k${n}`, n]))) as object),
    ).toHaveLength(101);
    const deep = wide.reduce<unknown>((inner) => ({ inner }), 'bottom');
    expect(JSON.stringify(redactValue(deep))).toContain('[deep]');
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }),
        (value) => {
          JSON.stringify(redactValue({ value }));
        },
      ),
    );
  });
});
