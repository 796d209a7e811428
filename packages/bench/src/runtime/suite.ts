/**
 * Speed and size of the embedded runtime.
 *
 * @module
 */

import type { Suite } from '../suite.ts';
import { RUNTIME_FIGURES, type RuntimeKey } from './figures.ts';
import { IDLE } from './idle.ts';
import { MESSAGING } from './messaging.ts';
import { WEBHOOKS } from './webhooks.ts';

/** The runtime's figures and how they are measured. */
export const RUNTIME_SUITE: Suite<RuntimeKey> = {
  figures: RUNTIME_FIGURES,
  measurements: [...MESSAGING, WEBHOOKS, IDLE],
};
