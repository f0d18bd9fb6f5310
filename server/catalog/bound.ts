// The rights of somebody who is bound by the rules of a base: made of what their roles grant, remembered by the version of the matrix and the roles.
import { createHash } from 'node:crypto';
import { type Action, allows, actions as allActions } from '@rowhouse/contract/permission.ts';
import type { ReaderValue } from '@rowhouse/contract/reader-value.ts';
import type { Handle } from '../db/db.ts';
import type { RecordCondition } from './condition.ts';
import { type BoundRow, selectGrants, type StoredGrant, type TableGrants } from './matrix.sql.ts';
import { conditionOf, type ReaderCells, readerCells, readerValuesOf } from './reader-values.ts';
import { selectReaderValues } from './reader-values.sql.ts';
import type { Rights, TableRights } from './rights.ts';
import type { TableSchema } from './table.ts';

type GrantedFields = ReadonlySet<string> | null;

/** These fields, in records that meet the condition. Null: all fields, including future ones. */
export interface Grant {
  readonly fields: GrantedFields;
  readonly when: RecordCondition;
  /** Names of actions. Absent: reading, while writing is what the role allows. */
  readonly actions?: ReadonlySet<string>;
  /** Fields of records that are created or updated, where they are others than those that are read. */
  readonly create?: GrantedFields;
  readonly update?: GrantedFields;
  /** Of the record after a write. Absent: nothing for updates, `when` for records that are created. */
  readonly after?: RecordCondition;
  readonly memo?: string | undefined;
  /** Ids of fields and tables that computed fields of this grant show although they are hidden. */
  readonly reveals?: ReadonlySet<string>;
}

/** Makes rights of grants. What follows from them for computed fields is worked out in `domain/computed`, which this folder does not know: `app.ts` brings it along. */
type Derive = (grantsOn: (tableId: string) => readonly Grant[], key: string) => Rights;

let derive: Derive = () => {
  throw new Error('nobody has said how rights are derived');
};

export const deriveRightsBy = (by: Derive): void => {
  derive = by;
};

const setOf = (ids: readonly string[] | null): GrantedFields => (ids === null ? null : new Set(ids));

const grantOf = (
  { actions, fields, create, update, when, after, memo, reveals = [] }: StoredGrant,
  cells: ReaderCells | undefined,
): Grant => ({
  actions: new Set(actions),
  fields: setOf(fields),
  create: setOf(create),
  update: setOf(update),
  when: conditionOf(when, cells),
  ...(after === undefined ? {} : { after: conditionOf(after, cells) }),
  memo,
  ...(reveals.length === 0 ? {} : { reveals: new Set(reveals) }),
});

/** Actions that somebody who is bound has where a grant on the table names them. */
const granted: readonly Action[] = [
  'record|create',
  'record|update',
  'record|delete',
  'record|comment',
  'table|import',
  'table|export',
  'view|create',
  'view|update',
  'view|delete',
  'table_record_history|read',
];

/** Of an editor, but not of somebody who is bound: what shows or copies whole tables. */
const never: ReadonlySet<Action> = new Set<Action>(['view|share', 'base|table_import', 'base|table_export']);

/** Without a grant they have these of an editor. */
const always: ReadonlySet<Action> = new Set(
  allActions.filter((action) => allows('editor', action) && !granted.includes(action) && !never.has(action)),
);

/** `cells`: of the values of the reader that conditions compare with; without them these conditions hold for nothing. */
export const rightsOf = (
  tables: readonly TableGrants[],
  key: string,
  { rules = key, cells, asks = [] }: { rules?: string; cells?: ReaderCells; asks?: readonly ReaderValue[] } = {},
): Rights => {
  const byTable = new Map<
    string,
    { grants: Grant[]; actions: Set<string>; views: Set<string> | null; facts: boolean }
  >();
  for (const { tableId, viewIds, showsFacts, grants } of tables) {
    const known = byTable.get(tableId) ?? { grants: [], actions: new Set(), views: new Set(), facts: false };
    byTable.set(tableId, known);
    known.grants.push(...grants.map((grant) => grantOf(grant, cells)));
    for (const { actions } of grants) for (const action of actions) known.actions.add(action);
    known.views = known.views === null || viewIds === null ? null : new Set([...known.views, ...viewIds]);
    known.facts ||= showsFacts;
  }
  const derived = derive((tableId) => byTable.get(tableId)?.grants ?? [], key);
  // The history tells when records were changed, and by whom.
  const tells = (action: Action, tableId: string): boolean =>
    action !== 'table_record_history|read' || byTable.get(tableId)?.facts === true;
  const may = (action: Action, tableId: string): boolean =>
    byTable.get(tableId)?.actions.has(action) === true && tells(action, tableId);
  const own = new Map(
    [...byTable].map(([id, { views, facts }]) => [
      id,
      { viewIds: views, ...(facts ? {} : { hidesFacts: true as const }) },
    ]),
  );
  const withOwn = (tableId: string, rights: TableRights | null): TableRights | null =>
    rights === null ? null : { ...rights, ...own.get(tableId) };
  const made = new WeakMap<TableRights, TableRights | null>();
  return {
    ...derived,
    of: (tableId) => withOwn(tableId, derived.of(tableId)),
    on(table: TableSchema) {
      const rights = derived.on?.(table) ?? null;
      if (rights === null) return null;
      // The same for the same snapshot: what is remembered by it stays.
      const found = made.get(rights) ?? withOwn(table.id, rights);
      made.set(rights, found);
      return found;
    },
    bound: {
      key,
      rules,
      ...(asks.length === 0
        ? {}
        : { asks: new Set(asks.flatMap((value) => (value.type === 'mine' ? [value.tableId] : []))) }),
      allows: (action, tableId) =>
        granted.includes(action)
          ? tableId === null
            ? [...byTable.keys()].some((id) => may(action, id))
            : may(action, tableId)
          : always.has(action),
      views: (tableId) => byTable.get(tableId)?.views ?? null,
    },
  };
};

const capacity = 2_000;
const known = new Map<string, Rights>();
const knownGrants = new Map<string, readonly TableGrants[]>();

const keep = <T>(db: Handle, within: Map<string, T>, key: string, value: T): T => {
  // What a transaction sees may never be committed.
  if (db.kind === 'transaction') return value;
  if (within.size >= capacity) within.clear();
  within.set(key, value);
  return value;
};

/** Equal for those whom the same rules bind. */
export const rulesKey = (baseId: string, { version, roleIds }: BoundRow): string =>
  `${baseId} ${version} ${roleIds.join()}`;

/** Values of the reader are looked up each time: cells decide, and these change without the rules. */
export const boundRightsOf = async (db: Handle, baseId: string, bound: BoundRow, userId: string): Promise<Rights> => {
  const { roleIds } = bound;
  const rules = rulesKey(baseId, bound);
  const plain = known.get(rules);
  if (plain !== undefined) return plain;
  // Read after the version: what has changed since belongs to another epoch, and the decision is made again.
  const grants =
    knownGrants.get(rules) ?? keep(db, knownGrants, rules, roleIds.length === 0 ? [] : await selectGrants(db, roleIds));
  const asks = readerValuesOf(grants);
  if (asks.length === 0) return keep(db, known, rules, rightsOf(grants, rules));
  const cells = (await selectReaderValues(db, baseId, asks, [userId])).get(userId) ?? [];
  const key = `${rules} ${createHash('sha256').update(JSON.stringify(cells)).digest('base64url')}`;
  return (
    known.get(key) ?? keep(db, known, key, rightsOf(grants, key, { rules, cells: readerCells(asks, cells), asks }))
  );
};
