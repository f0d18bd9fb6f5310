// Links, lookups, rollups, conversions and pickers with Teable's own client, unmodified; answers parse with its own schemas.
import { CellFormat, FieldKeyType, FieldType, type ILinkFieldOptions, recordSchema, Relationship } from '@teable/core';
import * as teable from '@teable/openapi';
import { beforeAll, expect, test } from 'vitest';
import { Sql } from '../../server/db/sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { cases } from '../support/cases.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
  teable.axios.defaults.baseURL = world().baseUrl;
  teable.axios.defaults.headers.common.Authorization = `Bearer ${shop.owner.token}`;
});

const named = (names: readonly string[]) => names.map((Name) => ({ fields: { Name } }));
const table = async (name: string, names: readonly string[]) => {
  const { data } = await teable.createTable(shop.baseId, {
    name,
    fields: [
      { name: 'Name', type: FieldType.SingleLineText },
      { name: 'Count', type: FieldType.Number },
    ],
    records: named(names),
    fieldKeyType: FieldKeyType.Name,
  });
  return {
    id: data.id,
    records: data.records.map(({ id }) => id) as [string, string, string],
    nameId: data.fields[0]?.id as string,
    countId: data.fields[1]?.id as string,
  };
};
const cell = async (tableId: string, recordId: string, fieldId: string) =>
  (await teable.getRecord(tableId, recordId, { fieldKeyType: FieldKeyType.Id })).data.fields[fieldId];
const write = (tableId: string, recordId: string, fields: Record<string, unknown>) =>
  teable.updateRecord(tableId, recordId, { fieldKeyType: FieldKeyType.Id, record: { fields } });
const ids = (answer: { data: teable.IRecordsVo }) => answer.data.records.map(({ id }) => id);

test('links of every relationship are made, written from both sides, converted, copied and deleted', async () => {
  const all = [Relationship.OneOne, Relationship.OneMany, Relationship.ManyOne, Relationship.ManyMany];
  for (const relationship of cases(all, [Relationship.OneMany, Relationship.ManyMany])) {
    const [countries, cities] = [
      await table('Countries', ['Peru', 'Chile', 'Cuba']),
      await table('Cities', ['Lima', 'Cusco', 'Ica']),
    ];
    const link = (
      await teable.createField(cities.id, {
        type: FieldType.Link,
        name: 'Country',
        options: { relationship, foreignTableId: countries.id },
      })
    ).data;
    const { symmetricFieldId = '' } = link.options as ILinkFieldOptions;
    const [peru, chile] = countries.records;
    const [lima, cusco] = cities.records;
    const one = (id: string, title: string) => (link.isMultipleCellValue === true ? [{ id, title }] : { id, title });
    const written = await write(cities.id, lima, { [link.id]: one(peru, 'ignored') });
    expect(recordSchema.parse(written.data).fields[link.id]).toEqual(one(peru, 'Peru'));
    expect([await cell(countries.id, peru, symmetricFieldId)].flat()).toEqual([{ id: lima, title: 'Lima' }]);
    await expect(write(cities.id, cusco, { [link.id]: one('recNobodyAtAll00000', 'x') })).rejects.toMatchObject({
      status: 400,
    });
    // What a cell may take, and what is in it.
    expect(ids(await teable.getRecords(countries.id, { filterLinkCellSelected: [link.id, lima] }))).toEqual([peru]);
    expect(ids(await teable.getRecords(countries.id, { filterLinkCellCandidate: [link.id, lima] }))).not.toContain(
      peru,
    );
    const isExclusive = relationship === Relationship.OneOne || relationship === Relationship.OneMany;
    expect((await teable.getRowCount(countries.id, { filterLinkCellCandidate: [link.id, cusco] })).data.rowCount).toBe(
      isExclusive ? 2 : 3,
    );
    expect(
      ids(await teable.getRecords(countries.id, { filterLinkCellCandidate: link.id, selectedRecordIds: [chile] })),
    ).not.toContain(chile);
    // A copy leads to the same records, one way.
    const copy = (await teable.duplicateField(cities.id, link.id, { name: 'Copy' })).data;
    expect(copy.options).toMatchObject({ relationship, isOneWay: true, foreignTableId: countries.id });
    expect(await cell(cities.id, lima, copy.id)).toEqual(one(peru, 'Peru'));
    // To text, and to a link again.
    expect((await teable.planFieldConvert(cities.id, link.id, { type: FieldType.SingleLineText })).data).toMatchObject({
      updateCellCount: 3,
    });
    expect((await teable.convertField(cities.id, link.id, { type: FieldType.SingleLineText })).data.type).toBe(
      'singleLineText',
    );
    expect(await cell(cities.id, lima, link.id)).toBe('Peru');
    await expect(teable.getField(countries.id, symmetricFieldId)).rejects.toMatchObject({ status: 404 });
    const again = (
      await teable.convertField(cities.id, link.id, {
        type: FieldType.Link,
        options: { relationship, foreignTableId: countries.id },
      })
    ).data;
    expect(await cell(cities.id, lima, again.id)).toEqual(one(peru, 'Peru'));
    const check = (await teable.checkBaseIntegrity(shop.baseId)).data;
    expect(check).toEqual({ hasIssues: false, linkFieldIssues: [] });
    await teable.deleteField(cities.id, again.id);
    expect((await teable.getFields(countries.id)).data.map(({ name }) => name)).toEqual(['Name', 'Count']);
  }
});

