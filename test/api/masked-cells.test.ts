// Cells that are seen in some records only: what writing them, views, pickers and events make of it. Rights are given by hand; every way to read is in bound-model.test.ts.
import { listenToTable } from '@rowhouse/contract/event.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import {
  createRecords,
  deleteRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { type Estate, type Name, openEstate } from '../../proof/rights/estate.ts';
import { createModel, type Granted, type ModelRecord } from '../../proof/rights/model.ts';
import type { RecordCondition } from '../../server/catalog/condition.ts';
import type { Grant } from '../../server/catalog/bound.ts';
import { boundRights } from '../../server/domain/computed/bound-rights.ts';
import { type Restricted, restricted } from '../support/restricted.ts';
import type { Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

let shop: Workshop;
let estate: Estate;
let ids: Estate['ids'];
let at: Estate['at'];

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

beforeAll(async () => {
  ({ estate } = await openEstate(world(), (made) => member(world(), made.owner, made.baseId, 'viewer')));
  ({ shop, ids, at } = estate);
});

const filterOf = (fieldId: string, operator: string, value: unknown): RecordCondition =>
  ({ filter: { conjunction: 'and', filterSet: [{ fieldId, operator, value }] } }) as RecordCondition;

const readIn = async (caller: Restricted, tableId: string, query: object): Promise<ModelRecord[]> => {
  const { status, text } = await caller.call(listRecords, { params: { tableId }, query } as never);
  if (status !== 200) throw new Error(text);
  return (JSON.parse(text) as { records: ModelRecord[] }).records;
};

/** Two grants: orders without their amounts, and everything of those in ash. Clients with a tier above 1 alone, and no pins of staff. */
const bound = async (name: Name = 'orders'): Promise<Restricted> => {
  const fields = must(await shop.owner.call(listFields, { params: { tableId: ids.orders }, query: {} }));
  const granted: Granted = new Map<string, Grant[]>([
    [
      ids.orders,
      [
        { fields: new Set(fields.map(({ id }) => id).filter((id) => id !== at('orders.Amount'))), when: true },
        { fields: null, when: filterOf(at('orders.Region'), 'is', 'ash') },
      ],
    ],
    [ids.clients, [{ fields: null, when: filterOf(at('clients.Tier'), 'isGreater', 1) }]],
    [ids.staff, [{ fields: new Set([at('staff.Name'), at('staff.Grade')]), when: true }]],
  ]);
  return restricted(
    world(),
    shop.owner.token,
    ids[name],
    boundRights((tableId) => granted.get(tableId) ?? [], 'fixed'),
  );
};

const makeOrder = async (fields: object): Promise<string> =>
  must(
    await shop.owner.call(createRecords, { params: { tableId: ids.orders }, body: { records: [{ fields }] } as never }),
  ).records[0]?.id as string;

test('a cell that is hidden in a record cannot be written there, and answers of writes do not show it', async () => {
  const caller = await bound();
  const params = { tableId: ids.orders };
  const [ash, fir] = [
    await makeOrder({ Name: 'own', Region: 'ash', Amount: 11 }),
    await makeOrder({ Name: 'other', Region: 'fir', Amount: 977_531 }),
  ];
  const update = (records: object[]) => caller.call(updateRecords, { params, body: { records } as never });
  const refused = await update([
    { id: ash, fields: { Name: 'changed' } },
    { id: fir, fields: { Amount: 1 } },
  ]);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(`"recordIds":["${fir}"]`)]);
  const taken = await update([
    { id: ash, fields: { Amount: 12 } },
    { id: fir, fields: { Name: 'renamed' } },
  ]);
  expect(taken.status).toBe(200);
  const [own, other] = JSON.parse(taken.text) as ModelRecord[];
  expect(own?.fields).toMatchObject({ Name: 'own', Amount: 12, Double: 24 });
  expect(other?.fields).toEqual({ Name: 'renamed', Region: 'fir', Team: '!', Where: '@fir' });
  const moved = await update([{ id: ash, fields: { Region: 'fir' } }]);
  expect([moved.status, moved.text]).toEqual([200, expect.not.stringContaining('"Amount":12')]);
  const gone = await caller.call(deleteRecord, { params: { ...params, recordId: fir } });
  expect([gone.status, gone.text]).toEqual([200, expect.not.stringContaining('977531')]);
  const kept = must(await shop.owner.call(getRecord, { params: { ...params, recordId: ash }, query: {} }));
  expect(kept.fields).toMatchObject({ Name: 'own', Amount: 12, Region: 'fir' });
});

