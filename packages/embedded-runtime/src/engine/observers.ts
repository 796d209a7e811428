/**
 * Which observers an event wakes, and what their wake rows say.
 *
 * @module
 */

import { isCronStreamPath } from '../cron-spec.ts';
import type { Entity } from '../store/entities.ts';
import type { NewEvent } from '../store/streams.ts';
import type { Subscription } from '../store/subscriptions.ts';
import type { TimerWork } from '../store/timers.ts';
import type { FinishedChild, Wake, WakeChange, WakeMessage } from '../types/wake.ts';
import { appendInput } from './append.ts';
import { type Core, isoNow } from './core.ts';
import { armTicks } from './cron-timer.ts';

type ChangeCondition = Extract<Wake, { readonly on: 'change' }>;

const COPIED_OF_INBOX = ['from', 'from_principal', 'from_agent', 'payload', 'timestamp', 'message_type'];

function isRunFinished(event: NewEvent): boolean {
  const status = event.value?.status;
  return (
    event.type === 'run' && event.operation === 'update' && (status === 'completed' || status === 'failed')
  );
}

function matchesChange(condition: ChangeCondition, event: NewEvent): boolean {
  return (
    (condition.collections === undefined || condition.collections.includes(event.type)) &&
    (condition.ops === undefined || condition.ops.includes(event.operation))
  );
}

function isChange(condition: Wake): condition is ChangeCondition {
  return typeof condition === 'object' && condition.on === 'change';
}

function timeoutOf(condition: Wake): number | undefined {
  return isChange(condition) ? condition.timeoutMs : undefined;
}

function changeOf(event: NewEvent): WakeChange {
  const copied = event.type === 'inbox' ? COPIED_OF_INBOX : [];
  const fields = ['value', 'oldValue', ...copied].flatMap((name) => {
    const value = event.value?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const collection = isRunFinished(event) ? 'runs' : event.type;
  return { collection, kind: event.operation, key: event.key, ...Object.fromEntries(fields) };
}

/** What the parent learns of a run: its text, and the error if one was recorded. */
function finishedChild(core: Core, child: Entity, run: NewEvent, includeResponse: boolean): FinishedChild {
  const { streams } = core.store;
  const startSeq = Number(streams.row(child.id, 'run', run.key)?._seq ?? 0);
  const ofRun = streams
    .events(child.id, startSeq, ['text_delta', 'error'])
    .map((event) => ({ type: event.type, value: event.value as Readonly<Record<string, unknown>> }))
    .filter(({ value }) => value.run_id === run.key);
  const deltas = ofRun.filter(({ type }) => type === 'text_delta').map(({ value }) => String(value.delta));
  const error = ofRun.find(({ type }) => type === 'error')?.value.message;
  return {
    url: child.url,
    type: child.type,
    run_status: run.value?.status as FinishedChild['run_status'],
    ...(includeResponse && deltas.length > 0 && { response: deltas.join('') }),
    ...(error !== undefined && { error: String(error) }),
  };
}

function wakeOf(core: Core, subscription: Subscription, event: NewEvent): WakeMessage | undefined {
  const { condition, source } = subscription;
  const base = { timestamp: isoNow(core), source, timeout: false, changes: [changeOf(event)] };
  if (isChange(condition)) return matchesChange(condition, event) ? base : undefined;
  if (!isRunFinished(event)) return undefined;
  const sourceEntity = core.store.entities.find(source);
  const subscriber = core.store.entities.get(subscription.subscriberId);
  if (sourceEntity === undefined || sourceEntity.parent !== subscriber?.url) return base;
  const includeResponse = condition === 'runFinished' || condition.includeResponse !== false;
  return { ...base, finished_child: finishedChild(core, sourceEntity, event, includeResponse) };
}

/** Appends a wake row for each observer whose condition the event meets. */
export function notifyObservers(core: Core, path: string, event: NewEvent, seq: number): void {
  for (const subscription of core.store.subscriptions.of(path)) {
    const message = wakeOf(core, subscription, event);
    if (message === undefined) continue;
    const { condition } = subscription;
    if (timeoutOf(condition) !== undefined)
      core.store.timers.removeOf(`subscription:${subscription.id}`, 'wake-timeout');
    if (isChange(condition) && condition.debounceMs !== undefined && condition.debounceMs > 0) {
      collect(core, subscription.id, condition.debounceMs, message.changes);
    } else {
      appendWake(core, subscription, `${seq}`, message);
    }
  }
}

/** Keeps changes for one wake at the end of the debounce window, which the first of them opens. */
function collect(
  core: Core,
  subscriptionId: number,
  debounceMs: number,
  changes: readonly WakeChange[],
): void {
  const { timers, commit } = core.store;
  const pending = timers.find(`subscription:${subscriptionId}`, 'debounce');
  if (pending?.work.kind === 'debounce') {
    timers.replace(pending.id, { ...pending.work, changes: [...pending.work.changes, ...changes] });
    return;
  }
  timers.add(core.clock.now() + debounceMs, { kind: 'debounce', subscriptionId, changes });
  commit.afterCommit(core.onTimer);
}

/** Appends one wake row. */
function appendWake(core: Core, subscription: Subscription, suffix: string, message: WakeMessage): void {
  const key = `wake-${subscription.id}-${suffix}`;
  appendInput(core, subscription.subscriberId, {
    type: 'wake',
    key,
    operation: 'insert',
    value: { key, ...message },
  });
}

/**
 * Makes or replaces the registration behind one manifest row; its time-out starts anew.
 */
export function subscribe(
  core: Core,
  subscription: Omit<Subscription, 'id'> & { readonly manifestKey: string },
): void {
  const { timers, subscriptions, commit } = core.store;
  const { subscriberId, manifestKey, source, condition } = subscription;
  const timeoutMs = timeoutOf(condition);
  const known = subscriptions.find(subscriberId, manifestKey);
  const isSame = known?.source === source && JSON.stringify(known.condition) === JSON.stringify(condition);
  if (isSame && timeoutMs === undefined) return; // what a handler observes on each wake costs one read
  const id = subscriptions.put(subscription);
  if (isCronStreamPath(source)) armTicks(core, source);
  timers.removeOf(`subscription:${id}`, 'wake-timeout');
  if (timeoutMs === undefined) return;
  timers.add(core.clock.now() + timeoutMs, { kind: 'wake-timeout', subscriptionId: id });
  commit.afterCommit(core.onTimer);
}

/** Removes the registration behind one manifest row. */
export function unsubscribe(core: Core, subscriberId: number, manifestKey: string): void {
  const id = core.store.subscriptions.remove(subscriberId, manifestKey);
  if (id === undefined) return;
  core.store.timers.removeOf(`subscription:${id}`, 'wake-timeout');
  core.store.timers.removeOf(`subscription:${id}`, 'debounce');
}

/** Wakes an observer by a timer: with the changes that were collected, or because it waited in vain. */
export function wakeByTimer(
  core: Core,
  timerId: number,
  work: Extract<TimerWork, { readonly subscriptionId: number }>,
): void {
  const subscription = core.store.subscriptions.get(work.subscriptionId);
  if (subscription === undefined) return;
  const base = { timestamp: isoNow(core), source: subscription.source };
  if (work.kind === 'debounce') {
    appendWake(core, subscription, `debounced-${timerId}`, {
      ...base,
      timeout: false,
      changes: [...work.changes],
    });
  } else {
    appendWake(core, subscription, 'timeout', { ...base, timeout: true, changes: [] });
  }
}
