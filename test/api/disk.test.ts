// Bytes on disk: counted by space, limited by the plan, and given back with what is deleted.
import { randomBytes } from 'node:crypto';
import { deleteBase, destroyBase, duplicateBase } from '@rowhouse/contract/base.ts';
import { getBilling } from '@rowhouse/contract/billing.ts';
import { createRecords, deleteRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable, deleteTable, deleteTablePermanently } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { countBytes } from '../../server/domain/plan/count-bytes.ts';
import { recordJobs } from '../../server/domain/record/jobs.ts';
import { plansWith } from '../support/plans.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { newBase } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const maxBytes = 3_000_000;
const world = useWorld({}, { plans: plansWith({ free: { maxBytes } }) });
const longField = [{ name: 'Text', type: 'longText' }];

/** Text that cannot be made shorter. */
const text = (length: number): string => randomBytes(length / 2).toString('hex');
const create = (table: TestTable, Text = 'x', headers = {}) =>
  table.call(createRecords, { params: table, body: { records: [{ fields: { Text } }] }, headers });

test('a space over its bytes takes nothing more until something is deleted for good; nobody else is concerned', async () => {
  const table = await tableWith(await ground(world()), longField);
  const other = await tableWith(await ground(world()), longField);
  const recordId = (await create(table)).body.records[0]?.id as string;
  await countBytes(world().services);
  // It is the history that grows here.
  for (let round = 0; round < 40; round += 1) {
    expect(
      (
        await table.call(updateRecord, {
          params: { ...table, recordId },
          body: { record: { fields: { Text: text(90_000) } } },
        })
      ).status,
    ).toBe(200);
  }
  await countBytes(world().services);
  const { plan } = (await table.call(getBilling, { params: table })).body;
  expect(plan).toMatchObject({
    maxDiskSize: maxBytes,
    usage: { numRows: 1, diskSize: expect.toSatisfy((bytes: number) => bytes > maxBytes) },
  });
  const refused = await create(table);
  expect([refused.status, refused.error.code, refused.error.message, refused.error.data]).toEqual([
    402,
    'payment_required',
    expect.stringContaining(`allows ${maxBytes} bytes on disk`),
    { limit: maxBytes, usage: plan.usage.diskSize },
  ]);
  expect(
    (await table.call(updateRecord, { params: { ...table, recordId }, body: { record: { fields: { Text: 'x' } } } }))
      .status,
  ).toBe(402);
  expect((await table.call(createTable, { params: table })).status).toBe(402);
  expect((await table.call(duplicateBase, { body: { fromBaseId: table.baseId, spaceId: table.spaceId } })).status).toBe(
    402,
  );
  expect((await table.call(listRecords, { params: table })).status).toBe(200);
  expect((await create(other)).status).toBe(201);

  expect((await table.call(deleteRecords, { params: table, query: { recordIds: [recordId] } })).status).toBe(200);
  expect((await table.call(deleteTable, { params: table })).status).toBe(200);
  expect((await table.call(deleteTablePermanently, { params: table })).status).toBe(200);
  await countBytes(world().services);
  expect((await table.call(createTable, { params: table })).status).toBe(201);
});

const answersOf = async (baseId: string): Promise<number> =>
  (
    await world().db.query<{ n: number }>(
      sql`select count(*) as n from rowhouse.idempotency_keys where base_id = ${baseId}`,
    )
  )[0]?.n as number;

test('answers for repeated requests count, and go with their base and with time', async () => {
  const on = await ground(world());
  const [first, second] = [
    await tableWith(on, longField),
    await tableWith({ ...on, baseId: await newBase(on.owner, on.spaceId) }, longField),
  ];
  const sizeOf = async (): Promise<number> => {
    await countBytes(world().services);
    return (await on.call(getBilling, { params: on })).body.plan.usage.diskSize;
  };
  const before = await sizeOf();
  await create(first, text(90_000), { 'idempotency-key': 'a' });
  await create(second, 'x', { 'idempotency-key': 'b' });
  // The record, and the answer.
  expect(await sizeOf()).toBeGreaterThan(before + 180_000);
  expect([await answersOf(first.baseId), await answersOf(second.baseId)]).toEqual([1, 1]);
  await on.call(deleteBase, { params: first });
  expect((await on.call(destroyBase, { params: first })).status).toBe(200);
  expect([await answersOf(first.baseId), await answersOf(second.baseId)]).toEqual([0, 1]);
  await world().db.query(sql`update rowhouse.idempotency_keys set created_time = now() - interval '25 hours'`);
  await recordJobs
    .find(({ name }) => name === 'remove-old-answers')
    ?.run(world().services, { signal: new AbortController().signal } as never);
  expect(await answersOf(second.baseId)).toBe(0);
});
