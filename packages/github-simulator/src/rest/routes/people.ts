import { Hono } from 'hono';
import type { CollaboratorRole } from '../../options.ts';
import { publicUser, simpleUser } from '../../shapes/accounts.ts';
import type { World } from '../../world/world.ts';
import { type Env, seesMembers } from '../env.ts';
import { needs } from '../permissions.ts';
import { notFound } from '../responses.ts';

/** `permission` knows fewer words than `role_name`. */
const PERMISSION_OF_ROLE: Readonly<Record<CollaboratorRole, string>> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
};

/** Users, members of the organisation, and what a person may do on the repository. */
export function peopleRoutes(world: World): Hono<Env> {
  const routes = new Hono<Env>();
  const isOurOrganization = (org: string) =>
    world.ownerType === 'Organization' && org.toLowerCase() === world.owner.toLowerCase();

  routes.get('/users/:login', (c) => {
    const account = world.accounts.find(c.req.param('login'));
    return account === undefined ? notFound(c) : c.json(publicUser(world, account));
  });
  routes.get('/orgs/:org/members/:login', (c) => {
    const { org, login } = c.req.param();
    if (!isOurOrganization(org)) return notFound(c);
    // Who may not see private membership is led to the public one, as GitHub does.
    if (!seesMembers(c)) return c.redirect(`${world.url}/orgs/${org}/public_members/${login}`, 302);
    return world.accounts.isMember(login) ? c.body(null, 204) : notFound(c);
  });
  // Every membership here is private.
  routes.get('/orgs/:org/public_members/:login', (c) => notFound(c));
  routes.get('/repos/:owner/:repo/collaborators/:login/permission', needs('metadata=read'), (c) => {
    const account = world.accounts.find(c.req.param('login'));
    if (account === undefined) return notFound(c);
    // The repository is public, so that everybody may read it.
    const role = world.accounts.roleOf(account.login) ?? 'read';
    const user = { ...simpleUser(world, account), permissions: permissionFlags(role), role_name: role };
    return c.json({ permission: PERMISSION_OF_ROLE[role], role_name: role, user });
  });
  return routes;
}

const ROLES_BY_POWER: readonly CollaboratorRole[] = ['read', 'triage', 'write', 'maintain', 'admin'];

function permissionFlags(role: CollaboratorRole) {
  const power = ROLES_BY_POWER.indexOf(role);
  const reaches = (needed: CollaboratorRole) => power >= ROLES_BY_POWER.indexOf(needed);
  return {
    pull: true,
    triage: reaches('triage'),
    push: reaches('write'),
    maintain: reaches('maintain'),
    admin: reaches('admin'),
  };
}
