import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyModelFailure, failureText, modelProviderError } from './errors.ts';

describe('classifyModelFailure', () => {
  it.each([
    ['401 {"type":"error"}', 'MODEL_PROVIDER_AUTH_FAILED'],
    ['No API key for provider: anthropic', 'MODEL_PROVIDER_AUTH_FAILED'],
    ['{"error":{"code":429,"message":"Resource exhausted"}}', 'MODEL_PROVIDER_RATE_LIMITED'],
    ['{"type":"error","error":{"type":"rate_limit_error"}}', 'MODEL_PROVIDER_RATE_LIMITED'],
    ['{"type":"error","error":{"type":"overloaded_error"}}', 'MODEL_PROVIDER_UNAVAILABLE'],
    ['503 Service Unavailable', 'MODEL_PROVIDER_UNAVAILABLE'],
    ['server_error: The server had an error', 'MODEL_PROVIDER_UNAVAILABLE'],
    ['Request timed out.', 'MODEL_PROVIDER_TIMEOUT'],
    ['408 Request Timeout', 'MODEL_PROVIDER_TIMEOUT'],
    ['Connection error.', 'MODEL_PROVIDER_UNREACHABLE'],
    ['terminated', 'MODEL_PROVIDER_UNREACHABLE'],
    ['getaddrinfo ENOTFOUND api.example.com', 'MODEL_PROVIDER_UNREACHABLE'],
    // A number in the words is no status: this stays what its own status says.
    ['400 max_tokens: 500 exceeds 429', 'MODEL_PROVIDER_ERROR'],
    ['An unknown error occurred', 'MODEL_PROVIDER_ERROR'],
  ])('%s is %s', (text, code) => {
    expect(classifyModelFailure(text)).toBe(code);
  });
});

describe('modelProviderError', () => {
  const from = { provider: 'openai', model: 'gpt', secrets: [] };

  it('keeps the words that help', () => {
    const words = 'max_tokens must be below 8192; keyboard_shortcuts skipped_altogether';
    const error = modelProviderError(`400 ${words}`, from);
    expect(error.message).toContain(words);
    expect(error.retryable).toBe(false);
  });

  it('keeps none of what a provider says of a wrong key', () => {
    const masked = ['sk', 'proj***********abcd'].join('-');
    const error = modelProviderError(`401 Incorrect API key provided: ${masked}.`, from);
    expect(error.message).toBe('openai refused the credentials. Check the API key.');
  });

  it('never shows a key, known or of a known shape, wherever it stands', () => {
    const alphabet = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-');
    const tail = fc.string({ unit: alphabet, minLength: 12, maxLength: 60 });
    const prefix = fc.constantFrom('sk-', 'sk-ant-', 'gsk_', 'xai-', 'AIza', 'Bearer ', '');
    fc.assert(
      fc.property(prefix, tail, fc.boolean(), (start, end, isKnown) => {
        fc.pre(isKnown || start !== '');
        const key = `${start}${end}`;
        const error = modelProviderError(`400 bad request for "${key}" in the header`, {
          ...from,
          secrets: isKnown ? [key] : [],
        });
        expect(error.message).not.toContain(end);
      }),
    );
  });

  it('cuts long words', () => {
    const error = modelProviderError(`400 ${'no '.repeat(1000)}`, from);
    expect(error.message.length).toBeLessThan(400);
  });
});

it('reads the causes of a thrown error', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
  expect(failureText(new TypeError('fetch failed', { cause }))).toBe(`fetch failed: ${cause.message}`);
  expect(failureText('text')).toBe('text');
});
