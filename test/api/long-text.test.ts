// The longest texts that cells can hold, through every way of writing and reading them, and what is one character longer.
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { convertField, createField } from '@rowhouse/contract/field.ts';
import { listRecordHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { getTable } from '@rowhouse/contract/table.ts';
import { setViewGroup, setViewSort } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { pageLimit } from '../../server/domain/history/page.sql.ts';
import { answerLimit } from '../../server/domain/record/read/json.sql.ts';
import { cases } from '../support/cases.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const limits = { Line: 100_000, Long: 1_000_000 } as const;
type Name = keyof typeof limits;
const names = Object.keys(limits) as Name[];

/** Incompressible, so that it is as large in the database as it looks, and of characters of one to four bytes. */
const textOf = (length: number, seed: number): string => {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyzäöüßéλжя漢字🦜'];
  let state = seed;
  let text = '';
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
};

let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Line', type: 'singleLineText' },
    { name: 'Long', type: 'longText' },
  ]);
});

const create = (on: TestTable, fields: Record<string, unknown>[], more: object = {}) =>
  on.call(createRecords, { params: on, body: { records: fields.map((cells) => ({ fields: cells })), ...more } });
const cellOf = async (on: TestTable, recordId: string, name: string): Promise<unknown> =>
  (await on.call(getRecord, { params: { ...on, recordId } })).body.fields[name];
const same = (found: unknown, wanted: string | undefined, what: string): void =>
  expect(found === wanted, `${what}: ${String(found).length} characters`).toBe(true);

test.each(cases(names, ['Long']))('%s takes as many characters as it says, and not one more', async (name) => {
  const most = limits[name];
  const [exact, above] = [textOf(most, 1), textOf(most + 1, 2)];
  const made = await create(table, [{ [name]: exact }]);
  expect(made.status).toBe(201);
  const id = made.body.records[0]?.id as string;
  same(made.body.records[0]?.fields[name], exact, 'created');
  same(await cellOf(table, id, name), exact, 'read');

  for (const refused of [
    await create(table, [{ Name: 'x' }, { [name]: above }]),
    await table.call(updateRecords, {
      params: table,
      body: { records: [{ id, fields: { Name: 'x' } }].map((record) => ({ ...record, fields: { [name]: above } })) },
    }),
  ]) {
    expect(refused.status).toBe(400);
    expect((refused.error as { message: string }).message).toContain(`Expected a string of at most ${most} characters`);
    expect((refused.error as { message: string }).message).toMatch(
      new RegExp(`at "records\\[[01]\\]\\.fields\\.${name}"$`),
    );
  }
  const next = textOf(most, 3);
  const changed = await table.call(updateRecord, {
    params: { ...table, recordId: id },
    body: { record: { fields: { [name]: next } } },
  });
  same(changed.body.fields[name], next, 'updated');
  const listed = (await table.call(listRecords, { params: table, query: {} })).body.records.find(
    (record) => record.id === id,
  );
  same(listed?.fields[name], next, 'listed');

  const { historyList } = (await table.call(listRecordHistory, { params: { ...table, recordId: id }, query: {} })).body;
  same(historyList[0]?.before.data, exact, 'before');
  same(historyList[0]?.after.data, next, 'after');
  const restored = await table.call(restoreHistory, {
    params: table,
    body: { historyIds: [historyList[0]?.id as string] },
  });
  expect(restored.status).toBe(200);
  same(await cellOf(table, id, name), exact, 'restored');

  const copy = await table.call(duplicateRecord, { params: { ...table, recordId: id } } as never);
  same(
    (copy.body as unknown as { records: { fields: Record<string, unknown> }[] }).records[0]?.fields[
      table.fieldIds[name] as string
    ],
    exact,
    'duplicated',
  );
});

