// A page of history of a large table against the same page of a small one. The histories are written by SQL:
// ten entries an operation, forty entries a record, changes in no order of records.
import { join } from 'node:path';
import { tenFields } from '../cells.ts';
import { median } from '../figures.ts';
import { newSpace, newTable } from '../ground.ts';
import { fillHistory } from './history-fill.sql.ts';
import type { RawTable } from '../process/raw.sql.ts';
import { type Done, writeScript } from '../process/script.ts';
import type { Stage } from '../process/stage.ts';
import { startWorker, type Worker } from '../process/worker.ts';
import type { Figure, Figures } from './scenario.ts';

const smallSize = 20_000;

const pages = (
  table: RawTable,
  author: string,
  rareAuthor: string,
  fieldId: string,
  recordId: string,
): Record<string, string> => {
  const history = `/api/table/${table.tableId}/record/history?take=20`;
  return {
    'of the table': history,
    'of one record': `/api/table/${table.tableId}/record/${recordId}/history?take=20`,
    'of one field': `${history}&fieldIds[]=${fieldId}`,
    'of one author': `${history}&createdByIds[]=${author}`,
    'of an author with 40 entries, long ago': `${history}&createdByIds[]=${rareAuthor}`,
  };
};

const makeHistory = async (stage: Stage, spaceId: string, entries: number): Promise<Record<string, string>> => {
  const table = await newTable(stage, spaceId, tenFields);
  const { fieldId, recordId, author, rareAuthor } = await fillHistory(stage.db, table, entries);
  return pages(table, author, rareAuthor, fieldId, recordId);
};

export const historyPage: Figures = {
  name: 'history-page',
  title: 'a page of 20 entries of history',
  async figures(stage, effort) {
    const largeSize = effort.share < 1 ? 200_000 : 2_000_000;
    const spaceId = await newSpace(stage);
    const paths = {
      small: await makeHistory(stage, spaceId, smallSize),
      large: await makeHistory(stage, spaceId, largeSize),
    };
    await stage.db.query('checkpoint');
    const count = Math.max(50, Math.round(500 * effort.share));
    const figures: Figure[] = [];
    for (const name of Object.keys(paths.small)) {
      const workers: Worker[] = [];
      const timings = { small: [] as number[], large: [] as number[] };
      const start = async (size: 'small' | 'large'): Promise<Worker> => {
        const file = join(stage.folder, `history-${size}.jsonl`);
        writeScript(file, [{ method: 'GET', path: paths[size][name] as string }]);
        const worker = await startWorker('http-load.ts', {
          origin: stage.server.origin,
          token: stage.token,
          file,
          clients: 1,
        });
        workers.push(worker);
        await worker.ask<Done>({ start: 0, count: 20 });
        return worker;
      };
      try {
        const sides = { small: await start('small'), large: await start('large') };
        for (let round = 0; round < effort.rounds; round += 1) {
          for (const size of ['small', 'large'] as const)
            timings[size].push(...(await sides[size].ask<Done>({ start: 0, count })).latencies);
        }
      } finally {
        for (const worker of workers) await worker.stop();
      }
      const [small, large] = [median(timings.small), median(timings.large)];
      figures.push(
        { name: `${name}: p50 at ${smallSize.toLocaleString('en')}`, value: small, unit: 'ms' },
        { name: `${name}: p50 at ${largeSize.toLocaleString('en')}`, value: large, unit: 'ms' },
        { name: `${name}: ratio`, value: large / small, unit: '×', goal: { must: 2 } },
      );
    }
    return figures;
  },
};
