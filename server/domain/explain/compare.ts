// What changes in a table from one sight to another: fields, actions, records. Counting has a limit of time for all tables together.
import { type GrantAction, grantActions } from '@rowhouse/contract/authority-matrix.ts';
import type { Extent, TableChange } from '@rowhouse/contract/rights-explained.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import type { RecordCondition } from '../../catalog/condition.ts';
import type { Rights, TableRights } from '../../catalog/rights.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { OutOfTime } from '../../db/error.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { countRecords, selectExamples } from './explain.sql.ts';
import { rightsOn } from './state.ts';

/** Of all counting for one preview. */
const longest = 5_000;
const mostExamples = 3;

export interface Limits {
  now: Date;
  /** When counting ends. */
  until: number;
}

export const limitsFrom = (now: Date): Limits => ({ now, until: Date.now() + longest });

const extentIn = (rights: TableRights | null, { id }: FieldSchema): Extent => {
  if (rights === null || rights.rows === false || (rights.fieldIds !== null && !rights.fieldIds.has(id))) return 'none';
  return rights.rows === true && rights.cells?.has(id) !== true && rights.items?.has(id) !== true ? 'all' : 'some';
};

/** What decides about a field, as text: the same where nothing changes about it. */
const decisionOn = (rights: TableRights | null, field: FieldSchema): string =>
  JSON.stringify([extentIn(rights, field), rights?.cells?.get(field.id) ?? true, rights?.items?.get(field.id) ?? null]);

const fieldChanges = (
  table: TableSchema,
  before: TableRights | null,
  after: TableRights | null,
): TableChange['fields'] =>
  table.fields.flatMap((field) => {
    const [was, is] = [extentIn(before, field), extentIn(after, field)];
    // Of all fields that change together with the records, the records say it.
    if (was === is && (was === 'none' || decisionOn(before, field) === decisionOn(after, field))) return [];
    const isComputed = fieldTypeOf(field).isComputed || field.isLookup === true;
    return [{ id: field.id, name: field.name, isComputed, before: was, after: is }];
  });

export interface Side {
  rights: Rights;
  /** What somebody may whom no rules bind. */
  mayUnbound: (action: Action) => boolean;
}

const asked: Partial<Record<GrantAction, Action>> = { 'record|copy': 'record|create' };

const mayDo = (
  { rights, mayUnbound }: Side,
  rule: TableRights | null,
  action: GrantAction,
  tableId: string,
): boolean => {
  if (rule === null) return false;
  if (action === 'record|copy' && rule.may !== undefined) return rule.may.copy.length > 0;
  if (action === 'record|read') return rule.rows !== false;
  const permission = (asked[action] ?? action) as Action;
  return rights.bound?.allows(permission, tableId) ?? mayUnbound(permission);
};

const actionChanges = (
  tableId: string,
  [before, was]: [Side, TableRights | null],
  [after, is]: [Side, TableRights | null],
) => {
  const changed = (had: boolean): GrantAction[] =>
    grantActions.filter(
      (action) => mayDo(before, was, action, tableId) === had && mayDo(after, is, action, tableId) === !had,
    );
  return { gained: changed(false), lost: changed(true) };
};

const shown = (rows: readonly { id: string; title: string | null }[]) =>
  rows.map(({ id, title }) => (title === null ? { id } : { id, title }));

type Counted = Pick<TableChange, 'records' | 'tookTooLong' | 'gained' | 'lost'>;

const countIn = async (
  db: Queryable,
  table: TableSchema,
  [before, after]: readonly [RecordCondition, RecordCondition],
  userId: string,
  { now, until }: Limits,
): Promise<Counted> => {
  const left = (): number => {
    const time = until - Date.now();
    if (time <= 0) throw new OutOfTime();
    return time;
  };
  const [was, is] = [
    { condition: before, userId },
    { condition: after, userId },
  ];
  try {
    const records = await countRecords(db, { table, before: was, after: is, now, within: left() });
    const examples = async (from: typeof was, to: typeof was, count: number) =>
      count === 0
        ? []
        : shown(await selectExamples(db, { table, before: from, after: to, now, within: left() }, mostExamples));
    return { records, gained: await examples(was, is, records.gained), lost: await examples(is, was, records.lost) };
  } catch (error) {
    if (error instanceof OutOfTime) return { tookTooLong: true, gained: [], lost: [] };
    throw error;
  }
};

/** Undefined where nothing changes. `userId`: who `me` is. */
export const compareTable = async (
  db: Queryable,
  table: TableSchema,
  [before, after]: readonly [Side, Side],
  userId: string,
  limits: Limits,
): Promise<TableChange | undefined> => {
  const [was, is] = [rightsOn(before.rights, table), rightsOn(after.rights, table)];
  const fields = fieldChanges(table, was, is);
  const actions = actionChanges(table.id, [before, was], [after, is]);
  const rows = [was?.rows ?? false, is?.rows ?? false] as const;
  const movesRecords = JSON.stringify(rows[0]) !== JSON.stringify(rows[1]);
  if (!movesRecords && fields.length === 0 && actions.gained.length + actions.lost.length === 0) return undefined;
  const counted = movesRecords ? await countIn(db, table, rows, userId, limits) : { gained: [], lost: [] };
  return { tableId: table.id, tableName: table.name, fields, actions, ...counted };
};