test.each(cases(names, ['Long']))('%s is found, filtered, sorted, grouped and counted at its longest', async (name) => {
  const on = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name, type: name === 'Line' ? 'singleLineText' : 'longText' },
  ]);
  const most = limits[name];
  const beginning = textOf(300, 4);
  // They differ behind what an index holds of them, and at their very end.
  const texts = ['a', 'b', 'b', 'c'].map((last) => beginning + textOf(most - 301, 5) + last);
  const made = await create(
    on,
    texts.map((text) => ({ [name]: text })),
  );
  expect(made.status).toBe(201);
  const ids = made.body.records.map(({ id }) => id);
  const fieldId = on.fieldIds[name] as string;
  const list = async (query: object): Promise<string[]> => {
    const { status, body, error } = await on.call(listRecords, {
      params: on,
      query: { projection: ['Name'], ...query } as never,
    });
    expect(status, JSON.stringify(error)?.slice(0, 300)).toBe(200);
    return body.records.map(({ id }) => id).toSorted();
  };
  const end = texts[0]?.slice(-20) as string;
  expect(await list({ search: [end, name] })).toEqual([ids[0]]);
  expect(
    await list({
      filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator: 'contains', value: end }] }),
    }),
  ).toEqual([ids[0]]);
  expect(
    await list({
      filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: beginning }] }),
    }),
  ).toEqual([]);
  expect(await list({ orderBy: JSON.stringify([{ fieldId, order: 'desc' }]) })).toEqual(ids.toSorted());
  const counted = await on.call(getAggregation, {
    params: on,
    query: { 'field[unique]': [fieldId], 'field[filled]': [fieldId] } as never,
  });
  expect(counted.body.aggregations.map(({ total }) => (total as { value: number }).value).toSorted()).toEqual([3, 4]);

  // A view in that order, with the index that the view gets once the table is large enough.
  expect(
    (await on.call(setViewSort, { params: on, body: { sort: { sortObjs: [{ fieldId, order: 'asc' }] } } })).status,
  ).toBe(200);
  expect((await on.call(setViewGroup, { params: on, body: { group: [{ fieldId, order: 'asc' }] } })).status).toBe(200);
  await create(
    on,
    Array.from({ length: 5_000 }, (_, at) => ({ Name: String(at) })),
  );
  await expect
    .poll(async () => {
      await list({ viewId: on.viewId, take: 1 });
      const found = await world().db.query<{ valid: boolean }>(
        sql`select indisvalid as valid from pg_index where indexrelid::regclass::text like ${`%${on.baseId}%__view_%`}`,
      );
      return found.filter(({ valid }) => valid).length;
    })
    .toBeGreaterThan(0);
  const again = await create(on, [{ [name]: texts[0] }]);
  expect(again.status).toBe(201);
  const { records, extra } = (
    await on.call(listRecords, { params: on, query: { viewId: on.viewId, skip: 5_000, take: 10 } })
  ).body;
  expect(records.map(({ id }) => id).toSorted()).toEqual([...ids, again.body.records[0]?.id].toSorted());
  expect(
    (extra as { groupPoints: { value?: string }[] }).groupPoints.map(({ value }) => [...(value ?? '')].length),
  ).toContain(200);
});

test('long texts are told apart as a whole where they have to be unique', async () => {
  const made = await table.call(createField, { params: table, body: { name: 'Only', type: 'longText', unique: true } });
  expect(made.status).toBe(201);
  const text = textOf(limits.Long - 1, 6);
  expect((await create(table, [{ Only: `${text}a` }, { Only: `${text}b` }])).status).toBe(201);
  const refused = await create(table, [{ Only: `${text}b` }]);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.error)).toContain('not_unique');
});

test('what is too long for another type does not fit: it is emptied, reported, and in the history', async () => {
  const on = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'X', type: 'longText' },
  ]);
  const [fits, tooLong, lines] = [textOf(limits.Line, 7), textOf(limits.Line + 1, 8), `${'a\n'.repeat(50_000)}b`];
  const [first, second, third] = (await create(on, [{ X: fits }, { X: tooLong }, { X: lines }])).body.records.map(
    ({ id }) => id,
  ) as [string, string, string];
  const cast = await create(on, [{ Name: tooLong }, { Name: fits }], { typecast: true });
  expect(cast.status).toBe(201);
  expect(cast.body.records.map(({ fields }) => fields.Name === undefined)).toEqual([true, false]);
  expect((cast.body.extra as { typecast: { entries: { note: string }[] } }).typecast.entries).toMatchObject([
    { index: 0, field: 'Name', to: null, note: 'dropped' },
  ]);

  const converted = await on.call(convertField, {
    params: { ...on, fieldId: on.fieldIds.X as string },
    body: { type: 'singleLineText' },
  });
  expect(converted.status).toBe(200);
  same(await cellOf(on, first, 'X'), fits, 'fits');
  same(await cellOf(on, second, 'X'), undefined, 'does not fit');
  same(await cellOf(on, third, 'X'), undefined, 'does not fit as one line');
  const { historyList } = (await on.call(listRecordHistory, { params: { ...on, recordId: second }, query: {} })).body;
  same(historyList[0]?.before.data, tooLong, 'before');
  expect(historyList[0]?.after.data).toBe(null);
});

