import type { CollaboratorRole } from '../options.ts';

export interface Account {
  readonly login: string;
  readonly id: number;
  readonly type: 'User' | 'Bot' | 'Organization' | 'Mannequin';
}

/** GitHub's `author_association`, as far as it can be told here. */
export type Association = 'OWNER' | 'MEMBER' | 'COLLABORATOR' | 'MANNEQUIN' | 'NONE';

/** Everybody that GitHub knows. Logins are compared without case. */
export interface Accounts {
  readonly owner: Account;
  readonly bot: Account;
  find(login: string): Account | undefined;
  /** Signs a person up on first sight. A login that ends in `[bot]` is a bot's; one that is gone is the ghost's. */
  ensure(login: string): Account;
  /** Closes an account. What it wrote stays. */
  remove(login: string): void;
  isRemoved(login: string): boolean;
  isMember(login: string): boolean;
  roleOf(login: string): CollaboratorRole | undefined;
  /**
   * Private membership is only visible to who may read members. A webhook is computed for nobody, so a
   * private member appears there as NONE.
   */
  associationOf(login: string, seesMembers: boolean): Association;
}

/** Whom GitHub names in place of accounts that are gone, where it names anybody. */
const GHOST: Account = { login: 'ghost', id: 10_137, type: 'User' };

export interface AccountsSetup {
  readonly owner: string;
  readonly ownerType: 'Organization' | 'User';
  readonly members: readonly string[];
  readonly collaborators: Readonly<Record<string, CollaboratorRole>>;
  readonly mannequins: readonly string[];
  readonly appSlug: string;
  readonly nextId: () => number;
}

export function createAccounts(setup: AccountsSetup): Accounts {
  const byLogin = new Map<string, Account>();
  const add = (login: string, type: Account['type']): Account => {
    const account = { login, id: setup.nextId(), type };
    byLogin.set(login.toLowerCase(), account);
    return account;
  };
  const find = (login: string) => byLogin.get(login.toLowerCase());
  const removed = new Set<string>();
  const isRemoved = (login: string) => removed.has(login.toLowerCase());
  const ensure = (login: string) => {
    if (isRemoved(login)) return GHOST;
    return find(login) ?? add(login, login.endsWith('[bot]') ? 'Bot' : 'User');
  };

  const owner = add(setup.owner, setup.ownerType);
  const bot = add(`${setup.appSlug}[bot]`, 'Bot');
  const members = new Set(setup.members.map((login) => ensure(login).id));
  const roles = new Map(
    Object.entries(setup.collaborators).map(([login, role]) => [ensure(login).id, role] as const),
  );
  for (const login of setup.mannequins) add(login, 'Mannequin');
  const isMember = (login: string) => members.has(find(login)?.id ?? -1);
  const roleOf = (login: string) => {
    const account = find(login);
    if (account === undefined) return undefined;
    return account.id === owner.id ? 'admin' : roles.get(account.id);
  };

  return {
    owner,
    bot,
    find,
    ensure,
    remove: (login) => {
      byLogin.delete(login.toLowerCase());
      removed.add(login.toLowerCase());
    },
    isRemoved,
    isMember,
    roleOf,
    associationOf: (login, seesMembers) => {
      if (find(login)?.id === owner.id) return 'OWNER';
      if (find(login)?.type === 'Mannequin') return 'MANNEQUIN';
      if (seesMembers && isMember(login)) return 'MEMBER';
      return roleOf(login) === undefined ? 'NONE' : 'COLLABORATOR';
    },
  };
}
