import { expect, it } from 'vitest';
import * as api from './index.ts';

it('has the names of the published runtime that agents use', () => {
  expect(Object.keys(api)).toEqual(
    expect.arrayContaining([
      'ModelProviderError',
      'createEntityRegistry',
      'createRuntimeHandler',
      'createRuntimeServerClient',
      'createSkillTools',
      'createSkillsRegistry',
      'cron',
      'db',
      'entity',
      'getWebhookStreamPath',
      'passthrough',
      'webhook',
      'webhookEventRowSchema',
      'webhookObservationCollections',
    ]),
  );
});
