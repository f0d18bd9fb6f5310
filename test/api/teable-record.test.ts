// The record and history functions of Teable's own client, unmodified; answers parse with its own schemas.
import {
  axios,
  clear,
  copy,
  copyVoSchema,
  createField,
  createRecords,
  createRecordsVoSchema,
  createView,
  deleteField,
  deleteRecord,
  deleteRecords,
  deleteSelection,
  deleteView,
  duplicateRecord,
  getIdsFromRanges,
  getFields,
  getRecord,
  getRecordHistory,
  getRecordListHistory,
  getRecords,
  getRecordStatus,
  getTrashItems,
  IdReturnType,
  paste,
  pasteVoSchema,
  RangeType,
  rangesToIdVoSchema,
  recordHistoryVoSchema,
  recordStatusVoSchema,
  recordsVoSchema,
  redo,
  resetTrashItems,
  ResourceType,
  restoreTrash,
  temporaryPaste,
  temporaryPasteVoSchema,
  trashVoSchema,
  undo,
  undoVoSchema,
  updateViewName,
  updateRecord,
  updateRecords,
} from '@teable/openapi';
import { CellFormat, FieldKeyType, FieldType, recordSchema, SortFunc, ViewType } from '@teable/core';
import { beforeAll, expect, test } from 'vitest';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()));
  axios.defaults.baseURL = world().baseUrl;
  axios.defaults.headers.common.Authorization = `Bearer ${table.owner.token}`;
});

test('records are created, read, changed, duplicated and deleted', async () => {
  const made = await createRecords(table.tableId, {
    records: [{ fields: { Text: 'a', Number: 1 } }, { fields: { Text: 'b' } }],
    fieldKeyType: FieldKeyType.Name,
  });
  expect(made.status).toBe(201);
  expect(createRecordsVoSchema.parse(made.data).records).toHaveLength(2);
  const [one, two] = made.data.records.map((record) => ({ id: record.id })) as [{ id: string }, { id: string }];

  const read = await getRecord(table.tableId, one.id, { fieldKeyType: FieldKeyType.Name, projection: ['Text'] });
  expect(recordSchema.parse(read.data).fields).toEqual({ Text: 'a' });
  const listed = await getRecords(table.tableId, { fieldKeyType: FieldKeyType.Id, take: 10 });
  expect(recordsVoSchema.parse(listed.data).records.map((record) => record.id)).toEqual([one.id, two.id]);

  const changed = await updateRecord(table.tableId, one.id, {
    fieldKeyType: FieldKeyType.Id,
    record: { fields: { [table.fieldIds.Number as string]: 5 } },
  });
  expect(recordSchema.parse(changed.data).fields[table.fieldIds.Number as string]).toBe(5);
  const several = await updateRecords(table.tableId, {
    fieldKeyType: FieldKeyType.Name,
    typecast: true,
    records: [
      { id: two.id, fields: { Number: '7' } },
      { id: one.id, fields: { Number: null } },
    ],
  });
  expect(
    recordSchema
      .array()
      .parse(several.data)
      .map((record) => record.id),
  ).toEqual([two.id, one.id]);

  const copy = await duplicateRecord(table.tableId, two.id, {
    viewId: table.viewId,
    anchorId: one.id,
    position: 'before',
  });
  expect(createRecordsVoSchema.parse(copy.data).records).toHaveLength(1);

  const filter = {
    conjunction: 'and',
    filterSet: [{ fieldId: table.fieldIds.Text as string, operator: 'is', value: 'b' }],
  } as never;
  const statusOf = async (id: string, query: Parameters<typeof getRecordStatus>[2]) =>
    recordStatusVoSchema.parse((await getRecordStatus(table.tableId, id, query)).data);
  expect(await statusOf(one.id, { viewId: table.viewId })).toEqual({ isVisible: true, isDeleted: false });
  expect(await statusOf(one.id, { filter, fieldKeyType: FieldKeyType.Id })).toEqual({
    isVisible: false,
    isDeleted: false,
  });
  expect(await statusOf(two.id, { filter, fieldKeyType: FieldKeyType.Id })).toEqual({
    isVisible: true,
    isDeleted: false,
  });

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

test('cells of formulas are in the answers about records, by every key, and cannot be written', async () => {
  const own = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Price', type: 'number' },
    { name: 'Day', type: 'date' },
  ]);
  const expressions = {
    Twice: '{Price} * 2',
    Title: 'UPPER({Name}) & "!"',
    Large: '{Price} > 2',
    Later: 'DATE_ADD({Day}, 1, "day")',
    Words: 'ARRAY_COMPACT({Name}, {Price})',
    Share: '1 / {Price}',
  };
  const formulas: Record<string, string> = {};
  for (const [name, expression] of Object.entries(expressions))
    formulas[name] = (
      await createField(own.tableId, { name, type: FieldType.Formula, options: { expression } })
    ).data.id;
  const cells = {
    Twice: 6,
    Title: 'A!',
    Large: true,
    Later: '2024-03-01T00:00:00.000Z',
    Words: ['a', '3'],
    Share: 1 / 3,
  };
  const made = await createRecords(own.tableId, {
    fieldKeyType: FieldKeyType.Name,
    records: [{ fields: { Name: 'a', Price: 3, Day: '2024-02-29T00:00:00.000Z' } }, { fields: {} }],
  });
  const [first, second] = createRecordsVoSchema.parse(made.data).records;
  expect(first?.fields).toEqual({ Name: 'a', Price: 3, Day: '2024-02-29T00:00:00.000Z', ...cells });
  expect(second?.fields).toEqual({ Twice: 0, Title: '!', Large: false });
  const id = first?.id as string;
  const one = recordSchema.parse(
    (await getRecord(own.tableId, id, { fieldKeyType: FieldKeyType.Name, projection: Object.keys(cells) })).data,
  );
  expect(one.fields).toEqual(cells);
  const listed = recordsVoSchema.parse(
    (
      await getRecords(own.tableId, {
        fieldKeyType: FieldKeyType.Id,
        orderBy: [{ fieldId: formulas['Twice'] as string, order: SortFunc.Desc }],
      })
    ).data,
  );
  expect(listed.records.map((record) => record.id)).toEqual([id, second?.id]);
  expect(listed.records[0]?.fields).toMatchObject(
    Object.fromEntries(Object.entries(cells).map(([name, value]) => [formulas[name], value])),
  );
  const filter = {
    conjunction: 'and',
    filterSet: [{ fieldId: formulas['Title'] as string, operator: 'is', value: 'A!' }],
  } as never;
  expect(
    recordsVoSchema.parse((await getRecords(own.tableId, { filter })).data).records.map((record) => record.id),
  ).toEqual([id]);
  const shown = recordsVoSchema.parse(
    (await getRecords(own.tableId, { fieldKeyType: FieldKeyType.Name, cellFormat: CellFormat.Text })).data,
  ).records[0];
  expect(shown?.fields).toMatchObject({ Twice: '6.00', Title: 'A!', Later: '2024-03-01' });
  const changed = recordSchema.parse(
    (await updateRecord(own.tableId, id, { fieldKeyType: FieldKeyType.Name, record: { fields: { Price: 1 } } })).data,
  );
  expect(changed.fields).toMatchObject({ Twice: 2, Large: false, Words: ['a', '1'], Share: 1 });
  await expect(
    updateRecord(own.tableId, id, { fieldKeyType: FieldKeyType.Name, record: { fields: { Twice: 5 } } }),
  ).rejects.toMatchObject({ status: 400 });
});

