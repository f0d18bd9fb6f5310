// Colour rules of views: what is taken, what becomes of them when fields change, and what others are told of them.
import { type ColorRule, colorRulesOf, colorsOf } from '@rowhouse/contract/color-rule.ts';
import { convertField, deleteField, type Field } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { enableShare, getShare } from '@rowhouse/contract/share.ts';
import { duplicateTable, type FullTable } from '@rowhouse/contract/table.ts';
import { createView, getView, setViewColumns, setViewOptions } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { caller } from '../support/caller.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Cost', type: 'number' },
  { name: 'Secret', type: 'singleLineText' },
  {
    name: 'State',
    type: 'singleSelect',
    options: { choices: [{ name: 'open', color: 'redBright' }, { name: 'done' }] },
  },
] as const;
const records = [
  { fields: { Name: 'Roof', Cost: 5, Secret: 'yes', State: 'open' } },
  { fields: { Name: 'Fence', Cost: 50, State: 'done' } },
];

const made = async (of: Workshop = shop) => {
  const table = await of.table({ fields: [...fields], records } as never);
  const id = Object.fromEntries(table.fields.map(({ name, id: fieldId }) => [name, fieldId])) as Record<string, string>;
  const viewId = table.views[0]?.id as string;
  const params = { tableId: table.id, viewId };
  const when = (fieldId: string, operator: string, value: unknown) => ({
    conjunction: 'and',
    filterSet: [{ fieldId, operator, value }],
  });
  const rules = {
    costly: { on: 'row', by: 'condition', color: 'red', filter: when(id['Cost'] as string, 'isGreater', 10) },
    secret: { on: 'row', by: 'condition', color: 'blue', filter: when(id['Secret'] as string, 'is', 'yes') },
    open: { on: 'row', by: 'condition', color: 'teal', filter: when(id['State'] as string, 'is', 'open') },
    state: { on: 'cells', fieldIds: [id['Name'], id['Secret']], by: 'choice', fieldId: id['State'] },
    heat: { on: 'cells', by: 'scale', fieldId: id['Cost'], color: 'green', min: 0, max: 100 },
  } as unknown as Record<'costly' | 'secret' | 'open' | 'state' | 'heat', ColorRule>;
  const set = (colorRules: unknown, before?: Record<string, unknown>) =>
    of.owner.call(setViewOptions, { params, body: { options: { colorRules }, ...(before && { before }) } });
  const read = async (): Promise<ColorRule[]> => colorRulesOf((await of.owner.call(getView, { params })).body);
  return { table, id, params, rules, set, read };
};

const paints = (rules: ColorRule[], table: FullTable, cells: Record<string, unknown>) =>
  colorsOf(
    rules,
    new Map(
      table.fields.map((field: Field) => [field.id, { ...field, isMultiple: field.isMultipleCellValue === true }]),
    ),
    cells,
    { userId: shop.owner.userId, now: new Date() },
  );

test('rules are kept in their order; the first that holds counts', async () => {
  const { table, id, rules, set, read, params } = await made();
  const all = [rules.costly, rules.secret, rules.state, rules.heat];
  expect((await set(all)).status).toBe(200);
  expect(await read()).toEqual(all);
  const query = { fieldKeyType: 'id' as const, viewId: params.viewId };
  const [roof, fence] = (await shop.owner.call(listRecords, { params, query })).body.records;
  expect(paints(all, table, roof?.fields ?? {})).toEqual({
    row: { color: 'blue' },
    cells: new Map([
      [id['Name'], { color: 'redBright' }],
      [id['Secret'], { color: 'redBright' }],
      [id['Cost'], { color: 'green', strength: 0.05 }],
    ]),
  });
  expect(paints(all, table, fence?.fields ?? {}).row).toEqual({ color: 'red' });
});

test('rules that say nothing or name what is not there are refused at their place, and change nothing', async () => {
  const { rules, set, read, id } = await made();
  await set([rules.costly]);
  const bad: [string, object][] = [
    ['options.colorRules[0].filter', { on: 'row', by: 'condition', color: 'red' }],
    ['options.colorRules[0].color', { ...rules.costly, color: undefined }],
    ['options.colorRules[0].fieldIds', { ...rules.costly, on: 'cells' }],
    ['options.colorRules[0].fieldIds[0]', { ...rules.state, fieldIds: ['fldNone'] }],
    ['options.colorRules[0].fieldId', { ...rules.state, fieldId: id['Cost'] }],
    ['options.colorRules[0].fieldId', { ...rules.heat, fieldId: id['State'] }],
    ['options.colorRules[0].max', { ...rules.heat, min: 5, max: 5 }],
    ['options.colorRules[0].on', { ...rules.heat, on: 'row' }],
  ];
  for (const [path, rule] of bad) {
    const { status, error } = await set([rule]);
    expect([status, JSON.stringify(error)]).toEqual([400, expect.stringContaining(path)]);
  }
  expect((await set([{ ...rules.costly, colour: 'red' }])).status).toBe(400);
  expect(await read()).toEqual([rules.costly]);
});

