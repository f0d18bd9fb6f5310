import type { FieldSchema } from '../../catalog/table.ts';
import { byTheNode } from '../../db/cluster-form.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { linkListCells } from '../cell/kind/link.sql.ts';

/** Of other tables of the base. */
export const selectLinksTo = (
  tx: Queryable,
  baseId: string,
  tableId: string,
): Promise<{ tableId: string; field: FieldSchema }[]> =>
  many(
    tx,
    sql`select t.id as "tableId", json_build_object('id', f.id, 'name', f.name, 'description', f.description, 'type', f.type, 'options', f.options, 'dbFieldName', f.db_field_name,
               'computed', f.computed, 'isPrimary', f.is_primary, 'notNull', f.not_null, 'isUnique', f.is_unique, 'position', f.position, 'version', f.version, 'lineage', f.lineage) as field
        from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id
        where t.base_id = ${baseId} and t.id <> ${tableId} and f.options ->> 'foreignTableId' = ${tableId} and f.options ? 'relationship' and not f.is_lookup order by t.id, f.id`,
  );

/** Whether its records can be read through links: only until the transaction ends, in which it goes. */
export const setInSight = async (tx: Queryable, tableId: string, isInSight: boolean): Promise<void> => {
  await tx.query(
    sql`update rowhouse.tables set deleted_time = ${isInSight ? sql`null` : sql`now()`} where id = ${tableId}`,
  );
};

export const titlesAsText = async (tx: Queryable, baseId: string, dbTableName: string, name: string): Promise<void> => {
  const [table, column, text] = [sql.id(baseId, dbTableName), sql.id(name), sql.id(`__text_${name}`.slice(0, 60))];
  await tx.query(sql`alter table ${table} add column ${text} text`);
  const list = sql`case when jsonb_typeof(r.${column}) = 'array' then r.${column} else jsonb_build_array(r.${column}) end`;
  await tx.query(
    sql`update ${table} r set ${text} = ${byTheNode(linkListCells.text(list, {} as FieldSchema))} where r.${column} is not null`,
  );
  await tx.query(sql`alter table ${table} drop column ${column}`);
  await tx.query(sql`alter table ${table} rename column ${text} to ${column}`);
};

/** Pairs of links from or to a table. Columns beside the records of other tables stay, empty of meaning. */
export const dropKeysBetween = async (tx: Queryable, baseId: string, tableId: string): Promise<void> => {
  const links = await many<{ host: string }>(
    tx,
    sql`select distinct f.options ->> 'fkHostTableName' as host
        from rowhouse.fields f where (f.table_id = ${tableId} or f.options ->> 'foreignTableId' = ${tableId}) and f.options ? 'relationship' and not f.is_lookup`,
  );
  for (const { host } of links) {
    const name = host.slice(baseId.length + 1);
    if (/^junction_[0-9A-Za-z_]+$/.test(name)) await tx.query(sql`drop table if exists ${sql.id(baseId, name)}`);
  }
};