const limitAnswers = (): void => {
  const usual = answerLimit.bytes;
  onTestFinished(() => void (answerLimit.bytes = usual));
  answerLimit.bytes = 4 * 1_048_576;
};

test('an answer that would not fit into memory is refused, and nothing is written for it', async () => {
  // A quarter of what is usual, and of the texts as well: what is measured is the same.
  expect(answerLimit.bytes).toBe(12 * 1_048_576);
  limitAnswers();
  const on = await tableWith(table, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'X', type: 'longText' },
  ]);
  const ids = (
    await create(
      on,
      Array.from({ length: 170 }, () => ({ Name: 'before' })),
    )
  ).body.records.map(({ id }) => id);
  const stored = sql.id(...((await on.call(getTable, { params: on })).body.dbTableName.split('.') as [string, string]));
  await world().db.query(sql`update ${stored} set ${sql.id('X')} = repeat('x', 31250) where __auto_number <= 140`);
  const change = (some: string[]) =>
    on.call(updateRecords, { params: on, body: { records: some.map((id) => ({ id, fields: { Name: 'after' } })) } });
  for (const refused of [await on.call(listRecords, { params: on, query: { take: 1_000 } }), await change(ids)]) {
    expect(refused.status).toBe(400);
    expect((refused.error as { message: string }).message).toBe(
      'Validation error: the answer would be larger than 12 MiB; ask for fewer records at once, or for fewer fields by projection',
    );
  }
  expect(
    (await on.call(listRecords, { params: on, query: { take: 1_000, projection: ['Name'] } })).body.records.map(
      ({ fields }) => fields.Name,
    ),
  ).toEqual(ids.map(() => 'before'));
  expect((await on.call(listRecords, { params: on, query: { take: 3 } })).body.records).toHaveLength(3);
  expect((await change(ids.slice(0, 3))).status).toBe(200);
  // All texts of short fields together can be too large as well.
  await world().db.query(sql`update ${stored} set ${sql.id('X')} = null, ${sql.id('Name')} = repeat('🦜', 3125)`);
  expect((await on.call(listRecords, { params: on, query: { take: 1_000 } })).status).toBe(400);
  await world().db.query(sql`truncate ${stored}`);
});

