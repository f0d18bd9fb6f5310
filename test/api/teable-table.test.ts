// The official client of Teable, unmodified: its calls for tables, fields and views, and its own schemas for the answers.
import * as teable from '@teable/openapi';
import { fieldTypes } from '@rowhouse/contract/field.ts';
import { viewTypes } from '@rowhouse/contract/view-types.ts';
import { beforeAll, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
  teable.configApi({ endpoint: world().origin, token: shop.owner.token });
});

// Teable's own server answers `base.table`, which its schema of the answer does not allow.
const FullTable = teable.tableFullVoSchema.omit({ dbTableName: true });
const Table = teable.tableVoSchema.omit({ dbTableName: true });
const Field = teable.tableFullVoSchema.shape.fields.element;
const View = teable.tableFullVoSchema.shape.views.element;

/** The client's request types are enums of its own; the values are the same words. */
const as = <T>(value: unknown): T => value as T;

test('createTable, getTableList, getTableById, the updates, duplicateTable, deleteTable and permanentDeleteTable work', async () => {
  const { baseId } = shop;
  const made = await teable.createTable(baseId, { name: 'Made', icon: '🏠' });
  expect(made.status).toBe(201);
  const table = FullTable.parse(made.data);
  expect(table.records).toHaveLength(3);
  const list = (await teable.getTableList(baseId)).data;
  expect(
    Table.array()
      .parse(list)
      .map(({ id }) => id),
  ).toContain(table.id);
  await teable.updateTableName(baseId, table.id, { name: 'Renamed' });
  await teable.updateTableIcon(baseId, table.id, { icon: '🎈' });
  await teable.updateTableDescription(baseId, table.id, { description: 'text' });
  await teable.updateDbTableName(baseId, table.id, { dbTableName: 'renamed' });
  const second = (await teable.createTable(baseId)).data;
  await teable.updateTableOrder(baseId, table.id, { anchorId: second.id, position: 'after' });
  expect((await teable.getTableList(baseId)).data.map(({ id }) => id)).toEqual([second.id, table.id]);
  const read = (await teable.getTableById(baseId, table.id)).data;
  expect(Table.parse(read)).toMatchObject({
    name: 'Renamed',
    icon: '🎈',
    description: 'text',
    defaultViewId: table.defaultViewId,
  });
  expect(read.dbTableName).toBe(`${baseId}.renamed`);
  expect((await teable.getTablePermission(baseId, table.id)).data.table['table|update']).toBe(true);
  expect((await teable.getDefaultViewId(baseId, table.id)).data).toEqual({ id: table.defaultViewId });
  const copy = await teable.duplicateTable(baseId, table.id, { name: 'Copy', includeRecords: true });
  expect(teable.duplicateTableVoSchema.omit({ dbTableName: true }).parse(copy.data).name).toBe('Copy');
  await teable.deleteTable(baseId, table.id);
  await expect(teable.getTableById(baseId, table.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await teable.permanentDeleteTable(baseId, table.id);
  await expect(teable.permanentDeleteTable(baseId, table.id)).rejects.toMatchObject({ status: 404 });
});

/** Links need a table to lead to, and rollups a link: see below. */
const plainTypes = fieldTypes.filter((type) => !['link', 'rollup', 'conditionalRollup', 'count'].includes(type));

const formulaOf = (type: string) => (type === 'formula' ? { options: { expression: '1 + 1' } } : {});

test('createField, getFields, getField, updateField, convertField, duplicateField, the plans and deleteFields work for every type', async () => {
  const table = await shop.table();
  for (const type of plainTypes) {
    const made = await teable.createField(table.id, { type: as(type), name: `My ${type}`, ...formulaOf(type) });
    expect(made.status).toBe(201);
    expect(Field.parse(made.data)).toMatchObject({ type, name: `My ${type}` });
  }
  const list = Field.array().parse(
    (await teable.getFields(table.id, { viewId: table.defaultViewId, filterHidden: true })).data,
  );
  expect(list).toHaveLength(3 + plainTypes.length);
  const [first] = Field.array().parse((await teable.getFields(table.id, { projection: [table.fields[1]!.id] })).data);
  expect(first?.id).toBe(table.fields[1]!.id);
  const { id } = list[1]!;
  expect((await teable.updateField(table.id, id, { name: 'Better', description: null })).status).toBe(200);
  expect(Field.parse((await teable.getField(table.id, id)).data).name).toBe('Better');
  const plan = await teable.planFieldConvert(table.id, id, { type: as('singleLineText') });
  expect(teable.planFieldConvertVoSchema.parse(plan.data).updateCellCount).toBe(3);
  expect(teable.planFieldVoSchema.parse((await teable.planField(table.id, id)).data).updateCellCount).toBe(3);
  expect(
    teable.planFieldVoSchema.parse((await teable.planFieldCreate(table.id, { type: as('number') })).data)
      .updateCellCount,
  ).toBe(0);
  expect(teable.planFieldDeleteVoSchema.parse((await teable.planFieldDelete(table.id, id)).data).updateCellCount).toBe(
    3,
  );
  for (const type of plainTypes) {
    const converted = await teable.convertField(table.id, id, { type: as(type), ...formulaOf(type) });
    expect(Field.parse(converted.data)).toMatchObject({ type, name: 'Better' });
  }
  const copy = await teable.duplicateField(table.id, id, { name: 'Copy', viewId: table.defaultViewId as string });
  expect(Field.parse(copy.data).name).toBe('Copy');
  await teable.deleteField(table.id, copy.data.id);
  await teable.deleteFields(table.id, [id, list[2]!.id]);
  await expect(teable.deleteField(table.id, table.fields[0]!.id)).rejects.toMatchObject({
    status: 403,
    code: 'restricted_resource',
  });
  await expect(teable.createField(table.id, { type: as('none') })).rejects.toMatchObject({
    status: 400,
    code: 'validation_error',
  });
});

test('createView, getViewList, getView, the updates and deleteView work for every type', async () => {
  const table = await shop.table();
  const [name, count, status] = table.fields.map(({ id }) => id) as [string, string, string];
  // The client has no timelines and Gantt charts.
  const known = viewTypes.filter((type) => View.shape.type.safeParse(type).success);
  for (const type of known) {
    const made = await teable.createView(table.id, { type: as(type), name: `My ${type}` });
    expect(made.status).toBe(201);
    expect(View.parse(made.data)).toMatchObject({ type, name: `My ${type}` });
  }
  expect(View.array().parse((await teable.getViewList(table.id)).data)).toHaveLength(known.length + 1);
  const viewId = table.defaultViewId as string;
  await teable.updateViewName(table.id, viewId, { name: 'Mine' });
  await teable.updateViewDescription(table.id, viewId, { description: 'text' });
  await teable.updateViewFilter(table.id, viewId, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: count, operator: 'isGreater', value: 1 }] },
  });
  await teable.updateViewSort(table.id, viewId, { sort: { sortObjs: [{ fieldId: name, order: as('asc') }] } });
  await teable.updateViewGroup(table.id, viewId, { group: [{ fieldId: status, order: as('desc') }] });
  await teable.updateViewColumnMeta(table.id, viewId, [{ fieldId: count, columnMeta: { hidden: true, width: 90 } }]);
  await teable.updateViewOptions(table.id, viewId, { options: { rowHeight: as('tall') } });
  await teable.updateViewLocked(table.id, viewId, { isLocked: true });
  const view = View.parse((await teable.getView(table.id, viewId)).data);
  expect(view).toMatchObject({
    name: 'Mine',
    description: 'text',
    isLocked: true,
    options: { rowHeight: 'tall' },
    group: [{ fieldId: status, order: 'desc' }],
  });
  expect(view.columnMeta[count]).toEqual({ order: 1, width: 90, hidden: true });
  await expect(teable.deleteView(table.id, viewId)).rejects.toMatchObject({ status: 403 });
  await teable.updateViewLocked(table.id, viewId, { isLocked: false });
  const other = (await teable.getViewList(table.id)).data[1]!;
  await teable.updateViewOrder(table.id, viewId, { anchorId: other.id, position: 'after' });
  expect((await teable.getViewList(table.id)).data.slice(0, 2).map(({ id }) => id)).toEqual([other.id, viewId]);
  await teable.deleteView(table.id, viewId);
  await expect(teable.getView(table.id, viewId)).rejects.toMatchObject({ status: 404 });
});

