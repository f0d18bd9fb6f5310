// What one tenant may cost the others.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refreshAccessToken } from '@rowhouse/contract/access-token.ts';
import { getUser } from '@rowhouse/contract/auth.ts';
import { deleteBase, destroyBase } from '@rowhouse/contract/base.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { setViewFilter } from '@rowhouse/contract/view.ts';
import { createPlans } from '../../server/catalog/plans.ts';
import { sql } from '../../server/db/sql.ts';
import { countBytes } from '../../server/domain/plan/count-bytes.ts';
import { whileLocked } from '../../test/support/lock.ts';
import { person } from '../../test/support/people.ts';
import { plansFile } from '../../test/support/plans.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import type { World } from '../../test/support/world.ts';
import { newDataFolder } from '../program.ts';
import { type Attack, unless } from './attack.ts';

const fields = [
  { name: 'Text', type: 'longText' },
  { name: 'Day', type: 'date' },
];
const newTable = async (world: World, of?: TestTable['owner']): Promise<TestTable> =>
  tableWith(await newGround(world, of), fields);
const create = (table: TestTable, Text = 'x', headers: Record<string, string> = {}) =>
  table.call(createRecords, { params: table, body: { records: [{ fields: { Text } }] }, headers });
const incompressible = (length: number): string => randomBytes(length / 2).toString('hex');