test('lookups and rollups are made, follow, are planned, copied and converted', async () => {
  const [countries, cities] = [
    await table('Countries', ['Peru', 'Chile', 'Cuba']),
    await table('Cities', ['Lima', 'Cusco', 'Ica']),
  ];
  const link = (
    await teable.createField(countries.id, {
      type: FieldType.Link,
      options: { relationship: Relationship.OneMany, foreignTableId: cities.id },
    })
  ).data;
  const [[peru], [lima, cusco]] = [countries.records, cities.records];
  await write(countries.id, peru, { [link.id]: [{ id: cusco }, { id: lima }] });
  await write(cities.id, lima, { [cities.countId]: 7 });
  const lookupOptions = { foreignTableId: cities.id, linkFieldId: link.id, lookupFieldId: cities.countId };
  const plan = (await teable
    .planFieldCreate(countries.id, {
      type: FieldType.Number,
      isLookup: true,
      lookupOptions: { ...lookupOptions, lookupFieldId: cities.nameId },
    } as never)
    .catch((error: { status: number }) => error)) as { status: number };
  expect(plan.status).toBe(400);
  const lookup = (await teable.createField(countries.id, { type: FieldType.Number, isLookup: true, lookupOptions }))
    .data;
  expect(lookup).toMatchObject({
    name: `Count (from ${link.name})`,
    isLookup: true,
    isMultipleCellValue: true,
    isComputed: true,
  });
  const rollup = (
    await teable.createField(countries.id, {
      type: FieldType.Rollup,
      options: { expression: 'sum({values})' },
      lookupOptions,
    })
  ).data;
  expect([await cell(countries.id, peru, lookup.id), await cell(countries.id, peru, rollup.id)]).toEqual([[7], 7]);
  await write(cities.id, cusco, { [cities.countId]: 5 });
  expect([await cell(countries.id, peru, lookup.id), await cell(countries.id, peru, rollup.id)]).toEqual([[5, 7], 12]);
  expect(
    (await teable.getRecord(countries.id, peru, { fieldKeyType: FieldKeyType.Id, cellFormat: CellFormat.Text })).data
      .fields[rollup.id],
  ).toBe('12.00');
  const deleting = (await teable.planField(cities.id, cities.countId)).data;
  expect([
    deleting.graph?.nodes.length,
    deleting.graph?.edges.length,
    deleting.graph?.combos.length,
    deleting.updateCellCount,
  ]).toEqual([3, 2, 2, 3 + 1 + 1]);
  const copy = (await teable.duplicateField(countries.id, lookup.id, { name: 'Copy' })).data;
  expect(copy).toMatchObject({ isLookup: true, lookupOptions });
  expect(await cell(countries.id, peru, copy.id)).toEqual([5, 7]);
  await teable.convertField(countries.id, copy.id, { type: FieldType.SingleLineText });
  expect(await cell(countries.id, peru, copy.id)).toBe('5.00, 7.00');
  await teable.deleteField(cities.id, cities.countId);
  expect((await teable.getField(countries.id, rollup.id)).data.hasError).toBe(true);
});

test('a table is made with a link and what is looked up through it', async () => {
  const countries = await table('Countries', ['Peru', 'Chile', 'Cuba']);
  const linkId = 'fldLinkOfTheRequest';
  const made = (
    await teable.createTable(shop.baseId, {
      name: 'Cities',
      fieldKeyType: FieldKeyType.Name,
      fields: [
        { name: 'Name', type: FieldType.SingleLineText },
        {
          type: FieldType.SingleLineText,
          isLookup: true,
          lookupOptions: { foreignTableId: countries.id, linkFieldId: linkId, lookupFieldId: countries.nameId },
        },
        {
          id: linkId,
          name: 'Country',
          type: FieldType.Link,
          options: { relationship: Relationship.ManyOne, foreignTableId: countries.id },
        },
        { name: 'Said', type: FieldType.Formula, options: { expression: `{Name (from Country)} & "!"` } },
        {
          name: 'Sum',
          type: FieldType.Rollup,
          options: { expression: 'countall({values})' },
          lookupOptions: { foreignTableId: countries.id, linkFieldId: linkId, lookupFieldId: countries.nameId },
        },
      ],
      records: [{ fields: { Name: 'Lima', Country: { id: countries.records[0] } } }],
    })
  ).data;
  expect(made.fields.map(({ name }) => name)).toEqual(['Name', 'Name (from Country)', 'Country', 'Said', 'Sum']);
  expect(made.records[0]?.fields).toEqual({
    Name: 'Lima',
    'Name (from Country)': 'Peru',
    Country: { id: countries.records[0], title: 'Peru' },
    Said: 'Peru!',
    Sum: 1,
  });
  const refused = (await teable
    .createTable(shop.baseId, {
      name: 'x',
      fields: [
        { name: 'Name', type: FieldType.SingleLineText },
        {
          name: 'L',
          type: FieldType.SingleLineText,
          isLookup: true,
          lookupOptions: { foreignTableId: countries.id, linkFieldId: 'fldNone', lookupFieldId: countries.nameId },
        },
      ],
    })
    .catch((error: { status: number; message: string }) => error)) as { status: number; message: string };
  expect([refused.status, refused.message]).toEqual([
    400,
    expect.stringContaining('fields[1].lookupOptions.linkFieldId'),
  ]);
});

