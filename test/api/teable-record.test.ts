// The record and history functions of Teable's own client, unmodified; answers parse with its own schemas.
import {
  axios, createRecords, createRecordsVoSchema, createView, deleteField, deleteRecord, deleteRecords, deleteView, duplicateRecord, getRecord, getRecordHistory, getRecordListHistory, getRecords, getRecordStatus, getTrashItems, recordHistoryVoSchema, recordStatusVoSchema, recordsVoSchema, resetTrashItems, ResourceType, restoreTrash, trashVoSchema, updateRecord, updateRecords,
} from '@teable/openapi';
import { FieldKeyType, recordSchema, ViewType } from '@teable/core';
import { beforeAll, expect, test } from 'vitest';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()));
  axios.defaults.baseURL = world().baseUrl;
  axios.defaults.headers.common.Authorization = `Bearer ${table.owner.token}`;
});

test('records are created, read, changed, duplicated and deleted', async () => {
  const made = await createRecords(table.tableId, { records: [{ fields: { Text: 'a', Number: 1 } }, { fields: { Text: 'b' } }], fieldKeyType: FieldKeyType.Name });
  expect(made.status).toBe(201);
  expect(createRecordsVoSchema.parse(made.data).records).toHaveLength(2);
  const [one, two] = made.data.records.map((record) => ({ id: record.id })) as [{ id: string }, { id: string }];

  const read = await getRecord(table.tableId, one.id, { fieldKeyType: FieldKeyType.Name, projection: ['Text'] });
  expect(recordSchema.parse(read.data).fields).toEqual({ Text: 'a' });
  const listed = await getRecords(table.tableId, { fieldKeyType: FieldKeyType.Id, take: 10 });
  expect(recordsVoSchema.parse(listed.data).records.map((record) => record.id)).toEqual([one.id, two.id]);

  const changed = await updateRecord(table.tableId, one.id, { fieldKeyType: FieldKeyType.Id, record: { fields: { [table.fieldIds.Number as string]: 5 } } });
  expect(recordSchema.parse(changed.data).fields[table.fieldIds.Number as string]).toBe(5);
  const several = await updateRecords(table.tableId, { fieldKeyType: FieldKeyType.Name, typecast: true, records: [{ id: two.id, fields: { Number: '7' } }, { id: one.id, fields: { Number: null } }] });
  expect(recordSchema.array().parse(several.data).map((record) => record.id)).toEqual([two.id, one.id]);

  const copy = await duplicateRecord(table.tableId, two.id, { viewId: table.viewId, anchorId: one.id, position: 'before' });
  expect(createRecordsVoSchema.parse(copy.data).records).toHaveLength(1);

  const filter = { conjunction: 'and', filterSet: [{ fieldId: table.fieldIds.Text as string, operator: 'is', value: 'b' }] } as never;
  const statusOf = async (id: string, query: Parameters<typeof getRecordStatus>[2]) => recordStatusVoSchema.parse((await getRecordStatus(table.tableId, id, query)).data);
  expect(await statusOf(one.id, { viewId: table.viewId })).toEqual({ isVisible: true, isDeleted: false });
  expect(await statusOf(one.id, { filter, fieldKeyType: FieldKeyType.Id })).toEqual({ isVisible: false, isDeleted: false });
  expect(await statusOf(two.id, { filter, fieldKeyType: FieldKeyType.Id })).toEqual({ isVisible: true, isDeleted: false });

  expect((await deleteRecord(table.tableId, one.id)).status).toBe(200);
  expect(await statusOf(one.id, {})).toEqual({ isVisible: false, isDeleted: true });
  expect((await deleteRecords(table.tableId, [two.id])).status).toBe(200);

  const place = { resourceId: table.tableId, resourceType: ResourceType.Table as const };
  const trash = trashVoSchema.parse((await getTrashItems(place)).data);
  expect(trash.trashItems.map((item) => 'resourceIds' in item && item.resourceIds)).toEqual([[two.id], [one.id]]);
  expect(trash.resourceMap[one.id]).toEqual({ id: one.id, name: 'a' });
  expect((await restoreTrash(trash.trashItems[1]?.id as string)).status).toBe(201);
  expect((await getRecord(table.tableId, one.id, { fieldKeyType: FieldKeyType.Name })).data.autoNumber).toBe(1);
  const view = (await createView(table.tableId, { type: ViewType.Grid, name: 'Second' })).data;
  await deleteView(table.tableId, view.id);
  await deleteField(table.tableId, table.fieldIds.Select as string);
  const more = trashVoSchema.parse((await getTrashItems(place)).data);
  expect(more.trashItems.map((item) => item.resourceType)).toEqual(['field', 'view', 'record']);
  expect(more.resourceMap[view.id]).toMatchObject({ id: view.id, name: 'Second', type: 'grid' });
  expect(more.resourceMap[table.fieldIds.Select as string]).toMatchObject({ name: 'Select', type: 'singleSelect' });
  for (const item of more.trashItems.slice(0, 2)) expect((await restoreTrash(item.id)).status).toBe(201);
  expect((await resetTrashItems(place)).status).toBe(200);
  expect((await getTrashItems(place)).data.trashItems).toEqual([]);
});

test('history of a record and of a table', async () => {
  const made = await createRecords(table.tableId, { records: [{ fields: { Select: 'red' } }] });
  const id = made.data.records[0]?.id as string;
  await updateRecord(table.tableId, id, { fieldKeyType: FieldKeyType.Name, record: { fields: { Select: 'green', Text: 'x' } } });
  const ofRecord = await getRecordHistory(table.tableId, id, {});
  expect(recordHistoryVoSchema.parse(ofRecord.data).historyList).toHaveLength(2);
  const ofTable = await getRecordListHistory(table.tableId, { startDate: '2020-01-01T00:00:00.000Z' });
  expect(recordHistoryVoSchema.parse(ofTable.data).historyList.length).toBeGreaterThanOrEqual(2);
});
