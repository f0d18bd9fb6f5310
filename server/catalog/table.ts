// The schema of a table as a snapshot with a version. Snapshots are shared by all requests of a process;
// a statement that relies on one checks `version` against `"<base>".__table` and throws `Stale` when it moved on.
import { notFound } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../db/db.ts';
import { isGone } from '../db/error.ts';
import { selectTable, selectVersion } from './table.sql.ts';

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
}

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
}

export interface TableSchema {
  id: string;
  baseId: string;
  name: string;
  dbTableName: string;
  version: number;
  /** In their order; the primary field is among them. */
  fields: readonly FieldSchema[];
  views: readonly ViewSchema[];
  /** Fields in the trash, by the names that their columns have there. */
  hidden: readonly FieldSchema[];
  primary: FieldSchema;
  byId: ReadonlyMap<string, FieldSchema>;
  byName: ReadonlyMap<string, FieldSchema>;
  byDbName: ReadonlyMap<string, FieldSchema>;
}

export interface TableCatalog {
  /** A snapshot, remembered or fresh. Only for statements that check its version. */
  get(db: Queryable, baseId: string, tableId: string): Promise<TableSchema>;
  forget(tableId: string): void;
  /** Whether the remembered snapshot, if there is one, has been overtaken: then it is forgotten. */
  isOutdated(db: Queryable, baseId: string, tableId: string): Promise<boolean>;
}

/** Reads the schema from the database. Use it inside a transaction that changes the schema. */
export const loadTable = async (db: Queryable, baseId: string, tableId: string): Promise<TableSchema> => {
  // The version first: a change in between makes the snapshot look older than it is, which is harmless.
  const version = await selectVersion(db, baseId, tableId);
  const row = version === undefined ? undefined : await selectTable(db, baseId, tableId);
  if (version === undefined || row === undefined) throw notFound('Table', tableId);
  const { fields, views, hidden } = row;
  return {
    id: tableId,
    baseId,
    name: row.name,
    dbTableName: row.dbTableName,
    version,
    fields,
    views,
    hidden,
    primary: fields.find((field) => field.isPrimary) as FieldSchema,
    byId: new Map(fields.map((field) => [field.id, field])),
    byName: new Map(fields.map((field) => [field.name, field])),
    byDbName: new Map(fields.map((field) => [field.dbFieldName, field])),
  };
};

const capacity = 5_000;

export const createTableCatalog = (): TableCatalog => {
  const snapshots = new Map<string, TableSchema>();
  return {
    async get(db, baseId, tableId) {
      const known = snapshots.get(tableId);
      if (known !== undefined) return known;
      const loaded = await loadTable(db, baseId, tableId);
      if (snapshots.size >= capacity) snapshots.clear();
      snapshots.set(tableId, loaded);
      return loaded;
    },
    forget(tableId) {
      snapshots.delete(tableId);
    },
    async isOutdated(db, baseId, tableId) {
      const known = snapshots.get(tableId);
      if (known === undefined) return false;
      const version = await selectVersion(db, baseId, tableId).catch((error: unknown) => {
        if (isGone(error)) return undefined;
        throw error;
      });
      if (version === known.version) return false;
      snapshots.delete(tableId);
      return true;
    },
  };
};
