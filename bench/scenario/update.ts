// Updating records, with their history: a thousand in a request, a hundred, one. Every cell that is sent changes.
import { type BenchField, cellsOf, tenFields, twentyFields } from '../cells.ts';
import { fill, type Ground, historyName, newGround, tableName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';
import type { ScriptLine } from '../process/script.ts';
import { measure, type Schedule } from '../rounds.ts';
import { countFor, type Effort, type Throughput } from './scenario.ts';

const watchHistory = ({ stage, ours, raw }: Ground, cells: number): Pick<Schedule, 'reset' | 'check'> => ({
  reset: async () => {
    await stage.db.query(`truncate ${historyName(ours)}, ${historyName(raw)}`);
    for (const table of [ours, raw]) await stage.db.query(`vacuum ${tableName(table)}`);
    await stage.db.query('checkpoint');
  },
  check: async (table: RawTable, requests) => {
    const { rows } = await stage.db.query<{ count: string }>(`select count(*) from ${historyName(table)}`);
    if (Number(rows[0]?.count) !== requests * cells)
      throw new Error(`${requests} requests left ${rows[0]?.count} entries of history instead of ${requests * cells}`);
  },
});

const chosen = (cells: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, cells[name]]));

const oneByOne = ({ ours, person }: Ground, ids: string[], names: string[]): ScriptLine[] =>
  [1, 2].flatMap((variant) =>
    ids.map((id, row) => ({
      method: 'PATCH',
      path: `/api/table/${ours.tableId}/record/${id}`,
      body: { record: { fields: chosen(cellsOf(ours.fields, row, variant, person), names) } },
    })),
  );

const bySeveral = ({ ours, person }: Ground, ids: string[], several: number): ScriptLine[] =>
  [1, 2].flatMap((variant) =>
    Array.from({ length: ids.length / several }, (_, line) => ({
      method: 'PATCH',
      path: `/api/table/${ours.tableId}/record`,
      body: {
        records: ids
          .slice(line * several, (line + 1) * several)
          .map((id, at) => ({ id, fields: cellsOf(ours.fields, line * several + at, variant, person) })),
      },
    })),
  );

const records = 10_000;

interface Shape {
  several: number;
  clients: number;
  requests: number;
  atLeast: number;
}

const scheduleFor = async (
  ground: Ground,
  effort: Effort,
  { several, clients, requests, atLeast }: Shape,
): Promise<Schedule> => {
  const ids = await fill(ground, records);
  const names = ['Text 1', 'Number 1', 'Status'];
  const isBulk = several > 1;
  return {
    ground,
    lines: isBulk ? bySeveral(ground, ids, several) : oneByOne(ground, ids, names),
    clients,
    raw: isBulk ? 'update' : 'updateOne',
    status: 200,
    rowsPerRequest: several,
    requestsPerRound: countFor(requests, effort, atLeast),
    rounds: effort.rounds,
    ...watchHistory(ground, isBulk ? several * ground.ours.fields.length : names.length),
  };
};

const updating = (
  name: string,
  title: string,
  goal: Throughput['goal'],
  fields: BenchField[],
  shape: Shape,
): Throughput => ({
  name,
  title,
  goal,
  run: async (stage, effort) => measure(await scheduleFor(await newGround(stage, fields), effort, shape)),
});

export const updateThousand = updating(
  'update-1000',
  'update 1,000 × 20 with history, 1 client',
  { must: 0.75, want: 0.85 },
  twentyFields,
  { several: 1_000, clients: 1, requests: 40, atLeast: 8 },
);
export const updateHundred = updating(
  'update-100',
  'update 100 × 10 with history, 4 clients',
  { must: 0.75, want: 0.85 },
  tenFields,
  { several: 100, clients: 4, requests: 400, atLeast: 80 },
);
export const updateOne = updating(
  'update-1',
  'update 1 × 3 with history, 16 clients',
  { must: 0.75, want: 0.85 },
  tenFields,
  { several: 1, clients: 16, requests: 10_000, atLeast: 2_000 },
);