test('history of a record and of a table', async () => {
  const made = await createRecords(table.tableId, { records: [{ fields: { Select: 'red' } }] });
  const id = made.data.records[0]?.id as string;
  await updateRecord(table.tableId, id, {
    fieldKeyType: FieldKeyType.Name,
    record: { fields: { Select: 'green', Text: 'x' } },
  });
  const ofRecord = await getRecordHistory(table.tableId, id, {});
  expect(recordHistoryVoSchema.parse(ofRecord.data).historyList).toHaveLength(2);
  const ofTable = await getRecordListHistory(table.tableId, { startDate: '2020-01-01T00:00:00.000Z' });
  expect(recordHistoryVoSchema.parse(ofTable.data).historyList.length).toBeGreaterThanOrEqual(2);
});

test('cells are selected, copied, pasted and emptied; records and fields come by pasting beyond the end', async () => {
  const own = await tableWith(table, [
    { name: 'Name', type: 'longText' },
    { name: 'Count', type: 'number' },
    { name: 'State', type: 'singleSelect', options: { choices: [{ name: 'open' }] } },
    { name: 'Number', type: 'autoNumber' },
  ]);
  const at = { viewId: own.viewId };
  const cells = async () =>
    (await getRecords(own.tableId, { fieldKeyType: FieldKeyType.Name })).data.records.map(
      ({ fields: { Number: _number, ...fields } }) => fields,
    );
  await createRecords(own.tableId, {
    fieldKeyType: FieldKeyType.Name,
    records: [
      { fields: { Name: 'a', Count: 1, State: 'open' } },
      { fields: { Name: 'two\nlines', Count: 2 } },
      { fields: { Name: '"c"' } },
    ],
  });
  const ids = (await getRecords(own.tableId, {})).data.records.map(({ id }) => id);

  const toIds = async (ranges: [number, number][], returnType: IdReturnType, type?: RangeType) =>
    rangesToIdVoSchema.parse(
      (
        await getIdsFromRanges(own.tableId, {
          ...at,
          ranges,
          returnType,
          ...(type === undefined ? {} : { type }),
        } as never)
      ).data,
    );
  expect(
    await toIds(
      [
        [1, 0],
        [0, 1],
      ],
      IdReturnType.All,
    ),
  ).toEqual({ recordIds: ids.slice(0, 2), fieldIds: [own.fieldIds.Name, own.fieldIds.Count] });
  expect(await toIds([[1, 2]], IdReturnType.RecordId, RangeType.Rows)).toEqual({ recordIds: ids.slice(1) });
  expect(await toIds([[2, 2]], IdReturnType.All, RangeType.Columns)).toEqual({
    recordIds: ids,
    fieldIds: [own.fieldIds.State],
  });

  const copied = copyVoSchema.parse(
    (
      await copy(own.tableId, {
        ...at,
        ranges: [
          [0, 0],
          [2, 2],
        ],
      })
    ).data,
  );
  expect(copied.content).toBe('a\t1.00\topen\n"two\nlines"\t2.00\t\n"""c"""\t\t');
  expect(copied.header.map(({ name }) => name)).toEqual(['Name', 'Count', 'State']);

  // Into the last row and one beyond, one column to the right of where it came from: the last of it is a new field. What is computed stays.
  const pasted = await paste(own.tableId, {
    ...at,
    ranges: [
      [2, 2],
      [2, 2],
    ],
    content: 'new\t7\tx\nopen\t8\t"y\tz"',
    header: copied.header,
  });
  expect(pasteVoSchema.parse(pasted.data)).toEqual({
    ranges: [
      [2, 2],
      [4, 3],
    ],
  });
  expect(pasted.headers['x-operation-id'].split(', ')).toHaveLength(3);
  expect((await getFields(own.tableId)).data.map(({ name, type }) => [name, type])).toEqual([
    ['Name', 'longText'],
    ['Count', 'number'],
    ['State', 'singleSelect'],
    ['Number', 'autoNumber'],
    ['State 2', 'singleSelect'],
  ]);
  expect(await cells()).toEqual([
    { Name: 'a', Count: 1, State: 'open' },
    { Name: 'two\nlines', Count: 2 },
    { Name: '"c"', State: 'new', 'State 2': 'x' },
    { State: 'open', 'State 2': 'y\tz' },
  ]);

  // What fits several times fills the range; the copy of all is pasted back over itself exactly.
  await paste(own.tableId, { ...at, ranges: [[1, 1]], type: RangeType.Columns, content: '5' });
  expect((await cells()).map(({ Count }) => Count)).toEqual([5, 5, 5, 5]);
  const whole = await copy(own.tableId, { ...at, ranges: [[0, 9]], type: RangeType.Rows });
  const before = await cells();
  await paste(own.tableId, {
    ...at,
    ranges: [
      [0, 0],
      [0, 0],
    ],
    content: whole.data.content,
    header: whole.data.header,
  });
  expect(await cells()).toEqual(before);
  // Values as the client has them: between different types what people read.
  await paste(own.tableId, {
    ...at,
    ranges: [
      [0, 0],
      [0, 0],
    ],
    content: [
      [
        [
          { id: 'recX', title: 'Alpha' },
          { id: 'recY', title: 'Beta' },
        ],
        12,
      ],
    ],
    header: [{ ...copied.header[2], type: 'link' }, copied.header[1]] as never,
  });
  expect((await cells())[0]).toMatchObject({ Name: 'Alpha, Beta', Count: 12 });

  const shown = await temporaryPaste(own.tableId, {
    ...at,
    ranges: [
      [1, 0],
      [2, 0],
    ],
    content: '12.5\tanother',
  });
  expect(temporaryPasteVoSchema.parse(shown.data)).toEqual([
    { fields: { [own.fieldIds.Count as string]: 12.5, [own.fieldIds.State as string]: 'another' } },
  ]);
  expect(
    ((await getFields(own.tableId)).data[2]?.options as { choices: { name: string }[] }).choices.map(
      ({ name }) => name,
    ),
  ).toEqual(['open', 'new']);

  expect(
    (
      await clear(own.tableId, {
        ...at,
        ranges: [
          [1, 0],
          [3, 1],
        ],
      })
    ).status,
  ).toBe(200);
  expect((await cells()).slice(0, 2)).toEqual([{ Name: 'Alpha, Beta' }, { Name: 'two\nlines' }]);
  expect(
    (await deleteSelection(own.tableId, { ...at, ranges: [[3, 3]], type: RangeType.Rows } as never)).data.ids,
  ).toHaveLength(1);
  for (const refused of [
    () => copy(own.tableId, { ...at, ranges: [] }),
    () => paste(own.tableId, { ...at, ranges: [[0, 0]], content: 'x' }),
    () =>
      paste(own.tableId, {
        ...at,
        ranges: [
          [0, 0],
          [0, 0],
        ],
        content: 'x\n'.repeat(50_001),
      }),
    () =>
      paste(own.tableId, {
        ...at,
        ranges: [
          [4, 0],
          [4, 0],
        ],
        content: 'x\t'.repeat(101),
      }),
    () =>
      paste(own.tableId, {
        ...at,
        ranges: [
          [5, 0],
          [5, 0],
        ],
        content: 'x',
        header: [{ ...copied.header[0], name: 'a\0b' }] as never,
      }),
  ]) {
    await expect(refused()).rejects.toMatchObject({ status: 400 });
  }
});

