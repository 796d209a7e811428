/**
 * All that the entities get from their surroundings. What is not in here, an entity cannot reach: no
 * environment, no port, no global.
 *
 * @module
 */
import type { RuntimeServerClient, SkillsRegistry } from '@electric-ax/agents-runtime';
import type { MarkerStore } from '../conversation/marker-store.ts';
import type { GitHubAccess } from '../github/access.ts';
import type { Memberships } from '../github/membership.ts';
import type { RoundOptions } from '../github/round-input.ts';
import type { Aspect, PrRef, RepoRef, Sha, WakeId } from '../ids.ts';
import type { Log } from '../log.ts';
import { pathsToRead } from '../model/analyzers/paths-to-read.ts';
import type { ModelChoice } from '../model/choice.ts';
import type { RoundMemo } from '../model/round-memo.ts';
import type { Timing } from '../review/decide-rounds.ts';
import type { Interrupts } from './interrupts.ts';

/** What an onlooker is told while rounds run; nothing depends on it. */
export type Progress =
  | {
      readonly type: 'round';
      readonly state: 'started' | 'dropped' | 'unchanged';
      readonly pr: PrRef;
      readonly wakeId: WakeId;
      readonly iteration: number;
      readonly baseSha: Sha;
      readonly headSha: Sha;
      readonly files: number;
    }
  | {
      readonly type: 'worker';
      readonly state: 'started' | 'done' | 'partial' | 'failed';
      readonly pr: PrRef;
      readonly wakeId: WakeId;
      readonly aspect: Aspect;
      readonly findings?: number;
      readonly why?: string;
    }
  | {
      readonly type: 'comment';
      readonly action: 'created' | 'updated';
      readonly pr: PrRef;
      readonly iteration: number;
      readonly sha: Sha;
      readonly commentId: number;
      readonly body: string;
    }
  | {
      readonly type: 'reply';
      readonly pr: PrRef;
      /** Node id of the comment that is answered, or the label. */
      readonly to: string;
      readonly commentId: number;
      readonly body: string;
      /** False where the reply was there already, from before a crash. */
      readonly isNew: boolean;
    }
  | {
      /** Something GitHub or the model could not do; `retryable` where it is tried again. */
      readonly type: 'failure';
      readonly pr: PrRef;
      readonly what: string;
      readonly retryable: boolean;
    };

/** The ports of the factory's agents. */
export interface FactoryServices {
  /** The repository that is looked after. */
  readonly repo: RepoRef;
  /** Where a person reads the repository, without a trailing slash: for links in the comment. */
  readonly webUrl: string;
  /** Name of the webhook source. */
  readonly endpointKey: string;
  /**
   * How a PR's events reach its Shepherd: `bucket` where appends to a webhook stream wake its observers, else
   * `inbox`.
   */
  readonly events: 'bucket' | 'inbox';
  readonly github: GitHubAccess;
  readonly memberships: Memberships;
  /** For what a context cannot do: signals to other entities. */
  readonly runtimeClient: RuntimeServerClient;
  /** By which the host breaks off a wait; one that never does costs a PR nothing but time. */
  readonly interrupts: Interrupts;
  readonly model: ModelChoice;
  /** Whether the built-in analyzers take part; without a model they always do. */
  readonly analyzers: boolean;
  readonly memo: RoundMemo;
  /** What of each conversation was delivered. */
  readonly markers: MarkerStore;
  readonly skills: SkillsRegistry;
  /** The six prompts, by aspect. */
  readonly prompts: Readonly<Record<Aspect, string>>;
  readonly timing: Timing;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly onProgress: (progress: Progress) => void;
  /** Told of every model call. */
  readonly onModelCall: () => void;
}

/**
 * Without a model every round judges the whole PR: that costs nothing, and rules about the PR as a whole
 * (tests missing, changeset missing) are wrong about a part of it.
 */
export function roundOptions(services: FactoryServices): RoundOptions {
  const wholePr = services.model.kind === 'analyzers';
  return services.analyzers ? { wholePr, pathsToRead } : { wholePr };
}
