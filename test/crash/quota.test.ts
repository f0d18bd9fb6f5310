// The limit of rows over two real server processes: reached exactly, never passed, and counted right after a crash.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getBilling } from '@rowhouse/contract/billing.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../server/db/embedded.ts';
import { type Caller, caller } from '../support/caller.ts';
import { plansFile } from '../support/plans.ts';
import { credentialsIn, freePort, runProgram, serve, type Served, usedDataFolder } from '../support/program.ts';

const limit = 400;
const creators = 64;

interface QuotaStage {
  servers: [Served, Served];
  calls: [Caller, Caller];
  spaceId: string;
  tableId: string;
  numRows: (call: Caller) => Promise<number>;
  doctor: () => Promise<string>;
  restart: () => Promise<Caller>;
}

const open = async (): Promise<QuotaStage> => {
  const data = usedDataFolder();
  const postgres = await startEmbedded(data, { port: await freePort() });
  const plans = join(dirname(data), 'plans.json');
  const file = plansFile();
  Object.assign(file.products[0]?.limit as object, { maxRows: limit });
  writeFileSync(plans, JSON.stringify(file));
  const env = { DATABASE_URL: postgres.urlOf('rowhouse'), ROWHOUSE_PLANS: plans };
  const first = await serve({ ...env, ROWHOUSE_DATA: data });
  const second = await serve({ ...env, ROWHOUSE_DATA: data });
  const known = credentialsIn(data);
  const { spaceId } = known as unknown as { spaceId: string };
  const callOf = ({ origin }: Served): Caller => caller({ baseUrl: `${origin}/api`, token: known.token });
  const calls: [Caller, Caller] = [callOf(first), callOf(second)];
  const made = await calls[0](createTable, {
    params: { baseId: known.baseId },
    body: { name: 'Rows', fields: [{ name: 'Text', type: 'singleLineText' }], records: [] },
  });
  return {
    servers: [first, second],
    calls,
    spaceId,
    tableId: made.body.id,
    numRows: async (call) => (await call(getBilling, { params: { spaceId } })).body.plan.usage.numRows,
    doctor: async () => {
      const program = runProgram(['doctor'], { ...env, ROWHOUSE_DATA: data });
      await program.ended;
      return program.said();
    },
    restart: async () => callOf(await serve({ ...env, ROWHOUSE_DATA: data })),
  };
};

const create = (call: Caller, tableId: string, count: number) =>
  call(createRecords, {
    params: { tableId },
    body: { records: Array.from({ length: count }, (_, at) => ({ fields: { Text: `row ${at}` } })) },
  });

test('64 creators at the edge of the limit, over two processes, end exactly at it', async () => {
  const { calls, tableId, numRows, doctor } = await open();
  const room = 150;
  const before = await numRows(calls[0]);
  expect((await create(calls[1], tableId, limit - room - before)).status).toBe(201);
  let accepted = 0;
  let refused = 0;
  await Promise.all(
    Array.from({ length: creators }, async (_, at) => {
      const call = calls[at % 2] as Caller;
      for (let round = 0; round < 4; round += 1) {
        const asked = 1 + ((at + round) % 2);
        const { status, error } = await create(call, tableId, asked);
        if (status === 201) accepted += asked;
        else {
          refused += 1;
          expect(error).toMatchObject({ status: 402, code: 'payment_required', data: { limit, asked } });
        }
      }
    }),
  );
  // One that asks for two may find room for one: the ones fill it up.
  while ((await create(calls[0], tableId, 1)).status === 201) accepted += 1;
  expect(accepted).toBe(room);
  expect(refused).toBeGreaterThan(0);
  expect(await Promise.all(calls.map(numRows))).toEqual([limit, limit]);
  expect((await calls[1](listRecords, { params: { tableId }, query: { take: 1_000 } })).body.records).toHaveLength(
    limit - before,
  );
  const findings = await doctor();
  expect(findings).toContain('the records of every space are counted right');
  expect(findings).toContain('warn   database: the server connects as rowhouse, which is a superuser');
});

test('a process that is killed among 64 creators leaves the exact count, and the other fills up to the limit', async () => {
  const { servers, calls, tableId, numRows, doctor, restart } = await open();
  let accepted = await numRows(calls[0]);
  let unknown = 0;
  await Promise.all(
    Array.from({ length: creators }, async (_, at) => {
      for (let round = 0; round < 12; round += 1) {
        const status = (await create(calls[at % 2] as Caller, tableId, 1).catch(() => undefined))?.status;
        if (status === 201) accepted += 1;
        if (status === undefined) {
          unknown += 1;
          return;
        }
        if (accepted === 100) servers[0].kill('SIGKILL');
      }
    }),
  );
  await servers[0].ended;
  const third = await restart();
  const counted = await numRows(third);
  expect(counted).toBeGreaterThanOrEqual(accepted);
  expect(counted).toBeLessThanOrEqual(accepted + unknown);
  expect(await doctor()).toContain('the records of every space are counted right');
  while ((await create(third, tableId, 1)).status === 201);
  expect(await numRows(calls[1])).toBe(limit);
  expect(await doctor()).toContain('the records of every space are counted right');
});
