import * as api from '@rowhouse/contract/field.ts';
import * as planned from '@rowhouse/contract/field-plan.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createView, getView, setViewColumns } from '@rowhouse/contract/view.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { member } from '../support/workspace.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { sql } from '../../server/db/sql.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

const records = async (tableId: string): Promise<Record<string, unknown>[]> =>
  (await shop.owner.call(listRecords, { params: { tableId } })).body.records.map(({ fields }) => fields);

describe('creating a field', () => {
  test('answers it as it is kept, with defaults filled in', async () => {
    const { id: tableId } = await shop.table();
    const made = await shop.owner.call(api.createField, {
      params: { tableId },
      body: { type: 'rating', description: 'how good' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^fld\w{16}$/),
      name: 'Rating',
      type: 'rating',
      description: 'how good',
      options: { icon: 'star', color: 'yellowBright', max: 5 },
      cellValueType: 'number',
      dbFieldType: 'REAL',
      dbFieldName: 'Rating',
    });
    expect((await shop.owner.call(api.getField, { params: { tableId, fieldId: made.body.id } })).body).toEqual(
      made.body,
    );
    const written = await shop.owner.call(createRecords, {
      params: { tableId },
      body: { records: [{ fields: { Rating: 3 } }] },
    });
    expect(written.body.records[0]?.fields).toEqual({ Rating: 3 });
  });

  test('of every type works, and system types fill themselves', async () => {
    const { id: tableId, records: empty } = await shop.table();
    for (const type of api.fieldTypes.filter(
      (name) => !['link', 'rollup', 'conditionalRollup', 'count'].includes(name),
    )) {
      const made = await shop.owner.call(api.createField, {
        params: { tableId },
        body: { type, ...(type === 'formula' ? { options: { expression: '1 + 1' } } : {}) },
      });
      expect([type, made.status]).toEqual([type, 201]);
    }
    const row = (await records(tableId))[0] as Record<string, unknown>;
    expect(Object.keys(row).sort()).toEqual(['Calculation', 'Created Time', 'Created by', 'ID']);
    expect(row.ID).toBe(1);
    expect(empty).toHaveLength(3);
  });

  test('gives numbers to equal names, also at the same time', async () => {
    const { id: tableId } = await shop.table({ records: [] });
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        shop.owner.call(api.createField, { params: { tableId }, body: { type: 'number', name: 'Same' } }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(made.map(({ body }) => body.name).sort()).toEqual([
      'Same',
      'Same 2',
      'Same 3',
      'Same 4',
      'Same 5',
      'Same 6',
    ]);
    expect(new Set(made.map(({ body }) => body.dbFieldName)).size).toBe(6);
  });

  test('takes any name; the database names stay sound, different, and clear of system columns', async () => {
    const { id: tableId } = await shop.table({ records: [] });
    const names = [
      'ctid',
      'xmin',
      'tableoid',
      '__id',
      '__version',
      'a"b',
      "a'b",
      'a b',
      'a-b',
      '名',
      '前',
      'É',
      'é',
      `${'y'.repeat(254)}1`,
      `${'y'.repeat(254)}2`,
      '__proto__',
      'user',
      'order',
    ];
    for (const name of names) {
      const made = await shop.owner.call(api.createField, {
        params: { tableId },
        body: { type: 'singleLineText', name },
      });
      expect([made.status, made.body.name]).toEqual([201, name]);
    }
    const list = (await shop.owner.call(api.listFields, { params: { tableId } })).body;
    expect(new Set(list.map(({ dbFieldName }) => dbFieldName)).size).toBe(list.length);
    const plain = names.filter((name) => name !== '__proto__');
    const written = await shop.owner.call(createRecords, {
      params: { tableId },
      body: { records: [{ fields: Object.fromEntries(plain.map((name) => [name, `<${name}>`])) }] },
    });
    expect(written.status).toBe(201);
    expect((await records(tableId))[0]).toEqual(Object.fromEntries(plain.map((name) => [name, `<${name}>`])));
  });

  test.each([
    ['a name of 10,000 characters', { type: 'number', name: 'x'.repeat(10_000) }],
    ['an unknown type', { type: 'link' }],
    ['no type', {}],
    ['a lookup', { type: 'number', isLookup: true }],
    ['a database name with a quote', { type: 'number', dbFieldName: 'a"b' }],
    ['a database name of 64 characters', { type: 'number', dbFieldName: 'x'.repeat(64) }],
    ['a system column', { type: 'number', dbFieldName: 'xmax' }],
    ['a name that begins with two underscores', { type: 'number', dbFieldName: '__id' }],
    ['a database name that is taken', { type: 'number', dbFieldName: 'Name' }],
    ['a unique checkbox', { type: 'checkbox', unique: true }],
    ['a required computed field', { type: 'createdBy', notNull: true }],
    ['a required field while records are empty', { type: 'number', notNull: true }],
    ['an unknown view to be ordered in', { type: 'number', order: { viewId: 'viwNone', orderIndex: 1 } }],
    ['the same choice twice', { type: 'singleSelect', options: { choices: [{ name: 'a' }, { name: 'a' }] } }],
    ['a zero byte in an option', { type: 'singleLineText', options: { defaultValue: 'a\0' } }],
    ['options that are a list', { type: 'number', options: [] }],
  ])('refuses %s with 400', async (_what, body) => {
    const { id: tableId } = await shop.table();
    const made = await shop.owner.call(api.createField, { params: { tableId }, body: body as never });
    expect([made.status, made.error.code]).toEqual([400, 'validation_error']);
    expect((await shop.owner.call(api.listFields, { params: { tableId } })).body).toHaveLength(3);
  });

  test.each([30, 20_000])('refuses options nested %i deep with 400', async (depth) => {
    const { id: tableId } = await shop.table({ records: [] });
    const response = await fetch(`${world().baseUrl}/table/${tableId}/field`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.owner.token}`, 'content-type': 'application/json' },
      body: `{"type":"number","options":{"showAs":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`,
    });
    expect(response.status).toBe(400);
  });

  test.each([
    '{"type":"number","order":{"viewId":"VIEW","orderIndex":1e999}}',
    '{"type":"number","options":{"defaultValue":1e999}}',
    '{"type":"rating","options":{"max":1e999}}',
  ])('refuses a number beyond all numbers: %s', async (body) => {
    const { id: tableId, defaultViewId } = await shop.table({ records: [] });
    const response = await fetch(`${world().baseUrl}/table/${tableId}/field`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.owner.token}`, 'content-type': 'application/json' },
      body: body.replace('VIEW', defaultViewId as string),
    });
    expect(response.status).toBe(400);
  });

  test('says so when the table has had as many columns as PostgreSQL can hold', async () => {
    const { id: tableId, dbTableName } = await shop.table({ records: [] });
    const [schema, name] = dbTableName.split('.') as [string, string];
    const target = `"${schema}"."${name}"`;
    // Many per statement: one by one took six seconds.
    const each = (what: string): string =>
      Array.from({ length: 159 }, (_, at) => what.replace('?', `x${at}`)).join(', ');
    const alter = (change: string): Promise<unknown> =>
      world().db.query(sql`do ${sql.literal(`begin execute 'alter table ${target} ${change}'; end`)}`);
    for (let round = 0; round < 10; round += 1) await alter(each(`add column y${round}? int`));
    // Those that are gone count as well.
    await alter(each('drop column y9?'));
    const made = await shop.owner.call(api.createField, { params: { tableId }, body: { type: 'number' } });
    expect([made.status, made.error.message]).toEqual([400, expect.stringContaining('can ever hold')]);
    const fieldId = (await shop.owner.call(api.listFields, { params: { tableId } })).body[1]!.id;
    expect(
      (await shop.owner.call(api.convertField, { params: { tableId, fieldId }, body: { type: 'date' } })).status,
    ).toBe(200);
  });

  test('is for creators; editors are refused', async () => {
    const { id: tableId } = await shop.table({ records: [] });
    const editor = await member(world(), shop.owner, shop.baseId, 'editor');
    expect((await editor.call(api.createField, { params: { tableId }, body: { type: 'number' } })).status).toBe(403);
    expect((await editor.call(api.listFields, { params: { tableId } })).status).toBe(200);
  });
});

