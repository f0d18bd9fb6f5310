// Bases and tables for the scenarios, made over the API. Each has a twin in another base for the raw statements.
import { type BenchField, cellsOf, type Person } from './cells.ts';
import type { RawTable } from './process/raw.sql.ts';
import type { Stage } from './process/stage.ts';

export interface Ground {
  stage: Stage;
  person: Person;
  ours: RawTable;
  raw: RawTable;
}

export const callApi = async <T>(
  { server, token }: Stage,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> => {
  const response = await fetch(`${server.origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${(await response.text()).slice(0, 2_000)}`);
  return (await response.json()) as T;
};

export const newSpace = async (stage: Stage): Promise<string> =>
  (await callApi<{ id: string }>(stage, 'POST', '/space', { name: 'Benchmark' })).id;

export const newTable = async (stage: Stage, spaceId: string, fields: BenchField[]): Promise<RawTable> => {
  const base = await callApi<{ id: string }>(stage, 'POST', '/base', { spaceId, name: 'Benchmark' });
  const wanted = {
    name: 'Measured',
    fields: fields.map(({ name, type, options }) => ({ name, type, ...(options === undefined ? {} : { options }) })),
    records: [],
  };
  const table = await callApi<{ id: string; dbTableName: string; fields: { name: string; dbFieldName: string }[] }>(
    stage,
    'POST',
    `/base/${base.id}/table`,
    wanted,
  );
  const columns = new Map(table.fields.map((field) => [field.name, field.dbFieldName]));
  return {
    baseId: base.id,
    tableId: table.id,
    dbTableName: table.dbTableName.slice(table.dbTableName.indexOf('.') + 1),
    fields: fields.map((field) => ({ ...field, dbFieldName: columns.get(field.name) as string })),
  };
};

export const newGround = async (stage: Stage, fields: BenchField[]): Promise<Ground> => {
  const spaceId = await newSpace(stage);
  const { rows } = await stage.db.query<Person>('select id, name as title, email from rowhouse.users where id = $1', [
    stage.userId,
  ]);
  return {
    stage,
    person: rows[0] as Person,
    ours: await newTable(stage, spaceId, fields),
    raw: await newTable(stage, spaceId, fields),
  };
};

export const tableName = ({ baseId, dbTableName }: RawTable): string => `"${baseId}"."${dbTableName}"`;
export const historyName = ({ baseId, tableId }: RawTable): string => `"${baseId}"."__history_${tableId}"`;

/** Records through the API, and the same rows in the twin. Answers their ids. */
export const fill = async ({ stage, person, ours, raw }: Ground, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let row = 0; row < count; row += 1_000) {
    const records = Array.from({ length: Math.min(1_000, count - row) }, (_, at) => ({
      fields: cellsOf(ours.fields, row + at, 0, person),
    }));
    const made = await callApi<{ records: { id: string }[] }>(stage, 'POST', `/table/${ours.tableId}/record`, {
      records,
    });
    ids.push(...made.records.map(({ id }) => id));
  }
  await stage.db.query(`insert into ${tableName(raw)} select * from ${tableName(ours)} order by __auto_number`);
  await stage.db.query(`vacuum analyze ${tableName(ours)}`);
  await stage.db.query(`vacuum analyze ${tableName(raw)}`);
  return ids;
};