test('what was done in a window is undone and done again there, step by step', async () => {
  const own = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  const look = async () => ({
    fields: (await getFields(own.tableId)).data,
    records: (await getRecords(own.tableId, { fieldKeyType: FieldKeyType.Name })).data.records.map(
      ({ id, fields, autoNumber }) => ({ id, fields, autoNumber }),
    ),
  });
  const step = async (way: typeof undo) => undoVoSchema.parse((await way(own.tableId)).data).status;
  expect(await step(undo)).toBe('empty');
  axios.defaults.headers.common['X-Window-Id'] = 'winFirst';
  try {
    const states = [await look()];
    const changes: (() => Promise<unknown>)[] = [
      () =>
        createRecords(own.tableId, {
          fieldKeyType: FieldKeyType.Name,
          records: [{ fields: { Name: 'a', Count: 1 } }, { fields: { Name: 'b' } }],
        }),
      () =>
        paste(own.tableId, {
          viewId: own.viewId,
          ranges: [
            [1, 1],
            [1, 1],
          ],
          content: '5\tnew\n6\tmore',
        }),
      () => clear(own.tableId, { viewId: own.viewId, ranges: [[1, 1]], type: RangeType.Columns }),
      () => createField(own.tableId, { type: 'date' as never, name: 'Due' }),
      () => deleteField(own.tableId, own.fieldIds.Count as string),
      () => deleteSelection(own.tableId, { viewId: own.viewId, ranges: [[0, 1]], type: RangeType.Rows } as never),
    ];
    for (const change of changes) {
      await change();
      states.push(await look());
    }
    for (const state of states.slice(0, -1).toReversed()) {
      expect(await step(undo)).toBe('fulfilled');
      expect(await look()).toEqual(state);
    }
    expect(await step(undo)).toBe('empty');
    for (const state of states.slice(1)) {
      expect(await step(redo)).toBe('fulfilled');
      expect(await look()).toEqual(state);
    }
    expect(await step(redo)).toBe('empty');

    // A change ends what could be done again; another window has steps of its own; what somebody changed since is not overwritten.
    await step(undo);
    const record = (await look()).records[0] as { id: string };
    const write = (Name: string) =>
      updateRecord(own.tableId, record.id, { fieldKeyType: FieldKeyType.Name, record: { fields: { Name } } });
    await write('mine');
    expect(await step(redo)).toBe('empty');
    axios.defaults.headers.common['X-Window-Id'] = 'winSecond';
    expect(await step(undo)).toBe('empty');
    await write('other');
    axios.defaults.headers.common['X-Window-Id'] = 'winFirst';
    const failed = (await undo(own.tableId)).data;
    expect(failed).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('stand in the way'),
      conflicts: [{ recordId: record.id, reason: 'changed_since' }],
    });
    axios.defaults.headers.common['X-Window-Id'] = 'winSecond';
    expect(await step(undo)).toBe('fulfilled');
    axios.defaults.headers.common['X-Window-Id'] = 'winFirst';
    expect(await step(undo)).toBe('fulfilled');
    await updateViewName(own.tableId, own.viewId, { name: 'Renamed' });
    expect(await step(undo)).toBe('fulfilled');
  } finally {
    delete axios.defaults.headers.common['X-Window-Id'];
  }
});
