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

export const emptyTable = (databaseUrl: string, place: TablePath): Promise<void> => run(databaseUrl, [`truncate ${name(place)}`]);