const spellings = (name: string, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, bits) =>
    [...name].map((letter, at) => (((from + bits) >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
  );

export const attacks: Attack[] = [
  {
    name: 'an account changes its own token in a loop, and the writes of others are refused',
    async run({ ground }) {
      const stranger = await person(ground);
      const { id } = await stranger.withToken({});
      const table = await newTable(ground);
      let isOver = false;
      const changing = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isOver) await stranger.call(refreshAccessToken, { params: { accessTokenId: id } });
        }),
      );
      const statuses: number[] = [];
      for (let count = 0; count < 100; count += 1) statuses.push((await create(table)).status);
      isOver = true;
      await changing;
      const refused = statuses.filter((status) => status !== 201);
      return unless(
        refused.length === 0,
        `${refused.length} of 100 writes were answered ${[...new Set(refused)].join()}`,
      );
    },
  },
  {
    name: 'tables whose rows are all alike are joined, and fill the disk',
    async run({ ground }) {
      const base = await newGround(ground);
      const alike = Array.from({ length: 300 }, () => ({ fields: { Text: 'x'.repeat(1_000) } }));
      const tables: TestTable[] = [];
      for (let count = 0; count < 4; count += 1) {
        const table = await tableWith(base, fields);
        await table.call(createRecords, { params: table, body: { records: alike } });
        tables.push(table);
      }
      const keyOf = (table: TestTable | undefined): string => table?.fieldIds['Text'] as string;
      const asked = (joined: readonly TestTable[]) => {
        const [first, ...others] = joined;
        const join = others.map((other) => ({
          type: 'INNER JOIN',
          table: other.tableId,
          on: [keyOf(first), keyOf(other)],
        }));
        const orderBy = [{ column: keyOf(joined.at(-1)), type: 'field', order: 'asc' }];
        const query = JSON.stringify({ from: first?.tableId, join, orderBy });
        return base.call(queryBase, { params: base, query: { query } });
      };
      const temporary = async (): Promise<number> => {
        await ground.db.query(sql`select pg_stat_force_next_flush()`);
        const [row] = await ground.db.query<{ bytes: number }>(
          sql`select temp_bytes::float8 as bytes from pg_stat_database where datname = current_database()`,
        );
        return row?.bytes ?? 0;
      };
      const control = (await asked(tables.slice(0, 2))).status;
      const before = await temporary();
      const refused = await Promise.all([asked(tables), asked(tables), asked(tables)]);
      const megabytes = Math.round(((await temporary()) - before) / 1_048_576);
      return [
        ...unless(control === 200, `two tables were answered ${control}`),
        ...refused.flatMap(({ status }) => unless(status === 400, `four tables were answered ${status}`)),
        // It was 12 GB, and grew until the time of the statements ended.
        ...unless(megabytes < 1_000, `temporary files took ${megabytes} MB`),
      ];
    },
  },
  {
    name: 'text of 20,000 characters is searched for',
    async run({ ground }) {
      const table = await newTable(ground);
      const { status } = await table.call(listRecords, { params: table, query: { search: ['x'.repeat(20_000)] } });
      return unless(status === 400, `answered ${status}`);
    },
  },
  {
    name: 'one account keeps all connections busy, in several spaces',
    async run({ ground }) {
      const eve = await person(ground);
      const [first, second, third, other] = [
        await newTable(ground, eve),
        await newTable(ground, eve),
        await newTable(ground, eve),
        await newTable(ground),
      ];
      let waiting: Promise<unknown> | undefined;
      let status = 0;
      await whileLocked(ground, first, () =>
        whileLocked(ground, second, () =>
          whileLocked(ground, third, async () => {
            waiting = Promise.all(
              [first, second, third].flatMap((table) =>
                Array.from({ length: 12 }, () => table.call(listRecords, { params: table })),
              ),
            );
            await new Promise((done) => setTimeout(done, 500));
            ({ status } = await create(other));
          }),
        ),
      );
      await waiting;
      return unless(status === 201, `another tenant was answered ${status}`);
    },
  },
  {
    name: 'a thousand spellings of a time zone stay in memory',
    async run({ ground }) {
      const table = await newTable(ground);
      const before = ground.memory();
      let status = 0;
      for (let round = 0; round < 5; round += 1) {
        const filterSet = spellings('America/Indiana/Indianapolis', round * 1_000, 1_000).map((timeZone) => ({
          fieldId: table.fieldIds['Day'] as string,
          operator: 'is' as const,
          value: { mode: 'today' as const, timeZone },
        }));
        for (let at = 0; at < filterSet.length; at += 50) {
          ({ status } = await table.call(setViewFilter, {
            params: table,
            body: { filter: { conjunction: 'and', filterSet: filterSet.slice(at, at + 50) as never } },
          }));
        }
      }
      const grown = ground.memory() - before;
      return [
        ...unless(status === 200, `the filter was answered ${status}`),
        ...unless(grown < 100, `the server took ${grown} MB more`),
      ];
    },
  },
  {
    name: 'history fills the disk, and answers of a deleted base stay',
    async run({ open }) {
      const file = plansFile();
      for (const product of file.products) product.maxBytes = 2_000_000;
      const folder = newDataFolder();
      mkdirSync(folder, { recursive: true });
      const path = join(folder, 'small-plans.json');
      writeFileSync(path, JSON.stringify(file));
      const ground = await open({ ROWHOUSE_PLANS: path });
      const table = await newTable(ground);
      const recordId = (await create(table, 'x', { 'idempotency-key': 'k' })).body.records[0]?.id as string;
      for (let round = 0; round < 30; round += 1)
        await table.call(updateRecord, {
          params: { ...table, recordId },
          body: { record: { fields: { Text: incompressible(90_000) } } },
        });
      await countBytes({ db: ground.db, plans: createPlans(file) });
      const { status } = await create(table);
      await table.call(deleteBase, { params: table });
      await table.call(destroyBase, { params: table });
      const left = await ground.db.query(sql`select from rowhouse.idempotency_keys where base_id = ${table.baseId}`);
      return [
        ...unless(status === 402, `a space over its bytes was answered ${status}`),
        ...unless(left.length === 0, 'answers of a deleted base are there'),
      ];
    },
  },
  {
    name: 'a clock that was ahead for a moment locks a token out',
    async run({ ground }) {
      const someone = await person(ground);
      const tokenId = someone.token.split('_')[1] as string;
      await ground.db.query(
        sql`insert into rowhouse.rate_points (key, second, taken) values (${tokenId}, ${Math.floor(Date.now() / 1_000) + 86_400}, 1000000)`,
      );
      const { status } = await someone.call(getUser);
      return unless(status === 200, `answered ${status}`);
    },
  },
];
