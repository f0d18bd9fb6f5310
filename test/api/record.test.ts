import { beforeAll, describe, expect, test } from 'vitest';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import {
  createRecords,
  deleteRecord,
  deleteRecords,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { ground, systemFields, tableWith, type TestTable, writableFields } from '../support/table.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [...writableFields, ...systemFields]);
});

const create = async (fields: Record<string, unknown>, extra: object = {}, on = table) =>
  on.call(createRecords, { params: { tableId: on.tableId }, body: { records: [{ fields }], ...extra } });

const me = () => ({
  id: table.owner.userId,
  title: table.owner.name,
  email: table.owner.email,
  avatarUrl: `/api/attachments/read/public/avatar/${table.owner.userId}`,
});

/** A value of every type, as it is written and as it comes back. */
const values = (): Record<string, unknown> => ({
  Text: 'hello "world" \\ ünïcödé 🎉',
  Long: 'two\nlines',
  Number: -12.5,
  Rating: 3,
  Check: true,
  Date: '2024-02-29T23:30:00.123Z',
  Select: 'blue, navy',
  Tags: ['green', 'with "quotes"'],
  Person: me(),
  People: [me()],
});

describe('creating', () => {
  test('every field type comes back as it was written, with the whole record around it', async () => {
    const { status, body, headers } = await create(values());
    expect(status).toBe(201);
    const record = body.records[0] as (typeof body.records)[number];
    expect(record.fields).toMatchObject(values());
    expect(record).toMatchObject({ name: values().Text, createdBy: table.owner.userId, undeletable: false });
    expect(record.id).toMatch(/^rec[0-9A-Za-z]{16}$/);
    expect(record.autoNumber).toBeGreaterThan(0);
    expect(record.fields.ID).toBe(record.autoNumber);
    expect(record.fields.Made).toBe(record.createdTime);
    expect(record.fields.Maker).toEqual(me());
    expect(record).not.toHaveProperty('lastModifiedTime');
    expect(record.permissions).toMatchObject({ Text: { read: true, update: true }, ID: { read: true, update: false } });
    expect(body.extra).toEqual({ groupPoints: [] });
    expect(headers.get('x-operation-id')).toMatch(/^opr/);
    const read = await table.call(getRecord, { params: { tableId: table.tableId, recordId: record.id } });
    expect(read.body.fields).toEqual(record.fields);
    expect(read.body).toMatchObject({
      id: record.id,
      name: record.name,
      createdTime: record.createdTime,
      autoNumber: record.autoNumber,
    });
  });

  test('keys are field names, ids or column names, in the request and in the answer', async () => {
    const id = table.fieldIds.Number as string;
    expect((await create({ [id]: 4 }, { fieldKeyType: 'id' })).body.records[0]?.fields[id]).toBe(4);
    expect((await create({ Number: 4 }, { fieldKeyType: 'dbFieldName' })).body.records[0]?.fields.Number).toBe(4);
  });

  test('an empty list is answered with an empty list', async () => {
    const answer = await table.call(createRecords, { params: { tableId: table.tableId }, body: { records: [] } });
    expect(answer.body.records).toEqual([]);
    expect(
      (await table.call(updateRecords, { params: { tableId: table.tableId }, body: { records: [] } })).body,
    ).toEqual([]);
  });

  test('records keep the order of the request, and their numbers rise', async () => {
    const records = Array.from({ length: 500 }, (_, index) => ({ fields: { Text: `row ${index}` } }));
    const { body } = await table.call(createRecords, { params: { tableId: table.tableId }, body: { records } });
    expect(body.records.map((record) => record.name)).toEqual(records.map((record) => record.fields.Text));
    const numbers = body.records.map((record) => record.autoNumber as number);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    expect(new Set(numbers).size).toBe(500);
  });

  test('empty text, false and null are empty cells, and are left out', async () => {
    const { body } = await create({ Text: '  ', Long: '', Check: false, Number: null, People: [] });
    expect(Object.keys(body.records[0]?.fields ?? {}).sort()).toEqual(['ID', 'Made', 'Maker']);
  });

  test('more records than allowed in one request are refused', async () => {
    const records = Array.from({ length: 20_001 }, () => ({ fields: {} }));
    const answer = await table.call(createRecords, { params: { tableId: table.tableId }, body: { records } });
    expect(answer.status).toBe(400);
    expect(answer.error.message).toContain('20000');
  });
});

