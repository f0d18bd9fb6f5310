// Worker that does the work of a script's requests as raw statements, one connection per client.
import { newId } from '@rowhouse/contract/id.ts';
import pg from 'pg';
import { entries, type RawKind, rawStatement, type RawTable } from './raw.sql.ts';
import { doStint, readScript, type Done, type ScriptLine, type Stint } from './script.ts';
import { beWorker } from './worker.ts';

interface RawLoad {
  url: string;
  file: string;
  clients: number;
  kind: RawKind;
  table: RawTable;
  actor: string;
}

interface Row {
  id?: string;
  fields: Record<string, unknown>;
}

const rowsOf = ({ path, body }: ScriptLine): Row[] => {
  const given = body as { records?: Row[]; record?: Row } | undefined;
  if (given?.record !== undefined) return [{ ...given.record, id: path.slice(path.lastIndexOf('/') + 1) }];
  return given?.records ?? [];
};

/** `/api/table/tbl…/record/rec…/history?take=20` */
const recordOf = (path: string): string => path.split('/')[5] as string;

// Text as it comes over the wire: what the API answers is text too.
const types = { getTypeParser: () => (text: unknown) => text };

beWorker<RawLoad, Stint, Done>(async ({ url, file, clients, kind, table, actor }) => {
  const lines = readScript(file);
  const paths = lines.map(({ path }) => path);
  const script = lines.map(rowsOf);
  const reads = kind === 'list' || kind === 'listDeep' || kind === 'history' || kind === 'recordHistory';
  const written = table.fields.filter((field) => script[0]?.[0] !== undefined && field.name in script[0][0].fields);
  const text = rawStatement(kind, table, written);
  const isOne = kind === 'createOne' || kind === 'updateOne';
  const stored = (value: unknown, column: string): unknown =>
    value === null || value === undefined ? null : column === 'jsonb' ? JSON.stringify(value) : value;
  const prepared = script.map((rows) => ({
    ids: kind === 'update' || kind === 'updateOne' ? rows.map((row) => row.id as string) : undefined,
    count: rows.length,
    columns: written.map((field) => rows.map((row) => stored(row.fields[field.name], field.column))),
  }));
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  return (stint) =>
    doStint(clients, stint, async (client, place) => {
      const { ids, count, columns } = prepared[place % prepared.length] as (typeof prepared)[number];
      const chosen = ids ?? Array.from({ length: count }, () => newId('rec'));
      const values = reads
        ? kind === 'recordHistory'
          ? [recordOf(paths[place % paths.length] as string)]
          : []
        : [newId('opr'), actor, isOne ? chosen[0] : chosen, ...(isOne ? columns.map((column) => column[0]) : columns)];
      const result = await (connections[client] as pg.Client).query({
        name: kind,
        text,
        values,
        rowMode: 'array',
        types: types as never,
      });
      if (result.rows.length !== (reads ? (kind === 'list' || kind === 'listDeep' ? 1 : entries) : count))
        throw new Error(`a raw statement answered ${result.rows.length} rows instead of ${count}`);
    });
});
