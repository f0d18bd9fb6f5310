// A table of very many records: one statement makes in seconds what would take the API minutes.
import pg from 'pg';

export interface TablePath {
  schema: string;
  table: string;
  column: string;
}

const name = ({ schema, table }: TablePath): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;

const run = async (databaseUrl: string, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Records called `Row 1` and so on. */
export const fillTable = (databaseUrl: string, place: TablePath, count: number): Promise<void> =>
  run(databaseUrl, [
    `insert into ${name(place)} (__id, __created_by, ${pg.escapeIdentifier(place.column)}) select 'rec' || lpad(n::text, 16, '0'), 'usrTest', 'Row ' || n from generate_series(1, ${count}) n`,
    `vacuum analyze ${name(place)}`,
  ]);

export const emptyTable = (databaseUrl: string, place: TablePath): Promise<void> =>
  run(databaseUrl, [`truncate ${name(place)}`]);

/** Until what is returned is called, no record of the table is kept as deleted behind the first `count`: a deletion waits there. */
export const stopDeletionAt = async (
  databaseUrl: string,
  { schema }: TablePath,
  tableId: string,
  count: number,
): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const [history, wait] = [`__history_${tableId}`, 'wait_for_test'].map(
    (part) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(part)}`,
  ) as [string, string];
  await client.query(
    `create function ${wait}() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock_shared(7418); return new; end'`,
  );
  await client.query(
    `create trigger wait_for_test before insert on ${history} for each row when (new.op_id < 0 and new.seq = ${count + 1}) execute function ${wait}()`,
  );
  await client.query('select pg_advisory_lock(7418)');
  return async () => {
    await client.query('select pg_advisory_unlock(7418)');
    await client.end();
  };
};
