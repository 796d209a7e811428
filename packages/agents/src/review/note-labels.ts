/**
 * Labels that stand for work that is not done yet.
 *
 * @module
 */
import { gateOf } from './gating.ts';
import type { ShepherdState } from './state.ts';
import type { Summons } from './summons.ts';

/** Work that people may ask for by a label, and that is not done yet. */
const STUB_LABELS = ['fix-ci', 'address-review'] as const;

/** They are noted, and answered once each. */
export function noteLabels(state: ShepherdState, nowMs: number): ShepherdState {
  if (gateOf(state) !== 'active') return state;
  const fresh = STUB_LABELS.filter(
    (label) =>
      state.seen?.labels.includes(label) && !state.labelsNoted.some((noted) => noted.label === label),
  );
  if (fresh.length === 0) return state;
  const asked = fresh.map(
    (label): Summons => ({
      key: `label ${label}`,
      to: `label:${label}`,
      by: '',
      ask: { kind: 'label', label },
      place: { kind: 'comment' },
      atMs: nowMs,
      stage: 'owed',
      acknowledged: true,
      attempts: 0,
      notBeforeMs: 0,
    }),
  );
  return {
    ...state,
    summons: [...state.summons, ...asked],
    labelsNoted: [...state.labelsNoted, ...fresh.map((label) => ({ label, atMs: nowMs }))],
  };
}
