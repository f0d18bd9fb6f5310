// Rules that hide fields, records and single cells, drawn by chance: every way to read a table shows what a model in plain TypeScript says, no cell more and
// none less. No credential has such rights yet, so they are given by hand.
import { getAggregation, getGroupPoints, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { copyRanges } from '@rowhouse/contract/selection.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { type Random, randomFrom } from '../../proof/random.ts';
import type { RecordCondition } from '../../server/catalog/condition.ts';
import type { Grant } from '../../server/catalog/bound.ts';
import { boundRights } from '../../server/domain/computed/bound-rights.ts';
import { howMany } from '../support/cases.ts';
import { type Restricted, restricted } from '../support/restricted.ts';
import { seed } from '../support/seed.ts';
import {
  createModel,
  type Granted,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  type Origin,
} from '../support/seen-model.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

type Name = 'staff' | 'clients' | 'orders';
const names: readonly Name[] = ['staff', 'clients', 'orders'];

let shop: Workshop;
const ids = {} as Record<Name, string>;
/** `clients.Tier` → its id. */
const fieldIds: Record<string, string> = {};
const origins = new Map<string, Origin>();
const fieldNames = new Map<string, string>();

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const at = (path: string): string => fieldIds[path] as string;

const note = (name: Name, field: { id: string; name: string }, origin: Origin): void => {
  fieldIds[`${name}.${field.name}`] = field.id;
  fieldNames.set(field.id, field.name);
  origins.set(field.id, origin);
};

const plainTable = async (name: Name, fields: { name: string; type: string }[], records: object[]): Promise<void> => {
  const table = await shop.table({
    name,
    fields: [{ name: 'Name', type: 'singleLineText' }, ...fields] as never,
    records: records.map((one) => ({ fields: one })) as never,
  });
  ids[name] = table.id;
  for (const field of table.fields) note(name, field, { kind: 'plain' });
};

const add = async (name: Name, body: object, origin: Origin): Promise<void> =>
  note(name, must(await shop.owner.call(createField, { params: { tableId: ids[name] }, body: body as never })), origin);

const addLink = async (name: Name, field: string, to: Name, relationship: string, back?: string): Promise<void> => {
  const body = {
    name: field,
    type: 'link',
    options: { foreignTableId: ids[to], relationship, isOneWay: back === undefined },
  };
  const made = must(await shop.owner.call(createField, { params: { tableId: ids[name] }, body: body as never }));
  const isMultiple = relationship === 'manyMany' || relationship === 'oneMany';
  note(name, made, { kind: 'link', to: ids[to], title: at(`${to}.Name`), isMultiple });
  if (back === undefined) return;
  const id = (made.options as { symmetricFieldId: string }).symmetricFieldId;
  note(
    to,
    { id, name: back },
    { kind: 'link', to: ids[name], title: at(`${name}.Name`), isMultiple: relationship !== 'oneOne' },
  );
};

const addLookup = async (
  name: Name,
  body: { name: string; type: string; isLookup?: boolean; options?: object },
  by: string,
  to: Name,
  of: string,
  filter?: { field: string; above: number },
): Promise<void> => {
  const conditions =
    filter === undefined
      ? undefined
      : {
          conjunction: 'and',
          filterSet: [{ fieldId: at(`${to}.${filter.field}`), operator: 'isGreater', value: filter.above }],
        };
  const lookupOptions = {
    foreignTableId: ids[to],
    linkFieldId: at(`${name}.${by}`),
    lookupFieldId: at(`${to}.${of}`),
    filter: conditions,
  };
  await add(
    name,
    { ...body, lookupOptions },
    {
      kind: 'lookup',
      by: at(`${name}.${by}`),
      to: ids[to],
      of: [at(`${to}.${of}`), ...(filter === undefined ? [] : [at(`${to}.${filter.field}`)])],
    },
  );
};

const addFormula = (name: Name, field: string, expression: string, of: readonly string[]): Promise<void> =>
  add(
    name,
    {
      name: field,
      type: 'formula',
      options: { expression: expression.replaceAll(/\{(.*?)\}/g, (_, one: string) => `{${at(`${name}.${one}`)}}`) },
    },
    { kind: 'formula', of: of.map((one) => at(`${name}.${one}`)) },
  );

const allRecords = async (name: Name): Promise<ModelRecord[]> =>
  must(await shop.owner.call(listRecords, { params: { tableId: ids[name] }, query: { fieldKeyType: 'id', take: 100 } }))
    .records as unknown as ModelRecord[];

const readTables = async (): Promise<Map<string, ModelTable>> => {
  const found = new Map<string, ModelTable>();
  for (const name of names) {
    const fields = must(await shop.owner.call(listFields, { params: { tableId: ids[name] }, query: {} }));
    for (const { id, name: called } of fields) fieldNames.set(id, called);
    found.set(ids[name], {
      id: ids[name],
      fields: fields.map(
        ({ id, name: called }): ModelField => ({ id, name: called, origin: origins.get(id) as Origin }),
      ),
      records: await allRecords(name),
    });
  }
  return found;
};

const words = ['ash', 'birch', 'cedar', 'elm', 'fir'];

beforeAll(async () => {
  shop = await openWorkshop(world());
  await plainTable(
    'staff',
    [
      { name: 'Grade', type: 'number' },
      { name: 'Pin', type: 'singleLineText' },
    ],
    ['ada', 'bob', 'cyd', 'dan'].map((Name, n) => ({ Name, Grade: n, Pin: `pin${n}` })),
  );
  await plainTable(
    'clients',
    [
      { name: 'Tier', type: 'number' },
      { name: 'Phone', type: 'singleLineText' },
    ],
    ['koala', 'lemur', 'mole', 'newt', 'otter'].map((Name, n) => ({
      Name,
      Tier: n % 4,
      ...(n === 3 ? {} : { Phone: `phone${n}` }),
    })),
  );
  await plainTable(
    'orders',
    [
      { name: 'Amount', type: 'number' },
      { name: 'Region', type: 'singleLineText' },
    ],
    Array.from({ length: 9 }, (_, n) => ({
      Name: `order${n}`,
      ...(n === 4 ? {} : { Amount: n % 5 }),
      Region: words[n % 3],
    })),
  );
  await addLink('clients', 'Owner', 'staff', 'manyOne', 'Clients');
  await addLink('orders', 'Client', 'clients', 'manyOne', 'Orders');
  await addLink('orders', 'Helpers', 'staff', 'manyMany');
  const [staff, clients, orders] = [await allRecords('staff'), await allRecords('clients'), await allRecords('orders')];
  const linkAll = async (name: Name, records: readonly ModelRecord[], cells: (n: number) => object): Promise<void> =>
    void must(
      await shop.owner.call(updateRecords, {
        params: { tableId: ids[name] },
        body: { records: records.map(({ id }, n) => ({ id, fields: cells(n) })) as never },
      }),
    );
  const to = (records: readonly ModelRecord[], n: number) => ({ id: (records[n % records.length] as ModelRecord).id });
  await linkAll('clients', clients, (n) => ({ Owner: n === 2 ? null : to(staff, n) }));
  await linkAll('orders', orders, (n) => ({
    Client: n % 4 === 3 ? null : to(clients, n),
    Helpers: n % 3 === 0 ? [to(staff, n), to(staff, n + 1)] : n % 3 === 1 ? [to(staff, n)] : null,
  }));
  // Something for the history of plain cells.
  await linkAll('orders', orders, (n) => ({
    Region: words[(n + 1) % 5],
    ...(n % 2 === 0 ? { Amount: (n + 2) % 6 } : {}),
  }));
  await linkAll('clients', clients, (n) => ({ Phone: n === 1 ? null : `call${n}` }));
  await addFormula('clients', 'Label', '{Name} & "/" & {Tier}', ['Name', 'Tier']);
  await addLookup('clients', { name: 'Owner pin', type: 'singleLineText', isLookup: true }, 'Owner', 'staff', 'Pin');
  await addFormula('orders', 'Double', '{Amount} * 2', ['Amount']);
  await addFormula('orders', 'Numbered', '{Amount} & "-" & AUTO_NUMBER()', ['Amount']);
  await addFormula('orders', 'Where', '{Client} & "@" & {Region}', ['Client', 'Region']);
  await addFormula('orders', 'Team', '{Helpers} & "!"', ['Helpers']);
  await addLookup('orders', { name: 'Phone', type: 'singleLineText', isLookup: true }, 'Client', 'clients', 'Phone');
  await addLookup('orders', { name: 'Pin', type: 'singleLineText', isLookup: true }, 'Client', 'clients', 'Owner pin');
  await addLookup(
    'orders',
    { name: 'Client label', type: 'formula', isLookup: true, options: {} },
    'Client',
    'clients',
    'Label',
  );
  await addLookup(
    'clients',
    { name: 'Total', type: 'rollup', options: { expression: 'sum({values})' } },
    'Orders',
    'orders',
    'Amount',
  );
  await addLookup(
    'clients',
    { name: 'Large', type: 'rollup', options: { expression: 'sum({values})' } },
    'Orders',
    'orders',
    'Double',
    { field: 'Amount', above: 2 },
  );
  await addLookup(
    'staff',
    { name: 'Names', type: 'rollup', options: { expression: 'array_join({values})' } },
    'Clients',
    'clients',
    'Label',
  );
  await add(
    'staff',
    {
      name: 'Tiers',
      type: 'conditionalRollup',
      options: {
        expression: 'sum({values})',
        foreignTableId: ids.clients,
        lookupFieldId: at('clients.Tier'),
        filter: {
          conjunction: 'and',
          filterSet: [
            {
              fieldId: at('clients.Tier'),
              operator: 'isGreater',
              value: { type: 'field', fieldId: at('staff.Grade') },
            },
          ],
        },
      },
    },
    { kind: 'lookup', to: ids.clients, of: [at('clients.Tier')], host: [at('staff.Grade')] },
  );
});

const filterOf = (fieldId: string, operator: string, value: unknown): RecordCondition =>
  ({ filter: { conjunction: 'and', filterSet: [{ fieldId, operator, value }] } }) as RecordCondition;

/** Of the stored cells of a record of this table. */
const drawCondition = (random: Random, name: Name, depth = 0): RecordCondition => {
  if (depth < 2 && random.once(4)) {
    const parts = [drawCondition(random, name, depth + 1), drawCondition(random, name, depth + 1)];
    return random.once(2) ? { any: parts } : { all: parts };
  }
  if (depth < 2 && name === 'orders' && random.once(4)) {
    const [link, to]: [string, Name] = random.once(2) ? ['orders.Client', 'clients'] : ['orders.Helpers', 'staff'];
    return { through: at(link), met: drawCondition(random, to, 2) };
  }
  const number = { staff: 'staff.Grade', clients: 'clients.Tier', orders: 'orders.Amount' }[name];
  const text = { staff: 'staff.Pin', clients: 'clients.Phone', orders: 'orders.Region' }[name];
  return random.once(3)
    ? filterOf(at(text), random.pick(['isEmpty', 'isNotEmpty']), null)
    : random.once(3) && name === 'orders'
      ? filterOf(at(text), random.pick(['is', 'isNot']), random.pick(words))
      : filterOf(at(number), 'isGreater', random.below(3));
};

/** One to three grants a table, as of several roles: each for some fields in some records. */
const drawRights = (random: Random, tables: ReadonlyMap<string, ModelTable>): Granted =>
  new Map(
    names.map((name): [string, Grant[]] => {
      if (random.once(9)) return [ids[name], []];
      const fields = (tables.get(ids[name]) as ModelTable).fields.map(({ id }) => id);
      const grants = Array.from({ length: 1 + random.below(3) }, (): Grant => {
        const most = random.pick([2, 4, 12]);
        return {
          fields: random.once(3) ? null : new Set(fields.filter(() => !random.once(most))),
          when: random.once(2) || drawCondition(random, name),
        };
      });
      return [ids[name], grants];
    }),
  );

interface Reader {
  read: <T>(endpoint: Declaration, request: object) => Promise<T>;
  readText: (endpoint: Declaration, request: object) => Promise<string>;
}

const reader = (caller: Restricted): Reader => {
  const readText = async (endpoint: Declaration, request: object) => {
    const { status, text } = await caller.call(endpoint, request as never);
    if (status !== 200) throw new Error(`${endpoint.name} ${JSON.stringify(request)}: ${status} ${text.slice(0, 300)}`);
    return text;
  };
  return { readText, read: async (endpoint, request) => JSON.parse(await readText(endpoint, request)) };
};

interface List {
  records: ModelRecord[];
  extra: { nextCursor: string | null };
}

const cellsOf = (records: readonly ModelRecord[]): [string, Record<string, unknown>][] =>
  records.map(({ id, fields }) => [id, fields]);

const byKey = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Ascending, as the server sorts: empty cells first, then by number. */
const sorted = (records: readonly ModelRecord[], fieldId: string): string[] =>
  records
    .toSorted((one, other) => {
      const [a, b] = [one.fields[fieldId], other.fields[fieldId]];
      if (a === b) return one.autoNumber - other.autoNumber;
      if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
      return typeof a === 'number' ? a - (b as number) : byKey(String(a), String(b));
    })
    .map(({ id }) => id);

const counts = (records: readonly ModelRecord[], fieldId: string): number[] => {
  const groups = new Map<string, number>();
  for (const { fields } of records) {
    const key = JSON.stringify(fields[fieldId] ?? null);
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  return [...groups.values()].toSorted((a, b) => a - b);
};

const isText = (cell: unknown): cell is string => typeof cell === 'string';

/** Everything that reads the table, compared with the model. */
const compareTable = async (
  random: Random,
  name: Name,
  { read, readText }: Reader,
  tables: ReadonlyMap<string, ModelTable>,
  granted: Granted,
) => {
  const tableId = ids[name];
  const params = { tableId };
  const model = createModel(tables, granted);
  const [expected, fields] = [model.records(tableId), model.fields(tableId)];
  const id = { fieldKeyType: 'id' };
  const list = (query: object): Promise<List> => read<List>(listRecords, { params, query: { ...id, ...query } });

  expect((await read<{ id: string }[]>(listFields, { params, query: {} })).map((field) => field.id)).toEqual(
    fields.map((field) => field.id),
  );
  expect(cellsOf((await list({})).records)).toEqual(cellsOf(expected));
  expect(await read(getRowCount, { params, query: {} })).toEqual({ rowCount: expected.length });
  for (const { id: recordId, fields: cells } of expected.slice(0, 2))
    expect(await read(getRecord, { params: { tableId, recordId }, query: id })).toMatchObject({
      id: recordId,
      fields: cells,
    });
  const one = random.pick(expected.length === 0 ? [undefined] : expected);
  if (fields.length === 0) return;
  const field = random.pick(fields);
  expect(cellsOf((await list({ projection: [field.id] })).records)).toEqual(
    expected.map((record) => [record.id, field.id in record.fields ? { [field.id]: record.fields[field.id] } : {}]),
  );
  for (const operator of ['isEmpty', 'isNotEmpty']) {
    const filter = JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: field.id, operator, value: null }] });
    const met = expected.filter((record) => (record.fields[field.id] === undefined) === (operator === 'isEmpty'));
    expect(
      (await list({ filter })).records.map((record) => record.id),
      `${operator} ${field.name}`,
    ).toEqual(met.map((record) => record.id));
    expect(await read(getRowCount, { params, query: { ...id, filter } })).toEqual({ rowCount: met.length });
  }
  const simple = fields.filter(
    ({ id: fieldId, origin }) =>
      origin.kind !== 'link' && !expected.some((record) => Array.isArray(record.fields[fieldId])),
  );
  for (const { id: fieldId } of simple.length === 0 ? [] : [random.pick(simple)]) {
    const orderBy = JSON.stringify([{ fieldId, order: 'asc' }]);
    const wanted = sorted(expected, fieldId);
    expect(
      (await list({ orderBy })).records.map((record) => record.id),
      `by ${fieldNames.get(fieldId)}`,
    ).toEqual(wanted);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: List = await list({ orderBy, take: 3, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.records.map((record) => record.id));
      cursor = page.extra.nextCursor;
    }
    expect(paged).toEqual(wanted);
    const text = expected
      .map((record) => record.fields[fieldId])
      .find(isText)
      ?.slice(0, 3);
    if (text !== undefined)
      expect((await list({ search: [text, fieldId, 'true'] })).records.map((record) => record.id)).toEqual(
        expected
          .filter((record) => isText(record.fields[fieldId]) && record.fields[fieldId].includes(text))
          .map((record) => record.id),
      );
  }
  const groupBy = JSON.stringify([{ fieldId: field.id, order: 'asc' }]);
  const points = await read<{ type: number; count?: number }[]>(getGroupPoints, { params, query: { ...id, groupBy } });
  expect(
    points.flatMap(({ count }) => count ?? []).toSorted((a, b) => a - b),
    `groups of ${field.name}`,
  ).toEqual(counts(expected, field.id));
  const found = await read<{ aggregations: { fieldId: string; total: { value: number } }[] }>(getAggregation, {
    params,
    query: { ...id, 'field[filled]': fields.map((shown) => shown.id) },
  });
  expect(Object.fromEntries(found.aggregations.map(({ fieldId, total }) => [fieldId, total.value]))).toEqual(
    Object.fromEntries(
      fields.map((shown) => [shown.id, expected.filter((record) => record.fields[shown.id] !== undefined).length]),
    ),
  );
  if (one !== undefined) {
    const entries = (path: { historyList: { fieldId: string; id: string }[] }) =>
      path.historyList.map((entry) => `${entry.fieldId} ${entry.id}`);
    const query = { includeCreated: true, take: 1_000 };
    const all = must(
      await shop.owner.call(listRecordHistory, { params: { tableId, recordId: one.id }, query: query as never }),
    );
    const told = all.historyList.filter(({ fieldId }) => {
      const shown = fields.find((candidate) => candidate.id === fieldId);
      return (
        shown !== undefined &&
        model.tellsHistory(
          tableId,
          shown,
          (tables.get(tableId) as ModelTable).records.find((record) => record.id === one.id) as ModelRecord,
        )
      );
    });
    expect(entries(await read(listRecordHistory, { params: { tableId, recordId: one.id }, query })), 'history').toEqual(
      entries({ historyList: told }),
    );
  }
  const lines = (await readText(exportCsv, { params, query: { format: 'jsonl' } }))
    .split('\n')
    .filter((line) => line !== '');
  const named = (cells: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(cells).map(([key, cell]) => [fieldNames.get(key), cell]));
  expect(
    lines.map((line) => JSON.parse(line) as unknown),
    'export',
  ).toEqual(expected.map((record) => named(record.fields)));
  const query = JSON.stringify({
    from: tableId,
    orderBy: [{ column: at(`${name}.Name`), type: 'field', order: 'asc' }],
  });
  if (fields.some(({ id: fieldId }) => fieldId === at(`${name}.Name`))) {
    const { rows } = await read<{ rows: Record<string, unknown>[] }>(queryBase, {
      params: { baseId: shop.baseId },
      query: { query, cellFormat: 'json' },
    });
    const order = sorted(expected, at(`${name}.Name`));
    const unordered = (cells: readonly object[]) =>
      cells.map((one) => JSON.stringify(Object.entries(one).toSorted(([a], [b]) => byKey(a, b)))).toSorted(byKey);
    expect(unordered(rows), 'base query').toEqual(
      unordered(order.map((recordId) => expected.find((record) => record.id === recordId)?.fields as object)),
    );
  }
  const ranges = JSON.stringify([
    [0, 0],
    [fields.length - 1, Math.max(expected.length - 1, 0)],
  ]);
  const { records: texts } = await list({ cellFormat: 'text' });
  if (expected.length > 0) {
    const { content, header } = await read<{ content: string; header: { id: string }[] }>(copyRanges, {
      params,
      query: { ranges },
    });
    expect(content.trimEnd(), 'copied cells').toBe(
      texts
        .map((record) => header.map((shown) => record.fields[shown.id] ?? '').join('\t'))
        .join('\n')
        .trimEnd(),
    );
  }
};

