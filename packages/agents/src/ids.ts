/**
 * Ids, branded so that one kind cannot be passed for another. This file alone builds and parses them.
 *
 * @module
 */

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** A full commit id: 40 hex digits (64 in a SHA-256 repository), lower case. */
export type Sha = Brand<string, 'Sha'>;
/** `X-GitHub-Delivery`: identifies the event; a redelivery repeats it. */
export type DeliveryId = Brand<string, 'DeliveryId'>;
/** Names one round of one PR. */
export type WakeId = Brand<string, 'WakeId'>;
/** Names a finding over all rounds of its PR: 16 hex digits. */
export type FindingId = Brand<string, 'FindingId'>;
/** `/type/id` of an entity. */
export type EntityUrl = Brand<string, 'EntityUrl'>;

/** The six aspects, in the order in which the workers are spawned and the comment names them. */
export const ASPECTS = ['correctness', 'conventions', 'security', 'perf', 'tests', 'architecture'] as const;
/** What one worker looks at. */
export type Aspect = (typeof ASPECTS)[number];

/** A repository, spelled as GitHub spells it. */
export interface RepoRef {
  readonly owner: string;
  readonly repo: string;
}

/** A pull request. */
export interface PrRef extends RepoRef {
  readonly number: number;
}

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Enterprise Managed Users have an underscore in their names. */
const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const REPO = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

/** The dispatcher's one entity. */
export const DISPATCHER_URL = '/pr-dispatcher/main' as EntityUrl;

/** Reads a commit id; `undefined` for anything else. */
export function parseSha(text: string): Sha | undefined {
  const lower = text.toLowerCase();
  return SHA.test(lower) ? (lower as Sha) : undefined;
}

/** The first seven digits, as people quote a commit. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** Reads `owner/repo`; `undefined` for anything else. */
export function parseRepo(text: string): RepoRef | undefined {
  const [owner, repo, ...rest] = text.split('/');
  if (owner === undefined || repo === undefined || rest.length > 0) return undefined;
  return OWNER.test(owner) && REPO.test(repo) ? { owner, repo } : undefined;
}

/** Whether two references name one repository; GitHub folds case. */
export function sameRepo(a: RepoRef, b: RepoRef): boolean {
  return a.owner.toLowerCase() === b.owner.toLowerCase() && a.repo.toLowerCase() === b.repo.toLowerCase();
}

/**
 * `owner~repo~number`, lower case: the id of a PR's Shepherd. `~` occurs in no GitHub name and needs no
 * escaping in a URL, so the id is reversible.
 */
export function prKey(pr: PrRef): string {
  return `${pr.owner}~${pr.repo}~${pr.number}`.toLowerCase();
}

/** Reads what {@link prKey} built; `undefined` for anything else. */
export function parsePrKey(key: string): PrRef | undefined {
  const [owner, repo, digits, ...rest] = key.split('~');
  if (owner === undefined || repo === undefined || digits === undefined || rest.length > 0) return undefined;
  if (!OWNER.test(owner) || !REPO.test(repo) || !/^[1-9]\d*$/.test(digits)) return undefined;
  return { owner, repo, number: Number(digits) };
}

/** `/pr-shepherd/{owner~repo~number}`. */
export function shepherdUrl(pr: PrRef): EntityUrl {
  return `/pr-shepherd/${prKey(pr)}` as EntityUrl;
}

/** The id of one aspect's worker: `owner~repo~number~aspect`. */
export function workerKey(pr: PrRef, aspect: Aspect): string {
  return `${prKey(pr)}~${aspect}`;
}

/** `/pr-review-worker/{owner~repo~number~aspect}`. */
export function workerUrl(pr: PrRef, aspect: Aspect): EntityUrl {
  return `/pr-review-worker/${workerKey(pr, aspect)}` as EntityUrl;
}

/** Whether a string is one of the six. */
export function isAspect(text: string): text is Aspect {
  return (ASPECTS as readonly string[]).includes(text);
}
