// A table that somebody else has locked.
import type { TestTable } from './table.ts';
import type { World } from './world.ts';

/** Holds a lock on the whole table while `meanwhile` runs: nobody else reads or writes it. */
export const whileLocked = async <T>(world: World, table: TestTable, meanwhile: () => Promise<T>): Promise<T> => {
  const blocker = await world.db.dedicated();
  const found = await blocker.query<{ name: string }>(
    'select db_table_name as name from rowhouse.tables where id = $1',
    [table.tableId],
  );
  await blocker.query('begin');
  await blocker.query(`lock table "${table.baseId}"."${found.rows[0]?.name}" in access exclusive mode`);
  return meanwhile().finally(() => blocker.query('rollback').then(() => blocker.end()));
};
