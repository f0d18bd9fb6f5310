// Listeners that come back: what is read from the database for them is bounded, and read once for all.
import { createRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDb } from '../../server/db/db.ts';
import { startRelay } from '../../server/realtime/start-relay.ts';
import { type Ear, type Heard, listen } from '../support/listen.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';
import { changedDb } from '../support/changed-db.ts';

const world = useWorld({ bodyLimit: 100_000_000 });

interface Loaded {
  total: number;
  /** By one statement. */
  most: number;
}

const loaded: Loaded = { total: 0, most: 0 };

/** Counts what comes back from the database. */
const counting = (db: Db): Db => {
  const count = <Row>(rows: Row[]): Row[] => {
    const bytes = JSON.stringify(rows).length;
    loaded.total += bytes;
    loaded.most = Math.max(loaded.most, bytes);
    return rows;
  };
  return changedDb(db, { query: async (statement, options) => count(await db.query(statement, options)) });
};

let stop: () => Promise<void>;
let db: Db;
beforeAll(() => {
  db = openDb(world().databaseUrl, { max: 3 });
  stop = startRelay(world().services, counting(db));
});
afterAll(async () => {
  await stop();
  await db.close();
});

const chunk = 262_144;

/** A table into which much was written after `before`. */
const imported = async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({
    records: [],
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Notes', type: 'longText' },
    ],
  });
  const params = { tableId: made.id };
  const url = `${world().baseUrl}/table/${made.id}/events`;
  const first = await listen(url, { token: owner.token });
  const { id: before } = await first.until(({ name }) => name === 'ready');
  first.close();
  let last = '';
  for (let round = 0; round < 40; round += 1) {
    const records = Array.from({ length: 1_000 }, (_, at) => ({
      fields: { Name: `${round} ${at}`, Notes: 'x'.repeat(400) },
    }));
    const outcome = await owner.call(createRecords, { params, body: { records } });
    last = outcome.headers.get('x-operation-id') as string;
  }
  return { owner, params, url, before, last };
};

const idsIn = (heard: readonly Heard[]): string[] =>
  heard.flatMap(({ data }) => (data as { recordIds?: string[] }).recordIds ?? []);

test('six listeners that come back after an import cost about what one of them is sent', {
  timeout: 180_000,
}, async () => {
  const { owner, url, before, last } = await imported();
  loaded.total = 0;
  loaded.most = 0;
  const ears: Ear[] = await Promise.all(
    Array.from({ length: 6 }, () => listen(`${url}?values=true`, { token: owner.token, lastEventId: before })),
  );
  await Promise.all(
    ears.map((ear) => ear.until(({ data }) => (data as { operationId?: string }).operationId === last)),
  );
  const sent = JSON.stringify(ears[0]?.heard).length;
  for (const ear of ears) {
    expect(new Set(idsIn(ear.heard)).size).toBe(40_000);
    expect(
      ear.heard
        .filter(({ name }) => name === 'records.created')
        .every(({ data }) => (data as { valuesOmitted?: boolean }).valuesOmitted === true),
    ).toBe(true);
    ear.close();
  }
  // The records themselves are twenty times that.
  expect(loaded.total).toBeLessThan(3 * sent);
  expect(loaded.most).toBeLessThan(3 * chunk);
});

test('values that fit are told, those that do not are named as left out, in pieces of bounded size', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({
    records: [],
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Notes', type: 'longText' },
    ],
  });
  const params = { tableId: made.id };
  const url = `${world().baseUrl}/table/${made.id}/events?values=true`;
  const live = await listen(url, { token: owner.token });
  const { id: before } = await live.until(({ name }) => name === 'ready');
  const notes = made.fields[1]?.id as string;
  const written: { operationId: string; length: number | null }[] = [];
  const note = (outcome: { headers: Headers }, length: number): void =>
    void written.push({
      operationId: outcome.headers.get('x-operation-id') as string,
      length: length > chunk ? null : length,
    });
  for (const length of [10, 90_000, 30_000, 90_000, 10, 90_000, 90_000]) {
    const outcome = await owner.call(createRecords, {
      params,
      body: { records: [{ fields: { Name: 'a', Notes: 'x'.repeat(length) } }] },
    });
    note(outcome, length);
    note(
      await owner.call(updateRecords, {
        params,
        body: { records: [{ id: outcome.body.records[0]?.id as string, fields: { Notes: 'y'.repeat(length) } }] },
      }),
      length,
    );
  }
  const five = await owner.call(createRecords, {
    params,
    body: { records: Array.from({ length: 5 }, () => ({ fields: { Notes: 'z'.repeat(60_000) } })) },
  });
  note(five, 300_000);
  const end = written.at(-1)?.operationId as string;
  const isEnd = ({ data }: Heard): boolean => (data as { operationId?: string }).operationId === end;
  await live.until(isEnd);
  loaded.most = 0;
  const back = await listen(url, { token: owner.token, lastEventId: before });
  await back.until(isEnd);
  for (const ear of [live, back]) {
    const told = ear.heard.flatMap(({ name, data }) =>
      name === 'ready'
        ? []
        : [
            {
              operationId: data.operationId,
              length:
                data.valuesOmitted === true
                  ? null
                  : (data.records as { fields: Record<string, string> }[])[0]?.fields[notes]?.length,
            },
          ],
    );
    expect(told).toEqual(written);
    ear.close();
  }
  expect(loaded.most).toBeLessThan(3 * chunk);
});
