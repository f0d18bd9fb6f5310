// The rights of somebody who is bound by the rules of a base: made of what their roles grant, remembered by the version of the matrix and the roles.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { type Action, allows, actions as allActions } from '@rowhouse/contract/permission.ts';
import type { Handle } from '../db/db.ts';
import type { RecordCondition } from './condition.ts';
import { type BoundRow, selectGrants, type StoredGrant, type TableGrants } from './matrix.sql.ts';
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

const conditionOf = (filter: unknown): RecordCondition =>
  filter === null || filter === undefined ? true : { filter: filter as FilterGroup };

const setOf = (ids: readonly string[] | null): GrantedFields => (ids === null ? null : new Set(ids));

const grantOf = ({ actions, fields, create, update, when, after, memo, reveals = [] }: StoredGrant): Grant => ({
  actions: new Set(actions),
  fields: setOf(fields),
  create: setOf(create),
  update: setOf(update),
  when: conditionOf(when),
  ...(after === undefined ? {} : { after: conditionOf(after) }),
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

export const rightsOf = (tables: readonly TableGrants[], key: string): Rights => {
  const byTable = new Map<
    string,
    { grants: Grant[]; actions: Set<string>; views: Set<string> | null; facts: boolean }
  >();
  for (const { tableId, viewIds, showsFacts, grants } of tables) {
    const known = byTable.get(tableId) ?? { grants: [], actions: new Set(), views: new Set(), facts: false };
    byTable.set(tableId, known);
    known.grants.push(...grants.map(grantOf));
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

/** Equal for those whom the same rules bind. */
export const rulesKey = (baseId: string, { version, roleIds }: BoundRow): string =>
  `${baseId} ${version} ${roleIds.join()}`;

export const boundRightsOf = async (db: Handle, baseId: string, bound: BoundRow): Promise<Rights> => {
  const { roleIds } = bound;
  const key = rulesKey(baseId, bound);
  const found = known.get(key);
  if (found !== undefined) return found;
  // Read after the version: what has changed since belongs to another epoch, and the decision is made again.
  const made = rightsOf(roleIds.length === 0 ? [] : await selectGrants(db, roleIds), key);
  // What a transaction sees may never be committed.
  if (db.kind === 'transaction') return made;
  if (known.size >= capacity) known.clear();
  known.set(key, made);
  return made;
};