describe('a field', () => {
  test('is renamed and described, and its column with it when asked', async () => {
    const table = await shop.table({ records: [{ fields: { Name: 'kept' } }] });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    expect(
      (
        await shop.owner.call(api.updateField, {
          params,
          body: { name: 'Title', description: 'x', dbFieldName: 'title_1' },
        })
      ).status,
    ).toBe(200);
    expect((await shop.owner.call(api.getField, { params })).body).toMatchObject({
      name: 'Title',
      description: 'x',
      dbFieldName: 'title_1',
    });
    expect(await records(table.id)).toEqual([{ Title: 'kept' }]);
    expect((await shop.owner.call(api.updateField, { params, body: { description: null } })).status).toBe(200);
    expect((await shop.owner.call(api.getField, { params })).body.description).toBeUndefined();
    expect((await shop.owner.call(api.updateField, { params, body: { name: 'Count' } })).status).toBe(400);
    expect((await shop.owner.call(api.updateField, { params, body: { dbFieldName: 'Count' } })).status).toBe(400);
    expect((await shop.owner.call(api.updateField, { params, body: { dbFieldName: '__id' } })).status).toBe(400);
    expect(
      (await shop.owner.call(api.updateField, { params: { ...params, fieldId: 'fldNone' }, body: { name: 'x' } }))
        .status,
    ).toBe(404);
  });

  test('is deleted with its cells, and taken out of every view', async () => {
    const table = await shop.table();
    const [, count, status] = table.fields as [api.Field, api.Field, api.Field];
    const made = await shop.owner.call(createView, {
      params: { tableId: table.id },
      body: {
        type: 'kanban',
        options: { stackFieldId: status.id },
        sort: {
          sortObjs: [
            { fieldId: count.id, order: 'asc' },
            { fieldId: status.id, order: 'desc' },
          ],
        },
        group: [{ fieldId: status.id, order: 'asc' }],
        filter: {
          conjunction: 'and',
          filterSet: [
            { fieldId: status.id, operator: 'is', value: 'light' },
            { conjunction: 'or', filterSet: [{ fieldId: count.id, operator: 'isGreater', value: 1 }] },
          ],
        },
      },
    });
    expect(made.status).toBe(201);
    expect((await shop.owner.call(api.deleteField, { params: { tableId: table.id, fieldId: status.id } })).status).toBe(
      200,
    );
    const view = (await shop.owner.call(getView, { params: { tableId: table.id, viewId: made.body.id } })).body;
    expect(JSON.stringify(view)).not.toContain(status.id);
    expect(view).toMatchObject({
      sort: { sortObjs: [{ fieldId: count.id, order: 'asc' }] },
      filter: {
        conjunction: 'and',
        filterSet: [{ conjunction: 'or', filterSet: [{ fieldId: count.id, operator: 'isGreater', value: 1 }] }],
      },
    });
    expect(view.group).toBeUndefined();
    expect((await shop.owner.call(api.deleteField, { params: { tableId: table.id, fieldId: status.id } })).status).toBe(
      404,
    );
  });

  test('that is primary cannot be deleted; several others go at once or not at all', async () => {
    const table = await shop.table();
    const ids = table.fields.map(({ id }) => id);
    expect((await shop.owner.call(api.deleteField, { params: { tableId: table.id, fieldId: ids[0]! } })).status).toBe(
      403,
    );
    expect(
      (await shop.owner.call(api.deleteFields, { params: { tableId: table.id }, query: { fieldIds: ids } })).status,
    ).toBe(403);
    expect(
      (
        await shop.owner.call(api.deleteFields, {
          params: { tableId: table.id },
          query: { fieldIds: [ids[1], 'fldNone'] },
        })
      ).status,
    ).toBe(404);
    expect((await shop.owner.call(api.listFields, { params: { tableId: table.id } })).body).toHaveLength(3);
    expect(
      (await shop.owner.call(api.deleteFields, { params: { tableId: table.id }, query: { fieldIds: ids.slice(1) } }))
        .status,
    ).toBe(200);
    expect((await shop.owner.call(api.listFields, { params: { tableId: table.id } })).body.map(({ id }) => id)).toEqual(
      [ids[0]],
    );
  });

  test('is duplicated with its cells, beside the original', async () => {
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'A', unique: true },
        { type: 'number', name: 'B' },
      ],
      records: [{ fields: { A: 'x', B: 1 } }, { fields: { A: 'y' } }],
    });
    const viewId = table.views[0]!.id;
    const copy = await shop.owner.call(api.duplicateField, {
      params: { tableId: table.id, fieldId: table.fields[0]!.id },
      body: { name: 'A', viewId },
    });
    expect(copy.status).toBe(201);
    expect(copy.body).toMatchObject({ name: 'A 2', type: 'singleLineText' });
    expect([copy.body.unique, copy.body.isPrimary]).toEqual([undefined, undefined]);
    expect(await records(table.id)).toEqual([
      { A: 'x', B: 1, 'A 2': 'x' },
      { A: 'y', 'A 2': 'y' },
    ]);
    const ordered = await shop.owner.call(api.listFields, { params: { tableId: table.id }, query: { viewId } });
    expect(ordered.body.map(({ name }) => name)).toEqual(['A', 'A 2', 'B']);
  });

  test('is listed in the order of a view, without what the view hides', async () => {
    const table = await shop.table();
    const viewId = table.views[0]!.id;
    const [name, count, status] = table.fields.map(({ id }) => id) as [string, string, string];
    await shop.owner.call(setViewColumns, {
      params: { tableId: table.id, viewId },
      body: [
        { fieldId: status, columnMeta: { order: 0.5 } },
        { fieldId: count, columnMeta: { hidden: true } },
      ],
    });
    const ids = async (query: Record<string, unknown>) =>
      (await shop.owner.call(api.listFields, { params: { tableId: table.id }, query })).body.map(({ id }) => id);
    expect(await ids({ viewId })).toEqual([name, status, count]);
    expect(await ids({ viewId, filterHidden: true })).toEqual([name, status]);
    expect(await ids({ projection: [count] })).toEqual([count]);
    expect(
      (await shop.owner.call(api.listFields, { params: { tableId: table.id }, query: { viewId: 'viwNone' } })).status,
    ).toBe(404);
  });

  test('tells beforehand how many cells a conversion will rewrite', async () => {
    const table = await shop.table({ records: [{ fields: { Name: '1' } }, { fields: {} }] });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    expect((await shop.owner.call(planned.planFieldConvert, { params, body: { type: 'number' } })).body).toMatchObject({
      updateCellCount: 2,
      filledCellCount: 1,
    });
    expect(
      (await shop.owner.call(planned.planFieldConvert, { params, body: { type: 'singleLineText' } })).body,
    ).toMatchObject({ updateCellCount: 0, skip: true });
    const alone = {
      nodes: [{ id: params.fieldId, label: 'Name', comboId: table.id, fieldType: 'singleLineText', isSelected: true }],
      edges: [],
      combos: [{ id: table.id, label: table.name }],
    };
    expect((await shop.owner.call(planned.planField, { params })).body).toMatchObject({
      updateCellCount: 2,
      graph: alone,
    });
    const created = await shop.owner.call(planned.planFieldCreate, { params, body: { type: 'number', name: 'New' } });
    expect([created.status, created.body.updateCellCount, created.body.graph.nodes.map(({ label }) => label)]).toEqual([
      201,
      0,
      ['New'],
    ]);
    expect((await shop.owner.call(planned.planFieldDelete, { params })).body).toMatchObject({
      updateCellCount: 2,
      linkFieldCount: 0,
      graph: alone,
    });
    expect((await shop.owner.call(planned.planFieldDelete, { params: { ...params, fieldId: 'fldNone' } })).status).toBe(
      404,
    );
  });
});