test('what is shown of other records counts before it is read, and a list of it ends at four million bytes', async () => {
  limitAnswers();
  const far = await tableWith(table, [
    { name: 'Name', type: 'longText' },
    { name: 'X', type: 'longText' },
  ]);
  const long = 'x'.repeat(900_000);
  const texts = (
    await create(
      far,
      Array.from({ length: 6 }, () => ({ X: long })),
    )
  ).body.records.map(({ id }) => ({ id }));
  const near = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  const linkTo = async (name: string, relationship: string): Promise<string> => {
    const link = await near.call(createField, {
      params: near,
      body: { name, type: 'link', options: { foreignTableId: far.tableId, relationship, isOneWay: true } } as never,
    });
    const options = { foreignTableId: far.tableId, linkFieldId: link.body.id, lookupFieldId: far.fieldIds['X'] };
    const shown = await near.call(createField, {
      params: near,
      body: { name: `X of ${name}`, type: 'longText', isLookup: true, lookupOptions: options } as never,
    });
    expect([link.status, shown.status]).toEqual([201, 201]);
    return link.body.id;
  };
  await linkTo('One', 'manyOne');
  await linkTo('Many', 'manyMany');
  for (let round = 0; round < 3; round += 1)
    expect((await create(near, [{ One: texts[0] }, { One: texts[1] }])).status).toBe(201);
  const list = (take: number) => near.call(listRecords, { params: near, query: { take } });
  expect([(await list(4)).status, (await list(6)).status]).toEqual([200, 400]);
  expect((await list(6)).error.message).toContain('the answer would be larger than 12 MiB');
  const ids = (await near.call(listRecords, { params: near, query: { projection: ['Name'] } })).body.records.map(
    ({ id }) => id,
  );
  const change = (some: string[]) =>
    near.call(updateRecords, { params: near, body: { records: some.map((id) => ({ id, fields: { Name: 'y' } })) } });
  expect([(await change(ids)).status, (await change(ids.slice(0, 2))).status]).toEqual([400, 200]);

  const [made] = (await create(near, [{ Many: texts }])).body.records;
  const { fields } = (await near.call(getRecord, { params: { ...near, recordId: made?.id as string } })).body;
  expect((fields['X of Many'] as string[]).map((text) => text.length)).toEqual([900_000, 900_000, 900_000, 900_000]);
  expect(fields['Many']).toHaveLength(6);
  // The title of a link is a part of what it may be.
  await far.call(updateRecord, {
    params: { ...far, recordId: texts[0]?.id as string },
    body: { record: { fields: { Name: long } } },
  });
  const [first] = (await near.call(listRecords, { params: near, query: { take: 1 } })).body.records;
  expect((first?.fields['One'] as { title: string }).title).toBe('x'.repeat(1_000));
});

test('formulas and default values make no answer that is too large of a small request', async () => {
  limitAnswers();
  const on = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  const formula = await on.call(createField, {
    params: on,
    body: { name: 'F', type: 'formula', options: { expression: 'REPT("x", 100000)' } } as never,
  });
  expect(formula.status).toBe(201);
  const many = (count: number) =>
    create(
      on,
      Array.from({ length: count }, () => ({})),
    );
  expect([(await many(60)).status, (await many(20)).status]).toEqual([400, 201]);
  expect((await on.call(listRecords, { params: on, query: { projection: ['Name'] } })).body.records).toHaveLength(20);
  const other = await tableWith(table, [
    { name: 'Name', type: 'singleLineText', options: { defaultValue: 'x'.repeat(100_000) } },
  ]);
  const refused = await create(
    other,
    Array.from({ length: 340 }, () => ({})),
  );
  expect(refused.status).toBe(400);
  expect((refused.error as { message: string }).message).toContain(
    'The default values of these records have more than',
  );
  expect((await create(other, [{}])).status).toBe(201);
});

test('a page of history has as many entries as one answer holds, and the next one goes on there', async () => {
  const usual = pageLimit.bytes;
  onTestFinished(() => void (pageLimit.bytes = usual));
  pageLimit.bytes = 32_000;
  const on = await tableWith(table, [{ name: 'Name', type: 'singleLineText' }]);
  const id = (await create(on, [{ Name: 'first' }])).body.records[0]?.id as string;
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await on.call(updateRecord, { params: { ...on, recordId: id }, body: { record: { fields: { Name: name } } } });
  const entries = sql.id(on.baseId, `__history_${on.tableId}`);
  // More than a third of what an answer holds, and one that is more than all of it.
  await world().db.query(
    sql`update ${entries} set after = '"' || repeat(substr(after, 2, 1), case after when '"b"' then 34000 else 12000 end) || '"'`,
  );
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { body } = await on.call(listRecordHistory, {
      params: { ...on, recordId: id },
      query: cursor === undefined ? {} : { cursor },
    });
    pages.push(
      body.historyList.map(
        ({ before, after }) =>
          `${String(before.data).slice(0, 1)}${String(after.data).slice(0, 1)} ${String(after.data).length}`,
      ),
    );
    expect(Object.keys(body.userMap)).toHaveLength(1);
    cursor = body.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual([['de 12000', 'cd 12000'], ['bc 12000'], ['ab 34000'], ['fa 12000']]);
});