describe.each([false, true])('fields may have the names that statements use, with formulas: %s', (hasFormulas) => {
  const words = [
    'name',
    'cells',
    'place',
    'computed',
    'names',
    'id',
    'old_id',
    'c0',
    'c1',
    'g0',
    'v',
    'ord',
    'moment',
    'n',
    'r',
    'p',
    'i',
    'o',
    'ins',
    'page',
    'json',
  ];
  const formulas = [
    ['All', words.map((name) => `{${name}}`).join(' & ')],
    ['More', '{All} & "!" & {No}'],
  ].map(([name, expression]) => ({ name: name as string, type: 'formula', options: { expression } }));
  const computed = (first: string, number: number): object =>
    hasFormulas ? { All: first + words.slice(1).join(''), More: `${first}${words.slice(1).join('')}!${number}` } : {};

  test('records are created, changed, found and deleted', async () => {
    const named = await tableWith(await ground(world()), [
      { name: 'No', type: 'number' },
      ...words.map((name) => ({ name, type: 'singleLineText' })),
      { name: 'Maker', type: 'createdBy' },
      { name: 'Changer', type: 'lastModifiedBy' },
      ...(hasFormulas ? formulas : []),
    ]);
    const me = { id: named.owner.userId };
    const fields = { No: 1, ...Object.fromEntries(words.map((word) => [word, word])) };
    const made = await create(fields, {}, named);
    expect(made.body.records).toMatchObject([
      { name: '1.00', fields: { ...fields, ...computed('name', 1), Maker: me } },
    ]);
    const recordId = made.body.records[0]?.id as string;
    const changed = await named.call(updateRecord, {
      params: { ...named, recordId },
      body: { record: { fields: { No: 2, name: 'x' } } },
    });
    expect(changed.body).toMatchObject({
      name: '2.00',
      fields: { ...fields, No: 2, name: 'x', ...computed('x', 2), Changer: me },
    });
    const orderBy = JSON.stringify(words.slice(0, 5).map((word) => ({ fieldId: named.fieldIds[word], order: 'asc' })));
    const listed = await named.call(listRecords, { params: named, query: { orderBy, search: ['cells', ''] } as never });
    expect([listed.error.message, listed.body.records.length]).toEqual([undefined, 1]);
    expect((await named.call(deleteRecords, { params: named, query: { recordIds: [recordId] } })).status).toBe(200);
  });
});