test('a view is filtered by what is seen; of a field that is not seen its condition is left out', async () => {
  const filter = (fieldId: string, operator: string, value: unknown) => ({
    conjunction: 'and',
    filterSet: [{ fieldId, operator, value }],
  });
  const view = async (name: Name, given: object): Promise<string> =>
    must(
      await shop.owner.call(createView, {
        params: { tableId: ids[name] },
        body: { type: 'grid', filter: given } as never,
      }),
    ).id;
  const [large, pinned] = [
    await view('orders', filter(at('orders.Amount'), 'isNotEmpty', null)),
    await view('staff', filter(at('staff.Pin'), 'is', 'pin1')),
  ];
  const list = async (name: Name, viewId: string): Promise<ModelRecord[]> =>
    readIn(await bound(name), ids[name], { viewId });
  expect(new Set((await list('orders', large)).map(({ fields }) => fields['Region']))).toEqual(new Set(['ash']));
  expect((await list('staff', pinned)).map(({ fields }) => fields['Name'])).toEqual(['ada', 'bob', 'cyd', 'dan']);
});

test('links are looked for, and picked, among what is seen', async () => {
  const caller = await bound('clients');
  const tables = await estate.read();
  const record = tables
    .get(ids.orders)
    ?.records.find(({ fields }) => fields[at('orders.Client')] !== undefined) as ModelRecord;
  const { id } = record.fields[at('orders.Client')] as { id: string };
  const seen = createModel(
    tables,
    new Map([[ids.clients, [{ fields: null, when: filterOf(at('clients.Tier'), 'isGreater', 1) }]]]),
    { userId: shop.owner.userId, now: new Date() },
  ).records(ids.clients);
  const selected = await readIn(caller, ids.clients, {
    filterLinkCellSelected: [at('orders.Client'), record.id],
  });
  expect(selected.map((one) => one.id)).toEqual(seen.some((one) => one.id === id) ? [id] : []);
  const hidden = await caller.call(listRecords, {
    params: { tableId: ids.clients },
    query: { filterLinkCellSelected: [at('staff.Clients'), 'rec'] },
  });
  expect(hidden.status).toBe(404);
});

test('events tell what is seen now, and say when cells may have come into sight', async () => {
  const params = { tableId: ids.orders };
  const [ash, fir] = [await makeOrder({ Region: 'ash', Amount: 1 }), await makeOrder({ Region: 'fir', Amount: 1 })];
  const stream = await (await bound()).listen(listenToTable, { params, query: { values: true } });
  const until = async (text: string): Promise<void> => {
    while (!stream.heard().includes(text)) await setTimeout(10);
  };
  try {
    await until('event: ready');
    await shop.owner.call(updateRecords, {
      params,
      body: {
        records: [
          { id: ash, fields: { Amount: 313_131 } },
          { id: fir, fields: { Amount: 977_531 } },
        ],
      },
    });
    await until('313131');
    expect(stream.heard()).toContain(`"${at('orders.Double')}":626262`);
    await shop.owner.call(updateRecord, {
      params: { ...params, recordId: fir },
      body: { record: { fields: { Region: 'ash', Amount: 6 } } },
    });
    await until('"recordsOmitted":true');
    await shop.owner.call(updateRecord, {
      params: { ...params, recordId: ash },
      body: { record: { fields: { Name: 'end', Region: 'elm', Amount: 977_531 } } },
    });
    await until('"end"');
    const told = stream
      .heard()
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)) as { fieldIds?: string[]; records?: ModelRecord[] });
    for (const { fieldIds = [] } of told) expect(fieldIds).toEqual([...new Set(fieldIds)]);
    // In a region that is seen, the record shows its amount; while it was in another one nothing told of it.
    const withAmount = told.flatMap(({ records = [] }) =>
      records.filter(({ fields }) => /977531|1955062/.test(JSON.stringify(fields))),
    );
    for (const { id, fields } of withAmount) expect([id, fields[at('orders.Region')]]).toEqual([fir, 'ash']);
  } finally {
    stream.close();
  }
});
