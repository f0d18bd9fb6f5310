// A statement planned on remembered facts writes only while they hold: the schema version of the table and
// the access epoch. Both are read in the statement's own snapshot.
import type { TableSchema } from '../../catalog/table.ts';
import { one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface Guard {
  table: TableSchema;
  epoch: number;
}

/** For what changes the number of records: the quota of that space is taken or given back in the same statement. */
export interface CountedGuard extends Guard {
  spaceId: string;
}

export const holds = ({ table, epoch }: Guard): Sql =>
  sql`(select version from ${sql.id(table.baseId, '__table')} where id = ${table.id}) = ${table.version}
      and (select epoch from rowhouse.instance) = ${epoch}`;

export interface Present {
  version: number | null;
  epoch: number;
  /** Those of the asked records that exist, with their versions. */
  records: Record<string, number>;
}

/** Asked only when a statement wrote nothing: was it out of date, or were the records not there? */
export const selectPresent = (db: Queryable, { table }: Guard, ids: readonly string[]): Promise<Present> =>
  one<Present>(
    db,
    sql`select (select version from ${sql.id(table.baseId, '__table')} where id = ${table.id}) as version,
               (select epoch from rowhouse.instance) as epoch,
               (select coalesce(json_object_agg(__id, __version), '{}') from ${sql.id(table.baseId, table.dbTableName)} where __id = any(${ids})) as records`,
  );

/** The same question without touching the record table, for when its columns are no longer what they were. */
export const selectVersions = (db: Queryable, { table }: Guard): Promise<Omit<Present, 'records'>> =>
  one<Omit<Present, 'records'>>(
    db,
    sql`select (select version from ${sql.id(table.baseId, '__table')} where id = ${table.id}) as version, (select epoch from rowhouse.instance) as epoch`,
  );

export const selectHolds = async (db: Queryable, guard: Guard): Promise<boolean> =>
  (await one<{ holds: boolean }>(db, sql`select coalesce(${holds(guard)}, false) as holds`)).holds;

/** The lock that a statement which writes there takes anyway. */
export const lockForWriting = async (db: Queryable, { table }: Guard): Promise<void> => {
  await db.query(sql`lock table ${sql.id(table.baseId, table.dbTableName)} in row exclusive mode`);
};
