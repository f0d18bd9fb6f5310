// Links between tables: written from either side, right on both, whatever becomes of records, fields and tables.
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { duplicateBase } from '@rowhouse/contract/base.ts';
import * as api from '@rowhouse/contract/field.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecord,
  deleteRecords,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import {
  createTable,
  deleteTable,
  deleteTablePermanently,
  duplicateTable,
  getTable,
} from '@rowhouse/contract/table.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { linkLimits } from '../../server/domain/cell/type/link.ts';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { listen } from '../support/listen.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
const usualLimit = linkLimits.written;
afterEach(() => void (linkLimits.written = usualLimit));
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

interface Made {
  tableId: string;
  fieldIds: Record<string, string>;
  ids: string[];
}

const makeTable = async (name: string, names: readonly string[], more: object[] = []): Promise<Made> => {
  const made = await shop.owner.call(createTable, {
    params: { baseId: shop.baseId },
    body: {
      name,
      fields: [{ type: 'singleLineText', name: 'Name' }, ...more] as never,
      records: names.map((one) => ({ fields: { Name: one } })),
    },
  });
  expect(made.body).toMatchObject({ id: expect.any(String) });
  return {
    tableId: made.body.id,
    fieldIds: Object.fromEntries(made.body.fields.map((field) => [field.name, field.id])),
    ids: made.body.records.map(({ id }) => id),
  };
};

const link = async ({ tableId }: Made, foreign: Made, relationship: string, more: object = {}): Promise<api.Field> => {
  const made = await shop.owner.call(api.createField, {
    params: { tableId },
    body: { type: 'link', options: { relationship, foreignTableId: foreign.tableId, ...more } } as never,
  });
  expect(made.body).toMatchObject({ type: 'link' });
  return made.body;
};

const fieldsOf = async ({ tableId }: Made): Promise<api.Field[]> =>
  (await shop.owner.call(api.listFields, { params: { tableId } })).body;

const cellsOf = async ({ tableId, ids }: Made, fieldId: string): Promise<unknown[]> => {
  const { body } = await shop.owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } });
  return ids.map((id) => body.records.find((record) => record.id === id)?.fields[fieldId] ?? null);
};

const titles = (cell: unknown): unknown =>
  Array.isArray(cell)
    ? cell.map(({ title }: { title: string }) => title)
    : ((cell as { title?: string } | null)?.title ?? null);

const shown = async (table: Made, fieldId: string): Promise<unknown[]> => (await cellsOf(table, fieldId)).map(titles);

const set = (table: Made, at: number, fieldId: string, value: unknown, more: object = {}) =>
  shop.owner.call(updateRecord, {
    params: { tableId: table.tableId, recordId: table.ids[at] as string },
    body: { fieldKeyType: 'id', record: { fields: { [fieldId]: value } }, ...more },
  });

const to = (table: Made, ...at: number[]): { id: string }[] => at.map((one) => ({ id: table.ids[one] as string }));

const allRight = async (): Promise<void> => expect(await findWrongCells(world().db, shop.baseId)).toEqual([]);

/** Projects and tasks: a task belongs to one project. */
const pair = async (relationship = 'manyOne', more: object = {}) => {
  const projects = await makeTable('Projects', ['Alpha', 'Beta', 'Gamma']);
  const tasks = await makeTable('Tasks', ['One', 'Two', 'Three']);
  const field = await link(tasks, projects, relationship, more);
  return { projects, tasks, field, symmetricId: field.options.symmetricFieldId as string };
};

