// The schema of a table, as a snapshot with a version. All requests of a process share snapshots. Code that relies on one goes
// through `pipeline/`, which compares `version` with `"<base>".__table`.
import { notFound } from '@rowhouse/contract/error.ts';
import type { CellValueType, LookupOptions } from '@rowhouse/contract/field.ts';
import type { ViewType } from '@rowhouse/contract/view.ts';
import { createByteCache } from '../db/byte-cache.ts';
import type { Db, Handle, Queryable } from '../db/db.ts';
import { relatedTo, withLinkStates } from './related.ts';
import { selectRelated, selectTable, selectVersion } from './table.sql.ts';
import { withUsableZone } from './usable-zone.ts';

export interface FieldSchema {
  id: string;
  name: string;
  description: string | null;
  type: string;
  options: Record<string, unknown>;
  dbFieldName: string;
  isPrimary: boolean;
  notNull: boolean;
  isUnique: boolean;
  position: number;
  /** Grows with every change of name, type or options. */
  version: number;
  /** Shows cells of linked records, of the same type. */
  isLookup?: boolean;
  /** Of lookups, rollups and counts. */
  lookupOptions?: LookupOptions | null;
  /** Identifies the content of its cells. A conversion that may lose cells changes it; undoing the conversion restores the old value. */
  lineage?: string | null;
  /** Set for formulas, lookups, rollups and counts, and for links that are broken. Null or absent for fields that people write. */
  computed?: ComputedState | null;
  /** Set in a sight that masks its cells: the column of `seenRows` that holds what is seen of them. Its own column is out of reach there. */
  seenAs?: string;
}

/** The result type of a formula, and where its cells are read from. See docs/adr/0036-formula-fields.md. */
export interface ComputedState {
  cellValueType: CellValueType;
  isMultiple: boolean;
  /**
   * `settled`: its column holds every cell. `settling`: a job fills the column; until then cells are read by its expression. `atRead`: always by
   * its expression, because it depends on more than the record's own cells. `broken`: a field that it needs is gone, every cell is empty.
   */
  state: 'settled' | 'settling' | 'atRead' | 'broken';
  /** Id of the job that fills the column. */
  run?: string;
}

/** A condition, and for each field that it names a fact about what determines its cells. */
export interface Basis {
  filter: unknown;
  fields: Record<string, unknown>;
  /** Of a link that offers the records of a view. */
  view?: { id: string; basis: Basis } | null;
}

/** What the person who shared a view agreed to: see `domain/field/decision.ts`. */
export type Decided = Readonly<Record<string, Basis>>;

export interface ViewSchema {
  id: string;
  name: string;
  description: string | null;
  type: ViewType;
  options: Record<string, unknown>;
  filter: unknown;
  sort: { sortObjs: { fieldId: string; order: 'asc' | 'desc' }[]; manualSort?: boolean } | null;
  group: { fieldId: string; order: 'asc' | 'desc' }[] | null;
  columnMeta: Record<string, Record<string, unknown>>;
  position: number;
  isLocked: boolean;
  /** Of a personal view: the one who may change it. */
  ownerId?: string | null;
  /** The table has the column `__order_<view id>`. */
  hasOrder: boolean;
  /** Absent or null: nobody has set the filter or shared the view since decisions are recorded. */
  decided?: Decided | null;
}

/** The part of a table that links and computed fields need. */
export interface RelatedTable {
  id: string;
  baseId: string;
  name: string;
  dbTableName: string;
  /** In their order; the primary field is among them. */
  fields: readonly FieldSchema[];
  byId: ReadonlyMap<string, FieldSchema>;
  primary: FieldSchema;
  /** All tables that links join to this one, directly or through others, and itself. */
  related: ReadonlyMap<string, RelatedTable>;
}

export interface TableSchema extends RelatedTable {
  version: number;
  views: readonly ViewSchema[];
  /** Fields in the trash, by the names that their columns have in the trash. */
  hidden: readonly FieldSchema[];
  byName: ReadonlyMap<string, FieldSchema>;
  byDbName: ReadonlyMap<string, FieldSchema>;
}

export interface TableCatalog {
  /**
   * Only for `pipeline/`. On the pool: a cached or fresh snapshot, for statements that check its version. In a transaction: the table as the transaction
   * sees it, including its own changes. Simultaneous calls share one query.
   */
  get(db: Handle, baseId: string, tableId: string): Promise<TableSchema>;
  forget(tableId: string): void;
}

const siblings = new WeakMap<FieldSchema, readonly FieldSchema[]>();

/** The fields of the snapshot that a computed field belongs to, which its expression refers to. Undefined for copies of a field. */
export const siblingsOf = (field: FieldSchema): readonly FieldSchema[] | undefined => siblings.get(field);

const homes = new WeakMap<FieldSchema, RelatedTable>();

/** The table of the snapshot that a field belongs to. Undefined for copies of a field. */
export const homeOf = (field: FieldSchema): RelatedTable | undefined => homes.get(field);

