// The one writer of __comment. Every statement that a caller's rights stand behind checks them in its own snapshot, and that
// the caller sees the record.
import { insertOperation, type OperationFacts, operationPart } from '../../catalog/operation.sql.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { byTheCoordinator, pushedInsert } from '../../db/cluster-form.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { factsSql, type Guard, holds, type ReadFacts } from '../../pipeline/guard.sql.ts';
import { seenSql } from '../query/condition.sql.ts';
import { all, whereSql } from '../query/filter.sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';
import { permitted } from '../record/write/permits.sql.ts';
import type { StoredContent } from './content.ts';

export interface StoredReaction {
  reaction: string;
  user: string[];
}

export interface CommentRow {
  id: string;
  quoteId: string | null;
  content: StoredContent;
  reactions: StoredReaction[] | null;
  createdBy: string;
  createdTime: string;
  lastModifiedTime: string | null;
}

export interface PersonRow {
  id: string;
  name: string;
  avatar: string | null;
}

type OfTable = Pick<TableSchema, 'baseId' | 'id'>;

const commentsOf = ({ baseId }: Pick<TableSchema, 'baseId'>): Sql => sql.id(baseId, '__comment');

const columns: Sql = sql`c.id, c.quote_id as "quoteId", c.content, c.reactions, c.created_by as "createdBy", c.created_time as "createdTime", c.last_modified_time as "lastModifiedTime"`;

const ofRecord = (table: OfTable, recordId: string): Sql => sql`c.table_id = ${table.id} and c.record_id = ${recordId}`;

/** Comments are for those who see the record, and whom no rule keeps from commenting on it. */
const seesRecord = (sight: Sight, recordId: string): Sql => {
  const condition = permitted(sight, 'comment');
  return sql`exists (select 1 from ${seenRows(sight)} r where r.__id = ${recordId}${condition === null ? sql.empty : sql` and ${condition}`})`;
};

const isoTime = (column: Sql): Sql => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface CommentPage extends ReadFacts {
  isSeen: boolean;
  isCursorThere: boolean;
  /** In the order of the direction; one more than asked for when there are more. */
  comments: CommentRow[];
  people: PersonRow[];
}

interface PageInput {
  recordId: string;
  take: number;
  cursor: string | null;
  includeCursor: boolean;
  towards: 'older' | 'newer';
}

/** A page, everybody it names, and the facts that it rests on: one statement. */
export const selectComments = async (
  db: Queryable,
  sight: Sight,
  { recordId, take, cursor, includeCursor, towards }: PageInput,
): Promise<CommentPage> => {
  const { table } = sight;
  const of = ofRecord(table, recordId);
  const compare = sql.raw(towards === 'older' ? (includeCursor ? '<=' : '<') : includeCursor ? '>=' : '>');
  const from =
    cursor === null
      ? sql.empty
      : sql`and (c.created_time, c.id) ${compare} ((select created_time from cursor), (select id from cursor))`;
  const direction = sql.raw(towards === 'older' ? 'desc' : 'asc');
  const rows = await db.query<CommentPage>(
    sql`with ${cursor === null ? sql.empty : sql`cursor as materialized (select c.created_time, c.id from ${commentsOf(table)} c where c.id = ${cursor} and ${of}), `}page as materialized (
          select c.*, row_number() over () as place from (
            select c.* from ${commentsOf(table)} c where ${of} ${from} order by c.created_time ${direction}, c.id ${direction} limit ${take + 1}
          ) c
        )
        select ${factsSql(table, { userId: sight.asker.userId, spaceId: sight.spaceId })}, ${seesRecord(sight, recordId)} as "isSeen",
               ${cursor === null ? sql`true` : sql`exists (select from cursor)`} as "isCursorThere",
               (select coalesce(json_agg(to_json(shown) order by shown.place), '[]') from (
                 select c.place, c.id, c.quote_id as "quoteId", c.content, c.reactions, c.created_by as "createdBy",
                        ${isoTime(sql`c.created_time`)} as "createdTime", ${isoTime(sql`c.last_modified_time`)} as "lastModifiedTime" from page c) shown) as comments,
               (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar)), '[]') from rowhouse.users u where u.id in (
                 select c.created_by from page c
                 union select jsonb_path_query(c.content, '$[*].children[*] ? (@.type == "mention").value') #>> '{}' from page c
                 union select jsonb_path_query(c.reactions, '$[*].user[*]') #>> '{}' from page c)) as people`,
    { prepare: sight.isWhole },
  );
  return rows[0] as CommentPage;
};

