// POST …/authority-matrix/preview: nothing is saved.
import type { previewRights as endpoint, RightsDraft, TableChange } from '@rowhouse/contract/rights-explained.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { readerValuesIn } from '@rowhouse/contract/reader-value.ts';
import { type Action, allows, type Role } from '@rowhouse/contract/permission.ts';
import { eyesOf } from '../../catalog/principal.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { selectParts } from '../rights/matrix.sql.ts';
import { selectStandings } from '../rights/members.sql.ts';
import { personVo } from '../rights/role-vo.ts';
import { compareTable, type Limits, limitsFrom, type Side } from './compare.ts';
import { type Member, selectMembers } from './explain.sql.ts';
import { hiddenFields } from './hidden-fields.ts';
import { readDraftState } from './read-draft-state.ts';
import {
  createSights,
  type ExplainedRole,
  isUnbound,
  loadReaderCells,
  loadState,
  type Position,
  positionOf,
  type RightsState,
  type Sights,
} from './state.ts';

type Answer = ResponseOf<typeof endpoint>;

/** Those for whom conditions about the caller are counted, one by one. */
const mostPeople = 200;

const namesCaller = (roles: readonly ExplainedRole[]): boolean =>
  roles.some(({ tables }) =>
    tables.some(({ grants }) =>
      grants.some(({ when }) => /"me"/i.test(JSON.stringify(when ?? null)) || readerValuesIn(when).length > 0),
    ),
  );

interface Audience {
  people: Member[];
  before: Position;
  after: Position;
  role: Role;
}

const namesOf = ({ standing, roles }: Position): string =>
  `${isUnbound({ standing }) ? '' : standing} ${roles.map(({ id }) => id).join()}`;

/** People with the same rights before and afterwards; each alone where conditions name the caller. */
const audiencesOf = (
  members: readonly Member[],
  positionsOf: (member: Member) => readonly [Position, Position],
  roleOf: (member: Member) => Role,
): Audience[] => {
  const found = new Map<string, Audience>();
  for (const member of members) {
    const [before, after] = positionsOf(member);
    const role = roleOf(member);
    const isAlone = namesCaller([...before.roles, ...after.roles]);
    const key = [namesOf(before), namesOf(after), before.standing, after.standing, role, isAlone ? member.id : ''].join(
      ' | ',
    );
    const audience = found.get(key) ?? { people: [], before, after, role };
    audience.people.push(member);
    found.set(key, audience);
  }
  return [...found.values()];
};

/** What somebody would have who has this role and no other. */
const alone = (role: ExplainedRole | undefined): Position => ({
  standing: 'roles',
  roles: role === undefined ? [] : [role],
});

interface Comparing {
  context: Context;
  tables: readonly TableSchema[];
  sights: readonly [Sights, Sights];
  limits: Limits;
}

const compareAll = async (
  { context, tables, sights, limits }: Comparing,
  [before, after]: readonly [Position, Position],
  userId: string,
  mayUnbound: (action: Action) => boolean,
): Promise<TableChange[]> => {
  const sides: [Side, Side] = [
    { rights: sights[0].rights(before, userId), mayUnbound },
    { rights: sights[1].rights(after, userId), mayUnbound },
  ];
  const changes: TableChange[] = [];
  for (const table of tables) {
    const change = await compareTable(context.db, table, sides, userId, limits);
    if (change !== undefined) changes.push(change);
  }
  if (eyesOf(context.principal).seesCells) return changes;
  const untitled = (list: TableChange['gained']) => list.map(({ id }) => ({ id }));
  return changes.map((change) => ({ ...change, gained: untitled(change.gained), lost: untitled(change.lost) }));
};

export const previewRights = async (context: Context, baseId: string, draft: RightsDraft): Promise<Answer> => {
  const present = await loadState(context, baseId);
  const { state, role } = await readDraftState(context, baseId, present, draft);
  const { db, principal } = context;
  const tables = await Promise.all((await selectParts(db, baseId)).map(({ id }) => presentTable(context, baseId, id)));
  const members = await selectMembers(db, baseId, mostPeople);
  const readers = [principal.userId, ...members.map(({ id }) => id)];
  const sightsOf = async (name: string, { roles }: RightsState) =>
    createSights(name, await loadReaderCells(db, baseId, roles, readers));
  const comparing: Comparing = {
    context,
    tables,
    sights: [await sightsOf('before', present), await sightsOf('after', state)],
    limits: limitsFrom(context.now()),
  };
  const standings = await selectStandings(
    db,
    baseId,
    members.map(({ id }) => id),
  );
  const audiences = audiencesOf(
    members,
    (member) => [positionOf(present, member), positionOf(state, member)],
    ({ id }) => standings.get(id) ?? 'viewer',
  );
  const own =
    role === undefined
      ? null
      : {
          id: draft.role?.id ?? null,
          name: role.name,
          tables: await compareAll(comparing, [alone(role.before), alone(role.after)], principal.userId, () => false),
          hidden: hiddenFields(comparing.sights[1].rights(alone(role.after), principal.userId), tables),
        };
  const people: Answer['people'] = [];
  let unchanged = 0;
  for (const { people: who, before, after, role: held } of audiences) {
    const userId = (who[0] as Member).id;
    const changes =
      isUnbound(before) && isUnbound(after)
        ? []
        : await compareAll(comparing, [before, after], userId, (action) => allows(held, action));
    if (changes.length === 0) unchanged += who.length;
    else
      people.push({
        people: who.map((one) => personVo(principal, one)),
        before: before.standing,
        after: after.standing,
        tables: changes,
      });
  }
  const total = members[0]?.total ?? 0;
  return { role: own, people, peopleOmitted: Math.max(0, total - members.length), unchanged };
};
