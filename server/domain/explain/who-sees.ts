// GET …/authority-matrix/who
import type { Extent, Obstacle, whoSees as endpoint } from '@rowhouse/contract/rights-explained.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { allOf, type RecordCondition } from '../../catalog/condition.ts';
import type { StoredGrant, TableGrants } from '../../catalog/matrix.sql.ts';
import { conditionOf, type ReaderCells } from '../../catalog/reader-values.ts';
import type { TableRights } from '../../catalog/rights.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { selectParts } from '../rights/matrix.sql.ts';
import { personVo } from '../rights/role-vo.ts';
import { shareSight } from '../share/share-sight.ts';
import { selectReader } from '../sql-access/reader.sql.ts';
import {
  type Asked,
  type Member,
  selectCredentials,
  selectHolds,
  selectMembers,
  selectSharesOf,
} from './explain.sql.ts';
import { hiddenSources } from './sources.ts';
import {
  createSights,
  type ExplainedRole,
  isUnbound,
  loadReaderCells,
  loadState,
  type Position,
  positionOf,
  rightsOn,
} from './state.ts';

type Answer = ResponseOf<typeof endpoint>;
type Person = Answer['people'][number];
type Considered = Person['considered'][number];

const mostPeople = 1_000;

/** A question about a record, answered together with all others. */
type Ask = (condition: RecordCondition, userId: string) => () => boolean;

/** Who is nobody has no `me`: conditions that name the caller hold for nobody. */
const visitor = '';

const createAsking = () => {
  const asked: Asked[] = [];
  const places = new Map<string, number>();
  let holds: readonly boolean[] = [];
  const ask: Ask = (condition, userId) => {
    if (typeof condition === 'boolean') return () => condition;
    const key = JSON.stringify([condition, userId]);
    const at = places.get(key) ?? asked.push({ condition, userId }) - 1;
    places.set(key, at);
    return () => holds[at] === true;
  };
  return { ask, asked, answer: (given: readonly boolean[]) => void (holds = given) };
};

/** Where the cell is seen, or the record. */
const sightOf = (rights: TableRights | null, field: FieldSchema | undefined): RecordCondition => {
  if (rights === null) return false;
  if (field === undefined) return rights.rows;
  if (rights.fieldIds !== null && !rights.fieldIds.has(field.id)) return false;
  return allOf([rights.rows, rights.cells?.get(field.id) ?? true]);
};

const whole = (condition: RecordCondition): Extent =>
  typeof condition !== 'boolean' ? 'some' : condition ? 'all' : 'none';

interface Asking {
  table: TableSchema;
  field: FieldSchema | undefined;
  isAboutRecord: boolean;
  ask: Ask;
  cellsOf: (userId: string) => ReaderCells;
}

const considerGrant = (
  { field, isAboutRecord, ask, cellsOf }: Asking,
  grant: StoredGrant,
  userId: string,
): (() => Obstacle | undefined) => {
  if (!grant.actions.includes('record|read')) return () => 'noRead';
  if (field !== undefined && grant.fields !== null && !grant.fields.includes(field.id)) return () => 'noField';
  if (!isAboutRecord) return () => undefined;
  const holds = ask(conditionOf(grant.when, cellsOf(userId)), userId);
  return () => (holds() ? undefined : 'condition');
};

const considerRole = (
  asking: Asking,
  role: ExplainedRole,
  { id, groupIds }: Member,
  groupNames: ReadonlyMap<string, string>,
): (() => Considered)[] => {
  const groups = role.memberIds.has(id)
    ? []
    : groupIds.filter((groupId) => role.memberIds.has(groupId)).flatMap((groupId) => groupNames.get(groupId) ?? []);
  const head = { roleId: role.id, roleName: role.name, groups };
  const granted: TableGrants | undefined = role.tables.find(({ tableId }) => tableId === asking.table.id);
  if (granted === undefined || granted.grants.length === 0)
    return [() => ({ ...head, grant: null, obstacle: 'noTable' as const })];
  return granted.grants.map((grant, at) => {
    const obstacle = considerGrant(asking, grant, id);
    const when = grant.when == null ? {} : { when: grant.when as never };
    return () => {
      const found = obstacle();
      return { ...head, grant: at, ...(found === undefined ? {} : { obstacle: found }), ...when };
    };
  });
};

