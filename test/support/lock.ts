// A table that somebody else has locked.
import type { TestTable } from './table.ts';
import type { World } from './world.ts';

/** Holds a lock on the whole table while `meanwhile` runs: nobody else reads or writes it. */
export const whileLocked = async <T>(
  world: World,
  table: Pick<TestTable, 'baseId' | 'tableId'>,
  meanwhile: () => Promise<T>,
): Promise<T> => {
  const blocker = await world.db.dedicated();
  const found = await blocker.query<{ name: string }>(
    'select db_table_name as name from rowhouse.tables where id = $1',
    [table.tableId],
  );
  await blocker.query('begin');
  await blocker.query(`lock table "${table.baseId}"."${found.rows[0]?.name}" in access exclusive mode`);
  return meanwhile().finally(() => blocker.query('rollback').then(() => blocker.end()));
};

/** Changes a record in a transaction of somebody else, which is committed when `meanwhile` has run. */
export const whileChanged = async (
  world: World,
  { tableId, recordId, fieldId, value }: { tableId: string; recordId: string; fieldId: string; value: string },
  meanwhile: () => Promise<void>,
): Promise<void> => {
  const other = await world.db.dedicated();
  const found = await other.query<{ base: string; table: string; column: string }>(
    'select t.base_id as base, t.db_table_name as "table", f.db_field_name as "column" from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id where t.id = $1 and f.id = $2',
    [tableId, fieldId],
  );
  const { base, table, column } = found.rows[0] as (typeof found.rows)[number];
  await other.query('begin');
  await other.query(`update "${base}"."${table}" set "${column}" = $1 where __id = $2`, [value, recordId]);
  await meanwhile().finally(() => other.query('commit').then(() => other.end()));
};
