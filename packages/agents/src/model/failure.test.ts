import { describe, expect, test } from 'vitest';
import { cleanDetail, readFailure } from './failure.ts';

describe('readFailure', () => {
  // Texts as pi-ai hands them on, from its own words, the SDKs beneath it, and Node.
  test.each([
    ['401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}', 'key'],
    ['403 Country not supported', 'key'],
    ['404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-0"}}', 'unknown-model'],
    ['The model `gpt-0` does not exist or you do not have access to it.', 'unknown-model'],
    ['400 {"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum"}}', 'too-long'],
    ['Your input exceeds the context window of this model.', 'too-long'],
    ['413 status code (no body)', 'too-long'],
    ['429 Rate limit reached for requests', 'rate-limit'],
    [
      '{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}',
      'rate-limit',
    ],
    ['ThrottlingException: Rate exceeded', 'rate-limit'],
    ['529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
    ['503 Service Unavailable', 'overloaded'],
    ['500 Internal Server Error', 'provider'],
    ['Provider finish_reason: content_filter', 'refused'],
    ['An unknown error occurred', 'refused'],
    ['400 Unsupported value: temperature', 'refused'],
    ['Request timed out.', 'deadline'],
    ['Connection error.', 'connection'],
    ['terminated', 'connection'],
    ['No API key for provider: openai', 'key'],
    ['something nobody has seen', 'provider'],
  ] as const)('%s', (text, kind) => {
    expect(readFailure(text).kind).toBe(kind);
  });

  test('says the status, and nothing in the words of the provider', () => {
    expect(readFailure('429 Rate limit reached for org-acme')).toEqual({
      kind: 'rate-limit',
      why: 'the provider limits the rate of requests (429)',
      status: 429,
    });
  });
});

describe('cleanDetail', () => {
  const key = ['sk', 'short', '1'].join('-');

  test('takes out the key, and what looks like one', () => {
    const other = ['sk', 'x'.repeat(30)].join('-');
    expect(cleanDetail(`no such key ${key}; did you mean ${other}?\n Bearer abc`, key)).toBe(
      'no such key [key]; did you mean […]? […]',
    );
  });

  test('is short', () => {
    expect(cleanDetail('no '.repeat(1_000), undefined)).toHaveLength(300);
  });
});
