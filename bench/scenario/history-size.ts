// Bytes on disk of a history entry: a change of a short text, made over the API.
import { twentyFields } from '../cells.ts';
import { fill, callApi, type Ground, historyName, newGround } from '../ground.ts';
import type { Figure, Figures } from './scenario.ts';

interface Sizes {
  entries: number;
  history: number;
  operations: number;
}

const sizesOf = async ({ stage, ours }: Ground): Promise<Sizes> => {
  const { rows } = await stage.db.query<Sizes>(
    `select (select count(*)::int from ${historyName(ours)}) as entries,
            pg_total_relation_size('${historyName(ours)}')::float8 as history, pg_total_relation_size('"${ours.baseId}"."__operation"')::float8 as operations`,
  );
  return rows[0] as Sizes;
};

/** What `work` adds, per entry. */
const perEntry = async (ground: Ground, how: string, work: () => Promise<void>): Promise<Figure[]> => {
  const before = await sizesOf(ground);
  await work();
  const after = await sizesOf(ground);
  const entries = after.entries - before.entries;
  const history = (after.history - before.history) / entries;
  return [
    { name: `entry, ${how}: table and indexes`, value: history, unit: 'bytes', goal: { must: 250 } },
    {
      name: `entry, ${how}: its part of the operation row and indexes`,
      value: (after.operations - before.operations) / entries,
      unit: 'bytes',
    },
  ];
};

export const historySize: Figures = {
  name: 'history-size',
  title: 'size of a history entry',
  async figures(stage, effort) {
    const ground = await newGround(stage, twentyFields);
    const ids = await fill(ground, 2_000);
    const path = `/table/${ground.ours.tableId}/record`;
    const rounds = effort.share < 1 ? 5 : 25;
    const bulk = await perEntry(ground, '1,000 in a request', async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (let at = 0; at < ids.length; at += 1_000) {
          await callApi(stage, 'PATCH', path, {
            records: ids
              .slice(at, at + 1_000)
              .map((id, row) => ({ id, fields: { 'Text 1': `changed ${round}-${row}` } })),
          });
        }
      }
    });
    const single = await perEntry(ground, 'one in a request', async () => {
      for (let row = 0; row < rounds * 400; row += 1)
        await callApi(stage, 'PATCH', `${path}/${ids[(row * 7) % ids.length]}`, {
          record: { fields: { 'Text 1': `once more ${row}` } },
        });
    });
    return [...bulk, ...single];
  },
};