export const selectComment = (
  db: Queryable,
  table: OfTable,
  recordId: string,
  commentId: string,
): Promise<CommentRow | undefined> =>
  maybe<CommentRow>(
    db,
    sql`select ${columns} from ${commentsOf(table)} c where c.id = ${commentId} and ${ofRecord(table, recordId)}`,
  );

export const selectPeopleById = (db: Queryable, ids: readonly string[]): Promise<PersonRow[]> =>
  many<PersonRow>(db, sql`select id, name, avatar from rowhouse.users where id = any(${ids}::text[])`);

export interface NewComment {
  id: string;
  recordId: string;
  quoteId: string | null;
  content: StoredContent;
}

/** With its operation, while the record cannot be deleted. Undefined: the guard does not hold, or the caller sees no such record. */
export const insertComment = (
  db: Queryable,
  sight: Sight,
  guard: Guard,
  { id, recordId, quoteId, content }: NewComment,
  operation: OperationFacts,
): Promise<CommentRow | undefined> => {
  const { table } = guard;
  const condition = all([seenSql(sight), permitted(sight, 'comment')]);
  const added = pushedInsert(
    table.baseId,
    'c',
    sql`select ${id}, ${table.id}, here.__id, ${quoteId}::text, ${JSON.stringify(content)}::jsonb, ${operation.actor} from here`,
    6,
    [{ column: sql`created_time`, value: sql`clock_timestamp()` }],
  );
  const op = operationPart(table, operation, sql`(select count(*) from c)`, sql`0`, sql`array[${recordId}::text]`);
  return maybe<CommentRow>(
    db,
    sql`with here as materialized (
          select r.__id from ${sql.id(table.baseId, table.dbTableName)} r where r.__id = ${recordId} and ${holds(guard)} ${condition === null ? sql.empty : sql`and ${condition}`} for key share
        ), ${added.before}c as (
          insert into ${commentsOf(table)} (id, table_id, record_id, quote_id, content, created_by${added.more})
          ${added.select} returning *
        ), ${op.before}op as (
          ${op.insert}
        )
        select ${columns} from c`,
  );
};

/** For the rest of the transaction. Undefined: the guard does not hold, or the caller sees no such comment. */
export const lockComment = (
  tx: Queryable,
  sight: Sight,
  guard: Guard,
  recordId: string,
  commentId: string,
): Promise<CommentRow | undefined> =>
  maybe<CommentRow>(
    tx,
    sql`select ${columns} from ${commentsOf(guard.table)} c
        where c.id = ${commentId} and ${ofRecord(guard.table, recordId)} and ${holds(guard)} and ${seesRecord(sight, recordId)} for no key update of c`,
  );

export const setContent = async (
  tx: Queryable,
  table: OfTable,
  commentId: string,
  content: StoredContent,
): Promise<void> => {
  await tx.query(
    sql`update ${commentsOf(table)} set content = ${JSON.stringify(content)}::jsonb, last_modified_time = statement_timestamp() where id = ${commentId}`,
  );
};

export const setReactions = async (
  tx: Queryable,
  table: OfTable,
  commentId: string,
  reactions: readonly StoredReaction[] | null,
): Promise<void> => {
  await tx.query(
    sql`update ${commentsOf(table)} set reactions = ${reactions === null ? null : JSON.stringify(reactions)}::jsonb where id = ${commentId}`,
  );
};

export const removeComment = async (tx: Queryable, table: OfTable, commentId: string): Promise<void> => {
  await tx.query(sql`delete from ${commentsOf(table)} where id = ${commentId}`);
};

export const addOperation = async (
  tx: Queryable,
  table: TableSchema,
  operation: OperationFacts,
  recordIds: readonly string[],
): Promise<void> => {
  await tx.query(insertOperation(table, operation, recordIds.length, sql`0`, sql`${recordIds}::text[]`));
};

export interface GivenComment extends NewComment {
  createdBy: string;
  createdTime: Date;
  lastModifiedTime?: Date | null;
}