describe('values that do not fit', () => {
  const wrong: [string, unknown, RegExp][] = [
    ['Text', 5, /a string/],
    ['Text', ['a'], /a string/],
    ['Long', { a: 1 }, /a string/],
    ['Text', 'a\u0000b', /U\+0000/],
    ['Number', '5', /a number/],
    ['Number', true, /a number/],
    ['Rating', 6, /1 to 5/],
    ['Rating', 2.5, /1 to 5/],
    ['Check', 'yes', /true or false/],
    ['Date', '2024-01-01', /ISO 8601/],
    ['Date', '2024-02-30T00:00:00.000Z', /ISO 8601/],
    ['Date', 5, /ISO 8601/],
    ['Select', 'purple', /"red"/],
    ['Select', ['red'], /"red"/],
    ['Tags', ['red', 'red'], /different/],
    ['Tags', 'red', /list/],
    ['Person', { id: 'usrNobody00000000', title: 'x' }, /person of this base/],
    ['Person', 'Olive Owner', /person of this base/],
    ['People', [{ id: 'usrNobody00000000', title: 'x' }], /people of this base/],
  ];
  test.each(wrong)(
    '%s refuses %j without typecast, naming the cell, and nothing is written',
    async (field, value, expected) => {
      const before = await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } });
      const answer = await table.call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [{ fields: { Text: 'fine' } }, { fields: { [field]: value } }] },
      });
      expect(answer.status).toBe(400);
      expect(answer.error.code).toBe('validation_error');
      expect(answer.error.data).toMatchObject({
        total: 1,
        errors: [{ index: 1, field, code: 'invalid_value', expected: expect.stringMatching(expected) }],
      });
      const after = await table.call(listRecords, { params: { tableId: table.tableId }, query: { take: 1_000 } });
      expect(after.body.records.length).toBe(before.body.records.length);
    },
  );

  test('every wrong cell is listed, the first hundred with a total', async () => {
    const records = Array.from({ length: 150 }, () => ({ fields: { Number: 'x', Check: 1 } }));
    const answer = await table.call(createRecords, { params: { tableId: table.tableId }, body: { records } });
    expect(answer.error.data.total).toBe(300);
    expect(answer.error.data.errors).toHaveLength(100);
  });

  test('unknown fields are all named, with the nearest name as a hint', async () => {
    const answer = await create({ Txet: 'a', Nothing: 1 });
    expect(answer.status).toBe(404);
    expect(answer.error.message).toContain('"Txet" (did you mean "Text"?)');
    expect(answer.error.data.fields).toEqual([{ key: 'Txet', didYouMean: 'Text' }, { key: 'Nothing' }]);
  });

  test('a computed field is refused, but ignored with typecast', async () => {
    const refused = await create({ ID: 7 });
    expect(refused.error.data.errors[0]).toMatchObject({ field: 'ID', code: 'computed' });
    expect((await create({ ID: 7 }, { typecast: true })).status).toBe(201);
  });

  test('a record that was read can be written back: computed cells as they are change nothing, others are refused', async () => {
    const { tableId } = table;
    const recordId = (await create({ Text: 'once' })).body.records[0]?.id as string;
    for (const fieldKeyType of ['name', 'id'] as const) {
      const { fields } = (await table.call(getRecord, { params: { tableId, recordId }, query: { fieldKeyType } })).body;
      const idKey = fieldKeyType === 'name' ? 'ID' : (table.fieldIds['ID'] as string);
      expect(fields[idKey]).toEqual(expect.anything());
      const back = await table.call(updateRecord, {
        params: { tableId, recordId },
        body: { fieldKeyType, record: { fields } },
      });
      expect([back.status, back.error?.message]).toEqual([200, undefined]);
      expect(back.body.fields[idKey]).toEqual(fields[idKey]);
      const many = await table.call(updateRecords, {
        params: { tableId },
        body: { fieldKeyType, records: [{ id: recordId, fields: { [idKey]: fields[idKey] } }] },
      });
      expect(many.status).toBe(200);
      for (const other of [null, 0, 'x']) {
        const refused = await table.call(updateRecord, {
          params: { tableId, recordId },
          body: { fieldKeyType, record: { fields: { [idKey]: other } } },
        });
        expect(refused.error?.data.errors).toMatchObject([{ field: idKey, code: 'computed' }]);
      }
    }
    expect(
      (
        await table.call(updateRecord, {
          params: { tableId, recordId: 'recNobody' },
          body: { record: { fields: { ID: 1 } } },
        })
      ).status,
    ).toBe(404);
  });
});

