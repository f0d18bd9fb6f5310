// The first page of a large table, and one further down.
import { twentyFields } from '../cells.ts';
import { fill, newGround } from '../ground.ts';
import { depth } from '../process/raw.sql.ts';
import { measure } from '../rounds.ts';
import { countFor, type Throughput } from './scenario.ts';

const untouched = async (): Promise<void> => undefined;

const listing = (name: string, title: string, skip: number): Throughput => ({
  name,
  title,
  goal: { must: 0.75, want: 0.9 },
  async run(stage, effort) {
    const ground = await newGround(stage, twentyFields);
    await fill(ground, effort.share < 1 ? 20_000 : 100_000);
    return measure({
      ground,
      lines: [
        {
          method: 'GET',
          path: `/api/table/${ground.ours.tableId}/record?take=100${skip === 0 ? '' : `&skip=${skip}`}`,
        },
      ],
      clients: 8,
      raw: skip === 0 ? 'list' : 'listDeep',
      status: 200,
      rowsPerRequest: 100,
      requestsPerRound: countFor(4_000, effort, 800),
      rounds: effort.rounds,
      reset: untouched,
      check: untouched,
    });
  },
});

export const listHundred = listing('list-100', 'list 100 of 100,000 × 20, 8 clients', 0);
export const listDeep = listing('list-deep', 'list 100 from row 15,000 of 100,000 × 20, 8 clients', depth);
