export { RefusedActError } from './errors.ts';
export { checkQuery, type QueryCheck } from './graphql/check-query.ts';
export {
  type AppOptions,
  type AppPermissions,
  type CollaboratorRole,
  DEFAULT_PERMISSIONS,
  type PermissionLevel,
  type SimulatorOptions,
} from './options.ts';
export type { CommentActs } from './people/comment-acts.ts';
export type { ModerationActs } from './people/moderation-acts.ts';
export type { Actor, OpenPullRequest, PullRequestActs } from './people/pull-request-acts.ts';
export type {
  FormerThread,
  InlineComment,
  ReviewActs,
  StartedThread,
  SubmitReview,
  WrittenReply,
} from './people/review-acts.ts';
export type { Fault, FaultResponse } from './rest/faults.ts';
export type { RequestRecord } from './rest/request-log.ts';
export { createGitHubSimulator, type GitHubSimulator } from './simulator.ts';
export type { DeliveryRecord } from './webhooks/hook.ts';
export type { Payload } from './webhooks/payloads.ts';
export type {
  HeadRecord,
  MergeRecord,
  MinimizeReason,
  PullRequestRecord,
  ReviewComment,
  ReviewState,
  StoredComment,
} from './world/records.ts';