describe('typecast', () => {
  const cast: [string, unknown, unknown][] = [
    ['Text', 5, '5'],
    ['Text', ['a', 2], 'a,2'],
    ['Text', 'tab\tand\nline', 'tab and line'],
    ['Long', true, 'true'],
    ['Number', '1,234.5', 1234.5],
    ['Number', '$5', 5],
    ['Number', '1e3', 1000],
    ['Number', '-3.5 kg', -3.5],
    ['Number', '(12)', -12],
    ['Number', '25%', 0.25],
    ['Number', 'abc', undefined],
    ['Number', true, undefined],
    ['Rating', '4', 4],
    ['Rating', 99, 5],
    ['Rating', -2, 1],
    ['Rating', 'x', undefined],
    ['Check', '0', undefined],
    ['Check', 'no', undefined],
    ['Check', 'yes', true],
    ['Check', 1, true],
    ['Check', 'FALSE', undefined],
    ['Date', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
    ['Date', '2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05.000Z'],
    ['Date', '2024-07-02 03:04', '2024-07-02T01:04:00.000Z'],
    ['Date', '2024-01-02', '2024-01-01T23:00:00.000Z'],
    ['Date', '3 Feb 2024', '2024-02-02T23:00:00.000Z'],
    ['Date', 1_700_000_000_000, '2023-11-14T22:13:20.000Z'],
    ['Date', 'soon', undefined],
    ['Select', 'green', 'green'],
    ['Select', ['red', 'green'], 'red'],
    ['Tags', 'red, "blue, navy"', ['red', 'blue, navy']],
    ['Tags', 'green', ['green']],
    ['Person', 'Olive Owner', 'me'],
    ['Person', 'nobody', undefined],
    ['People', 'Olive Owner', ['me']],
  ];
  test.each(cast)('%s makes %j into %j', async (field, from, to) => {
    const { status, body } = await create({ [field]: from }, { typecast: true });
    expect(status).toBe(201);
    const wanted = to === 'me' ? me() : Array.isArray(to) && to[0] === 'me' ? [me()] : to;
    expect(body.records[0]?.fields[field]).toEqual(wanted);
  });

  test('dates of one request are read as one column, and those that could be read in another way are marked', async () => {
    const dated = await tableWith(table, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Due', type: 'date' },
      { name: 'Day first', type: 'date', options: { formatting: { date: 'D/M/YYYY' } } },
    ]);
    const records = ['13/02/2024', '03/04/2024'].map((text) => ({ fields: { Due: text, 'Day first': text } }));
    const { body } = await dated.call(createRecords, {
      params: { tableId: dated.tableId },
      body: { typecast: true, records },
    });
    expect(body.records.map(({ fields }) => [fields['Due'], fields['Day first']])).toEqual([
      ['2024-02-13T00:00:00.000Z', '2024-02-13T00:00:00.000Z'],
      ['2024-04-03T00:00:00.000Z', '2024-04-03T00:00:00.000Z'],
    ]);
    expect(
      body.extra?.typecast?.entries
        .filter(({ ambiguous }) => ambiguous)
        .map(({ index, field, from }) => [index, field, from]),
    ).toEqual([[1, 'Due', '03/04/2024']]);
    // Changed and new records of a paste are one column.
    const pasted = await dated.call(pasteIntoRanges, {
      params: { tableId: dated.tableId },
      body: {
        viewId: dated.viewId,
        ranges: [
          [1, 1],
          [1, 1],
        ],
        content: '03/04/2024\n13/02/2024',
      } as never,
    });
    expect(pasted.status).toBe(200);
    const found = await dated.call(listRecords, { params: { tableId: dated.tableId }, query: {} });
    expect(found.body.records.map(({ fields }) => fields['Due'])).toEqual([
      '2024-02-13T00:00:00.000Z',
      '2024-04-03T00:00:00.000Z',
      '2024-02-13T00:00:00.000Z',
    ]);
  });

  test('the answer lists every cell that was changed, created or dropped', async () => {
    const { body } = await create(
      { Number: '7', Rating: 'x', Select: 'crimson', Text: 'as it is' },
      { typecast: true },
    );
    expect(body.extra?.typecast).toEqual({
      total: 3,
      entries: [
        { index: 0, field: 'Number', from: '7', to: 7, note: 'converted' },
        { index: 0, field: 'Rating', from: 'x', to: null, note: 'dropped' },
        { index: 0, field: 'Select', from: 'crimson', to: 'crimson', note: 'created' },
      ],
    });
  });

  test('a missing choice is created once, however often it is used, also by many at once', async () => {
    const fresh = await tableWith(table, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Select', type: 'singleSelect' },
      { name: 'Tags', type: 'multipleSelect' },
    ]);
    const write = (name: string) =>
      fresh.call(createRecords, {
        params: { tableId: fresh.tableId },
        body: {
          typecast: true,
          records: [{ fields: { Select: name, Tags: [name, 'both'] } }, { fields: { Select: name } }],
        },
      });
    const answers = await Promise.all(['a', 'b', 'a', 'c', 'b', 'a'].map(write));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201, 201]);
    const fields = (await fresh.call(listFields, { params: { tableId: fresh.tableId } })).body;
    const namesOf = (name: string) =>
      (fields.find((field) => field.name === name)?.options as { choices: { name: string }[] }).choices
        .map((choice) => choice.name)
        .sort();
    expect(namesOf('Select')).toEqual(['a', 'b', 'c']);
    expect(namesOf('Tags')).toEqual(['a', 'b', 'both', 'c']);
  });

  test('a field that prevents new choices drops unknown ones', async () => {
    const fresh = await tableWith(table, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Select', type: 'singleSelect', options: { choices: [{ name: 'a' }], preventAutoNewOptions: true } },
      { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'a' }], preventAutoNewOptions: true } },
    ]);
    const { body } = await create({ Name: 'n', Select: 'b', Tags: ['a', 'b'] }, { typecast: true }, fresh);
    expect(body.records[0]?.fields).toEqual({ Name: 'n', Tags: ['a'] });
    expect(body.extra?.typecast?.entries.map((entry) => entry.note)).toEqual(['dropped', 'dropped']);
  });
});

