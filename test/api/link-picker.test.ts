// What a picker of a link asks for: the records that a cell may still take, and those that are in it.
import { getAggregation, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createView, deleteView } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { linkShop, type Made, to } from '../support/links.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let links: ReturnType<typeof linkShop>;
beforeAll(async () => {
  shop = await openWorkshop(world());
  links = linkShop(shop, world());
});

const pair = async (relationship: string, more: object = {}) => {
  const projects = await links.makeTable('Projects', ['Alpha', 'Beta', 'Gamma']);
  const tasks = await links.makeTable('Tasks', ['One', 'Two', 'Three']);
  const field = await links.link(tasks, projects, relationship, more);
  return { projects, tasks, field, symmetricId: field.options.symmetricFieldId as string };
};

const ask = ({ tableId }: Made, query: object) =>
  shop.owner.call(listRecords, { params: { tableId }, query: query as never });
const found = async (table: Made, query: object): Promise<unknown> => {
  const { body, error } = await ask(table, query);
  return body.records?.map(({ name }) => name) ?? error;
};

test.each([
  // Which projects the first and the second task may take, after the first has Beta; and the same of tasks for projects, after that.
  ['manyOne', ['Alpha', 'Gamma'], ['Alpha', 'Beta', 'Gamma'], ['Two', 'Three'], ['Two', 'Three']],
  ['oneMany', ['Alpha', 'Gamma'], ['Alpha', 'Gamma'], ['One', 'Two', 'Three'], ['Two', 'Three']],
  ['oneOne', ['Alpha', 'Gamma'], ['Alpha', 'Gamma'], ['Two', 'Three'], ['Two', 'Three']],
  ['manyMany', ['Alpha', 'Gamma'], ['Alpha', 'Beta', 'Gamma'], ['One', 'Two', 'Three'], ['Two', 'Three']],
])('%s: candidates', async (relationship, ofFirst, ofSecond, ofAlpha, ofBeta) => {
  const { projects, tasks, field, symmetricId } = await pair(relationship);
  await links.set(tasks, 0, field.id, field.isMultipleCellValue === true ? to(projects, 1) : to(projects, 1)[0]);
  const isExclusive = relationship === 'oneMany' || relationship === 'oneOne';
  expect(await found(projects, { filterLinkCellCandidate: field.id })).toEqual(
    isExclusive ? ['Alpha', 'Gamma'] : ['Alpha', 'Beta', 'Gamma'],
  );
  expect(await found(projects, { filterLinkCellCandidate: [field.id, tasks.ids[0]] })).toEqual(ofFirst);
  expect(await found(projects, { filterLinkCellCandidate: JSON.stringify([field.id, tasks.ids[1]]) })).toEqual(
    ofSecond,
  );
  expect(await found(tasks, { filterLinkCellCandidate: [symmetricId, projects.ids[0]] })).toEqual(ofAlpha);
  expect(await found(tasks, { filterLinkCellCandidate: [symmetricId, projects.ids[1]] })).toEqual(ofBeta);
  expect(await found(projects, { filterLinkCellSelected: [field.id, tasks.ids[0]] })).toEqual(['Beta']);
  expect(await found(projects, { filterLinkCellSelected: [field.id, tasks.ids[1]] })).toEqual([]);
  expect(await found(projects, { filterLinkCellSelected: field.id })).toEqual(['Beta']);
  expect(await found(tasks, { filterLinkCellSelected: symmetricId })).toEqual(['One']);
});

test.each([
  ['manyMany', {}],
  ['oneMany', {}],
  ['oneMany', { isOneWay: true }],
])('records of a cell come in its order: %s %j', async (relationship, more) => {
  const { projects, tasks, field } = await pair(relationship, more);
  await links.set(tasks, 0, field.id, to(projects, 2, 0, 1));
  const cell = {
    filterLinkCellSelected: [field.id, tasks.ids[0]],
    orderBy: JSON.stringify([{ fieldId: 'Name', order: 'desc' }]),
  };
  expect(await found(projects, cell)).toEqual(['Gamma', 'Alpha', 'Beta']);
  expect(await found(projects, { ...cell, skip: 1, take: 1 })).toEqual(['Alpha']);
  const nextCursor = (await ask(projects, { ...cell, take: 2 })).body.extra?.nextCursor;
  expect(await found(projects, { ...cell, take: 2, cursor: nextCursor })).toEqual(['Beta']);
  expect(
    await found(projects, {
      ...cell,
      search: ['a', '', 'true'],
      selectedRecordIds: [projects.ids[0], projects.ids[1]],
    }),
  ).toEqual(['Alpha', 'Beta']);
});

