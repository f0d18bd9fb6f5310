import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** The schema of the table stays as it is until the transaction ends; those who read and write records do not wait. It does not wait for them either: anyone who changes the schema waits behind it. */
export const lockVersion = async (tx: Queryable, baseId: string, tableId: string): Promise<void> => {
  await tx.query(sql`select set_config('lock_timeout', '2s', true)`);
  await maybe(tx, sql`select version from ${sql.id(baseId, '__table')} where id = ${tableId} for share`);
};

/** Columns that are to be filled and that no job is there for. */
export const selectUnfilled = (db: Queryable, kind: string): Promise<{ baseId: string; tableId: string; run: string }[]> =>
  many(
    db,
    sql`select distinct t.base_id as "baseId", t.id as "tableId", f.computed ->> 'run' as run
        from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id
        where f.computed ->> 'state' = 'settling' and f.computed ->> 'run' is not null
          and not exists (select from rowhouse.jobs j where j.kind = ${kind} and j.state in ('waiting', 'running') and j.payload ->> 'run' = f.computed ->> 'run')
        limit 100`,
  );
