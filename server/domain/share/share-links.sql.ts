// Records of another table that a link of a share leads to, or may lead to. Of them nothing is shown but the title.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Sight } from '../../catalog/sight.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Linked } from '../cell/linked.sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { all, strictFilterSql, whereSql } from '../query/filter.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

export interface LinkRecord {
  id: string;
  title?: string;
}

interface LinkPage {
  search: string | undefined;
  take: number;
  skip: number;
}

const longestTitle = 1_000;

const titleOf = ({ title }: Linked): Sql => cellTypeOf(title).text(columnOf(title, 'r'), title);

/** Not those that another record has where only one may have them; only those that the link is limited to. */
export const candidateWhere = (
  sight: Sight,
  { host, selfKey, foreignKey, isExclusive, foreign }: Linked,
  limits: readonly (FilterGroup | null)[],
): Sql | null =>
  all([
    isExclusive
      ? sql`not exists (select 1 from ${host} k where ${sql.id('k', foreignKey)} = r.__id and ${sql.id('k', selfKey)} is not null)`
      : null,
    ...limits.map((filter) => strictFilterSql(filter, foreign, sight.asker)),
  ]);

export const noCandidates = sql`false`;

/** Those that a record of the share is linked to. */
export const selectedWhere = (sight: Sight, { host, selfKey, foreignKey }: Linked): Sql =>
  sql`exists (select 1 from ${host} k join ${seenRows(sight)} own on own.__id = ${sql.id('k', selfKey)} where ${sql.id('k', foreignKey)} = r.__id)`;

const rowsOf = ({ foreign }: Linked): Sql => sql.id(foreign.baseId, foreign.dbTableName);

export const selectLinkRecords = async (
  db: Queryable,
  linked: Linked,
  where: Sql | null,
  { search, take, skip }: LinkPage,
): Promise<LinkRecord[]> => {
  const searched =
    search === undefined || search === '' ? null : sql`strpos(lower(${titleOf(linked)}), lower(${search})) > 0`;
  const rows = await many<{ id: string; title: string | null }>(
    db,
    sql`select r.__id as id, left(${titleOf(linked)}, ${longestTitle}) as title from ${rowsOf(linked)} r ${whereSql(where, searched)} order by r.__auto_number limit ${take} offset ${skip}`,
  );
  return rows.map(({ id, title }) => (title === null ? { id } : { id, title }));
};

export const selectAmong = async (
  db: Queryable,
  linked: Linked,
  where: Sql | null,
  ids: readonly string[],
): Promise<Set<string>> =>
  new Set(
    (
      await many<{ id: string }>(
        db,
        sql`select r.__id as id from ${rowsOf(linked)} r ${whereSql(where, sql`r.__id = any(${ids}::text[])`)}`,
      )
    ).map(({ id }) => id),
  );
