/**
 * What GitHub limits, and how far we go.
 *
 * @module
 */

/** What GitHub limits. A limit that it tells of stops what costs anything of that budget. */
export type Budget = 'creations' | 'graphql' | 'rest';
/** From the most special to the most shared: a request that one of its own budgets stops holds up nobody else. */
export const BUDGETS: readonly Budget[] = ['creations', 'graphql', 'rest'];

/** What a request takes of each budget; what is absent is nothing. */
export type Cost = Readonly<Partial<Record<Budget, number>>>;

/** At most `max` of a budget in any `perMs`. */
export interface PacingWindow {
  readonly of: Budget;
  readonly max: number;
  readonly perMs: number;
}

/** All that has to be kept. */
export interface PacingLimits {
  readonly windows: readonly PacingWindow[];
  readonly maxConcurrent: number;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * GitHub's secondary limits (docs, "Rate limits for the REST API"), as points a minute and requests at once.
 * It names about 80 creations a minute and 500 an hour, what people do in the browser included, and 100
 * requests at once: there we stay below.
 */
export const GITHUB_LIMITS: PacingLimits = {
  windows: [
    { of: 'creations', max: 75, perMs: MINUTE_MS },
    { of: 'creations', max: 475, perMs: HOUR_MS },
    { of: 'graphql', max: 2_000, perMs: MINUTE_MS },
    { of: 'rest', max: 900, perMs: MINUTE_MS },
  ],
  maxConcurrent: 50,
};
