/** The given path is not inside a git repository, or git cannot read it. Trying again does not help. */
export class NotAGitRepositoryError extends Error {
  override readonly name = 'NotAGitRepositoryError';
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not a git repository.`, options);
    this.path = path;
  }
}

/** A revision does not name a commit of the repository. Trying again does not help. */
export class UnknownRevisionError extends Error {
  override readonly name = 'UnknownRevisionError';
  readonly revision: string;

  constructor(revision: string) {
    super(`${revision} does not name a commit of this repository.`);
    this.revision = revision;
  }
}

/** Two commits share no history, so there is nothing to compare from. Trying again does not help. */
export class NoCommonAncestorError extends Error {
  override readonly name = 'NoCommonAncestorError';

  constructor(base: string, head: string) {
    super(`No common ancestor between ${base} and ${head}.`);
  }
}

/** A merge stopped at conflicts. Trying again helps only after one of the branches moved. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';

  constructor(ours: string, theirs: string) {
    super(`${theirs} does not merge into ${ours} without conflicts.`);
  }
}

/** git itself failed: missing binary, corrupt repository, full disk. Whether a retry helps is unknown. */
export class GitCommandError extends Error {
  override readonly name = 'GitCommandError';
  readonly exitCode: number | undefined;

  constructor(args: readonly string[], exitCode: number | undefined, stderr: string, options?: ErrorOptions) {
    super(
      `git ${args[0] ?? ''} failed (exit ${exitCode ?? 'none'}): ${stderr.trim() || 'no message'}`,
      options,
    );
    this.exitCode = exitCode;
  }
}