describe('constraints', () => {
  test('keeps a choice that somebody else has added since, if the change says what it was made from', async () => {
    const { id: tableId } = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'name' },
        { type: 'singleSelect', name: 'state', options: { choices: [{ name: 'open' }] } },
      ],
    });
    const field = (await shop.owner.call(api.listFields, { params: { tableId }, query: {} })).body[1]!;
    const params = { tableId, fieldId: field.id };
    const before = { type: field.type, options: field.options };
    const withChoice = (options: Record<string, unknown>, name: string) => ({
      type: 'singleSelect' as const,
      options: { ...options, choices: [...(options.choices as object[]), { name }] },
    });
    await shop.owner.call(createRecords, {
      params: { tableId },
      body: { typecast: true, records: [{ fields: { state: 'late' } }] },
    });
    const refused = await shop.owner.call(api.convertField, {
      params,
      body: { ...withChoice(field.options, 'mine'), before },
    });
    expect(refused.status).toBe(409);
    const { present } = refused.error.data as { present: { type: string; options: Record<string, unknown> } };
    expect((present.options.choices as { name: string }[]).map(({ name }) => name)).toEqual(['open', 'late']);
    expect((await records(tableId)).at(-1)).toEqual({ state: 'late' });
    const done = await shop.owner.call(api.convertField, {
      params,
      body: { ...withChoice(present.options, 'mine'), before: present as typeof before },
    });
    expect((done.body.options.choices as { name: string }[]).map(({ name }) => name)).toEqual(['open', 'late', 'mine']);
  });

  test('unique is refused while cells are equal, and says how many', async () => {
    const table = await shop.table({
      records: [{ fields: { Name: 'a' } }, { fields: { Name: 'a' } }, { fields: {} }, { fields: {} }],
    });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    const refused = await shop.owner.call(api.convertField, { params, body: { type: 'singleLineText', unique: true } });
    expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('2 record(s)')]);
    await shop.owner.call(updateRecords, {
      params,
      body: { records: [{ id: table.records[0]!.id, fields: { Name: 'b' } }] },
    });
    expect(
      (await shop.owner.call(api.convertField, { params, body: { type: 'singleLineText', unique: true } })).body.unique,
    ).toBe(true);
    const again = await shop.owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'a' } }] } });
    expect([again.status, again.error.code]).toEqual([400, 'validation_error']);
    const long = 'z'.repeat(90_000);
    expect(
      (
        await shop.owner.call(createRecords, {
          params,
          body: { records: [{ fields: { Name: `${long}1` } }, { fields: { Name: `${long}2` } }] },
        })
      ).status,
    ).toBe(201);
    expect(
      (await shop.owner.call(createRecords, { params, body: { records: [{ fields: { Name: `${long}1` } }] } })).status,
    ).toBe(400);
    expect(
      (await shop.owner.call(api.convertField, { params, body: { type: 'singleLineText', unique: false } })).body
        .unique,
    ).toBeUndefined();
    expect(
      (await shop.owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'a' } }] } })).status,
    ).toBe(201);
  });

  test('notNull is refused while cells are empty, and holds afterwards', async () => {
    const table = await shop.table({ records: [{ fields: { Name: 'a' } }, { fields: {} }, { fields: {} }] });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    const refused = await shop.owner.call(api.convertField, {
      params,
      body: { type: 'singleLineText', notNull: true },
    });
    expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('2 record(s)')]);
    await shop.owner.call(updateRecords, {
      params,
      body: { records: table.records.slice(1).map(({ id }) => ({ id, fields: { Name: id } })) },
    });
    expect(
      (await shop.owner.call(api.convertField, { params, body: { type: 'singleLineText', notNull: true } })).body
        .notNull,
    ).toBe(true);
    expect((await shop.owner.call(createRecords, { params, body: { records: [{ fields: {} }] } })).status).toBe(400);
    const toNumber = await shop.owner.call(api.convertField, { params, body: { type: 'number' } });
    expect(toNumber.status).toBe(400);
    expect((await records(table.id)).map(({ Name }) => Name)).toEqual([
      'a',
      table.records[1]!.id,
      table.records[2]!.id,
    ]);
  });

  test('unique holds for numbers and dates, and follows a conversion that allows it', async () => {
    const table = await shop.table({
      fields: [
        { type: 'number', name: 'N', unique: true },
        { type: 'date', name: 'D', unique: true },
      ],
      records: [{ fields: { N: 1, D: '2024-01-01T00:00:00.000Z' } }],
    });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    expect((await shop.owner.call(createRecords, { params, body: { records: [{ fields: { N: 1 } }] } })).status).toBe(
      400,
    );
    expect(
      (
        await shop.owner.call(createRecords, {
          params,
          body: { records: [{ fields: { D: '2024-01-01T00:00:00.000Z' } }] },
        })
      ).status,
    ).toBe(400);
    expect((await shop.owner.call(api.convertField, { params, body: { type: 'singleLineText' } })).body.unique).toBe(
      true,
    );
    expect(
      (await shop.owner.call(api.convertField, { params, body: { type: 'singleSelect' } })).body.unique,
    ).toBeUndefined();
  });
});
