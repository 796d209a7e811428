/**
 * What is measured of the runtime, and what it should reach.
 *
 * @module
 */

import type { Figures } from '../figures.ts';

/** All figures by key. Those with `ratio`, `growth` and `vs` have no unit. */
export const RUNTIME_FIGURES = {
  send_to_handler_ms_p50: { what: 'HTTP send to start of the handler', target: { atMost: 1.5 } },
  send_to_handler_ms_p99: { what: 'HTTP send to start of the handler', target: { atMost: 8 } },
  fanout6_ms_p50: {
    what: 'a parent spawns six children in turn, sends to each, has six answers in its state',
    target: { atMost: 8 },
  },
  spawn_send_per_s: {
    what: 'entities that a handler spawns and sends a message, until the last handler ended',
    target: { atLeast: 1500 },
  },
  http_spawn_send_per_s: { what: 'the same over HTTP, 16 at once', target: { atLeast: 800 } },
  webhook_accept_per_s: {
    what: 'signed deliveries of 20 KB into two buckets, 32 clients, answered when they would survive a power cut',
    target: { atLeast: 1500 },
  },
  webhook_accept_ms_p99: { what: 'the same, delivery to answer', target: { atMost: 60 } },
  webhook_accept_vs_probot: {
    what: 'the same, over what probot 14 with an empty handler accepts',
    target: { atLeast: 1.5 },
  },
  idle_70000_rss_mb: {
    what: '70,000 idle entities with 30 events each: resident MB',
    target: { atMost: 250 },
  },
  idle_70000_start_ms: { what: 'start of that process to the first wake', target: { atMost: 1500 } },
  idle_70000_wake_ratio: {
    what: 'p99 of HTTP send to handler there, over that of an empty host',
    target: { atMost: 1.5 },
  },
  wake_growth_ratio: {
    what: "an entity's 10,000th wake over the 10th of a fresh one, medians of 100",
    target: { atMost: 1.3 },
  },
} as const satisfies Figures<string>;

/** Key of a figure. */
export type RuntimeKey = keyof typeof RUNTIME_FIGURES;