describe('defaults and constraints', () => {
  let strict: TestTable;
  beforeAll(async () => {
    strict = await tableWith(table, [
      { name: 'Name', type: 'singleLineText', options: { defaultValue: 'new' } },
      { name: 'Count', type: 'number', options: { defaultValue: 7 } },
      { name: 'Day', type: 'date', options: { defaultValue: 'now' } },
      { name: 'Done', type: 'checkbox', options: { defaultValue: true } },
      { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }], defaultValue: 'b' } },
      { name: 'Who', type: 'user', options: { defaultValue: 'me' } },
    ]);
    await strict.call(createField, {
      params: { tableId: strict.tableId },
      body: { name: 'Code', type: 'singleLineText', unique: true },
    });
  });

  test('defaults fill what is absent or null, on create only', async () => {
    const { body } = await create({ Count: null }, {}, strict);
    const record = body.records[0];
    expect(record?.fields).toMatchObject({ Name: 'new', Count: 7, Done: true, Kind: 'b', Who: me() });
    expect(Date.parse(record?.fields.Day as string)).toBeGreaterThan(Date.now() - 60_000);
    const cleared = await strict.call(updateRecord, {
      params: { tableId: strict.tableId, recordId: record?.id as string },
      body: { record: { fields: { Count: null, Done: null } } },
    });
    expect(cleared.body.fields).not.toHaveProperty('Count');
    expect(cleared.body.fields).not.toHaveProperty('Done');
  });

  test('a value that must be unique is refused the second time, in one request and in another, and empty ones never collide', async () => {
    expect((await create({ Code: 'x1' }, {}, strict)).status).toBe(201);
    const again = await create({ Code: 'x1' }, {}, strict);
    expect(again.status).toBe(400);
    expect(again.error.data.errors[0]).toMatchObject({ index: 0, field: 'Code', code: 'not_unique' });
    const twice = await strict.call(createRecords, {
      params: { tableId: strict.tableId },
      body: { records: ['x2', 'other', 'x2'].map((Code) => ({ fields: { Code } })) },
    });
    expect(twice.status).toBe(400);
    expect(twice.error.data.errors.map((one: { index: number }) => one.index)).toEqual([0, 2]);
    expect((await create({}, {}, strict)).status).toBe(201);
    expect((await create({}, {}, strict)).status).toBe(201);
  });

  test('a field that must not be empty refuses empty cells, and a default satisfies it', async () => {
    const fresh = await tableWith(table, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Must', type: 'number', notNull: true },
      { name: 'Given', type: 'number', notNull: true, options: { defaultValue: 1 } },
    ]);
    const refused = await create({ Name: 'a' }, {}, fresh);
    expect(refused.status).toBe(400);
    expect(refused.error.data).toMatchObject({ total: 1, errors: [{ index: 0, field: 'Must', code: 'required' }] });
    const made = await create({ Must: 0 }, {}, fresh);
    expect(made.body.records[0]?.fields).toMatchObject({ Must: 0, Given: 1 });
    const clear = await fresh.call(updateRecord, {
      params: { tableId: fresh.tableId, recordId: made.body.records[0]?.id as string },
      body: { record: { fields: { Must: null } } },
    });
    expect(clear.error.data.errors[0]).toMatchObject({ field: 'Must', code: 'required' });
  });
});

