// Puts somebody into the groups that a provider names, and takes them out of those that it no longer names. It changes nothing of
// what people, or other providers, have put into groups.
import { ApiError } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { type Doer, writeAudit } from '../../catalog/audit.sql.ts';
import type { GroupRule } from '../../catalog/claim-rules.ts';
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { insertCollaborators } from '../collaborator/collaborator.sql.ts';
import {
  deleteMembers,
  type Home,
  insertGroup,
  insertMembers,
  lockHomes,
  beginAttempt,
  selectGroupIdsBySource,
  selectGroups,
  selectHomes,
  selectLevels,
  undoAttempt,
  type UserGroup,
} from './group.sql.ts';
import { settleGroups } from './settle-groups.ts';

interface Providing {
  userId: string;
  /** As `oidc:https://id.example.com`. */
  source: string;
  /** Of the provider, for the audit log. */
  provider: string;
  doer: Doer;
  /** Those whose value the provider has named. */
  rules: readonly GroupRule[];
}

type Env = Pick<Environment, 'plans' | 'now'>;

/** Makes a group that a rule names and that is missing. */
const makeGroup = async (
  tx: Tx,
  { userId, doer, provider }: Providing,
  { spaceId, name, role }: Extract<GroupRule, { kind: 'name' }>,
): Promise<string> => {
  const id = newId('odp');
  const home: Home = { type: 'space', id: spaceId };
  await insertGroup(tx, { id, home, parentId: null, name, userId });
  await writeAudit(tx, doer, 'group.created', { spaceIds: [spaceId] }, { groupId: id, name, provider });
  if (role !== null) {
    await insertCollaborators(tx, home as { type: 'space'; id: string }, {
      userIds: [],
      groupIds: [id],
      role,
      createdBy: userId,
    });
    const given = { spaceId, groupIds: [id], role, provider };
    await writeAudit(tx, doer, 'collaborator.added', { spaceIds: [spaceId] }, given);
  }
  return id;
};

/** What the rules name at one home, by id. `makes`: also what is missing. */
const wantedAt = async (
  tx: Tx,
  providing: Providing,
  home: Home,
  groups: readonly UserGroup[],
  makes: boolean,
): Promise<Map<string, string>> => {
  const wanted = new Map<string, string>();
  const known = new Map(
    groups.filter(({ parentId }) => parentId === null).map(({ id, name }) => [name.toLowerCase(), id]),
  );
  for (const rule of providing.rules) {
    if (rule.kind === 'name') {
      const key = rule.name.toLowerCase();
      if (rule.spaceId !== home.id || (!makes && !known.has(key))) continue;
      const id = known.get(key) ?? (await makeGroup(tx, providing, rule));
      known.set(key, id);
      wanted.set(id, rule.name);
    } else {
      const found = groups.find(({ id }) => id === rule.groupId);
      if (found !== undefined) wanted.set(found.id, found.name);
    }
  }
  return wanted;
};

interface HomeState {
  home: Home;
  spaceIds: readonly string[];
  /** Groups of the person by this source. */
  held: ReadonlySet<string>;
}

/** Nothing has to be made, given or taken there. */
const isSettledAt = async (tx: Tx, providing: Providing, home: Home, held: ReadonlySet<string>): Promise<boolean> => {
  const groups = await selectGroups(tx, [home.id]);
  const present = await wantedAt(tx, providing, home, groups, false);
  const isMissing = (rule: GroupRule): boolean =>
    rule.kind === 'name' &&
    rule.spaceId === home.id &&
    ![...present.values()].some((name) => name.toLowerCase() === rule.name.toLowerCase());
  return (
    !providing.rules.some(isMissing) &&
    [...present.keys()].every((id) => held.has(id)) &&
    groups.every(({ id }) => !held.has(id) || present.has(id))
  );
};

const settleAt = async (
  tx: Tx,
  env: Env,
  providing: Providing,
  { home, spaceIds, held }: HomeState,
  adds: boolean,
): Promise<void> => {
  const { userId, source, doer, provider } = providing;
  const groups = await selectGroups(tx, [home.id]);
  await settleGroups(tx, env, { homeId: home.id, spaceIds }, async () => {
    const wanted = await wantedAt(tx, providing, home, groups, adds);
    const come = adds ? [...wanted].filter(([id]) => !held.has(id)) : [];
    const go = groups.filter(({ id }) => held.has(id) && !wanted.has(id)).map(({ id, name }) => [id, name] as const);
    const tell = (action: 'group.membersAdded' | 'group.membersRemoved', groupId: string, name: string) =>
      writeAudit(tx, doer, action, { spaceIds }, { groupId, name, userIds: [userId], provider });
    for (const [id, name] of come) {
      await insertMembers(tx, id, [userId], source);
      await tell('group.membersAdded', id, name);
    }
    for (const [id, name] of go) {
      await deleteMembers(tx, id, [userId], source);
      await tell('group.membersRemoved', id, name);
    }
    return [userId];
  });
};

/** Somebody who would take a seat that was not paid for stays outside; nobody is kept from signing in by it. */
const isFull = (error: unknown): boolean => error instanceof ApiError && error.code === 'user_limit_exceeded';

/** Answers ids of spaces and organisations where the plan has no groups, or no seat for the person: what the provider gives there is left out, what it takes away counts. */
export const provideGroups = async (tx: Tx, env: Env, providing: Providing): Promise<string[]> => {
  const held = new Set(await selectGroupIdsBySource(tx, providing.userId, providing.source));
  const named = providing.rules.flatMap((rule) => (rule.kind === 'id' ? [rule.groupId] : []));
  const homes = new Map<string, Home>();
  for (const { type, id } of await selectHomes(tx, [...held, ...named])) homes.set(id, { type, id });
  for (const rule of providing.rules)
    if (rule.kind === 'name') homes.set(rule.spaceId, { type: 'space', id: rule.spaceId });
  // Most sign-ins change nothing, and wait for nobody.
  for (const home of [...homes.values()]) if (await isSettledAt(tx, providing, home, held)) homes.delete(home.id);
  if (homes.size === 0) return [];
  const spacesOf = await lockHomes(tx, [...homes.values()]);
  const levels = await selectLevels(tx, [...spacesOf.values()].flat());
  const leftOut: string[] = [];
  for (const home of [...homes.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const spaceIds = spacesOf.get(home.id) ?? [];
    // A space in the trash: nobody gets in, and the next sign-in behind its return sets it right.
    if (home.type === 'space' && spaceIds.length === 0) continue;
    const place = { home, spaceIds, held };
    const hasGroups = spaceIds.every((id) => env.plans.limitOf(levels.get(id) ?? 'free').userGroupEnable);
    if (!hasGroups) leftOut.push(home.id);
    await beginAttempt(tx);
    try {
      await settleAt(tx, env, providing, place, hasGroups);
    } catch (error) {
      if (!isFull(error)) throw error;
      await undoAttempt(tx);
      leftOut.push(home.id);
      await settleAt(tx, env, providing, place, false);
    }
  }
  return leftOut;
};