describe('a link', () => {
  test('has the options and keys of its relationship, and the other side has its own', async () => {
    const { projects, tasks, field, symmetricId } = await pair();
    expect(field).toMatchObject({
      cellValueType: 'string',
      dbFieldType: 'JSON',
      options: {
        relationship: 'manyOne',
        isOneWay: false,
        selfKeyName: '__id',
        foreignKeyName: `__fk_${field.id}`,
        lookupFieldId: projects.fieldIds['Name'],
      },
    });
    expect(field.isMultipleCellValue).toBeUndefined();
    expect(field.isComputed).toBeUndefined();
    const other = (await fieldsOf(projects)).at(-1);
    expect(other).toMatchObject({
      id: symmetricId,
      name: 'Tasks',
      isMultipleCellValue: true,
      options: {
        relationship: 'oneMany',
        foreignTableId: tasks.tableId,
        symmetricFieldId: field.id,
        selfKeyName: `__fk_${field.id}`,
        foreignKeyName: '__id',
        fkHostTableName: field.options.fkHostTableName,
        lookupFieldId: tasks.fieldIds['Name'],
      },
    });
    expect(other?.options.isOneWay).toBeUndefined();
    const many = await link(tasks, projects, 'manyMany');
    expect(many.options).toMatchObject({
      fkHostTableName: `${shop.baseId}.junction_${many.id}_${many.options.symmetricFieldId}`,
      selfKeyName: `__fk_${many.options.symmetricFieldId}`,
      foreignKeyName: `__fk_${many.id}`,
    });
    const oneWay = await link(tasks, projects, 'oneMany', { isOneWay: true });
    expect(oneWay.options).toMatchObject({
      isOneWay: true,
      fkHostTableName: `${shop.baseId}.junction_${oneWay.id}`,
      foreignKeyName: `__fk_${oneWay.id}`,
      selfKeyName: expect.stringMatching(/^__fk_rad\w{16}$/),
    });
    expect(oneWay.options.symmetricFieldId).toBeUndefined();
    // Somebody who reads the base by SQL finds the keys where the options say.
    for (const { options } of [field, other, many, oneWay] as api.Field[]) {
      const [schema, table] = String(options.fkHostTableName).split('.');
      const found = await world().db.query<{ name: string }>(
        sql`select column_name as name from information_schema.columns where table_schema = ${schema} and table_name = ${table}`,
      );
      expect(found.map(({ name }) => name)).toEqual(
        expect.arrayContaining([options.selfKeyName, options.foreignKeyName]),
      );
    }
    expect((await fieldsOf(projects)).map(({ name }) => name)).toEqual(['Name', 'Tasks', 'Tasks 2']);
  });

  test('that leads nowhere, or to another base, is refused', async () => {
    const tasks = await makeTable('Tasks', []);
    const ask = (options: object) =>
      shop.owner.call(api.createField, {
        params: { tableId: tasks.tableId },
        body: { type: 'link', options } as never,
      });
    expect(await ask({ relationship: 'manyOne', foreignTableId: 'tblNowhere' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('has no table tblNowhere') },
    });
    expect(await ask({ relationship: 'manyOne', foreignTableId: tasks.tableId, baseId: 'bseOther' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('another base') },
    });
    expect(await ask({ foreignTableId: tasks.tableId })).toMatchObject({ status: 400 });
    expect(
      await ask({ relationship: 'manyOne', foreignTableId: tasks.tableId, lookupFieldId: 'fldNone' }),
    ).toMatchObject({ status: 400 });
  });

  test.each(['manyOne', 'oneMany', 'oneOne', 'manyMany'])(
    '%s is right on both sides after every write',
    async (relationship) => {
      const { projects, tasks, field, symmetricId } = await pair(relationship);
      const isMany = field.isMultipleCellValue === true;
      const own = (...at: number[]): unknown => (isMany ? to(projects, ...at) : to(projects, ...at)[0]);
      const first = await set(tasks, 0, field.id, own(1));
      expect(first.body).toMatchObject({
        fields: {
          [field.id]: isMany ? [{ id: projects.ids[1], title: 'Beta' }] : { id: projects.ids[1], title: 'Beta' },
        },
      });
      const otherIsMany = relationship === 'manyOne' || relationship === 'manyMany';
      expect(await cellsOf(projects, symmetricId)).toEqual([
        null,
        otherIsMany ? [{ id: tasks.ids[0], title: 'One' }] : { id: tasks.ids[0], title: 'One' },
        null,
      ]);
      // Titles follow on both sides.
      await set(projects, 1, projects.fieldIds['Name'] as string, 'Bravo');
      await set(tasks, 0, tasks.fieldIds['Name'] as string, 'Uno');
      expect(titles((await cellsOf(tasks, field.id))[0])).toEqual(isMany ? ['Bravo'] : 'Bravo');
      expect(titles((await cellsOf(projects, symmetricId))[1])).toEqual(otherIsMany ? ['Uno'] : 'Uno');
      // From the other side, and away again.
      await set(projects, 2, symmetricId, otherIsMany ? to(tasks, 2) : to(tasks, 2)[0]);
      expect(titles((await cellsOf(tasks, field.id))[2])).toEqual(isMany ? ['Gamma'] : 'Gamma');
      expect((await set(projects, 1, symmetricId, null)).body.fields[symmetricId]).toBeUndefined();
      expect(await shown(tasks, field.id)).toEqual([null, null, isMany ? ['Gamma'] : 'Gamma']);
      await allRight();
    },
  );

  test('keeps the order that it is given, and adds to the end of the other side', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyMany');
    await set(tasks, 0, field.id, to(projects, 2, 0, 1));
    expect((await shown(tasks, field.id))[0]).toEqual(['Gamma', 'Alpha', 'Beta']);
    await set(tasks, 0, field.id, to(projects, 1, 2));
    expect((await shown(tasks, field.id))[0]).toEqual(['Beta', 'Gamma']);
    await set(tasks, 2, field.id, to(projects, 1));
    await set(tasks, 1, field.id, to(projects, 1));
    expect((await shown(projects, symmetricId))[1]).toEqual(['One', 'Three', 'Two']);
    await set(projects, 1, symmetricId, to(tasks, 1, 0));
    expect(await shown(tasks, field.id)).toEqual([['Beta', 'Gamma'], ['Beta'], null]);
    await allRight();
  });

  test('within a table has both sides there', async () => {
    const people = await makeTable('People', ['Ada', 'Bob', 'Cy']);
    const field = await link(people, people, 'manyOne');
    const symmetricId = field.options.symmetricFieldId as string;
    expect([field.name, (await fieldsOf(people)).at(-1)?.name]).toEqual(['People', 'People 2']);
    await set(people, 1, field.id, to(people, 0)[0]);
    await set(people, 0, symmetricId, to(people, 2, 1));
    expect(await shown(people, field.id)).toEqual([null, 'Ada', 'Ada']);
    await set(people, 0, people.fieldIds['Name'] as string, 'Ava');
    expect(await shown(people, field.id)).toEqual([null, 'Ava', 'Ava']);
    // To itself.
    await set(people, 0, field.id, to(people, 0)[0]);
    expect(await shown(people, symmetricId)).toEqual([['Cy', 'Bob', 'Ava'], null, null]);
    await shop.owner.call(deleteRecord, { params: { tableId: people.tableId, recordId: people.ids[0] as string } });
    expect(await shown(people, field.id)).toEqual([null, null, null]);
    await allRight();
  });

  test.each(['manyOne', 'manyMany'])(
    'one way within a table (%s) goes with either of its records',
    async (relationship) => {
      const people = await makeTable('People', ['Ada', 'Bob', 'Cy']);
      const field = await link(people, people, relationship, { isOneWay: true });
      const one = (...at: number[]): unknown => (relationship === 'manyOne' ? to(people, ...at)[0] : to(people, ...at));
      await set(people, 0, field.id, one(1));
      await set(people, 1, field.id, one(2));
      await set(people, 2, field.id, one(2));
      await shop.owner.call(deleteRecord, { params: { tableId: people.tableId, recordId: people.ids[1] as string } });
      const title = relationship === 'manyOne' ? 'Cy' : ['Cy'];
      expect(await shown(people, field.id)).toEqual([null, null, title]);
      await allRight();
    },
  );
});

