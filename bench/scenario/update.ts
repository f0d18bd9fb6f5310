// Updating records, with their history: a thousand in a request, one. Every cell that is sent changes.
import { type BenchField, cellsOf, tenFields, twentyFields } from '../cells.ts';
import { fill, type Ground, historyName, newGround, tableName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';
import type { ScriptLine } from '../process/script.ts';
import { measure, type Plan } from '../rounds.ts';
import { countFor, type Effort, type Throughput } from './scenario.ts';

const watchHistory = ({ stage, ours, raw }: Ground, cells: number): Pick<Plan, 'reset' | 'check'> => ({
  reset: async () => {
    await stage.db.query(`truncate ${historyName(ours)}, ${historyName(raw)}`);
    for (const table of [ours, raw]) await stage.db.query(`vacuum ${tableName(table)}`);
    await stage.db.query('checkpoint');
  },
  check: async (table: RawTable, requests) => {
    const { rows } = await stage.db.query<{ count: string }>(`select count(*) from ${historyName(table)}`);
    if (Number(rows[0]?.count) !== requests * cells) throw new Error(`${requests} requests left ${rows[0]?.count} entries of history instead of ${requests * cells}`);
  },
});

const chosen = (cells: Record<string, unknown>, names: readonly string[]): Record<string, unknown> => Object.fromEntries(names.map((name) => [name, cells[name]]));

const oneByOne = ({ ours, person }: Ground, ids: string[], names: string[]): ScriptLine[] =>
  [1, 2].flatMap((variant) =>
    ids.map((id, row) => ({ method: 'PATCH', path: `/api/table/${ours.tableId}/record/${id}`, body: { record: { fields: chosen(cellsOf(ours.fields, row, variant, person), names) } } })),
  );

const byThousand = ({ ours, person }: Ground, ids: string[]): ScriptLine[] =>
  [1, 2].flatMap((variant) =>
    Array.from({ length: ids.length / 1_000 }, (_, line) => ({
      method: 'PATCH',
      path: `/api/table/${ours.tableId}/record`,
      body: { records: ids.slice(line * 1_000, (line + 1) * 1_000).map((id, at) => ({ id, fields: cellsOf(ours.fields, line * 1_000 + at, variant, person) })) },
    })),
  );

const records = 10_000;

const planFor = async (ground: Ground, effort: Effort, isBulk: boolean): Promise<Plan> => {
  const ids = await fill(ground, records);
  const names = ['Text 1', 'Number 1', 'Status'];
  return {
    ground,
    lines: isBulk ? byThousand(ground, ids) : oneByOne(ground, ids, names),
    clients: isBulk ? 1 : 16,
    raw: isBulk ? 'update' : 'updateOne',
    status: 200,
    rowsPerRequest: isBulk ? 1_000 : 1,
    requestsPerRound: isBulk ? countFor(40, effort, 8) : countFor(10_000, effort, 2_000),
    rounds: effort.rounds,
    ...watchHistory(ground, isBulk ? 1_000 * ground.ours.fields.length : names.length),
  };
};

const updating = (name: string, title: string, goal: Throughput['goal'], fields: BenchField[], isBulk: boolean): Throughput => ({
  name,
  title,
  goal,
  run: async (stage, effort) => measure(await planFor(await newGround(stage, fields), effort, isBulk)),
});

export const updateThousand = updating('update-1000', 'update 1,000 × 20 with history, 1 client', { must: 0.5, want: 0.8 }, twentyFields, true);
export const updateOne = updating('update-1', 'update 1 × 3 with history, 16 clients', { must: 0.5, want: 0.7 }, tenFields, false);
