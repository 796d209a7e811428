import { createHmac } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../config-secret.ts';
import { isSigned } from './signature.ts';

// The example of GitHub's documentation ("Validating webhook deliveries").
const documented = {
  secret: new Secret("It's a Secret to Everybody"),
  body: Buffer.from('Hello, World!'),
  signature: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
};

describe('isSigned', () => {
  it("holds for the example of GitHub's documentation", () => {
    expect(isSigned(documented.body, documented.signature, documented.secret)).toBe(true);
    expect(
      isSigned(documented.body, documented.signature.toUpperCase().replace('SHA', 'sha'), documented.secret),
    ).toBe(true);
  });

  it('fails when any part differs', () => {
    const { body, secret, signature } = documented;
    expect(isSigned(Buffer.from('Hello, World'), signature, secret)).toBe(false);
    expect(isSigned(body, signature, new Secret('another'))).toBe(false);
    for (const wrong of [
      undefined,
      '',
      'sha256=',
      signature.slice(7),
      signature.slice(0, -1),
      `${signature}0`,
    ]) {
      expect(isSigned(body, wrong, secret)).toBe(false);
    }
    const sha1 = createHmac('sha1', secret.reveal()).update(body).digest('hex');
    expect(isSigned(body, `sha1=${sha1}`, secret)).toBe(false);
  });

  it('T-024: agrees with what senders make of any text, emoji and lone line ends included', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('{"body":"👩‍👩‍👧 \\ud83d\\ude00 é"}', '{"a" : 1}\r\n'),
    );
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const signature = await sign(documented.secret.reveal(), body);
        expect(isSigned(Buffer.from(body), signature, documented.secret)).toBe(true);
        expect(isSigned(Buffer.from(`${body} `), signature, documented.secret)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('T-024: signs bytes, also those that are no text', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    const digest = createHmac('sha256', documented.secret.reveal()).update(bytes).digest('hex');
    expect(isSigned(bytes, `sha256=${digest}`, documented.secret)).toBe(true);
    expect(isSigned(Buffer.from(bytes.toString('utf8')), `sha256=${digest}`, documented.secret)).toBe(false);
  });
});