describe('updating', () => {
  test('one record: null clears, an absent key leaves, and the whole record comes back', async () => {
    const made = (await create(values())).body.records[0];
    const answer = await table.call(updateRecord, {
      params: { tableId: table.tableId, recordId: made?.id as string },
      body: { record: { fields: { Number: 99, Long: null, Select: 'red' } } },
    });
    expect(answer.status).toBe(200);
    const { Long: _gone, ...rest } = values();
    expect(answer.body.fields).toMatchObject({ ...rest, Number: 99, Select: 'red' });
    expect(answer.body.fields).not.toHaveProperty('Long');
    expect(answer.body).toMatchObject({
      name: values().Text,
      lastModifiedBy: table.owner.userId,
      createdBy: table.owner.userId,
      autoNumber: made?.autoNumber,
      undeletable: false,
    });
    expect(Date.parse(answer.body.lastModifiedTime as string)).toBeGreaterThanOrEqual(
      Date.parse(made?.createdTime as string),
    );
    expect(answer.body.fields.Changer).toEqual(me());
    expect(answer.body.permissions).toHaveProperty('Number');
    expect(answer.headers.get('etag')).toBe('"2"');
  });

  test('several records with different fields answer in request order', async () => {
    const made = (
      await table.call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [1, 2, 3].map((n) => ({ fields: { Text: `r${n}`, Number: n } })) },
      })
    ).body.records;
    const [one, two, three] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    const answer = await table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: {
        records: [
          { id: three.id, fields: { Number: 33 } },
          { id: one.id, fields: { Text: 'first' } },
          { id: two.id, fields: {} },
        ],
      },
    });
    expect(answer.body.map((record) => [record.id, record.fields.Text, record.fields.Number])).toEqual([
      [three.id, 'r3', 33],
      [one.id, 'first', 1],
      [two.id, 'r2', 2],
    ]);
    expect(answer.body.every((record) => record.lastModifiedTime !== undefined)).toBe(true);
  });

  test('unknown records are named, and nothing is written', async () => {
    const made = (await create({ Text: 'keep' })).body.records[0];
    const answer = await table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: {
        records: [
          { id: made?.id as string, fields: { Text: 'changed' } },
          { id: 'recNothing0000000', fields: {} },
          { id: 'x', fields: {} },
        ],
      },
    });
    expect(answer.status).toBe(404);
    expect(answer.error.data.recordIds).toEqual(['recNothing0000000', 'x']);
    const read = await table.call(getRecord, { params: { tableId: table.tableId, recordId: made?.id as string } });
    expect(read.body.fields.Text).toBe('keep');
  });

  test('the same record twice in one request is refused', async () => {
    const id = (await create({ Text: 'a' })).body.records[0]?.id as string;
    const answer = await table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: {
        records: [
          { id, fields: {} },
          { id, fields: {} },
        ],
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.error.message).toContain('records[1].id');
  });

  test('a wrong cell names the record, and nothing is written', async () => {
    const made = (
      await table.call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [{ fields: { Number: 1 } }, { fields: { Number: 2 } }] },
      })
    ).body.records;
    const answer = await table.call(updateRecords, {
      params: { tableId: table.tableId },
      body: {
        records: [
          { id: made[0]?.id as string, fields: { Number: 10 } },
          { id: made[1]?.id as string, fields: { Number: 'x' } },
        ],
      },
    });
    expect(answer.error.data.errors).toEqual([
      expect.objectContaining({ index: 1, recordId: made[1]?.id, field: 'Number' }),
    ]);
    expect(
      (await table.call(getRecord, { params: { tableId: table.tableId, recordId: made[0]?.id as string } })).body.fields
        .Number,
    ).toBe(1);
  });

  test('If-Match refuses a change that was made on an older version', async () => {
    const made = (await create({ Number: 1 })).body.records[0];
    const params = { tableId: table.tableId, recordId: made?.id as string };
    const read = await table.call(getRecord, { params });
    const change = (etag: string, Number: number) =>
      table.call(updateRecord, { params, body: { record: { fields: { Number } } }, headers: { 'if-match': etag } });
    const first = await change(read.headers.get('etag') as string, 2);
    expect(first.status).toBe(200);
    const late = await change(read.headers.get('etag') as string, 3);
    expect(late.status).toBe(412);
    expect(late.error.code).toBe('precondition_failed');
    expect((await change(first.headers.get('etag') as string, 4)).body.fields.Number).toBe(4);
    expect((await change('nonsense', 5)).status).toBe(400);
  });
});

