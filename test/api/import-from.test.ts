// Bases from Airtable and Teable, against answers in the shape that their public documentation describes.
import { listComments } from '@rowhouse/contract/comment.ts';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { importFrom, listOtherBases } from '@rowhouse/contract/import-from.ts';
import { getJob, type Job } from '@rowhouse/contract/job.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { createView, listViews } from '@rowhouse/contract/view.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { readAirtable } from '../../server/domain/import/other/airtable.ts';
import { type AirtableAnswers, airtableSchema, startAirtable, tasksTableId } from '../support/airtable-answers.ts';
import { type Ground, ground, tableWith } from '../support/table.ts';
import { startTeable } from '../support/teable-answers.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ fetchPrivate: true });
let on: Ground;
let airtable: AirtableAnswers;
let url: string;
let key: string;

beforeAll(async () => {
  airtable = await startAirtable();
  ({ url, key } = airtable);
  on = await ground(world());
});
afterAll(() => airtable.close());

const ended = async ({ call }: Pick<Ground, 'call'>, source: object): Promise<Job> => {
  const begun = await call(importFrom, { body: { spaceId: on.spaceId, source: source as never } });
  expect(begun.status).toBe(201);
  return vi.waitFor(
    async () => {
      const { body } = await call(getJob, { params: { jobId: begun.body.id } });
      expect(['done', 'failed']).toContain(body.state);
      return body;
    },
    { timeout: 30_000, interval: 50 },
  );
};

interface Result {
  baseId: string;
  tables: { id: string; name: string; records: number }[];
  left: { table: string; field?: string; view?: string; reason: string }[];
}

const cells = async (tableId: string): Promise<Record<string, unknown>[]> =>
  (await on.call(listRecords, { params: { tableId } })).body.records.map(({ fields }) => fields);

test('Airtable: tables, fields, links, lookups, files and grids; what is left out is told', async () => {
  const { state, error, result } = await ended(on, { type: 'airtable', apiKey: key, baseId: 'appBase', url });
  expect([state, error]).toEqual(['done', undefined]);
  const { baseId, tables, left } = result as unknown as Result;
  expect(tables.map(({ name, records }) => [name, records])).toEqual([
    ['Projects', 2],
    ['Tasks', 2],
  ]);
  expect((await on.call(listTables, { params: { baseId } })).body.map(({ name }) => name)).toEqual([
    'Projects',
    'Tasks',
  ]);
  const [first, second] = tables.map(({ id }) => id) as [string, string];
  const [house, garden] = await cells(first);
  expect(house).toMatchObject({
    Name: 'House',
    Budget: 12.5,
    State: 'Open',
    Tags: ['a, b', 'c'],
    Due: '2024-02-29T00:00:00.000Z',
    Files: [{ name: 'plan.txt', size: 4 }],
    Tasks: [{ title: 'Roof' }, { title: 'Door' }],
    Owner: 'Ada',
    Double: 25,
  });
  expect(garden).toEqual({ Name: 'Garden' });
  expect(await cells(second)).toMatchObject([
    { Title: 'Roof', Project: [{ title: 'House' }], 'State of project': ['Open'], Stars: 4, Ok: true },
    { Title: 'Door', Project: [{ title: 'House' }] },
  ]);
  expect(
    (await on.call(listFields, { params: { tableId: first } })).body.map(({ name, type }) => [name, type]),
  ).toEqual([
    ['Name', 'singleLineText'],
    ['Budget', 'number'],
    ['State', 'singleSelect'],
    ['Tags', 'multipleSelect'],
    ['Due', 'date'],
    ['Files', 'attachment'],
    ['Owner', 'singleLineText'],
    ['Double', 'number'],
    ['Tasks', 'link'],
  ]);
  expect((await on.call(listViews, { params: { tableId: first } })).body.map(({ name }) => name)).toContain('Mine');
  expect(left).toEqual(
    expect.arrayContaining([
      { table: 'Projects', field: 'Owner', reason: 'people became their names' },
      { table: 'Projects', field: 'Double', reason: 'formula became a field with its values' },
      { table: 'Projects', field: 'Go', reason: 'what a button does is not told: make a button here' },
      { table: 'Projects', view: 'Board', reason: expect.stringContaining('kanban') },
      { table: 'Projects', field: 'Files', reason: expect.stringContaining('gone.txt') },
    ]),
  );
  const [record] = (await on.call(listRecords, { params: { tableId: first } })).body.records;
  const { comments } = (await on.call(listComments, { params: { tableId: first, recordId: record?.id as string } }))
    .body;
  const line = (value: string) => ({ type: 'p', children: [{ type: 'span', value }] });
  expect(comments.map(({ content, createdTime }) => [createdTime, content])).toEqual([
    ['2024-03-01T10:00:00.000Z', [line('Ada:'), line('A roof')]],
    ['2024-03-02T10:00:00.000Z', [line('Ada:'), line('And the'), line('door, @Ben')]],
  ]);
  expect(comments[1]?.quoteId).toBe(comments[0]?.id);
  // The key is nowhere to be read.
  expect(
    JSON.stringify(
      await world().db.query(sql`select payload, result, cursor from rowhouse.jobs where kind = 'import-from'`),
    ),
  ).not.toContain(key);
});