describe('a write', () => {
  test('of what is missing or taken is refused as a whole, and names every one', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    await set(tasks, 0, field.id, to(projects, 0)[0]);
    const missing = await shop.owner.call(updateRecords, {
      params: { tableId: tasks.tableId },
      body: {
        fieldKeyType: 'id',
        records: [
          { id: tasks.ids[1] as string, fields: { [field.id]: { id: 'recMissing1' } } },
          {
            id: tasks.ids[2] as string,
            fields: { [field.id]: { id: 'recMissing2' }, [tasks.fieldIds['Name'] as string]: 'New' },
          },
        ],
      },
    });
    expect(missing).toMatchObject({
      status: 400,
      body: {
        data: {
          total: 2,
          errors: [
            { index: 0, message: expect.stringContaining('recMissing1') },
            { index: 1, message: expect.stringContaining('recMissing2') },
          ],
        },
      },
    });
    expect(await shown(tasks, tasks.fieldIds['Name'] as string)).not.toContain('New');
    const taken = await set(projects, 1, symmetricId, to(tasks, 0, 1));
    expect(taken).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`${tasks.ids[0]} is already linked by ${projects.ids[0]}`) },
    });
    expect(await shown(projects, symmetricId)).toEqual([['One'], null, null]);
    for (const wrong of [
      tasks.ids[0],
      [tasks.ids[0]],
      [{ id: tasks.ids[0] }, { id: tasks.ids[0] }],
      { id: tasks.ids[0] },
      7,
    ])
      expect((await set(projects, 0, symmetricId, wrong)).status).toBe(400);
    const twice = await shop.owner.call(updateRecords, {
      params: { tableId: projects.tableId },
      body: {
        fieldKeyType: 'id',
        records: [0, 1].map((at) => ({ id: projects.ids[at] as string, fields: { [symmetricId]: to(tasks, 1) } })),
      },
    });
    expect(twice).toMatchObject({ status: 400, body: { message: expect.stringContaining('linked by two records') } });
    // Given up by one record of the request and taken by another.
    const moved = await shop.owner.call(updateRecords, {
      params: { tableId: projects.tableId },
      body: {
        fieldKeyType: 'id',
        records: [
          { id: projects.ids[0] as string, fields: { [symmetricId]: null } },
          { id: projects.ids[1] as string, fields: { [symmetricId]: to(tasks, 0) } },
        ],
      },
    });
    expect(moved.status).toBe(200);
    expect(await shown(tasks, field.id)).toEqual(['Beta', null, null]);
    await allRight();
  });

  test('with typecast finds records by title, and makes those that are missing', async () => {
    const { projects, tasks, field } = await pair('manyMany');
    const cast = await shop.owner.call(updateRecords, {
      params: { tableId: tasks.tableId },
      body: {
        fieldKeyType: 'id',
        typecast: true,
        records: [{ id: tasks.ids[0] as string, fields: { [field.id]: 'Beta, Delta' } }],
      },
    });
    expect(cast.status).toBe(200);
    expect((await shown(tasks, field.id))[0]).toEqual(['Beta', 'Delta']);
    const listed = await shop.owner.call(listRecords, { params: { tableId: projects.tableId }, query: {} });
    expect(listed.body.records.map(({ name }) => name)).toEqual(['Alpha', 'Beta', 'Gamma', 'Delta']);
    const made = await shop.owner.call(createRecords, {
      params: { tableId: tasks.tableId },
      body: {
        typecast: true,
        fieldKeyType: 'id',
        records: [{ fields: { [field.id]: ['Alpha', projects.ids[2] as string] } }],
      },
    });
    expect(titles(made.body.records[0]?.fields[field.id])).toEqual(['Alpha', 'Gamma']);
    // Case and accents do not count, and what is new is made once however it is written.
    const folded = await shop.owner.call(createRecords, {
      params: { tableId: tasks.tableId },
      body: {
        typecast: true,
        fieldKeyType: 'id',
        records: [
          { fields: { [field.id]: ['ÁLPHA', 'Café Noir'] } },
          { fields: { [field.id]: 'cafe noir' } },
          { fields: { [field.id]: ' delta' } },
        ],
      },
    });
    expect(folded.body.records.map(({ fields }) => titles(fields[field.id]))).toEqual([
      ['Alpha', 'Café Noir'],
      ['Café Noir'],
      ['Delta'],
    ]);
    expect(
      (await shop.owner.call(listRecords, { params: { tableId: projects.tableId }, query: {} })).body.records.map(
        ({ name }) => name,
      ),
    ).toEqual(['Alpha', 'Beta', 'Gamma', 'Delta', 'Café Noir']);
    await allRight();
  });

  test('of new records links them at once, in the answer too', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    const made = await shop.owner.call(createRecords, {
      params: { tableId: tasks.tableId },
      body: {
        fieldKeyType: 'id',
        records: [
          { fields: { [tasks.fieldIds['Name'] as string]: 'Four', [field.id]: to(projects, 2)[0] } },
          { fields: { [field.id]: { ...to(projects, 2)[0], title: 'ignored' } } },
        ],
      },
    });
    expect(made.body.records.map(({ fields, name }) => [name, titles(fields[field.id])])).toEqual([
      ['Four', 'Gamma'],
      ['', 'Gamma'],
    ]);
    expect((await cellsOf(projects, symmetricId))[2]).toEqual([
      { id: made.body.records[0]?.id, title: 'Four' },
      { id: made.body.records[1]?.id },
    ]);
    const failed = await shop.owner.call(createRecords, {
      params: { tableId: tasks.tableId },
      body: { fieldKeyType: 'id', records: [{ fields: { [field.id]: { id: 'recNone' } } }] },
    });
    expect(failed.status).toBe(400);
    await allRight();
  });

  test('is not written over what somebody else wrote since, when the request says what it was made from', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyMany');
    const tags = (
      await shop.owner.call(api.createField, {
        params: { tableId: tasks.tableId },
        body: { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'x' }, { name: 'y' }] } } as never,
      })
    ).body;
    const ask = (fields: object, before: object) =>
      shop.owner.call(updateRecords, {
        params: { tableId: tasks.tableId },
        body: {
          fieldKeyType: 'id',
          records: [{ id: tasks.ids[0] as string, fields: fields as never, before: before as never }],
        },
      });
    expect((await ask({ [field.id]: to(projects, 0) }, { [field.id]: null })).status).toBe(200);
    // From the other side, which does not write the record itself.
    await set(projects, 1, symmetricId, to(tasks, 0));
    const late = await ask(
      { [field.id]: to(projects, 0, 2) },
      { [field.id]: [{ ...to(projects, 0)[0], title: 'any' }] },
    );
    const { userId, name } = shop.owner;
    const present = [
      {
        recordId: tasks.ids[0],
        field: field.id,
        // Who wrote it, for those who see the history.
        by: { id: userId, name },
        time: expect.stringMatching(/^20.*Z$/) as unknown,
        value: [
          { id: projects.ids[0], title: 'Alpha' },
          { id: projects.ids[1], title: 'Beta' },
        ],
      },
    ];
    expect([late.status, late.error?.data]).toEqual([409, { present }]);
    const narrow = await shop.owner.withToken({ hasFullAccess: true, scopes: ['record|read', 'record|update'] });
    const unnamed = await narrow.call(updateRecord, {
      params: { tableId: tasks.tableId, recordId: tasks.ids[0] as string },
      body: { fieldKeyType: 'id', record: { fields: { [field.id]: null }, before: { [field.id]: null } } },
    });
    expect([unnamed.status, Object.keys((unnamed.error?.data as { present: object[] }).present[0] ?? {})]).toEqual([
      409,
      ['recordId', 'field', 'value'],
    ]);
    expect(await shown(tasks, field.id)).toEqual([['Alpha', 'Beta'], null, null]);
    // Other kinds of lists, alone and beside it; nothing is written when one has changed.
    expect((await ask({ [tags.id]: ['x'] }, { [tags.id]: [] })).status).toBe(200);
    expect(
      await ask({ [tags.id]: ['y'], [field.id]: null }, { [tags.id]: ['y'], [field.id]: present[0]?.value }),
    ).toMatchObject({ status: 409, error: { data: { present: [{ field: tags.id, value: ['x'] }] } } });
    expect(await shown(tasks, field.id)).toEqual([['Alpha', 'Beta'], null, null]);
    // Of several at once that saw the same, one writes.
    const all = await Promise.all(
      ['x', 'y', 'x', 'y'].map((name) =>
        ask({ [tags.id]: ['x', 'y', name].slice(name === 'x' ? 1 : 0, 2) }, { [tags.id]: ['x'] }),
      ),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const one = await shop.owner.call(updateRecord, {
      params: { tableId: tasks.tableId, recordId: tasks.ids[0] as string },
      body: { fieldKeyType: 'id', record: { fields: { [field.id]: null }, before: { [field.id]: null } } },
    });
    expect(one.status).toBe(409);
    expect(await ask({ [tags.id]: null }, { [field.id]: null })).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining(`records[0].before.${field.id}`) },
    });
    await allRight();
  });

  test('is told to those who listen to the other table, with its cause', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    const ear = await listen(`${world().baseUrl}/table/${projects.tableId}/events?values=true`, {
      token: shop.owner.token,
    });
    const written = await set(tasks, 0, field.id, to(projects, 0)[0]);
    const { data } = await ear.until(({ name }) => name === 'records.updated');
    expect(data).toMatchObject({
      recordIds: [projects.ids[0]],
      fieldIds: [symmetricId],
      records: [{ fields: { [symmetricId]: [{ id: tasks.ids[0], title: 'One' }] } }],
    });
    expect(data.cause).toBe(written.headers.get('x-operation-id'));
    ear.close();
  });

  test('is in the history of both sides, and undone on both', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    await set(tasks, 0, field.id, to(projects, 0)[0]);
    const moved = await set(tasks, 0, field.id, to(projects, 1)[0]);
    await set(projects, 1, projects.fieldIds['Name'] as string, 'Bravo');
    const history = async (table: Made, fieldId: string) =>
      (
        await shop.owner.call(listTableHistory, {
          params: { tableId: table.tableId },
          query: { fieldIds: [fieldId] } as never,
        })
      ).body.historyList.map(({ recordId, before, after }) => [recordId, titles(before.data), titles(after.data)]);
    expect(await history(tasks, field.id)).toEqual([
      [tasks.ids[0], 'Alpha', 'Beta'],
      [tasks.ids[0], null, 'Alpha'],
    ]);
    expect((await history(projects, symmetricId)).toSorted()).toEqual(
      [
        [projects.ids[0], null, ['One']],
        [projects.ids[0], ['One'], null],
        [projects.ids[1], null, ['One']],
      ].toSorted(),
    );
    const undone = await shop.owner.call(restoreHistory, {
      params: { tableId: tasks.tableId },
      body: { operationId: moved.headers.get('x-operation-id') as string },
    });
    expect(undone).toMatchObject({ status: 200 });
    expect(await shown(projects, symmetricId)).toEqual([['One'], null, null]);
    expect(await shown(tasks, field.id)).toEqual(['Alpha', null, null]);
    await allRight();
  });
});

