// A statement that was planned on remembered facts counts only while they hold: the schema version of the table and the
// epochs that the access decision rests on. A write checks them in its own snapshot; a read brings them along.
import { epochSql } from '../catalog/access.sql.ts';
import type { Access } from '../catalog/access.ts';
import { epochHolder } from '../catalog/rights.ts';
import type { TableSchema } from '../catalog/table.ts';
import { epochInRead } from '../db/cluster-form.ts';
import { one, type Queryable } from '../db/db.ts';
import { type Sql, sql } from '../db/sql.ts';

/** Whom and where a decision is about. */
export interface Standing {
  /** Whose epoch counts: of a visitor of a share it is that of the share. */
  userId: string;
  /** Its quota is taken or given back by what changes the number of records. */
  spaceId: string;
}

export interface Guard extends Standing {
  table: TableSchema;
  /** Of the decision. */
  epoch: number;
}

export const guardOf = (
  { access, principal }: { access: Access; principal: { userId: string } },
  table: TableSchema,
): Guard => ({
  table,
  userId: epochHolder(access.rights, principal.userId),
  spaceId: access.spaceId as string,
  epoch: access.epoch,
});

/** The facts as they are; the version is null when the table is gone. */
export interface Facts {
  version: number | null;
  epoch: number;
}

/** Those that a read brings along: on a cluster without the epoch, which is not where the base is. */
export interface ReadFacts {
  version: number | null;
  epoch: number | null;
}

const versionSql = ({ baseId, id }: Pick<TableSchema, 'baseId' | 'id'>): Sql =>
  sql`(select version from ${sql.id(baseId, '__table')} where id = ${id})`;

/** The condition of a write. */
export const holds = ({ table, epoch, userId, spaceId }: Guard): Sql =>
  sql`${versionSql(table)} = ${table.version} and ${epochSql(sql`${userId}`, sql`${spaceId}`)} = ${epoch}`;

const presentEpoch = ({ userId, spaceId }: Standing): Sql => epochSql(sql`${userId}`, sql`${spaceId}`);

/** The columns of a read that make it `ReadFacts`. With a look at the coordinator, Citus would carry out every part of the read on its own, and put them together there. */
export const factsSql = (table: Pick<TableSchema, 'baseId' | 'id'>, standing: Standing): Sql =>
  sql`${versionSql(table)} as version, ${epochInRead(presentEpoch(standing))} as epoch`;

/** Asked after a read that did not bring it along: epochs only grow. */
export const selectEpoch = async (db: Queryable, standing: Standing): Promise<number> =>
  (await one<{ epoch: number }>(db, sql`select ${presentEpoch(standing)} as epoch`, { prepare: true })).epoch;

/** Asked after statements that did not bring the facts along: what is the same now was the same while they ran. */
export const selectFacts = (
  db: Queryable,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  standing: Standing,
): Promise<Facts> => one<Facts>(db, sql`select ${versionSql(table)} as version, ${presentEpoch(standing)} as epoch`);

/** The lock that a statement which writes there takes anyway. */
export const lockForWriting = async (db: Queryable, { table }: Guard): Promise<void> => {
  await db.query(sql`lock table ${sql.id(table.baseId, table.dbTableName)} in row exclusive mode`);
};

/**
 * Takes the whole statement back when rows vanished between the look at them and their locks: evaluated only where `condition`
 * does not hold. The pipeline then begins again.
 */
export const countOrTakeBack = (count: Sql, condition: Sql): Sql =>
  sql`case when ${condition} then ${count} else rowhouse.take_back(${count}) end`;

/** The same, and refused for good where records were written that do not meet a condition afterwards: `bad` is an array of their ids, or null. */
export const countUnlessRefused = (count: Sql, condition: Sql, bad: Sql): Sql =>
  sql`case when not (${condition}) then rowhouse.take_back(${count}) when ${bad} is not null then rowhouse.refuse(${bad}) else ${count} end`;