test('within a table both sides are asked for apart', async () => {
  const people = await links.makeTable('People', ['Ada', 'Bob', 'Cy']);
  const field = await links.link(people, people, 'manyOne');
  const reports = field.options.symmetricFieldId as string;
  await links.set(people, 0, reports, to(people, 2, 1));
  expect(await found(people, { filterLinkCellSelected: [reports, people.ids[0]] })).toEqual(['Cy', 'Bob']);
  expect(await found(people, { filterLinkCellSelected: [field.id, people.ids[1]] })).toEqual(['Ada']);
  expect(await found(people, { filterLinkCellCandidate: [reports, people.ids[1]] })).toEqual(['Ada']);
});

test('the view and filter that limit a link are applied by asking through them', async () => {
  const { projects, tasks, field } = await pair('manyMany');
  const named = (operator: string, value: string) => ({
    conjunction: 'and',
    filterSet: [{ fieldId: projects.fieldIds['Name'], operator, value }],
  });
  const view = await shop.owner.call(createView, {
    params: { tableId: projects.tableId },
    body: { type: 'grid', name: 'Few', filter: named('isNot', 'Beta') } as never,
  });
  await links.set(tasks, 0, field.id, to(projects, 0));
  const limits = { viewId: view.body.id, filter: JSON.stringify(named('contains', 'a')) };
  expect(await found(projects, { ...limits, filterLinkCellCandidate: [field.id, tasks.ids[0]] })).toEqual(['Gamma']);
  expect(
    await found(projects, { ...limits, filterLinkCellCandidate: field.id, selectedRecordIds: [projects.ids[2]] }),
  ).toEqual(['Alpha']);
});

test('what limits a link goes with the view and the fields that it names', async () => {
  const projects = await links.makeTable(
    'Projects',
    ['Alpha'],
    [
      { type: 'number', name: 'Size' },
      { type: 'singleLineText', name: 'Note' },
    ],
  );
  const tasks = await links.makeTable('Tasks', ['One']);
  const view = await shop.owner.call(createView, {
    params: { tableId: projects.tableId },
    body: { type: 'grid', name: 'Few' } as never,
  });
  const condition = (name: string, value: unknown) => ({ fieldId: projects.fieldIds[name], operator: 'is', value });
  const filter = {
    conjunction: 'and',
    filterSet: [
      condition('Size', 1),
      { conjunction: 'or', filterSet: [condition('Note', 'x')] },
      condition('Name', 'Alpha'),
    ],
  };
  const { id } = await links.link(tasks, projects, 'manyOne', {
    filterByViewId: view.body.id,
    visibleFieldIds: [projects.fieldIds['Size'], projects.fieldIds['Note']],
    filter,
  });
  const limits = async () => {
    const {
      filterByViewId,
      visibleFieldIds,
      filter: left,
    } = (await links.fieldOf(tasks, id))?.options as Record<string, unknown>;
    return { filterByViewId, visibleFieldIds, fields: JSON.stringify(left).match(/fld\w+/g) ?? left };
  };
  const { Size, Note, Name } = projects.fieldIds;
  expect(await limits()).toEqual({
    filterByViewId: view.body.id,
    visibleFieldIds: [Size, Note],
    fields: [Size, Note, Name],
  });
  expect(
    (await shop.owner.call(deleteView, { params: { tableId: projects.tableId, viewId: view.body.id } })).status,
  ).toBe(200);
  expect(await limits()).toMatchObject({ filterByViewId: null, visibleFieldIds: [Size, Note] });
  await shop.owner.call(deleteField, { params: { tableId: projects.tableId, fieldId: Note as string } });
  expect(await limits()).toMatchObject({ visibleFieldIds: [Size], fields: [Size, Name] });
  await links.convert(projects, Size as string, { type: 'checkbox' });
  expect(await limits()).toMatchObject({ visibleFieldIds: [Size], fields: [Name] });
  await shop.owner.call(deleteField, { params: { tableId: projects.tableId, fieldId: Size as string } });
  expect(await limits()).toEqual({ filterByViewId: null, visibleFieldIds: null, fields: [Name] });
});