const fieldOf = ({ byId }: TableSchema, fieldId: string | undefined): FieldSchema | undefined => {
  const field = fieldId === undefined ? undefined : byId.get(fieldId);
  if (fieldId !== undefined && field === undefined) throw notFound('Field', fieldId);
  return field;
};

export const whoSees = async (
  context: Context,
  baseId: string,
  { tableId, fieldId, recordId }: QueryOf<typeof endpoint>,
): Promise<Answer> => {
  if (fieldId === undefined && recordId === undefined)
    throw invalid({ path: 'query', message: 'Who sees what?', expected: 'a fieldId, a recordId, or both' });
  const state = await loadState(context, baseId);
  const { db, principal } = context;
  if (!(await selectParts(db, baseId)).some(({ id }) => id === tableId)) throw notFound('Table', tableId);
  const table = await presentTable(context, baseId, tableId);
  const field = fieldOf(table, fieldId);
  const { ask, asked, answer } = createAsking();
  const extentOf = (condition: RecordCondition, userId: string): (() => Extent) => {
    if (recordId === undefined) return () => whole(condition);
    const holds = ask(condition, userId);
    return () => (holds() ? 'all' : 'none');
  };

  const members = await selectMembers(db, baseId, mostPeople);
  const credentials = await selectCredentials(
    db,
    baseId,
    members.map(({ id }) => id),
  );
  const cellsOf = await loadReaderCells(
    db,
    baseId,
    state.roles,
    members.map(({ id }) => id),
  );
  const asking: Asking = { table, field, isAboutRecord: recordId !== undefined, ask, cellsOf };
  const sights = createSights(`who ${baseId}`, cellsOf);
  const groupNames = new Map(state.roles.flatMap(({ groups }) => groups));
  const person = (member: Member): (() => Person) => {
    const position: Position = positionOf(state, member);
    const rights = sights.rights(position, member.id);
    const sees = extentOf(sightOf(rightsOn(rights, table), field), member.id);
    const considered = position.roles.flatMap((role) => considerRole(asking, role, member, groupNames));
    const isGranted = rights.cell === undefined || field === undefined || rights.cell(tableId, field.id) !== false;
    const home = table.related.get(table.id) ?? table;
    const hiddenBy = field === undefined || !isGranted || isUnbound(position) ? [] : hiddenSources(rights, home, field);
    return () => {
      const seen = sees();
      return {
        ...personVo(principal, member),
        sees: seen,
        standing: position.standing,
        considered: considered.map((one) => one()),
        hiddenBy: seen === 'all' ? [] : hiddenBy,
        credentials: credentials.get(member.id) ?? { tokens: 0, applications: [] },
      };
    };
  };
  const people = members.map(person);
  const shares = (await selectSharesOf(db, tableId)).flatMap(({ viewId, meta }) => {
    const view = table.views.find(({ id }) => id === viewId);
    if (view === undefined) return [];
    const sees = extentOf(sightOf(shareSight(view, { meta: meta as ShareMeta | null }, table), field), visitor);
    return [() => ({ viewId, viewName: view.name, sees: sees() })];
  });
  if (recordId !== undefined) {
    const held = await selectHolds(db, table, recordId, asked, context.now());
    if (held === undefined) throw notFound('Record', recordId);
    answer(held);
  }
  return {
    people: people.map((one) => one()),
    peopleOmitted: Math.max(0, (members[0]?.total ?? 0) - members.length),
    shares: shares.map((one) => one()),
    sqlReaders: (await selectReader(db, baseId)) !== undefined,
  };
};
