// A record that very many others show is renamed: what its writer waits, what others wait meanwhile, and what pages take; and a rollup that is added to a
// large table. On the sample base.
import { createClient } from '@rowhouse/contract/client.ts';
import { makeSample } from '../../server/cli/sample-base.ts';
import { median, percentile } from '../figures.ts';
import { callApi, newSpace } from '../ground.ts';
import type { Stage } from '../process/stage.ts';
import { whenFilled } from './tables.ts';

interface Hub {
  records: number;
  /** Seconds until the base was there, and until all of its columns were filled. */
  made: number;
  filled: number;
  dependents: number;
  /** Milliseconds. */
  renamed: { first: number; whileFilling: number };
  jobSeconds: number;
  meanwhile: { page: number; longestPage: number; write: number; longestWrite: number };
  settled: { page: number; write: number };
  added: { answered: number; firstPage: number; filled: number };
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

export const measureHub = async (stage: Stage, records: number): Promise<Hub> => {
  const call = createClient({ baseUrl: `${stage.server.origin}/api`, token: stage.token });
  const begun = performance.now();
  const sample = await makeSample(call, await newSpace(stage), records, (line) => console.error(`  ${line}`));
  const made = (performance.now() - begun) / 1_000;
  await whenFilled(stage);
  const filled = (performance.now() - begun) / 1_000;
  const { tableIds, fields, baseId, recordIds } = sample;
  // Most tasks, 100,000 at most, get one more link, to one person.
  const link = await callApi<{ id: string }>(stage, 'POST', `/table/${tableIds.Tasks}/field`, {
    name: 'Reviewer',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: tableIds.People, isOneWay: true },
  });
  const { rows } = await stage.db.query<{ name: string }>(
    'select db_table_name as name from rowhouse.tables where id = $1',
    [tableIds.Tasks],
  );
  const place = `"${baseId}"."${rows[0]?.name}"`;
  const hub = recordIds.People[0] as string;
  const dependents = Math.min(100_000, Math.floor(recordIds.Tasks.length * 0.6));
  await stage.db.query(
    `update ${place} set "__fk_${link.id}" = $1, "Reviewer" = (select jsonb_build_object('id', __id, 'title', "Name") from "${baseId}"."People" where __id = $1) where __id in (select __id from ${place} order by __auto_number limit ${dependents})`,
    [hub],
  );
  await callApi(stage, 'POST', `/table/${tableIds.Tasks}/field`, {
    name: 'Review rate',
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId: tableIds.People, linkFieldId: link.id, lookupFieldId: fields.People['Rate']?.id },
  });
  await whenFilled(stage);
  await stage.db.query(`vacuum analyze ${place}`);
  let turn = 0;
  const page = () => timed(() => callApi(stage, 'GET', `/table/${tableIds.Tasks}/record?take=100`));
  const write = () =>
    timed(() =>
      callApi(stage, 'PATCH', `/table/${tableIds.Tasks}/record/${recordIds.Tasks[((turn += 97)) % dependents]}`, {
        record: { fields: { Hours: turn % 40 } },
      }),
    );
  const rename = () =>
    timed(() =>
      callApi(stage, 'PATCH', `/table/${tableIds.People}/record/${hub}`, {
        record: { fields: { Name: `Hub ${(turn += 1)}`, Rate: 50 + (turn % 50) } },
      }),
    );
  for (let warm = 0; warm < 10; warm += 1) await Promise.all([page(), write()]);
  const isFilling = async (): Promise<boolean> =>
    (await stage.db.query(`select from rowhouse.fields where computed ->> 'state' = 'settling' limit 1`)).rows.length >
    0;
  const first = await rename();
  const whileFilling = await rename();
  const filling = performance.now();
  const [pages, writes]: [number[], number[]] = [[], []];
  while (await isFilling()) {
    pages.push(await page());
    writes.push(await write());
  }
  const jobSeconds = (performance.now() - filling) / 1_000;
  const [settledPages, settledWrites]: [number[], number[]] = [[], []];
  for (let at = 0; at < 50; at += 1) {
    settledPages.push(await page());
    settledWrites.push(await write());
  }
  const adding = performance.now();
  const answered = await timed(() =>
    callApi(stage, 'POST', `/table/${tableIds.Tasks}/field`, {
      name: 'Rate again',
      type: 'number',
      isLookup: true,
      lookupOptions: {
        foreignTableId: tableIds.People,
        linkFieldId: fields.Tasks['Assignee']?.id,
        lookupFieldId: fields.People['Rate']?.id,
      },
    }),
  );
  const firstPage = await page();
  await whenFilled(stage);
  return {
    records,
    made,
    filled,
    dependents,
    jobSeconds,
    renamed: { first, whileFilling },
    meanwhile: {
      page: median(pages),
      longestPage: percentile(pages, 1),
      write: median(writes),
      longestWrite: percentile(writes, 1),
    },
    settled: { page: median(settledPages), write: median(settledWrites) },
    added: { answered, firstPage, filled: (performance.now() - adding) / 1_000 },
  };
};