test('counts and statistics know candidates', async () => {
  const { projects, tasks, field, symmetricId } = await pair('manyOne');
  await links.set(tasks, 0, field.id, to(projects, 1)[0]);
  const count = (query: object) =>
    shop.owner.call(getRowCount, { params: { tableId: tasks.tableId }, query: query as never });
  expect((await count({ filterLinkCellCandidate: symmetricId })).body.rowCount).toBe(2);
  expect((await count({ filterLinkCellSelected: [symmetricId, projects.ids[1]] })).body.rowCount).toBe(1);
  const statistics = await shop.owner.call(getAggregation, {
    params: { tableId: tasks.tableId },
    query: { filterLinkCellCandidate: symmetricId, 'field[count]': ['Name'] } as never,
  });
  expect(statistics.body.aggregations[0]?.total?.value).toBe(2);
});

test('what is not a link to this table is refused', async () => {
  const { projects, tasks, field, symmetricId } = await pair('manyOne');
  const status = async (table: Made, query: object): Promise<number> => (await ask(table, query)).status;
  expect(await status(tasks, { filterLinkCellCandidate: 'fldNone' })).toBe(404);
  expect(await status(tasks, { filterLinkCellSelected: ['fldNone', 'recNone'] })).toBe(404);
  expect(await ask(tasks, { filterLinkCellCandidate: tasks.fieldIds['Name'] })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('"Name" is not a link') },
  });
  expect(await ask(tasks, { filterLinkCellCandidate: field.id })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('does not lead to this table') },
  });
  expect(await ask(tasks, { filterLinkCellCandidate: symmetricId, filterLinkCellSelected: symmetricId })).toMatchObject(
    { status: 400, body: { message: expect.stringContaining('either a candidate or selected') } },
  );
  expect(await status(tasks, { filterLinkCellCandidate: '[1]' })).toBe(400);
  expect(await status(tasks, { filterLinkCellCandidate: '[' })).toBe(400);
  expect(await found(tasks, { filterLinkCellSelected: [symmetricId, 'recNobody'] })).toEqual([]);
  expect(await found(projects, { filterLinkCellCandidate: [field.id, 'recNobody'] })).toEqual([
    'Alpha',
    'Beta',
    'Gamma',
  ]);
});

test('a search finds titles, choices and linked titles whatever the case and the accents, as pasting does', async () => {
  const titles = ['Café Noir', 'Cafe Blanc', 'ÅNGSTRÖM', 'ΟΔΟΣ', '100％ sure', 'plain', 'ﬁn'];
  const cafes = await links.makeTable('Cafés', titles);
  const guests = await links.makeTable('Guests', ['One']);
  const field = await links.link(guests, cafes, 'manyMany');
  await links.set(guests, 0, field.id, to(cafes, 0));
  const { body: tags } = await shop.owner.call(createField, {
    params: { tableId: guests.tableId },
    body: { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'Été' }, { name: 'Hiver' }] } },
  });
  await shop.owner.call(updateRecord, {
    params: { tableId: guests.tableId, recordId: guests.ids[0] as string },
    body: { record: { fields: { Tags: ['Été', 'Hiver'] } } },
  });
  for (const [text, expected] of [
    ['cafe', ['Café Noir', 'Cafe Blanc']],
    ['CAFÉ n', ['Café Noir']],
    // The accent as a mark of its own.
    ['cafe\u0301 b', ['Cafe Blanc']],
    ['angstrom', ['ÅNGSTRÖM']],
    ['ångström', ['ÅNGSTRÖM']],
    ['οδος', ['ΟΔΟΣ']],
    ['0% s', ['100％ sure']],
    ['％', ['100％ sure']],
    ['_', []],
    // A letter that stands for two is found as it is.
    ['ﬁ', ['ﬁn']],
  ] as const)
    expect(await found(cafes, { filterLinkCellCandidate: field.id, search: [text, '', 'true'] }), text).toEqual(
      expected,
    );
  for (const search of [
    ['cafe noir', field.id],
    ['ete', tags.id],
    ['été, hiver', tags.id],
    ['ete, hiver', tags.id],
  ])
    expect(await found(guests, { search: [...search, 'true'] }), search[0]).toEqual(['One']);
  expect(await found(cafes, { search: ['\u0301', '', 'true'] })).toEqual([]);
});
