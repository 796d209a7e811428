/**
 * What the parts of a Shepherd are handed to carry out a command.
 *
 * @module
 */
import type { Octokit } from '@octokit/rest';
import type { Snapshot } from '../conversation/item.ts';
import type { PullRequestRead } from '../github/pull-request.ts';
import type { Command } from '../review/due.ts';
import type { Round, ShepherdState } from '../review/state.ts';
import type { Look } from './pr-look.ts';
import type { FactoryServices } from './services.ts';

/** What all Shepherds of a host work with. */
export interface HostDeps {
  readonly services: FactoryServices;
  readonly octokit: Octokit;
}

/** What a Shepherd works with in one wake. */
export interface ShepherdDeps extends HostDeps {
  readonly look: Look<PullRequestRead>;
  /** Looks at the whole conversation. */
  readonly conversation: Look<Snapshot>;
}

/** A command with what it may look at. */
export interface Order {
  readonly command: Command;
  readonly state: ShepherdState;
  /** Text of the loaded skill. */
  readonly skill: string;
}

/** An order about a round. */
export type RoundOrder = Order & { readonly round: Round };