test('a renamed choice stays in its rule; a rule whose field goes goes with it, and is not left with less conditions', async () => {
  const { table, id, rules, set, read } = await made();
  const both = {
    ...rules.open,
    filter: {
      conjunction: 'and',
      filterSet: [
        ...(rules.open.filter as never as { filterSet: [] }).filterSet,
        ...(rules.costly.filter as never as { filterSet: [] }).filterSet,
      ],
    },
  } as unknown as ColorRule;
  await set([rules.open, both, rules.state, rules.heat]);
  const state = table.fields.find(({ name }) => name === 'State') as Field;
  const choices = (state.options['choices'] as { name: string }[]).map((one) =>
    one.name === 'open' ? { ...one, name: 'begun' } : one,
  );
  const renamed = await shop.owner.call(convertField, {
    params: { tableId: table.id, fieldId: state.id },
    body: { type: 'singleSelect', options: { choices } } as never,
  });
  expect(renamed.status).toBe(200);
  expect(JSON.stringify(await read())).toContain('"begun"');
  expect(JSON.stringify(await read())).not.toContain('"open"');
  await shop.owner.call(deleteField, { params: { tableId: table.id, fieldId: id['Cost'] as string } });
  expect((await read()).map(({ by }) => by)).toEqual(['condition', 'choice']);
  await shop.owner.call(deleteField, { params: { tableId: table.id, fieldId: id['State'] as string } });
  expect(await read()).toEqual([]);
});

test('a condition whose field is converted stays without effect; a heat map of it goes', async () => {
  const { table, id, rules, set, read, params } = await made();
  await set([rules.costly, rules.heat]);
  const path = { tableId: table.id, fieldId: id['Cost'] as string };
  await shop.owner.call(convertField, { params: path, body: { type: 'singleLineText' } as never });
  expect(await read()).toEqual([rules.costly]);
  const now = {
    ...table,
    fields: table.fields.map((field) =>
      field.id === id['Cost'] ? { ...field, type: 'singleLineText', cellValueType: 'string' } : field,
    ),
  };
  expect(paints(await read(), now as FullTable, { [id['Cost'] as string]: '50' }).row).toBeUndefined();
  // It may be sent back as it is.
  expect((await set([rules.costly, rules.secret])).status).toBe(200);
  const copy = await shop.owner.call(createView, {
    params,
    body: { type: 'gallery', options: { colorRules: [rules.costly] } },
  });
  expect(colorRulesOf(copy.body)).toEqual([rules.costly]);
  await shop.owner.call(convertField, { params: path, body: { type: 'number' } as never });
  expect((await read())[0]).toEqual(rules.costly);
});

test('visitors are told of no rule that a hidden field decides, and read no cell of it', async () => {
  const { id, rules, set, params } = await made();
  await set([rules.secret, rules.costly, rules.state]);
  await shop.owner.call(setViewColumns, {
    params,
    body: [{ fieldId: id['Secret'] as string, columnMeta: { hidden: true } }],
  });
  const query = { fieldKeyType: 'id' as const, viewId: params.viewId };
  const [own] = (await shop.owner.call(listRecords, { params, query })).body.records;
  expect(own?.fields[id['Secret'] as string]).toBe('yes');
  const { shareId } = (await shop.owner.call(enableShare, { params })).body;
  const told = (await caller({ baseUrl: world().baseUrl })(getShare, { params: { shareId } })).body;
  expect(colorRulesOf(told.view)).toEqual([rules.costly, { ...rules.state, fieldIds: [id['Name']] }]);
  expect(JSON.stringify(told)).not.toContain(id['Secret']);
  expect(JSON.stringify(told)).not.toContain('"yes"');
});

test('a copy of the table has the rules, over its own fields', async () => {
  const { table, rules, set } = await made();
  await set([rules.costly, rules.state]);
  const copy = (
    await shop.owner.call(duplicateTable, {
      params: { baseId: shop.baseId, tableId: table.id },
      body: { name: 'Copy', includeRecords: true },
    })
  ).body;
  const view = (await shop.owner.call(getView, { params: { tableId: copy.id, viewId: copy.views[0]?.id as string } }))
    .body;
  const ids = JSON.stringify(colorRulesOf(view)).match(/fld\w+/g) ?? [];
  expect(ids).toHaveLength(4);
  expect(copy.fields.map((field) => field.id)).toEqual(expect.arrayContaining(ids));
});

test('of two people who change the rules at once, the second is told what there is', async () => {
  const { rules, set, read } = await made();
  expect((await set([rules.costly], { colorRules: null })).status).toBe(200);
  const late = await set([rules.secret], { colorRules: null });
  expect(late).toMatchObject({ status: 409, error: { data: { present: { colorRules: [rules.costly] } } } });
  expect((await set([rules.costly, rules.secret], { colorRules: [rules.costly] })).status).toBe(200);
  expect(await read()).toEqual([rules.costly, rules.secret]);
});

test('a plan without colours takes no rules, and lets those that are there be taken away', async () => {
  const { rules, set, read, params } = await made();
  await set([rules.costly]);
  const { services } = world();
  const { plans } = services;
  services.plans = plansWith({ free: { rowColoringEnable: false } });
  try {
    expect((await set([rules.costly, rules.secret])).status).toBe(402);
    const body = { type: 'grid' as const, options: { colorRules: [rules.costly] } };
    expect((await shop.owner.call(createView, { params, body })).status).toBe(402);
    expect(await read()).toEqual([rules.costly]);
    expect((await set(null)).status).toBe(200);
    expect(await read()).toEqual([]);
  } finally {
    services.plans = plans;
  }
});