describe('reading and deleting', () => {
  test('text format shows cells as people see them', async () => {
    const made = (await create(values())).body.records[0];
    const { body } = await table.call(getRecord, {
      params: { tableId: table.tableId, recordId: made?.id as string },
      query: { cellFormat: 'text' },
    });
    expect(body.fields).toMatchObject({
      Number: '-12.50',
      Rating: '3',
      Check: 'true',
      Date: '2024-03-01 00:30',
      Select: 'blue, navy',
      Tags: 'green, "with ""quotes"""',
      Person: 'Olive Owner',
      People: 'Olive Owner',
    });
  });

  test('a projection gives only those fields', async () => {
    const made = (await create(values())).body.records[0];
    const { body } = await table.call(getRecord, {
      params: { tableId: table.tableId, recordId: made?.id as string },
      query: { projection: ['Number', 'Check'] },
    });
    expect(body.fields).toEqual({ Number: -12.5, Check: true });
    expect(body.name).toBe('');
  });

  test('unknown records, tables and routes are 404', async () => {
    expect(
      (await table.call(getRecord, { params: { tableId: table.tableId, recordId: 'recNothing0000000' } })).status,
    ).toBe(404);
    expect((await table.call(getRecord, { params: { tableId: 'tblNothing0000000', recordId: 'x' } })).status).toBe(404);
    expect(
      (
        await table.call(updateRecord, {
          params: { tableId: table.tableId, recordId: 'x' },
          body: { record: { fields: {} } },
        })
      ).status,
    ).toBe(404);
  });

  test('one deleted record is answered as it was, and is gone', async () => {
    const made = (await create({ Text: 'bye', Number: 3 })).body.records[0];
    const params = { tableId: table.tableId, recordId: made?.id as string };
    const gone = await table.call(deleteRecord, { params });
    expect(gone.body).toMatchObject({
      id: made?.id,
      fields: { [table.fieldIds.Text as string]: 'bye', [table.fieldIds.Number as string]: 3 },
    });
    expect((await table.call(getRecord, { params })).status).toBe(404);
    expect((await table.call(deleteRecord, { params })).status).toBe(404);
  });

  test('several are deleted all or nothing', async () => {
    const made = (
      await table.call(createRecords, {
        params: { tableId: table.tableId },
        body: { records: [{ fields: {} }, { fields: {} }] },
      })
    ).body.records.map((record) => record.id);
    const some = await table.call(deleteRecords, {
      params: { tableId: table.tableId },
      query: { recordIds: [...made, 'recNothing0000000'] },
    });
    expect(some.status).toBe(400);
    const all = await table.call(deleteRecords, { params: { tableId: table.tableId }, query: { recordIds: made } });
    expect(all.body.records.map((record) => record.id)).toEqual(made);
    expect(
      (await table.call(deleteRecords, { params: { tableId: table.tableId }, query: { recordIds: made } })).status,
    ).toBe(404);
  });

  test('a duplicate has the values of its original, and a number of its own', async () => {
    const made = (await create(values())).body.records[0];
    const copy = (
      await table.call(duplicateRecord, { params: { tableId: table.tableId, recordId: made?.id as string } })
    ).body.records[0];
    expect(copy?.id).not.toBe(made?.id);
    expect(copy?.fields[table.fieldIds.Tags as string]).toEqual(values().Tags);
    expect(copy?.name).toBe(made?.name);
    expect(copy?.autoNumber).toBeGreaterThan(made?.autoNumber as number);
  });
});
