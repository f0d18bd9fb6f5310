// The schema of a table as a snapshot with a version. Snapshots are shared by all requests of a process; anyone who relies on
// one goes through `pipeline/`, which checks `version` against `"<base>".__table`.
import { notFound } from '@rowhouse/contract/error.ts';
import type { CellValueType, LookupOptions } from '@rowhouse/contract/field.ts';
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
  /** Counts the changes of what a cell means: name, type, options. */
  version: number;
  /** Shows cells of linked records, of the same type. */
  isLookup?: boolean;
  /** Of lookups, rollups and counts. */
  lookupOptions?: LookupOptions | null;
  /** Names its cells: another one after a conversion that may have lost some of them. Undoing that brings the former one back. */
  lineage?: string | null;
  /** Of formulas and of what is looked up; null or absent for fields whose cells are written. Of a link only when it is broken. */
  computed?: ComputedState | null;
}

/** What a formula gives, and where its cells are read. See docs/adr/0036-formula-fields.md. */
export interface ComputedState {
  cellValueType: CellValueType;
  isMultiple: boolean;
  /**
   * `settled`: its column holds every cell. `settling`: a job fills the column; until then cells are read by its expression. `atRead`: always by
   * its expression, because it depends on more than the record's own cells. `broken`: a field that it needs is gone, every cell is empty.
   */
  state: 'settled' | 'settling' | 'atRead' | 'broken';
  /** Names the job that fills the column. */
  run?: string;
}

/** What a condition rests on: itself, and what says which cells the fields have that it names, by field. */
export interface Basis {
  filter: unknown;
  fields: Record<string, unknown>;
  /** Of a link that offers the records of a view. */
  view?: { id: string; basis: Basis } | null;
}

/** What those who decide about a share have seen of it, see `domain/field/decision.ts`. */
export type Decided = Readonly<Record<string, Basis>>;

export interface ViewSchema {
  id: string;
  name: string;
  description: string | null;
  type: 'grid' | 'kanban' | 'gallery' | 'calendar' | 'form';
  options: Record<string, unknown>;
  filter: unknown;
  sort: { sortObjs: { fieldId: string; order: 'asc' | 'desc' }[]; manualSort?: boolean } | null;
  group: { fieldId: string; order: 'asc' | 'desc' }[] | null;
  columnMeta: Record<string, Record<string, unknown>>;
  position: number;
  isLocked: boolean;
  /** The table has the column `__order_<view id>`. */
  hasOrder: boolean;
  /** Absent or null: nobody has set its filter or shared it since there are decisions. */
  decided?: Decided | null;
}

/** A table as far as links and what depends on them need it. */
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
  /** Fields in the trash, by the names that their columns have there. */
  hidden: readonly FieldSchema[];
  byName: ReadonlyMap<string, FieldSchema>;
  byDbName: ReadonlyMap<string, FieldSchema>;
}

export interface TableCatalog {
  /**
   * For `pipeline/` alone. On the pool: a snapshot, remembered or fresh, for statements that check its version. In a transaction: the table as the transaction
   * sees it, which may have changed it itself. Many callers that ask at once ask the database once.
   */
  get(db: Handle, baseId: string, tableId: string): Promise<TableSchema>;
  forget(tableId: string): void;
}

const siblings = new WeakMap<FieldSchema, readonly FieldSchema[]>();

/** The fields beside a formula in its snapshot: what its expression names. Copies of a field have none. */
export const siblingsOf = (field: FieldSchema): readonly FieldSchema[] | undefined => siblings.get(field);

const homes = new WeakMap<FieldSchema, RelatedTable>();

/** The table of a field in its snapshot, from which its link leads to others. Copies of a field have none. */
export const homeOf = (field: FieldSchema): RelatedTable | undefined => homes.get(field);

/** For copies that take the place of fields of a snapshot. */
export const settleIn = (table: RelatedTable): void => {
  for (const field of table.fields) {
    homes.set(field, table);
    if (field.computed != null) siblings.set(field, table.fields);
  }
};

const primaryOf = (fields: readonly FieldSchema[]): FieldSchema =>
  fields.find((field) => field.isPrimary) as FieldSchema;

/** Reads the schema from the database. Use it inside a transaction that changes the schema. */
export const loadTable = async (db: Queryable, baseId: string, tableId: string): Promise<TableSchema> => {
  // The version first: a change in between makes the snapshot look older than it is, which is harmless.
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
  for (const other of related.values()) settleIn(other);
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

/** Bytes of all remembered snapshots: tables differ by a factor of a thousand. */
const capacity = 64 * 1_048_576;

/** What a snapshot takes, roughly: names, options and filters are most of it. */
const sizeOf = ({ fields, views, hidden, related }: TableSchema): number =>
  2_000 +
  3 *
    JSON.stringify([fields, views, hidden, related.size > 1 ? [...related.values()].map((other) => other.fields) : []])
      .length;

export const createTableCatalog = (): TableCatalog => {
  const snapshots = createByteCache<TableSchema>(capacity, sizeOf);
  const loading = new Map<string, Promise<TableSchema>>();

  /** For all who wait: it runs on when the one who asked first hangs up. */
  const load = (db: Db, baseId: string, tableId: string): Promise<TableSchema> => {
    const mine = loadTable(db.shared, baseId, tableId).then(
      (table) => {
        // Forgotten while it was read: those who wait find out by its version, nobody else is to have it.
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
        // What a transaction sees may never be committed.
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