describe('what is deleted', () => {
  test('takes its links along, and brings them back: records', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyMany');
    const oneWay = await link(tasks, projects, 'manyOne', { isOneWay: true });
    linkLimits.written = 1;
    expect(await set(tasks, 0, field.id, to(projects, 0, 1))).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining('Expected at most 1 records in one cell; link the others from their side'),
      },
    });
    linkLimits.written = 2;
    await set(tasks, 0, field.id, to(projects, 0, 1));
    await set(tasks, 1, field.id, to(projects, 1));
    await set(tasks, 1, oneWay.id, to(projects, 1)[0]);
    // By now more are linked than one request may link.
    linkLimits.written = 1;
    const gone = await shop.owner.call(deleteRecords, {
      params: { tableId: projects.tableId },
      query: { recordIds: [projects.ids[1] as string] },
    });
    expect(gone.status).toBe(200);
    expect(await shown(tasks, field.id)).toEqual([['Alpha'], null, null]);
    expect(await shown(tasks, oneWay.id)).toEqual([null, null, null]);
    await allRight();
    const back = await shop.owner.call(restoreHistory, {
      params: { tableId: projects.tableId },
      body: { operationId: gone.headers.get('x-operation-id') as string },
    });
    expect(back.status).toBe(200);
    expect(await shown(tasks, field.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
    expect(await shown(projects, symmetricId)).toEqual([['One'], ['One', 'Two'], null]);
    await allRight();
  });

  test('comes back with its links while the field or the other table is in the trash: they are there when that comes back', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    await set(projects, 1, symmetricId, to(tasks, 0, 1));
    const undo = async (tableId: string, { headers }: { headers: Headers }): Promise<void> =>
      expect(
        (
          await shop.owner.call(restoreHistory, {
            params: { tableId },
            body: { operationId: headers.get('x-operation-id') as string },
          })
        ).status,
      ).toBe(200);
    const throughTrash = async (): Promise<void> => {
      for (const [table, at] of [
        [tasks, 0],
        [projects, 1],
      ] as const) {
        const known = await shop.owner.call(deleteRecord, {
          params: { tableId: table.tableId, recordId: table.ids[at] as string },
        });
        if (known.status === 200) await undo(table.tableId, known);
      }
    };
    const away = await shop.owner.call(api.deleteField, { params: { tableId: tasks.tableId, fieldId: field.id } });
    await throughTrash();
    await undo(tasks.tableId, away);
    expect(await shown(tasks, field.id)).toEqual(['Beta', 'Beta', null]);
    await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: projects.tableId } });
    await throughTrash();
    const { trashItems } = (
      await shop.owner.call(listTrashItems, { query: { resourceType: 'base', resourceId: shop.baseId } })
    ).body;
    expect(
      (
        await shop.owner.call(restoreTrash, {
          params: { trashId: trashItems.find(({ resourceId }) => resourceId === projects.tableId)?.id as string },
        })
      ).status,
    ).toBe(201);
    expect(await shown(tasks, field.id)).toEqual(['Beta', 'Beta', null]);
    await allRight();
  });

  test('for good leaves text in links to it, with the titles that they showed when it went, filled or not', async () => {
    const { projects, tasks, field } = await pair('manyOne');
    await set(tasks, 0, field.id, to(projects, 0)[0]);
    await set(tasks, 1, field.id, to(projects, 1)[0]);
    // As while a job is under way.
    await world().db.query(
      sql`update rowhouse.fields set computed = '{"state": "settling", "cellValueType": "string", "isMultiple": false}' where id = ${field.id}`,
    );
    const { dbTableName } = (
      await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId: tasks.tableId } })
    ).body;
    await world().db.query(
      sql`update ${sql.id(...(dbTableName.split('.') as [string, string]))} set ${sql.id(field.dbFieldName)} = null`,
    );
    expect(
      (await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: projects.tableId } })).status,
    ).toBe(200);
    expect(
      (await shop.owner.call(deleteTablePermanently, { params: { baseId: shop.baseId, tableId: projects.tableId } }))
        .status,
    ).toBe(200);
    expect(await cellsOf(tasks, field.id)).toEqual(['Alpha', 'Beta', null]);
    await allRight();
  });

  test('takes its links along, and brings them back: fields, by the trash and by undoing', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    await set(tasks, 0, field.id, to(projects, 0)[0]);
    await set(tasks, 1, field.id, to(projects, 1)[0]);
    const gone = await shop.owner.call(api.deleteField, {
      params: { tableId: projects.tableId, fieldId: symmetricId },
    });
    expect(gone.status).toBe(200);
    expect((await fieldsOf(tasks)).map(({ name }) => name)).toEqual(['Name']);
    await shop.owner.call(deleteRecord, { params: { tableId: projects.tableId, recordId: projects.ids[1] as string } });
    const back = await shop.owner.call(restoreHistory, {
      params: { tableId: projects.tableId },
      body: { operationId: gone.headers.get('x-operation-id') as string },
    });
    expect(back.status).toBe(200);
    expect(await shown(tasks, field.id)).toEqual(['Alpha', null, null]);
    await allRight();
    await shop.owner.call(api.deleteField, { params: { tableId: tasks.tableId, fieldId: field.id } });
    const trash = await shop.owner.call(listTrashItems, {
      query: { resourceType: 'table', resourceId: tasks.tableId },
    });
    const item = trash.body.trashItems.find(({ resourceIds }) => resourceIds?.includes(field.id));
    expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(201);
    expect(await shown(projects, symmetricId)).toEqual([['One'], null, null]);
    await allRight();
    // For good: the other side goes too, and its keys.
    await shop.owner.call(api.deleteField, { params: { tableId: tasks.tableId, fieldId: field.id } });
    expect(
      (await shop.owner.call(resetTrashItems, { query: { resourceType: 'table', resourceId: tasks.tableId } })).status,
    ).toBe(200);
    const left = await shop.owner.call(listTrashItems, {
      query: { resourceType: 'table', resourceId: projects.tableId },
    });
    expect(JSON.stringify(left.body)).not.toContain(symmetricId);
  });

  test('takes its links along, and brings them back: tables', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    const formula = await shop.owner.call(api.createField, {
      params: { tableId: tasks.tableId },
      body: { type: 'formula', name: 'Said', options: { expression: `"in " & {${field.id}}` } },
    });
    await set(tasks, 0, field.id, to(projects, 0)[0]);
    await set(tasks, 1, field.id, to(projects, 1)[0]);
    expect(await cellsOf(tasks, formula.body.id)).toEqual(['in Alpha', 'in Beta', 'in ']);
    const params = { baseId: shop.baseId, tableId: projects.tableId };
    expect((await shop.owner.call(deleteTable, { params })).status).toBe(200);
    expect((await fieldsOf(tasks)).find(({ id }) => id === field.id)).toMatchObject({ hasError: true });
    expect(await cellsOf(tasks, field.id)).toEqual([null, null, null]);
    expect(await cellsOf(tasks, formula.body.id)).toEqual(['in ', 'in ', 'in ']);
    expect((await set(tasks, 0, field.id, to(projects, 2)[0])).status).toBe(400);
    const gone = await shop.owner.call(deleteRecord, {
      params: { tableId: tasks.tableId, recordId: tasks.ids[1] as string },
    });
    expect(gone.body).toMatchObject({ fields: { [tasks.fieldIds['Name'] as string]: 'Two' } });
    expect(gone.body.fields).not.toHaveProperty(field.id);
    const trash = await shop.owner.call(listTrashItems, { query: { resourceType: 'base', resourceId: shop.baseId } });
    const item = trash.body.trashItems.find(({ resourceId }) => resourceId === projects.tableId);
    expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(201);
    expect(await cellsOf(tasks, formula.body.id)).toEqual(['in Alpha', null, 'in ']);
    expect(await shown(projects, symmetricId)).toEqual([['One'], null, null]);
    await allRight();
  });
});

