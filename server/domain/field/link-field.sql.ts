// The columns and tables that hold the keys of links.
import type { FieldSchema } from '../../catalog/table.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { type Linked, orderColumn } from '../cell/linked.sql.ts';
import { leadsToSeveral } from '../cell/type/link.ts';
import { showKeysToReader } from '../sql-access/reader.ts';
import { addColumn } from './column.sql.ts';

export const selectIsInBase = async (db: Queryable, baseId: string, tableId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select from rowhouse.tables where id = ${tableId} and base_id = ${baseId} and deleted_time is null`,
  )) !== undefined;

/** Names of indexes begin with two underscores, which no table of a user does. */
const indexName = (field: FieldSchema): string => `__link_${field.id}`;

export const createKeys = async (
  tx: Queryable,
  { field, own, foreign, symmetric, place, host, hostName, selfKey, foreignKey, isMultiple }: Linked,
): Promise<void> => {
  const lists = [
    ...(isMultiple ? [field.id] : []),
    ...(symmetric !== undefined && leadsToSeveral(symmetric.options) ? [symmetric.id] : []),
  ];
  if (place === 'pairs') {
    await tx.query(
      sql`create table ${host} (${sql.id(selfKey)} text not null, ${sql.id(foreignKey)} text not null${sql.join(
        lists.map((id) => sql`, ${sql.id(orderColumn(id))} double precision`),
        '',
      )},
            constraint ${sql.id(`__key_${field.id}`)} primary key (${sql.id(selfKey)}, ${sql.id(foreignKey)}))`,
    );
    await tx.query(
      sql`create index ${sql.id(indexName(field))} on ${host} (${sql.id(foreignKey)}, ${sql.id(selfKey)})`,
    );
    await showKeysToReader(tx, own.baseId, hostName);
    return;
  }
  const table = { baseId: own.baseId, dbTableName: hostName };
  const key = place === 'own' ? foreignKey : selfKey;
  await addColumn(tx, table, key, 'text');
  for (const id of lists) await addColumn(tx, table, orderColumn(id), 'double precision');
  await tx.query(sql`create index ${sql.id(indexName(field))} on ${host} (${sql.id(key)})`);
  // Its records are written again whenever a title changes: they find room on their page.
  await tx.query(sql`alter table ${sql.id(own.baseId, own.dbTableName)} set (fillfactor = 80)`);
  if (foreign.dbTableName !== own.dbTableName)
    await tx.query(sql`alter table ${sql.id(foreign.baseId, foreign.dbTableName)} set (fillfactor = 80)`);
};

/** For good. What is gone already stays away. */
export const dropKeys = async (
  tx: Queryable,
  { field, own, symmetric, place, host, hostName, selfKey, foreignKey }: Linked,
): Promise<void> => {
  if (place === 'pairs') {
    await tx.query(sql`drop table if exists ${host}`);
    return;
  }
  const columns = [
    place === 'own' ? foreignKey : selfKey,
    orderColumn(field.id),
    ...(symmetric === undefined ? [] : [orderColumn(symmetric.id)]),
  ];
  await tx.query(
    sql`alter table ${sql.id(own.baseId, hostName)} ${sql.join(columns.map((name) => sql`drop column if exists ${sql.id(name)}`))}`,
  );
};

/** Links of this base that offer the records of a view. */
export const selectLinksThrough = (db: Queryable, baseId: string, viewId: string): Promise<{ tableId: string }[]> =>
  many(
    db,
    sql`select distinct f.table_id as "tableId" from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id where t.base_id = ${baseId} and t.deleted_time is null and f.options ->> 'filterByViewId' = ${viewId}`,
  );