test('every way to read shows what the rules say, no cell more and none less', { timeout: 600_000 }, async () => {
  const tables = await readTables();
  for (let round = 0; round < howMany(200, 6); round += 1) {
    const random = randomFrom(seed).fork(round);
    const granted = drawRights(random, tables);
    const rights = boundRights((tableId) => granted.get(tableId) ?? [], `round ${round}`);
    for (const name of names) {
      const caller = await restricted(world(), shop.owner.token, ids[name], rights);
      const told = `TEST_SEED=${seed}, rule set ${round}, ${name}: ${JSON.stringify([...granted].map(([, grants]) => grants.map(({ fields, when }) => [fields && [...fields].map((id) => fieldNames.get(id)), when])))}`;
      if (granted.get(ids[name])?.length === 0) {
        expect((await caller.call(listRecords, { params: { tableId: ids[name] } })).status, told).toBe(404);
        continue;
      }
      await compareTable(random, name, reader(caller), tables, granted).catch((error: unknown) => {
        throw new Error(told, { cause: error });
      });
    }
  }
});

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
    (await reader(await bound(name)).read<List>(listRecords, { params: { tableId: ids[name] }, query: { viewId } }))
      .records;
  expect(new Set((await list('orders', large)).map(({ fields }) => fields['Region']))).toEqual(new Set(['ash']));
  expect((await list('staff', pinned)).map(({ fields }) => fields['Name'])).toEqual(['ada', 'bob', 'cyd', 'dan']);
});

test('links are looked for, and picked, among what is seen', async () => {
  const caller = await bound('clients');
  const record = (await allRecords('orders')).find(
    ({ fields }) => fields[at('orders.Client')] !== undefined,
  ) as ModelRecord;
  const { id } = record.fields[at('orders.Client')] as { id: string };
  const seen = createModel(
    await readTables(),
    new Map([[ids.clients, [{ fields: null, when: filterOf(at('clients.Tier'), 'isGreater', 1) }]]]),
  ).records(ids.clients);
  const selected = await reader(caller).read<List>(listRecords, {
    params: { tableId: ids.clients },
    query: { filterLinkCellSelected: [at('orders.Client'), record.id] },
  });
  expect(selected.records.map((one) => one.id)).toEqual(seen.some((one) => one.id === id) ? [id] : []);
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
      body: { record: { fields: { Region: 'ash' } } },
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
