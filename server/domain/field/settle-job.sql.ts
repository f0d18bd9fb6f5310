import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** For one transaction: it gives up before those who wait behind it notice, and comes again. */
export const waitBriefly = async (tx: Queryable): Promise<void> => {
  await tx.query(sql`select set_config('lock_timeout', '300ms', true)`);
};

/** Columns that are to be filled and that no job is there for. */
export const selectUnfilled = (db: Queryable, kind: string): Promise<{ baseId: string; tableId: string; run: string }[]> =>
  many(
    db,
    sql`select distinct on (f.computed ->> 'run') t.base_id as "baseId", t.id as "tableId", f.computed ->> 'run' as run
        from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id
        where f.computed ->> 'state' = 'settling' and f.computed ->> 'run' is not null
          and not exists (select from rowhouse.jobs j where j.kind = ${kind} and j.state in ('waiting', 'running') and j.payload ->> 'run' = f.computed ->> 'run')
        order by f.computed ->> 'run', t.id limit 100`,
  );
