// The callers of the access walk: each role's person once, and the credentials of every kind.
import { newId, randomText } from '@rowhouse/contract/id.ts';
import { oauthScopes } from '@rowhouse/contract/oauth.ts';
import { actions, type Role, roles } from '@rowhouse/contract/permission.ts';
import { type PrincipalName, principals, type Row } from './access-table.ts';
import type { Tenant } from './access-tenant.ts';
import { application, tokensFor } from './oauth.ts';
import { type Person, person } from './people.ts';
import { give } from './workspace.ts';
import type { World } from './world.ts';

export interface Principal {
  name: PrincipalName;
  /** For messages: the name, and which scope is lacking. */
  label: string;
  headers(): Promise<Record<string, string>>;
  /** Gives the caller on a new space or base the role it has on those of the tenant. */
  admit(placeId: string): Promise<void>;
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Answers the callers for a row; `lacks a scope` is one for each scope. */
export const openPrincipals = async (world: World, { owner, things }: Tenant): Promise<(row: Row) => Principal[]> => {
  const people = new Map<string, Person>([['owner', owner]]);
  for (const role of roles.slice(1)) {
    for (const [name, placeId] of [
      [role, things.spaceId],
      [`base ${role}`, things.baseId],
    ] as const) {
      const someone = await person(world);
      await give(owner, placeId, someone, role);
      people.set(name, someone);
    }
  }
  people.set('stranger', await person(world));
  const administrator = await person(world, { admin: true });
  people.set('administrator', administrator);
  const limited = await administrator.withToken({ hasFullAccess: true, scopes: ['space|read', 'space|update'] });

  const expired = await owner.withToken({ hasFullAccess: true, expiredTime: new Date(Date.now() - 1_000) });
  const elsewhere = await owner.withToken({ spaceIds: [things.otherSpaceId] });
  const app = await application(owner, { scopes: [...oauthScopes] });
  const issued = (await tokensFor(world, owner, app)) as { access_token: string };
  const fixed: Partial<Record<PrincipalName, Record<string, string>>> = {
    nobody: {},
    malformed: bearer('nonsense'),
    'unknown token': bearer(`teable_${newId('acc')}_${randomText(43)}`),
    'expired token': bearer(expired.token),
    'limited administrator': bearer(limited.token),
    elsewhere: bearer(elsewhere.token),
    application: bearer(issued.access_token),
  };

  const tokens = new Map<string, Promise<{ token: string }>>();
  const withScopes = async (scopes: string[]): Promise<Record<string, string>> => {
    const key = scopes.join();
    const made = tokens.get(key) ?? owner.withToken({ hasFullAccess: true, scopes });
    tokens.set(key, made);
    return bearer((await made).token);
  };

  const admit =
    (name: PrincipalName) =>
    async (placeId: string): Promise<void> => {
      const role = name.replace('base ', '') as Role;
      const someone = people.get(name);
      if (someone === undefined || someone === owner || !roles.includes(role)) return;
      if (placeId.startsWith('bse') === name.startsWith('base ')) await give(owner, placeId, someone, role);
    };

  const headersOf = async (name: PrincipalName, scopes: string[]): Promise<Record<string, string>> => {
    // A new session each time: signing out ends it.
    if (name === 'session') return { cookie: await owner.cookie() };
    // Some operations on tokens want one scope that can be passed on.
    if (name === 'fewest scopes') return withScopes(['user|email_read', ...scopes]);
    return fixed[name] ?? bearer((people.get(name) as Person).token);
  };

  return ([where, , scopes]) =>
    principals.flatMap((name): Principal[] => {
      if (name === 'limited administrator' && where !== 'admin') return [];
      // Where nobody is asked who they are, a few with and without a good credential say it for all.
      if (where === 'anyone' && !['nobody', 'malformed', 'expired token', 'stranger', 'application'].includes(name))
        return [];
      if (name !== 'lacks a scope')
        return [{ name, label: name, headers: () => headersOf(name, scopes), admit: admit(name) }];
      return scopes.map((lacking) => ({
        name,
        label: `${name} (${lacking})`,
        headers: () => withScopes(actions.filter((action) => action !== lacking)),
        admit: admit(name),
      }));
    });
};