test('Airtable as JSON, by the names of fields; a wrong key, and addresses that are not public', async () => {
  const { result } = await ended(on, {
    type: 'airtable-json',
    tables: airtableSchema().slice(1),
    records: { [tasksTableId]: [{ id: 'recT1', fields: { Title: 'Roof', Stars: 3 } }] },
  });
  const { tables, left } = result as unknown as Result;
  expect(await cells(tables[0]?.id as string)).toEqual([{ Title: 'Roof', Stars: 3 }]);
  expect(left).toEqual(
    expect.arrayContaining([
      { table: 'Tasks', field: 'Project', reason: 'it links to a table that is not in the base' },
    ]),
  );
  expect(
    (await on.call(listOtherBases, { body: { spaceId: on.spaceId, source: { type: 'airtable', apiKey: key, url } } }))
      .body,
  ).toEqual({ bases: [{ id: 'appBase', name: 'Building' }] });
  expect(await ended(on, { type: 'airtable', apiKey: 'wrong', baseId: 'appBase', url })).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('refused the key (401)'),
  });
  const reading = readAirtable(
    { type: 'airtable', apiKey: key, baseId: 'appBase', url },
    { anywhere: false, signal: new AbortController().signal },
  );
  await expect(reading).rejects.toThrow('127.0.0.1 is not a public address');
});

