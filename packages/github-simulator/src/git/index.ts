export { type CompareFile, MAX_PATCH_BYTES, MAX_PATCH_LINES } from './changed-files.ts';
export {
  type CommitRequest,
  commitFiles,
  commitMerge,
  type FileContent,
  initBare,
  type MergeRequest,
  moveRef,
} from './commit-files.ts';
export type { CommitInfo, SignedIdentity } from './commits.ts';
export {
  GitCommandError,
  MergeConflictError,
  NoCommonAncestorError,
  NotAGitRepositoryError,
  UnknownRevisionError,
} from './errors.ts';
export { type DiffSide, type LinePlace, placeInPatch } from './line-places.ts';
export { createBareMirror } from './mirror.ts';
export { type GitObject, isBinary } from './objects.ts';
export {
  type CommitSummary,
  type Comparison,
  type FileLine,
  type GitRepository,
  openGit,
} from './repository.ts';
export type { GitIdentity } from './run-git.ts';
export type { TreeChild, TreeEntry } from './tree.ts';
