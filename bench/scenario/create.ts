// Creating records: a thousand in a request, a hundred, one.
import { type BenchField, cellsOf, tenFields, twentyFields } from '../cells.ts';
import { type Ground, newGround, tableName } from '../ground.ts';
import type { RawKind, RawTable } from '../process/raw.sql.ts';
import type { ScriptLine } from '../process/script.ts';
import type { Schedule } from '../rounds.ts';
import { measure } from '../rounds.ts';
import { countFor, type Throughput } from './scenario.ts';

const script = ({ ours, person }: Ground, lines: number, records: number): ScriptLine[] =>
  Array.from({ length: lines }, (_, line) => ({
    method: 'POST',
    path: `/api/table/${ours.tableId}/record`,
    body: {
      records: Array.from({ length: records }, (_record, at) => ({
        fields: cellsOf(ours.fields, line * records + at, 0, person),
      })),
    },
  }));

const watchTables = ({ stage, ours, raw }: Ground, records: number): Pick<Schedule, 'reset' | 'check'> => ({
  reset: async () => {
    await stage.db.query(`truncate ${tableName(ours)}, ${tableName(raw)}`);
    await stage.db.query('checkpoint');
  },
  check: async (table: RawTable, requests) => {
    const { rows } = await stage.db.query<{ count: string }>(`select count(*) from ${tableName(table)}`);
    if (Number(rows[0]?.count) !== requests * records)
      throw new Error(`${requests} requests left ${rows[0]?.count} records`);
  },
});

interface Shape {
  fields: BenchField[];
  records: number;
  clients: number;
  requests: number;
  atLeast: number;
  raw: RawKind;
}

const creating = (
  name: string,
  title: string,
  goal: Throughput['goal'],
  { fields, records, clients, requests, atLeast, raw }: Shape,
): Throughput => ({
  name,
  title,
  goal,
  async run(stage, effort) {
    const ground = await newGround(stage, fields);
    return measure({
      ground,
      lines: script(ground, Math.ceil(10_000 / records), records),
      clients,
      raw,
      status: 201,
      rowsPerRequest: records,
      requestsPerRound: countFor(requests, effort, atLeast),
      rounds: effort.rounds,
      ...watchTables(ground, records),
    });
  },
});

export const createThousand = creating(
  'create-1000',
  'create 1,000 × 20, 1 client',
  { must: 0.75, want: 0.85 },
  { fields: twentyFields, records: 1_000, clients: 1, requests: 50, atLeast: 10, raw: 'create' },
);
export const createHundred = creating(
  'create-100',
  'create 100 × 10, 4 clients',
  { must: 0.75, want: 0.85 },
  { fields: tenFields, records: 100, clients: 4, requests: 500, atLeast: 100, raw: 'create' },
);
export const createOne = creating(
  'create-1',
  'create 1 × 10, 16 clients',
  { must: 0.75, want: 0.85 },
  { fields: tenFields, records: 1, clients: 16, requests: 10_000, atLeast: 2_000, raw: 'createOne' },
);