describe('links in copies', () => {
  test('of a base lead to the copies', async () => {
    const { projects, tasks, field } = await pair('manyMany');
    await set(tasks, 0, field.id, to(projects, 1, 0));
    const copy = await shop.owner.call(duplicateBase, {
      body: { fromBaseId: shop.baseId, spaceId: shop.spaceId, withRecords: true },
    });
    expect(copy.status).toBe(201);
    expect(await findWrongCells(world().db, copy.body.id)).toEqual([]);
  });

  test('of a table are one-way, and those within it stay within', async () => {
    const { projects, tasks, field } = await pair('manyOne');
    const within = await link(tasks, tasks, 'manyMany');
    await set(tasks, 0, field.id, to(projects, 1)[0]);
    await set(tasks, 0, within.id, to(tasks, 2, 1));
    const { body, status } = await shop.owner.call(duplicateTable, {
      params: { baseId: shop.baseId, tableId: tasks.tableId },
      body: { name: 'Copy', includeRecords: true },
    });
    expect(status).toBe(201);
    expect(body.fields.find(({ id }) => id === body.fieldMap[field.id])).toMatchObject({
      options: { isOneWay: true, foreignTableId: projects.tableId },
    });
    const { records } = (
      await shop.owner.call(listRecords, { params: { tableId: body.id }, query: { fieldKeyType: 'id' } })
    ).body;
    const [first, second, third] = records;
    expect(titles(first?.fields[body.fieldMap[field.id] as string])).toBe('Beta');
    expect(first?.fields[body.fieldMap[within.id] as string]).toEqual([
      { id: third?.id, title: 'Three' },
      { id: second?.id, title: 'Two' },
    ]);
    await allRight();
  });
});

