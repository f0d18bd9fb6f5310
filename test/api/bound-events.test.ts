// Events for those who see a part of the records: one that comes into sight arrives as created, with its cells, and one that leaves it as deleted, whatever moved it. Somebody
// who listens at one server and applies what they hear has what a list shows, while another server writes.
import { addressOf } from '@rowhouse/contract/client.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Random, randomFrom } from '../../proof/random.ts';
import { howMany } from '../support/cases.ts';
import { type Ear, listen } from '../support/listen.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { seed } from '../support/seed.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld, type World } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { advancedPermissionsEnable: true } }) });

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let shop: Workshop;
let bound: Person;
let elsewhere: World;
let tableId: string;
const fields: Record<string, string> = {};

beforeAll(async () => {
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'editor');
  const table = await shop.table({
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'shut' }] } },
      { name: 'Amount', type: 'number' },
      { name: 'Done', type: 'checkbox' },
      { name: 'Owner', type: 'user' },
      { name: 'Day', type: 'date' },
      { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] } },
      { name: 'Twice', type: 'formula', options: { expression: '{Amount} * 2' } },
    ] as never,
    records: [],
  });
  tableId = table.id;
  for (const { id, name } of table.fields) fields[name] = id;
  elsewhere = await openWorld(
    world().databaseUrl,
    {},
    { plans: plansWith({ free: { advancedPermissionsEnable: true } }) },
  );
});
afterAll(() => elsewhere.close());

const at = (name: string): string => fields[name] as string;
const condition = (name: string, operator: string, value: unknown) => ({ fieldId: at(name), operator, value });

const drawCells = (random: Random) => ({
  ...(random.once(2) ? { [at('State')]: random.pick(['open', 'shut', null]) } : {}),
  ...(random.once(2) ? { [at('Amount')]: random.pick([null, 0, 1, 2, 3]) } : {}),
  ...(random.once(2) ? { [at('Done')]: random.pick([true, null]) } : {}),
  ...(random.once(2)
    ? { [at('Owner')]: random.pick([null, { id: bound.userId, title: '' }, { id: shop.owner.userId, title: '' }]) }
    : {}),
  ...(random.once(2)
    ? { [at('Day')]: random.pick([null, '2024-01-15T00:00:00.000Z', '2030-05-01T00:00:00.000Z']) }
    : {}),
  ...(random.once(2) ? { [at('Tags')]: random.pick([null, ['a'], ['a', 'b'], ['c']]) } : {}),
  ...(random.once(3) ? { [at('Name')]: random.pick(['x', 'y', null]) } : {}),
});

const drawWhen = (random: Random) => {
  const one = () =>
    random.pick([
      condition('State', 'is', 'open'),
      condition('Amount', 'isGreater', 1),
      condition('Done', 'is', true),
      condition('Owner', 'is', 'Me'),
      condition('Day', 'isBefore', { mode: 'exactDate', exactDate: '2026-01-01T00:00:00.000Z', timeZone: 'UTC' }),
      condition('Tags', 'hasAnyOf', ['a']),
      condition('Name', 'isNotEmpty', null),
    ]);
  return { conjunction: random.pick(['and', 'or']), filterSet: [one(), one()].slice(0, 1 + random.below(2)) };
};

type Cells = Record<string, unknown>;

const filled = (cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== null && value !== undefined));

/** What a client has that applies what it hears, after it has read everything once. */
const apply = (held: Map<string, Cells>, ear: Ear, from: number): void => {
  for (const { name, data } of ear.heard.slice(from)) {
    if (!name.startsWith('records.')) continue;
    expect(data, 'exact').not.toHaveProperty('recordsOmitted');
    // One that comes into sight is told whole: what was known of it may have changed out of sight.
    for (const { id, fields: cells } of data.records ?? [])
      held.set(id, name === 'records.created' ? cells : { ...held.get(id), ...cells });
    // One that has left again meanwhile has no cells any more; what took it away is told later.
    if (name === 'records.created') for (const id of data.recordIds) if (!held.has(id)) held.set(id, {});
    if (name === 'records.deleted') for (const id of data.recordIds) held.delete(id);
  }
};

const list = async (who: Person): Promise<Map<string, Cells>> =>
  new Map(
    must(
      await who.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id', take: 1000 } as never }),
    ).records.map(({ id, fields: cells }) => [id, cells as Cells]),
  );

