// The first page of a large table.
import { twentyFields } from '../cells.ts';
import { fill, newGround } from '../ground.ts';
import { measure } from '../rounds.ts';
import { countFor, type Throughput } from './scenario.ts';

const untouched = async (): Promise<void> => undefined;

export const listHundred: Throughput = {
  name: 'list-100',
  title: 'list 100 of 100,000 × 20, 8 clients',
  goal: { must: 0.6, want: 0.9 },
  async run(stage, effort) {
    const ground = await newGround(stage, twentyFields);
    await fill(ground, effort.share < 1 ? 20_000 : 100_000);
    return measure({
      ground,
      lines: [{ method: 'GET', path: `/api/table/${ground.ours.tableId}/record?take=100` }],
      clients: 8,
      raw: 'list',
      status: 200,
      rowsPerRequest: 100,
      requestsPerRound: countFor(4_000, effort, 800),
      rounds: effort.rounds,
      reset: untouched,
      check: untouched,
    });
  },
};
