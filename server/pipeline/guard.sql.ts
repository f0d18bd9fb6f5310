// A statement that was planned on remembered facts counts only while they hold: the schema version of the table and the
// access epoch. A write checks them in its own snapshot; a read brings them along.
import type { TableSchema } from '../catalog/table.ts';
import { one, type Queryable } from '../db/db.ts';
import { type Sql, sql } from '../db/sql.ts';

export interface Guard {
  table: TableSchema;
  epoch: number;
}

/** For what changes the number of records: the quota of that space is taken or given back in the same statement. */
export interface CountedGuard extends Guard {
  spaceId: string;
}

/** The facts as they are; the version is null when the table is gone. */
export interface Facts {
  version: number | null;
  epoch: number;
}

const versionSql = ({ baseId, id }: Pick<TableSchema, 'baseId' | 'id'>): Sql => sql`(select version from ${sql.id(baseId, '__table')} where id = ${id})`;

const epochSql = sql`(select epoch from rowhouse.instance)`;

/** The condition of a write. */
export const holds = ({ table, epoch }: Guard): Sql => sql`${versionSql(table)} = ${table.version} and ${epochSql} = ${epoch}`;

/** The columns of a read that make it `Facts`. */
export const factsSql = (table: Pick<TableSchema, 'baseId' | 'id'>): Sql => sql`${versionSql(table)} as version, ${epochSql} as epoch`;

/** Asked after statements that did not bring the facts along: what is the same now was the same while they ran. */
export const selectFacts = (db: Queryable, table: Pick<TableSchema, 'baseId' | 'id'>): Promise<Facts> => one<Facts>(db, sql`select ${factsSql(table)}`);

/** The lock that a statement which writes there takes anyway. */
export const lockForWriting = async (db: Queryable, { table }: Guard): Promise<void> => {
  await db.query(sql`lock table ${sql.id(table.baseId, table.dbTableName)} in row exclusive mode`);
};

/**
 * Takes the whole statement back when rows vanished between the look at them and their locks: evaluated only where `condition`
 * does not hold. The pipeline then begins again.
 */
export const countOrTakeBack = (count: Sql, condition: Sql): Sql => sql`case when ${condition} then ${count} else rowhouse.take_back(${count}) end`;