test('who applies what they hear has what a list shows', { timeout: 600_000 }, async () => {
  const params = { tableId };
  for (let round = 0; round < howMany(100, 6); round += 1) {
    const random = randomFrom(seed).fork(round);
    const when = drawWhen(random);
    const hidden = random.once(2) ? [] : [at('Amount'), at('Twice')];
    await setMatrix(world(), shop.baseId, [
      {
        members: [{ userId: bound.userId }],
        tables: {
          [tableId]: {
            grants: [
              { actions: ['record|read'], fields: Object.values(fields).filter((id) => !hidden.includes(id)), when },
            ],
          },
        },
      },
    ]);
    const held = await list(bound);
    const ear = await listen(
      `${elsewhere.baseUrl}${addressOf(listenToTable, { params, query: { values: true } } as never)}`,
      { token: bound.token },
    );
    const said = `TEST_SEED=${seed}, round ${round}: ${JSON.stringify(when)} without ${hidden.join()}`;
    try {
      await ear.until(({ name }) => name === 'ready');
      let deletion: string | null = null;
      for (let step = 0; step < 12; step += 1) {
        const all = [...(await list(shop.owner)).keys()];
        const some = random.shuffled(all).slice(0, 1 + random.below(4));
        const kind = random.below(6);
        if (kind === 0 || all.length < 5)
          must(
            await shop.owner.call(createRecords, {
              params,
              body: {
                fieldKeyType: 'id',
                records: [{ fields: drawCells(random) }, { fields: drawCells(random) }],
              } as never,
            }),
          );
        else if (kind === 1) {
          const gone = await shop.owner.call(deleteRecords, { params, query: { recordIds: some } } as never);
          deletion = gone.headers.get('x-operation-id');
        } else if (kind === 2 && deletion !== null) {
          must(await shop.owner.call(restoreHistory, { params, body: { operationId: deletion } }));
          deletion = null;
        } else
          must(
            await shop.owner.call(updateRecords, {
              params,
              body: { fieldKeyType: 'id', records: some.map((id) => ({ id, fields: drawCells(random) })) } as never,
            }),
          );
      }
      // One that is seen by every condition ends the round.
      const last = must(
        await shop.owner.call(createRecords, {
          params,
          body: {
            fieldKeyType: 'id',
            records: [
              {
                fields: {
                  [at('Name')]: `end ${round}`,
                  [at('State')]: 'open',
                  [at('Amount')]: 3,
                  [at('Done')]: true,
                  [at('Owner')]: { id: bound.userId, title: '' },
                  [at('Day')]: '2024-01-15T00:00:00.000Z',
                  [at('Tags')]: ['a'],
                },
              },
            ],
          } as never,
        }),
      ).records[0]?.id as string;
      await ear.until(({ data }) => JSON.stringify(data).includes(last));
      apply(held, ear, 0);
      const shown = await list(bound);
      expect(Object.fromEntries([...held].map(([id, cells]) => [id, filled(cells)])), said).toEqual(
        Object.fromEntries([...shown].map(([id, cells]) => [id, filled(cells)])),
      );
      const unseen = [...(await list(shop.owner)).keys()].filter((id) => !shown.has(id) && !held.has(id));
      const heard = JSON.stringify(ear.heard);
      if (hidden.length > 0) expect(heard, said).not.toContain(at('Amount'));
      expect(unseen.length + heard.length, said).toBeGreaterThan(0);
    } finally {
      ear.close();
    }
  }
});

test('a record that never was in sight is never named', async () => {
  const params = { tableId };
  await setMatrix(world(), shop.baseId, [
    {
      members: [{ userId: bound.userId }],
      tables: {
        [tableId]: {
          grants: [
            { actions: ['record|read'], when: { conjunction: 'and', filterSet: [condition('State', 'is', 'open')] } },
          ],
        },
      },
    },
  ]);
  const ear = await listen(
    `${elsewhere.baseUrl}${addressOf(listenToTable, { params, query: { values: true } } as never)}`,
    { token: bound.token },
  );
  try {
    await ear.until(({ name }) => name === 'ready');
    const write = async (cells: Cells): Promise<string> =>
      must(
        await shop.owner.call(createRecords, {
          params,
          body: { fieldKeyType: 'id', records: [{ fields: cells }] } as never,
        }),
      ).records[0]?.id as string;
    const hidden = await write({ [at('State')]: 'shut', [at('Name')]: 'hush' });
    must(
      await shop.owner.call(updateRecords, {
        params,
        body: { fieldKeyType: 'id', records: [{ id: hidden, fields: { [at('Name')]: 'hush again' } }] } as never,
      }),
    );
    const gone = await shop.owner.call(deleteRecords, { params, query: { recordIds: [hidden] } } as never);
    expect(gone.status).toBe(200);
    const shown = await write({ [at('State')]: 'open' });
    await ear.until(({ data }) => JSON.stringify(data).includes(shown));
    expect(ear.heard.filter(({ name }) => name.startsWith('records.')).map(({ name }) => name)).toEqual([
      'records.created',
    ]);
    expect(JSON.stringify(ear.heard)).not.toMatch(new RegExp(`${hidden}|hush`));
  } finally {
    ear.close();
  }
});