/** As they were elsewhere; those of records that are not in the table are left out. Answers the records that have some now. */
export const insertGivenComments = async (
  tx: Queryable,
  table: TableSchema,
  given: readonly GivenComment[],
): Promise<string[]> => {
  const rows = await many<{ recordId: string }>(
    tx,
    sql`with added as (
          insert into ${commentsOf(table)} (id, table_id, record_id, quote_id, content, created_by, created_time, last_modified_time)
          select g.id, ${table.id}, g."recordId", g."quoteId", g.content, g."createdBy", g."createdTime", g."lastModifiedTime"
          from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, "recordId" text, "quoteId" text, content jsonb, "createdBy" text, "createdTime" timestamptz, "lastModifiedTime" timestamptz)
          where exists (select 1 from ${sql.id(table.baseId, table.dbTableName)} r where r.__id = g."recordId") and ${byTheCoordinator}
          returning record_id
        )
        select distinct record_id as "recordId" from added order by 1`,
  );
  return rows.map(({ recordId }) => recordId);
};

export const countOfRecord = (
  db: Queryable,
  sight: Sight,
  recordId: string,
): Promise<ReadFacts & { count: number; isSeen: boolean }> =>
  one(
    db,
    sql`select ${factsSql(sight.table, { userId: sight.asker.userId, spaceId: sight.spaceId })}, ${seesRecord(sight, recordId)} as "isSeen",
               (select count(*)::int from ${commentsOf(sight.table)} c where ${ofRecord(sight.table, recordId)}) as count`,
  );

/** Where nobody has commented nothing is sorted or filtered. */
export const hasComments = async (db: Queryable, table: OfTable): Promise<boolean> =>
  (
    await db.query<{ has: boolean }>(
      sql`select exists (select 1 from ${commentsOf(table)} c where c.table_id = ${table.id}) as has`,
      { prepare: true },
    )
  )[0]?.has === true;

interface Counts extends ReadFacts {
  counts: { recordId: string; count: number }[];
}

export const countOfPage = (
  db: Queryable,
  sight: Sight,
  page: { where: Sql | null; keys: readonly SortKey[]; take: number; skip: number },
): Promise<Counts> =>
  one<Counts>(
    db,
    sql`with page as materialized (
          select r.__id as id from ${seenRows(sight)} r ${whereSql(page.where, permitted(sight, 'comment'))} order by ${orderSql(page.keys)} limit ${sql.integer(page.take)} offset ${sql.integer(page.skip)}
        ), counted as (
          select page.id, (select count(*)::int from ${commentsOf(sight.table)} c where c.table_id = ${sight.table.id} and c.record_id = page.id) as count from page
        )
        select ${factsSql(sight.table, { userId: sight.asker.userId, spaceId: sight.spaceId })},
               (select coalesce(json_agg(json_build_object('recordId', id, 'count', count)), '[]') from counted where count > 0) as counts`,
  );

/** Is the image in a comment on a record that the caller sees? */
export const mentionsImage = (
  db: Queryable,
  sight: Sight,
  recordId: string,
  path: string,
): Promise<ReadFacts & { isThere: boolean }> =>
  one(
    db,
    sql`select ${factsSql(sight.table, { userId: sight.asker.userId, spaceId: sight.spaceId })}, ${seesRecord(sight, recordId)} and exists (
          select 1 from ${commentsOf(sight.table)} c where ${ofRecord(sight.table, recordId)} and c.content @> ${JSON.stringify([{ type: 'img', path }])}::jsonb) as "isThere"`,
  );

/** Of the base's tables those that have comments. */
export const selectCommentedTables = async (db: Queryable, baseId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct table_id as id from ${sql.id(baseId, '__comment')} union select table_id from ${sql.id(baseId, '__comment_subscription')}`,
    )
  ).map(({ id }) => id);

/** Of records that are neither there nor can be brought back. */
export const deleteLost = async (
  db: Queryable,
  { baseId, id, dbTableName }: Pick<TableSchema, 'baseId' | 'id' | 'dbTableName'>,
): Promise<void> => {
  for (const name of ['__comment', '__comment_subscription']) {
    await db.query(
      sql`delete from ${sql.id(baseId, name)} c where c.table_id = ${id}
            and not exists (select 1 from ${sql.id(baseId, dbTableName)} r where r.__id = c.record_id)
            and not exists (select 1 from ${sql.id(baseId, `__history_${id}`)} h where h.record_id = c.record_id and h.op_id < 0)`,
    );
  }
};

/** Bases of a version that has comments, and the tables in them. */
export const selectTablesWithComments = (
  db: Queryable,
  version: number,
): Promise<{ baseId: string; id: string; dbTableName: string }[]> =>
  many(
    db,
    sql`select b.id as "baseId", t.id, t.db_table_name as "dbTableName" from rowhouse.tables t join rowhouse.bases b on b.id = t.base_id where b.schema_version >= ${version} order by b.id, t.id`,
  );