test('damage is found and repaired', async () => {
  const [countries, cities] = [
    await table('Countries', ['Peru', 'Chile', 'Cuba']),
    await table('Cities', ['Lima', 'Cusco', 'Ica']),
  ];
  const link = (
    await teable.createField(cities.id, {
      type: FieldType.Link,
      options: { relationship: Relationship.ManyMany, foreignTableId: countries.id },
    })
  ).data;
  const other = (
    await teable.createField(cities.id, {
      type: FieldType.Link,
      options: { relationship: Relationship.ManyOne, foreignTableId: countries.id },
    })
  ).data;
  await write(cities.id, cities.records[0], {
    [link.id]: [{ id: countries.records[0] }],
    [other.id]: { id: countries.records[1] },
  });
  const { fkHostTableName, selfKeyName, foreignKeyName } = link.options as ILinkFieldOptions;
  const quoted = fkHostTableName
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  await world().db.query(
    new Sql(
      [`insert into ${quoted} ("${selfKeyName}", "${foreignKeyName}") values ('${cities.records[1]}', 'recGone')`],
      [],
    ),
  );
  const host = (other.options as ILinkFieldOptions).fkHostTableName
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  await world().db.query(
    new Sql(
      [
        `update ${host} set "${(other.options as ILinkFieldOptions).foreignKeyName}" = '${countries.records[2]}' where __id = '${cities.records[0]}'`,
      ],
      [],
    ),
  );
  const found = (await teable.checkBaseIntegrity(shop.baseId)).data;
  expect(found.hasIssues).toBe(true);
  const issues = found.linkFieldIssues.flatMap((one) => one.issues);
  expect(issues).toContainEqual(expect.objectContaining({ type: 'MissingRecordReference', fieldId: link.id }));
  expect(issues).toContainEqual(expect.objectContaining({ type: 'InvalidLinkReference', fieldId: other.id }));
  expect((await teable.fixBaseIntegrity(shop.baseId)).status).toBe(201);
  expect((await teable.checkBaseIntegrity(shop.baseId)).data).toEqual({ hasIssues: false, linkFieldIssues: [] });
  expect(await cell(cities.id, cities.records[0], other.id)).toEqual({ id: countries.records[2], title: 'Cuba' });
});

test('records that a filter names are shown with their titles', async () => {
  const [countries, cities] = [
    await table('Countries', ['Peru', 'Chile', 'Cuba']),
    await table('Cities', ['Lima', 'Cusco', 'Ica']),
  ];
  const [peru, chile] = countries.records;
  const link = (
    await teable.createField(cities.id, {
      type: FieldType.Link,
      name: 'Country',
      options: { relationship: Relationship.ManyOne, foreignTableId: countries.id },
    })
  ).data;
  const viewId = (await teable.getViewList(cities.id)).data[0]?.id as string;
  expect((await teable.getViewFilterLinkRecords(cities.id, viewId)).data).toEqual([]);
  const filter = {
    conjunction: 'or',
    filterSet: [
      { fieldId: link.id, operator: 'isAnyOf', value: [peru] },
      {
        conjunction: 'and',
        filterSet: [{ fieldId: link.id, operator: 'isNoneOf', value: [chile, 'recGone000000000000'] }],
      },
    ],
  };
  await teable.updateViewFilter(cities.id, viewId, { filter: filter as never });
  const named = await teable.getViewFilterLinkRecords(cities.id, viewId);
  expect(teable.getViewFilterLinkRecordsVoSchema.parse(named.data)).toEqual([
    {
      tableId: countries.id,
      records: [
        { id: peru, title: 'Peru' },
        { id: chile, title: 'Chile' },
      ],
    },
  ]);
  expect((await teable.getFieldFilterLinkRecords(cities.id, link.id)).data).toEqual([]);
});
