// A hundred listeners that are cut and come back at random, two server processes, random writes: in the end each has
// heard every change exactly once, in order, and its copy of the table is the table.
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { howMany } from '../support/cases.ts';
import { type Ear, type Heard, listen } from '../support/listen.ts';
import { openWorkshop } from '../support/tables.ts';
import { type Caller, caller, openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld();
let other: World;
beforeAll(async () => {
  other = await openWorld(world().databaseUrl);
});
afterAll(() => other.close());

const random = (below: number): number => Math.floor(Math.random() * below);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Copy = Map<string, Record<string, unknown>>;

const withoutEmpty = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const apply = (copy: Copy, { name, data }: Heard): void => {
  if (name === 'records.deleted') for (const id of data.recordIds) copy.delete(id);
  if (name === 'records.created') for (const record of data.records) copy.set(record.id, record.fields);
  if (name === 'records.updated') {
    for (const { id, fields } of data.records) {
      const known = copy.get(id);
      if (known !== undefined) copy.set(id, withoutEmpty({ ...known, ...fields }));
    }
  }
};

/** Listens until `last` is heard, through either process, with cuts in between. */
const follow = async (
  urls: readonly string[],
  token: string,
  begun: () => void,
  last: () => string | undefined,
): Promise<Heard[]> => {
  const all: Heard[] = [];
  let lastEventId: number | undefined;
  const isDone = (): boolean =>
    all.some((event) => event.data.operationId !== undefined && event.data.operationId === last());
  while (!isDone()) {
    const ear: Ear = await listen(pick(urls), { token, lastEventId });
    await ear.until((event) => event.name === 'ready');
    if (lastEventId === undefined) begun();
    // Cut at any moment, but not for ever once everything is written.
    await Promise.race([
      pause(random(last() === undefined ? 3_000 : 20_000)),
      ear.until((event) => event.data.operationId === (last() ?? '')),
    ]);
    ear.close();
    await ear.ended;
    lastEventId = ear.lastId() ?? lastEventId;
    all.push(...ear.heard.filter((event) => event.name !== 'ready'));
  }
  return all;
};

const listeners = howMany(100, 25);

test('many listeners on two processes end with the same table', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const params = { tableId: made.id };
  const urls = [world(), other].map(({ baseUrl }) => `${baseUrl}/table/${made.id}/events?values=true`);
  const written: string[] = [];
  const end: { operationId?: string } = {};
  let ready = 0;
  const followers = Array.from({ length: listeners }, () =>
    follow(
      urls,
      owner.token,
      () => (ready += 1),
      () => end.operationId,
    ),
  );
  while (ready < listeners) await pause(20);

  const known: string[] = [];
  const note = (outcome: { status: number; headers: Headers }): void => {
    // Two may want to change a record that one of them deletes.
    if (outcome.status >= 300) expect([400, 404]).toContain(outcome.status);
    else written.push(outcome.headers.get('x-operation-id') as string);
  };
  const value = () => ({ Name: `name ${random(1_000)}`, Count: random(3) === 0 ? null : random(100) });
  const write = async (call: Caller): Promise<void> => {
    const kind = random(10);
    if (kind < 4 || known.length < 5) {
      const outcome = await call(createRecords, {
        params,
        body: { records: Array.from({ length: 1 + random(3) }, () => ({ fields: value() })) },
      });
      note(outcome);
      known.push(...outcome.body.records.map((record) => record.id));
    } else if (kind < 9) {
      const ids = [...new Set([pick(known), pick(known)])];
      note(await call(updateRecords, { params, body: { records: ids.map((id) => ({ id, fields: value() })) } }));
    } else note(await call(deleteRecords, { params, query: { recordIds: known.splice(random(known.length), 1) } }));
  };
  const writer = async (): Promise<void> => {
    const calls = [world(), other].map(({ baseUrl }) => caller({ baseUrl, token: owner.token }));
    for (let count = 0; count < howMany(60, 20); count += 1) await write(pick(calls));
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
  const ending = await owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'the end' } }] } });
  note(ending);
  end.operationId = ending.headers.get('x-operation-id') as string;

  const heard = await Promise.all(followers);
  const page = await owner.call(listRecords, { params, query: { take: 1_000, fieldKeyType: 'id' } });
  const truth = new Map(page.body.records.map((record) => [record.id, record.fields]));
  const order = (heard[0] as Heard[]).map((event) => event.data.operationId as string);
  expect(order.toSorted()).toEqual(written.toSorted());
  for (const events of heard) {
    expect(events.map((event) => event.data.operationId)).toEqual(order);
    const copy: Copy = new Map();
    for (const event of events) apply(copy, event);
    expect(copy).toEqual(truth);
  }
});
