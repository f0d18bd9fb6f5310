// Pages of history right after a burst of writes, before autovacuum has looked at them: the plan must not rest on statistics.
import { tenFields } from '../cells.ts';
import { newGround } from '../ground.ts';
import { entries, type RawKind } from '../process/raw.sql.ts';
import { measure } from '../rounds.ts';
import { fillHistory } from './history-fill.sql.ts';
import { countFor, type Throughput } from './scenario.ts';

const untouched = async (): Promise<void> => undefined;

const reading = (name: string, title: string, raw: RawKind): Throughput => ({
  name,
  title,
  goal: { must: 0.5, want: 0.6 },
  async run(stage, effort) {
    const ground = await newGround(stage, tenFields);
    const [filled] = [
      await fillHistory(stage.db, ground.ours, 100_000, true),
      await fillHistory(stage.db, ground.raw, 100_000, true),
    ];
    const place = raw === 'recordHistory' ? `record/${filled.recordId}` : 'record';
    return measure({
      ground,
      lines: [{ method: 'GET', path: `/api/table/${ground.ours.tableId}/${place}/history?take=${entries}` }],
      clients: 8,
      raw,
      status: 200,
      rowsPerRequest: entries,
      requestsPerRound: countFor(5_000, effort, 1_000),
      rounds: effort.rounds,
      reset: untouched,
      check: untouched,
    });
  },
});

export const historyBurst = reading(
  'history-burst',
  'history of a table, 20 entries, right after 100,000 were written, 8 clients',
  'history',
);
export const recordHistoryBurst = reading(
  'record-history-burst',
  'history of a record, 20 entries, right after 100,000 were written, 8 clients',
  'recordHistory',
);