/** Makes these fields part of their table's snapshot, for `siblingsOf` and `homeOf`. Call it for copies that replace fields of a snapshot. */
export const joinSnapshot = (table: RelatedTable): void => {
  for (const field of table.fields) {
    homes.set(field, table);
    if (field.computed != null) siblings.set(field, table.fields);
  }
};

const originals = new WeakMap<FieldSchema, FieldSchema>();

/** A copy for a sight that masks its cells. */
export const maskedField = (field: FieldSchema): FieldSchema => {
  const copy = { ...field, seenAs: `__seen_${field.id}` };
  originals.set(copy, field);
  const [home, others] = [homes.get(field), siblings.get(field)];
  if (home !== undefined) homes.set(copy, home);
  if (others !== undefined) siblings.set(copy, others);
  return copy;
};

/** The field of the table that a masked one is a copy of, for writing its column; other fields as they are. */
export const storedField = (field: FieldSchema): FieldSchema => originals.get(field) ?? field;

const primaryOf = (fields: readonly FieldSchema[]): FieldSchema =>
  fields.find((field) => field.isPrimary) as FieldSchema;

/** Reads the schema from the database. Use it inside a transaction that changes the schema. */
export const loadTable = async (db: Queryable, baseId: string, tableId: string): Promise<TableSchema> => {
  // Read the version first: a change in between then only makes the snapshot look too old, which is harmless.
  const version = await selectVersion(db, baseId, tableId);
  const row = version === undefined ? undefined : await selectTable(db, baseId, tableId);
  if (version === undefined || row === undefined) throw notFound('Table', tableId);
  const { views } = row;
  const usable = (fields: readonly FieldSchema[]): Promise<FieldSchema[]> =>
    Promise.all(fields.map((field) => withUsableZone(db, field)));
  const [own, hidden] = [await usable(row.fields), await usable(row.hidden)];
  const ids = relatedTo(tableId, row.bridges);
  const others =
    ids.length === 0
      ? []
      : await selectRelated(
          db,
          ids.filter((id) => id !== tableId),
        );
  const found = new Map(others.map((other) => [other.id, other]));
  found.set(tableId, { id: tableId, name: row.name, dbTableName: row.dbTableName, fields: own });
  const related = new Map<string, RelatedTable>();
  for (const other of found.values()) {
    const fields = withLinkStates(baseId, other, other.id === tableId ? own : await usable(other.fields), found);
    related.set(other.id, {
      id: other.id,
      baseId,
      name: other.name,
      dbTableName: other.dbTableName,
      fields,
      byId: new Map(fields.map((field) => [field.id, field])),
      primary: primaryOf(fields),
      related,
    });
  }
  for (const other of related.values()) joinSnapshot(other);
  const { fields, byId, primary } = related.get(tableId) as RelatedTable;
  return {
    id: tableId,
    baseId,
    name: row.name,
    dbTableName: row.dbTableName,
    version,
    fields,
    views,
    hidden,
    primary,
    related,
    byId,
    byName: new Map(fields.map((field) => [field.name, field])),
    byDbName: new Map(fields.map((field) => [field.dbFieldName, field])),
  };
};

/** Limit of the cache in bytes, not in snapshots: sizes of tables differ by a factor of a thousand. */
const capacity = 64 * 1_048_576;

/** Estimated size of a snapshot: mostly names, options and filters. */
const sizeOf = ({ fields, views, hidden, related }: TableSchema): number =>
  2_000 +
  3 *
    JSON.stringify([fields, views, hidden, related.size > 1 ? [...related.values()].map((other) => other.fields) : []])
      .length;

export const createTableCatalog = (): TableCatalog => {
  const snapshots = createByteCache<TableSchema>(capacity, sizeOf);
  const loading = new Map<string, Promise<TableSchema>>();

  /** Shared by all callers that wait: it goes on when the first one disconnects. */
  const load = (db: Db, baseId: string, tableId: string): Promise<TableSchema> => {
    const mine = loadTable(db.shared, baseId, tableId).then(
      (table) => {
        // It was invalidated while it was being read. The waiting callers will notice by its version; do not cache it for others.
        if (loading.get(tableId) === mine) {
          loading.delete(tableId);
          snapshots.set(tableId, table);
        }
        return table;
      },
      (error: unknown) => {
        if (loading.get(tableId) === mine) loading.delete(tableId);
        throw error;
      },
    );
    loading.set(tableId, mine);
    return mine;
  };

  return {
    async get(db, baseId, tableId) {
      const known = snapshots.get(tableId);
      if (db.kind === 'transaction') {
        if (known !== undefined && (await selectVersion(db, baseId, tableId)) === known.version) return known;
        // Not cached: the transaction may roll back.
        return loadTable(db, baseId, tableId);
      }
      if (known !== undefined) return known;
      return loading.get(tableId) ?? load(db, baseId, tableId);
    },
    forget(tableId) {
      snapshots.delete(tableId);
      loading.delete(tableId);
    },
  };
};