test('filters, sorts, groups, searches and counts know links', async () => {
  const { projects, tasks, field, symmetricId } = await pair('manyOne');
  await set(tasks, 0, field.id, to(projects, 1)[0]);
  await set(tasks, 2, field.id, to(projects, 0)[0]);
  const found = async (table: Made, query: object) =>
    (
      await shop.owner.call(listRecords, {
        params: { tableId: table.tableId },
        query: { fieldKeyType: 'id', ...query },
      })
    ).body.records.map(({ name }) => name);
  const by = (table: Made, fieldId: string, operator: string, value: unknown) =>
    found(table, { filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }) });
  expect(await by(tasks, field.id, 'is', projects.ids[1])).toEqual(['One']);
  expect(await by(tasks, field.id, 'isNot', projects.ids[1])).toEqual(['Two', 'Three']);
  expect(await by(tasks, field.id, 'isAnyOf', projects.ids)).toEqual(['One', 'Three']);
  expect(await by(tasks, field.id, 'contains', 'ALPH')).toEqual(['Three']);
  expect(await by(tasks, field.id, 'doesNotContain', 'alph')).toEqual(['One', 'Two']);
  expect(await by(tasks, field.id, 'isEmpty', null)).toEqual(['Two']);
  expect(await by(tasks, field.id, 'isNotEmpty', null)).toEqual(['One', 'Three']);
  expect(await by(tasks, field.id, 'isNoneOf', [projects.ids[1]])).toEqual(['Two', 'Three']);
  expect(await by(projects, symmetricId, 'hasAnyOf', [tasks.ids[0]])).toEqual(['Beta']);
  expect(await by(projects, symmetricId, 'hasAnyOf', [tasks.ids[2], tasks.ids[0]])).toEqual(['Alpha', 'Beta']);
  const pairs = await link(tasks, projects, 'manyMany');
  const single = await link(tasks, projects, 'oneOne');
  await set(tasks, 1, pairs.id, to(projects, 2, 0));
  await set(tasks, 1, single.id, to(projects, 2)[0]);
  expect(await by(tasks, pairs.id, 'hasAnyOf', [projects.ids[0], projects.ids[1]])).toEqual(['Two']);
  expect(await by(projects, pairs.options.symmetricFieldId as string, 'hasAnyOf', [tasks.ids[1]])).toEqual([
    'Alpha',
    'Gamma',
  ]);
  expect(await by(projects, single.options.symmetricFieldId as string, 'is', tasks.ids[1])).toEqual(['Gamma']);
  expect(await by(projects, single.options.symmetricFieldId as string, 'isAnyOf', tasks.ids)).toEqual(['Gamma']);
  expect(await by(projects, single.options.symmetricFieldId as string, 'isNot', tasks.ids[1])).toEqual([
    'Alpha',
    'Beta',
  ]);
  expect(await by(projects, symmetricId, 'contains', 'thr')).toEqual(['Alpha']);
  expect(await found(tasks, { orderBy: JSON.stringify([{ fieldId: field.id, order: 'desc' }]) })).toEqual([
    'One',
    'Three',
    'Two',
  ]);
  expect(await found(tasks, { search: ['beta', field.id, 'true'] })).toEqual(['One']);
  const grouped = await shop.owner.call(listRecords, {
    params: { tableId: tasks.tableId },
    query: { fieldKeyType: 'id', groupBy: JSON.stringify([{ fieldId: field.id, order: 'asc' }]) },
  });
  expect(grouped.body.extra?.groupPoints?.flatMap((point) => ('value' in point ? [titles(point.value)] : []))).toEqual([
    null,
    'Alpha',
    'Beta',
  ]);
  const groupsBy = async (fieldIds: readonly string[], more: object = {}) => {
    const { body } = await shop.owner.call(listRecords, {
      params: { tableId: tasks.tableId },
      query: {
        fieldKeyType: 'id',
        groupBy: JSON.stringify(fieldIds.map((fieldId) => ({ fieldId, order: 'asc' }))),
        ...more,
      },
    });
    return body.extra?.groupPoints?.map((point) =>
      'value' in point ? titles(point.value) : 'count' in point ? point.count : undefined,
    );
  };
  expect(await groupsBy([single.id, field.id])).toEqual([null, 'Alpha', 1, 'Beta', 1, 'Gamma', null, 1]);
  expect(
    await groupsBy([single.id], {
      filter: JSON.stringify({
        conjunction: 'and',
        filterSet: [{ fieldId: field.id, operator: 'isNotEmpty', value: null }],
      }),
    }),
  ).toEqual([null, 2]);
  expect(await groupsBy([field.id, pairs.id])).toEqual([
    null,
    ['Gamma', 'Alpha'],
    1,
    'Alpha',
    null,
    1,
    'Beta',
    null,
    1,
  ]);
  const counted = await shop.owner.call(getAggregation, {
    params: { tableId: tasks.tableId },
    query: { 'field[filled]': [field.id], fieldKeyType: 'id' } as never,
  });
  expect(counted.body.aggregations[0]?.total?.value).toBe(2);
  expect(
    (
      await shop.owner.call(getRecord, {
        params: { tableId: projects.tableId, recordId: projects.ids[0] as string },
        query: { cellFormat: 'text', fieldKeyType: 'id' } as never,
      })
    ).body.fields[symmetricId],
  ).toBe('Three');
});
