/**
 * Members of the published runtime that this host does not have. Each says what to do instead.
 *
 * @module
 */

import { NotSupportedError } from '../errors.ts';
import type { RefusedMembers } from '../types/refused.ts';

const ADVICE = {
  attachments: 'keep the bytes where you can reach them and their address in state',
  sandbox: 'run commands in a directory of your own, with node:child_process',
  slashCommands: 'there is no user interface here; answer messages by their type',
  fork: 'spawn an entity and send it what it has to know',
  goals: 'keep the goal in state',
} as const;

function refusal(member: string, advice: keyof typeof ADVICE): NotSupportedError {
  return new NotSupportedError(`ctx.${member} is not part of the embedded runtime: ${ADVICE[advice]}`);
}

/** An object that refuses whatever is asked of it by name. */
function refusedObject<T extends object>(member: 'attachments' | 'sandbox' | 'slashCommands'): T {
  return new Proxy({} as T, {
    get(_target, name) {
      if (typeof name === 'symbol') return undefined; // inspecting it is fine
      throw refusal(`${member}.${name}`, member);
    },
  });
}

function refuseGoal(member: string): () => never {
  return () => {
    throw refusal(member, 'goals');
  };
}

/** The members that are refused when they are used, and not before. */
export const REFUSED_MEMBERS: RefusedMembers = {
  attachments: refusedObject('attachments'),
  sandbox: refusedObject('sandbox'),
  slashCommands: refusedObject('slashCommands'),
  fork: async () => {
    throw refusal('fork', 'fork');
  },
  forkSelf: async () => {
    throw refusal('forkSelf', 'fork');
  },
  setGoal: refuseGoal('setGoal'),
  clearGoal: refuseGoal('clearGoal'),
  getGoal: refuseGoal('getGoal'),
  markGoalComplete: refuseGoal('markGoalComplete'),
  updateGoalUsage: refuseGoal('updateGoalUsage'),
};
