// Somebody locks a table, with psql or by converting a field of a million records: those who use it wait, nobody else.
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { listSpaces } from '@rowhouse/contract/space.ts';
import { expect, inject, test } from 'vitest';
import { openDb } from '../../server/db/db.ts';
import { whileLocked } from '../support/lock.ts';
import { person } from '../support/people.ts';
import { type Ground, ground, tableWith, type TestTable } from '../support/table.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { openWorld, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const newTable = async (on: Ground): Promise<TestTable & { recordId: string }> => {
  const table = await tableWith(on, [{ name: 'Name', type: 'singleLineText' }]);
  const made = await table.call(createRecords, { params: table, body: { records: [{ fields: { Name: 'x' } }] } });
  return { ...table, recordId: made.body.records[0]?.id as string };
};

const blocked = (): Promise<number> => countWaiting(world().db);

/** Of one space. On a cluster reads have connections of their own, to the nodes. */
const expectShare = (share: number): void => {
  expect(share).toBeGreaterThanOrEqual(8);
  expect(share).toBeLessThanOrEqual(inject('cluster') === null ? 8 : 16);
};

test('others are answered while forty requests wait for a locked table, and these finish when it is free', async () => {
  const on = await ground(world());
  const [locked, other] = [await newTable(on), await newTable(on)];
  let waiting: Promise<{ status: number }[]> | undefined;
  await whileLocked(world(), locked, async () => {
    waiting = Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0
          ? locked.call(listRecords, { params: locked })
          : locked.call(updateRecords, {
              params: locked,
              body: { records: [{ id: locked.recordId, fields: { Name: `n${at}` } }] },
            }),
      ),
    );
    await expect.poll(blocked).toBeGreaterThanOrEqual(8);
    // Whatever waits behind the locked table would only be answered when it is free, which is after this.
    for (let count = 0; count < 5; count += 1) {
      expect(
        (
          await other.call(updateRecords, {
            params: other,
            body: { records: [{ id: other.recordId, fields: { Name: `n${count}` } }] },
          })
        ).status,
      ).toBe(200);
      expect((await other.call(listRecords, { params: other })).status).toBe(200);
      expect((await other.call(listSpaces)).status).toBe(200);
    }
    expectShare(await blocked());
  });
  expect(new Set((await waiting)?.map(({ status }) => status))).toEqual(new Set([200]));
});

test('anyone who waits too long for a locked table is told to try again, and nothing happens later', async () => {
  const impatient = await openWorld(world().databaseUrl, {}, { db: openDb(world().databaseUrl, { patience: 300 }) });
  try {
    const locked = await newTable(await ground(impatient));
    const update = () =>
      locked.call(updateRecords, {
        params: locked,
        body: { records: [{ id: locked.recordId, fields: { Name: 'late' } }] },
      });
    await whileLocked(world(), locked, async () => {
      const outcomes = await Promise.all([
        ...Array.from({ length: 30 }, update),
        locked.call(listRecords, { params: locked }),
      ]);
      const answers = outcomes.map(
        ({ status, error, headers }) => `${status} ${error.code} ${headers.get('retry-after')}: ${error.message}`,
      );
      expect(new Set(answers)).toEqual(
        new Set([
          '409 conflict 5: Something that takes long, such as a backup or the conversion of a field, is using the same table; try again later',
          '503 service_unavailable 1: All connections to the database that this may have are busy; try again shortly',
        ]),
      );
    });
    expect((await locked.call(listRecords, { params: locked })).body.records.map(({ fields }) => fields)).toEqual([
      { Name: 'x' },
    ]);
    expect((await update()).status).toBe(200);
  } finally {
    await impatient.close();
  }
});

test('anyone who keeps connections busy in several spaces leaves one to others', async () => {
  const eve = await person(world());
  const mine = async (): Promise<TestTable & { recordId: string }> => newTable(await ground(world(), eve));
  const [first, second, third, other] = [
    await mine(),
    await mine(),
    await mine(),
    await newTable(await ground(world())),
  ];
  const slow = [first, second, third];
  let waiting: Promise<{ status: number }[]> | undefined;
  await whileLocked(world(), first, () =>
    whileLocked(world(), second, () =>
      whileLocked(world(), third, async () => {
        waiting = Promise.all(
          slow.flatMap((table) => Array.from({ length: 12 }, () => table.call(listRecords, { params: table }))),
        );
        await expect.poll(blocked).toBe(9);
        for (let count = 0; count < 5; count += 1) {
          expect(
            (
              await other.call(updateRecords, {
                params: other,
                body: { records: [{ id: other.recordId, fields: { Name: `n${count}` } }] },
              })
            ).status,
          ).toBe(200);
          expect((await other.call(listSpaces)).status).toBe(200);
        }
        expect(await blocked()).toBe(9);
      }),
    ),
  );
  expect(new Set((await waiting)?.map(({ status }) => status))).toEqual(new Set([200]));
});
