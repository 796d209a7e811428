/** Role of a person on the repository, as GitHub's `role_name`. */
export type CollaboratorRole = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

export type PermissionLevel = 'read' | 'write';

/** Permissions by their key in an App manifest, such as `pull_requests`. */
export type AppPermissions = Readonly<Record<string, PermissionLevel>>;

export interface AppOptions {
  readonly id: number;
  /** The App acts as `{slug}[bot]`. */
  readonly slug: string;
  readonly installationId: number;
  readonly webhookSecret: string;
  /** Default: {@link DEFAULT_PERMISSIONS}. */
  readonly permissions?: AppPermissions;
}

export interface SimulatorOptions {
  readonly owner: string;
  readonly repo: string;
  /** Default: Organization. */
  readonly ownerType?: 'Organization' | 'User';
  /** Members of the organisation. Their membership is private, as it is by default on GitHub. */
  readonly members?: readonly string[];
  readonly collaborators?: Readonly<Record<string, CollaboratorRole>>;
  /** Stand-ins that an import made for authors elsewhere: neither people nor bots to GitHub. */
  readonly mannequins?: readonly string[];
  readonly app: AppOptions;
  /** An existing bare repository to serve. Default: a new one in a temporary folder, removed on close. */
  readonly gitDir?: string;
  /** Port on 127.0.0.1. Default: 0, any free one. */
  readonly port?: number;
  /** Requests per hour before GitHub's primary limit refuses, and as many GraphQL points. Default: 5000. */
  readonly requestsPerHour?: number;
  /** Comments, replies and reviews of the App in 60 s before GitHub's secondary limit answers 403. Default: 80. */
  readonly creationsPerMinute?: number;
  /** Wall clock. Default: the system's. */
  readonly now?: () => Date;
}

/** What a reviewer App needs: it reads code, checks and membership, and writes comments and labels. */
export const DEFAULT_PERMISSIONS: AppPermissions = {
  metadata: 'read',
  contents: 'read',
  pull_requests: 'write',
  issues: 'write',
  checks: 'read',
  statuses: 'read',
  members: 'read',
};
