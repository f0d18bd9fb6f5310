// The official client of Teable, unmodified: its calls for tables, fields and views, and its own schemas for the answers.
import * as teable from '@teable/openapi';
import { fieldTypes } from '@rowhouse/contract/field.ts';
import { viewTypes } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
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
  expect(Table.array().parse(list).map(({ id }) => id)).toContain(table.id);
  await teable.updateTableName(baseId, table.id, { name: 'Renamed' });
  await teable.updateTableIcon(baseId, table.id, { icon: '🎈' });
  await teable.updateTableDescription(baseId, table.id, { description: 'text' });
  await teable.updateDbTableName(baseId, table.id, { dbTableName: 'renamed' });
  const second = (await teable.createTable(baseId)).data;
  await teable.updateTableOrder(baseId, table.id, { anchorId: second.id, position: 'after' });
  expect((await teable.getTableList(baseId)).data.map(({ id }) => id)).toEqual([second.id, table.id]);
  const read = (await teable.getTableById(baseId, table.id)).data;
  expect(Table.parse(read)).toMatchObject({ name: 'Renamed', icon: '🎈', description: 'text', defaultViewId: table.defaultViewId });
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
  const list = Field.array().parse((await teable.getFields(table.id, { viewId: table.defaultViewId, filterHidden: true })).data);
  expect(list).toHaveLength(3 + plainTypes.length);
  const [first] = Field.array().parse((await teable.getFields(table.id, { projection: [table.fields[1]!.id] })).data);
  expect(first?.id).toBe(table.fields[1]!.id);
  const { id } = list[1]!;
  expect((await teable.updateField(table.id, id, { name: 'Better', description: null })).status).toBe(200);
  expect(Field.parse((await teable.getField(table.id, id)).data).name).toBe('Better');
  const plan = await teable.planFieldConvert(table.id, id, { type: as('singleLineText') });
  expect(teable.planFieldConvertVoSchema.parse(plan.data).updateCellCount).toBe(3);
  expect(teable.planFieldVoSchema.parse((await teable.planField(table.id, id)).data).updateCellCount).toBe(3);
  expect(teable.planFieldVoSchema.parse((await teable.planFieldCreate(table.id, { type: as('number') })).data).updateCellCount).toBe(0);
  expect(teable.planFieldDeleteVoSchema.parse((await teable.planFieldDelete(table.id, id)).data).updateCellCount).toBe(3);
  for (const type of plainTypes) {
    const converted = await teable.convertField(table.id, id, { type: as(type), ...formulaOf(type) });
    expect(Field.parse(converted.data)).toMatchObject({ type, name: 'Better' });
  }
  const copy = await teable.duplicateField(table.id, id, { name: 'Copy', viewId: table.defaultViewId as string });
  expect(Field.parse(copy.data).name).toBe('Copy');
  await teable.deleteField(table.id, copy.data.id);
  await teable.deleteFields(table.id, [id, list[2]!.id]);
  await expect(teable.deleteField(table.id, table.fields[0]!.id)).rejects.toMatchObject({ status: 403, code: 'restricted_resource' });
  await expect(teable.createField(table.id, { type: as('none') })).rejects.toMatchObject({ status: 400, code: 'validation_error' });
});

test('createView, getViewList, getView, the updates and deleteView work for every type', async () => {
  const table = await shop.table();
  const [name, count, status] = table.fields.map(({ id }) => id) as [string, string, string];
  for (const type of viewTypes) {
    const made = await teable.createView(table.id, { type: as(type), name: `My ${type}` });
    expect(made.status).toBe(201);
    expect(View.parse(made.data)).toMatchObject({ type, name: `My ${type}` });
  }
  expect(View.array().parse((await teable.getViewList(table.id)).data)).toHaveLength(6);
  const viewId = table.defaultViewId as string;
  await teable.updateViewName(table.id, viewId, { name: 'Mine' });
  await teable.updateViewDescription(table.id, viewId, { description: 'text' });
  await teable.updateViewFilter(table.id, viewId, { filter: { conjunction: 'and', filterSet: [{ fieldId: count, operator: 'isGreater', value: 1 }] } });
  await teable.updateViewSort(table.id, viewId, { sort: { sortObjs: [{ fieldId: name, order: as('asc') }] } });
  await teable.updateViewGroup(table.id, viewId, { group: [{ fieldId: status, order: as('desc') }] });
  await teable.updateViewColumnMeta(table.id, viewId, [{ fieldId: count, columnMeta: { hidden: true, width: 90 } }]);
  await teable.updateViewOptions(table.id, viewId, { options: { rowHeight: as('tall') } });
  await teable.updateViewLocked(table.id, viewId, { isLocked: true });
  const view = View.parse((await teable.getView(table.id, viewId)).data);
  expect(view).toMatchObject({ name: 'Mine', description: 'text', isLocked: true, options: { rowHeight: 'tall' }, group: [{ fieldId: status, order: 'desc' }] });
  expect(view.columnMeta[count]).toEqual({ order: 1, width: 90, hidden: true });
  await expect(teable.deleteView(table.id, viewId)).rejects.toMatchObject({ status: 403 });
  await teable.updateViewLocked(table.id, viewId, { isLocked: false });
  const other = (await teable.getViewList(table.id)).data[1]!;
  await teable.updateViewOrder(table.id, viewId, { anchorId: other.id, position: 'after' });
  expect((await teable.getViewList(table.id)).data.slice(0, 2).map(({ id }) => id)).toEqual([other.id, viewId]);
  await teable.deleteView(table.id, viewId);
  await expect(teable.getView(table.id, viewId)).rejects.toMatchObject({ status: 404 });
});