test('Teable: by its own answers, with every type of field; what has no place here is told', async () => {
  const teable = await startTeable();
  try {
    const asked = await on.call(listOtherBases, {
      body: { spaceId: on.spaceId, source: { type: 'teable', url: `${teable.url}/`, token: teable.token } },
    });
    expect(asked.body).toEqual({ bases: [{ id: teable.baseId, name: 'Answers' }] });
    const refused = await on.call(listOtherBases, {
      body: { spaceId: on.spaceId, source: { type: 'teable', url: teable.url, token: 'wrong' } },
    });
    expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('refused the key (401)')]);
    const { state, error, result } = await ended(on, {
      type: 'teable',
      url: teable.url,
      token: teable.token,
      baseId: teable.baseId,
    });
    expect([state, error]).toEqual(['done', undefined]);
    const { tables, left } = result as unknown as Result;
    expect(tables.map(({ name, records }) => [name, records])).toEqual([
      ['People', 2],
      ['Visits', 2],
    ]);
    const [people, visits] = tables.map(({ id }) => id) as [string, string];
    const [ada, alan] = await cells(people);
    expect(ada).toMatchObject({
      Name: 'Ada',
      Notes: 'one\ntwo',
      Age: 36.5,
      State: 'new',
      Tags: ['a', 'b, c'],
      Born: '1815-12-09T23:06:32.000Z',
      Ok: true,
      Stars: 4,
      Owner: 'Olive',
      Files: [{ name: 'note.txt', size: 5, mimetype: 'text/plain' }],
      Since: '2024-05-06T07:08:09.000Z',
      No: 1,
      Twice: 73,
      Visits: [{ title: 'Paris' }, { title: 'Rome' }],
      Places: ['Paris', 'Rome'],
      Visitors: 2,
    });
    expect(ada).not.toHaveProperty('Abroad');
    // What is empty there does not become what new records begin with.
    expect(alan).toEqual({ Name: 'Alan', No: 2, Since: '2024-05-06T07:08:09.000Z', Twice: 0 });
    const [record] = (await on.call(listRecords, { params: { tableId: people } })).body.records;
    const { comments } = (await on.call(listComments, { params: { tableId: people, recordId: record?.id as string } }))
      .body;
    const span = (value: string) => ({ type: 'span', value });
    expect(comments.map(({ content, createdTime }) => [createdTime, content])).toEqual([
      [
        '2024-05-06T07:00:00.000Z',
        [
          { type: 'p', children: [span('Olive:')] },
          { type: 'p', children: [span('no list of blocks')] },
        ],
      ],
      [
        '2024-05-06T08:00:00.000Z',
        [
          { type: 'p', children: [span('Olive:')] },
          { type: 'p', children: [span('Hello '), span('@Olive')] },
        ],
      ],
      [
        '2024-05-06T09:00:00.000Z',
        [
          { type: 'p', children: [span('Olive:')] },
          { type: 'p', children: [{ type: 'a', url: 'https://example.com', title: 'here' }] },
          { type: 'p', children: [span('[image]')] },
        ],
      ],
    ]);
    expect(comments[2]?.quoteId).toBe(comments[1]?.id);
    expect(await cells(visits)).toMatchObject([
      { Place: 'Paris', Person: { title: 'Ada' } },
      { Place: 'Rome', Person: { title: 'Ada' } },
    ]);
    const fields = (await on.call(listFields, { params: { tableId: people } })).body;
    expect(fields.find(({ name }) => name === 'Age')?.options).toMatchObject({
      formatting: { precision: 1 },
      showAs: { type: 'bar' },
      defaultValue: 7,
    });
    expect(fields.find(({ name }) => name === 'State')?.options).toMatchObject({
      choices: [
        { name: 'new', color: 'cyanLight2' },
        { name: 'gone', color: 'redBright' },
      ],
      defaultValue: 'new',
    });
    expect(fields.find(({ name }) => name === 'Notes')?.description).toBe('Anything');
    const idOf = (name: string) => fields.find((field) => field.name === name)?.id as string;
    const views = (await on.call(listViews, { params: { tableId: people } })).body;
    expect(views.find(({ name }) => name === 'Old')).toMatchObject({
      options: { rowHeight: 'medium' },
      filter: { filterSet: [{ fieldId: idOf('Age'), value: 36 }] },
      sort: { sortObjs: [{ fieldId: idOf('Age'), order: 'desc' }] },
      group: [{ fieldId: idOf('State') }],
      columnMeta: { [idOf('Notes')]: { hidden: true, width: 200 } },
    });
    expect(views.find(({ name }) => name === 'Board')).toMatchObject({
      type: 'kanban',
      options: { stackFieldId: idOf('State'), coverFieldId: idOf('Files') },
    });
    expect(left).toEqual(
      expect.arrayContaining([
        { table: 'People', field: 'Owner', reason: 'people became their names' },
        { table: 'People', field: 'Press', reason: expect.stringContaining('counts from zero') },
        { table: 'People', field: 'Abroad', reason: 'it links to a table that is not in the base' },
        { table: 'People', view: 'Sheet', reason: expect.stringContaining('plugin') },
      ]),
    );
  } finally {
    teable.close();
  }
});

test('Teable: a base of this server, by its own API', async () => {
  const table = await tableWith(on, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'N', type: 'number' },
    { name: 'S', type: 'singleSelect', options: { choices: [{ name: 'x', color: 'red' }] } },
    { name: 'Made', type: 'createdTime' },
  ]);
  const other = await tableWith(on, [{ name: 'Title', type: 'singleLineText' }]);
  const [target] = (
    await on.call(createRecords, { params: other, body: { records: [{ fields: { Title: 'there' } }] } })
  ).body.records;
  await on.call(createField, {
    params: table,
    body: { name: 'Link', type: 'link', options: { relationship: 'manyOne', foreignTableId: other.tableId } } as never,
  });
  await on.call(createField, {
    params: table,
    body: { name: 'Twice', type: 'formula', options: { expression: `{${table.fieldIds['N']}} * 2` } } as never,
  });
  await on.call(createView, {
    params: table,
    body: {
      name: 'Few',
      type: 'grid',
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: table.fieldIds['N'] as string, operator: 'isGreater', value: 1 }],
      },
    },
  });
  await on.call(createRecords, {
    params: table,
    body: { records: [{ fields: { Name: 'a', N: 2, S: 'x', Link: { id: target?.id as string } } }] },
  });
  const { state, error, result } = await ended(on, {
    type: 'teable',
    url: world().origin,
    token: on.owner.token,
    baseId: on.baseId,
  });
  expect([state, error]).toEqual(['done', undefined]);
  const { tables } = result as unknown as Result;
  expect(await cells(tables[0]?.id as string)).toMatchObject([
    { Name: 'a', N: 2, S: 'x', Made: expect.any(String), Link: { title: 'there' }, Twice: 4 },
  ]);
  const views = (await on.call(listViews, { params: { tableId: tables[0]?.id as string } })).body;
  expect(views.find(({ name }) => name === 'Few')?.filter).toMatchObject({
    filterSet: [{ operator: 'isGreater', value: 1 }],
  });
});