test('baseQuery selects, filters, joins, groups and counts', async () => {
  const { baseId } = shop;
  const make = async (name: string, fields: unknown[], records: Record<string, unknown>[]) => {
    const made = (
      await teable.createTable(baseId, {
        name,
        fields: as(fields),
        records: records.map((cells) => ({ fields: cells })),
        fieldKeyType: as('name'),
      })
    ).data;
    return { id: made.id, ...Object.fromEntries(made.fields.map((field) => [field.name, field.id])) } as Record<
      string,
      string
    > & { id: string };
  };
  const people = await make(
    'People',
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Age', type: 'number' },
      { name: 'Team', type: 'singleSelect', options: { choices: [{ name: 'Frontend' }, { name: 'Backend' }] } },
      { name: 'Born', type: 'date' },
    ],
    [
      { Name: 'A', Age: 20, Team: 'Frontend', Born: '2000-01-01T00:00:00.000Z' },
      { Name: 'B', Age: 30, Team: 'Backend' },
      { Name: 'C', Age: 40, Team: 'Backend', Born: '2000-01-01T09:00:00.000Z' },
    ],
  );
  const teams = await make(
    'Teams',
    [
      { name: 'Title', type: 'singleLineText' },
      { name: 'Floor', type: 'number' },
    ],
    [
      { Title: 'Backend', Floor: 3 },
      { Title: 'Sales', Floor: 4 },
    ],
  );
  const ask = async (query: unknown, format?: 'json' | 'text') =>
    teable.baseQuerySchemaVo.parse((await teable.baseQuery(baseId, as(query), as(format))).data);
  const { Name, Age, Team, Born } = people as Record<string, string>;
  const field = (column: string | undefined, more = {}) => ({ column, type: 'field', ...more });

  const named = await ask({
    from: people.id,
    select: [field(Name, { alias: 'Who?' }), field(Age)],
    where: { conjunction: 'and', filterSet: [field(Age, { operator: 'isGreater', value: 25 })] },
    orderBy: [field(Age, { order: 'desc' })],
    limit: 5,
  });
  expect(named.rows).toEqual([
    { Who_: 'C', [Age as string]: 40 },
    { Who_: 'B', [Age as string]: 30 },
  ]);
  expect(named.columns).toMatchObject([
    { name: 'Name', column: 'Who_', type: 'field', fieldSource: { id: Name } },
    { name: 'Age', column: Age, type: 'field' },
  ]);

  const counted = { from: people.id, groupBy: [field(Team)], aggregation: [field(Age, { statisticFunc: 'sum' })] };
  expect((await ask(counted)).rows).toEqual([
    { [Team as string]: 'Backend', [`${Age}_sum`]: 70 },
    { [Team as string]: 'Frontend', [`${Age}_sum`]: 20 },
  ]);
  expect((await ask(counted)).columns.map(({ name }) => name)).toEqual(['Team', 'Age.sum']);
  const within = await ask({
    from: counted,
    where: {
      conjunction: 'and',
      filterSet: [{ column: `${Age}_sum`, type: 'aggregation', operator: 'isGreater', value: 50 }],
    },
  });
  expect(within.rows).toEqual([{ [Team as string]: 'Backend', [`${Age}_sum`]: 70 }]);
  expect(
    (await ask({ from: people.id, groupBy: [field(Born)], aggregation: [field(Name, { statisticFunc: 'count' })] }))
      .rows,
  ).toEqual([{ [`${Name}_count`]: 1 }, { [Born as string]: '2000-01-01', [`${Name}_count`]: 2 }]);

  const on = [Team, teams.Title];
  const both = async (type: string) =>
    (
      await ask(
        {
          from: people.id,
          select: [field(Name), field(teams.Floor)],
          join: [{ type, table: teams.id, on }],
          orderBy: [field(Name, { order: 'asc' })],
        },
        'json',
      )
    ).rows.map((row) => [row[Name as string], row[teams.Floor as string]]);
  expect(await both('INNER JOIN')).toEqual([
    ['B', 3],
    ['C', 3],
  ]);
  expect(await both('LEFT JOIN')).toEqual([
    ['A', undefined],
    ['B', 3],
    ['C', 3],
  ]);
  expect(await both('FULL JOIN')).toEqual([
    [undefined, 4],
    ['A', undefined],
    ['B', 3],
    ['C', 3],
  ]);

  // Tables whose rows all match make 800 × 800 rows: counted before they are grouped and sorted.
  const alike = (name: string) =>
    make(
      name,
      [{ name: 'Key', type: 'singleLineText' }],
      Array.from({ length: 800 }, () => ({ Key: 'x' })),
    );
  const [one, two] = [await alike('One'), await alike('Two')];
  await expect(
    ask({
      from: one.id,
      join: [{ type: 'INNER JOIN', table: two.id, on: [one.Key, two.Key] }],
      groupBy: [field(one.Key)],
      aggregation: [field(two.Key, { statisticFunc: 'count' })],
    }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('The joined tables have more than 500000 rows together') as unknown,
  });

  await expect(ask({ from: 'tblNobody' })).rejects.toMatchObject({ status: 404 });
  for (const wrong of [
    { from: people.id, select: [field('fldNobody')] },
    { from: people.id, aggregation: [field(Name, { statisticFunc: 'sum' })] },
    { from: people.id, join: [{ type: 'INNER JOIN', table: people.id, on: [Name, Name] }] },
    { from: 5 },
    {},
  ]) {
    await expect(ask(wrong)).rejects.toMatchObject({ status: 400 });
  }

  const days = async (startDateFieldId: string | undefined) =>
    (
      await teable.getCalendarDailyCollection(people.id, {
        startDate: '1999-12-31T00:00:00.000Z',
        endDate: '2000-01-02T00:00:00.000Z',
        startDateFieldId: startDateFieldId as string,
        endDateFieldId: Born as string,
      })
    ).data;
  const calendar = teable.calendarDailyCollectionVoSchema.parse(await days(Born));
  expect([calendar.countMap, calendar.records.map(({ fields }) => fields[Name as string])]).toEqual([
    { '2000-01-01': 2 },
    ['A', 'C'],
  ]);
  await expect(days(Name)).rejects.toMatchObject({ status: 400 });
});

test('what is not here is answered with its empty value', async () => {
  const tableId = (await teable.createTable(shop.baseId)).data.id;
  expect((await teable.getTaskStatusCollection(tableId)).data).toEqual({ cells: [], fieldMap: {} });
  expect((await teable.getDashboardList(shop.baseId)).data).toEqual([]);
  expect((await teable.getOrganizationMe()).data).toBeNull();
  expect((await teable.getPluginCenterList()).data).toEqual([]);
  expect((await teable.getAIConfig(shop.baseId)).data).toEqual({ llmProviders: [] });
});
