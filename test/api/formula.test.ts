// Formula fields: computed by the statement that writes the record, read like any other field.
import * as api from '@rowhouse/contract/field.ts';
import * as planned from '@rowhouse/contract/field-plan.ts';
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { listBaseJobs } from '@rowhouse/contract/job.ts';
import {
  createRecords,
  deleteRecords,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { createTable, duplicateTable, getTable } from '@rowhouse/contract/table.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { expression } from '../../proof/formula/expressions.ts';
import { randomFrom } from '../../proof/random.ts';
import { openSession } from '../../server/db/session.ts';
import { type Sql, sql } from '../../server/db/sql.ts';
import { cases } from '../support/cases.ts';
import { listen } from '../support/listen.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

interface Ground {
  tableId: string;
  fieldIds: Record<string, string>;
  recordIds: string[];
}

/** A table with Name, Price, Count, Day, Tags, Done, and some records. */
const ground = async (
  records: Record<string, unknown>[] = [{ Name: 'Bolt', Price: 2, Count: 5 }, { Name: 'Nut', Price: 3 }, {}],
): Promise<Ground> => {
  const made = await shop.owner.call(createTable, {
    params: { baseId: shop.baseId },
    body: {
      name: 'Goods',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Price' },
        { type: 'number', name: 'Count' },
        { type: 'date', name: 'Day' },
        { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'red' }, { name: 'blue' }] } },
        { type: 'checkbox', name: 'Done' },
      ],
      records: records.map((fields) => ({ fields })),
    },
  });
  expect(made.status).toBe(201);
  return {
    tableId: made.body.id,
    fieldIds: Object.fromEntries(made.body.fields.map(({ name, id }) => [name, id])),
    recordIds: made.body.records.map(({ id }) => id),
  };
};

const addFormula = async (
  { tableId }: Ground,
  name: string,
  expression: string,
  options: object = {},
): Promise<api.Field> => {
  const made = await shop.owner.call(api.createField, {
    params: { tableId },
    body: { type: 'formula', name, options: { expression, ...options } },
  });
  expect(made.body).toMatchObject({ name });
  expect(made.status).toBe(201);
  return made.body;
};

const cells = async ({ tableId }: Ground, name: string, query: object = {}): Promise<unknown[]> => {
  const listed = await shop.owner.call(listRecords, { params: { tableId }, query });
  expect(listed.status).toBe(200);
  return listed.body.records.map(({ fields }) => fields[name] ?? null);
};

const undo = async (tableId: string, { headers }: { headers: Headers }): Promise<void> => {
  const undone = await shop.owner.call(restoreHistory, {
    params: { tableId },
    body: { operationId: headers.get('x-operation-id') as string },
  });
  expect([undone.status, undone.error.message]).toEqual([200, undefined]);
};

const fieldOf = async ({ tableId }: Ground, fieldId: string): Promise<api.Field> =>
  (await shop.owner.call(api.getField, { params: { tableId, fieldId } })).body;

describe('a formula field', () => {
  test('is kept with ids, says what it gives, and is filled for the records there are', async () => {
    const goods = await ground();
    const { Price, Count } = goods.fieldIds;
    const total = await addFormula(goods, 'Total', '{Price} * {Count} + 1');
    expect(total).toEqual({
      id: expect.stringMatching(/^fld\w{16}$/),
      name: 'Total',
      type: 'formula',
      isComputed: true,
      cellValueType: 'number',
      dbFieldType: 'REAL',
      dbFieldName: 'Total',
      options: {
        expression: `{${Price}} * {${Count}} + 1`,
        timeZone: 'UTC',
        formatting: { type: 'decimal', precision: 2 },
      },
    });
    expect(await fieldOf(goods, total.id)).toEqual(total);
    expect(await cells(goods, 'Total')).toEqual([11, 1, 1]);
    expect(await cells(goods, 'Total', { cellFormat: 'text' })).toEqual(['11.00', '1.00', '1.00']);
    const unnamed = await shop.owner.call(api.createField, {
      params: { tableId: goods.tableId },
      body: { type: 'formula', options: { expression: '1 > 2' } },
    });
    expect(unnamed.body).toMatchObject({ name: 'Calculation', cellValueType: 'boolean', dbFieldType: 'BOOLEAN' });
    expect(await cells(goods, 'Calculation')).toEqual([false, false, false]);
    const names: string[] = [];
    for (const body of [
      { type: 'formula', options: { expression: '1' } },
      { type: 'autoNumber' },
      { type: 'createdTime' },
      { type: 'lastModifiedTime' },
      { type: 'createdBy' },
      { type: 'lastModifiedBy' },
      { type: 'lastModifiedBy' },
    ] as api.NewField[]) {
      names.push((await shop.owner.call(api.createField, { params: { tableId: goods.tableId }, body })).body.name);
    }
    expect(names).toEqual([
      'Calculation 2',
      'ID',
      'Created Time',
      'Last Modified Time',
      'Created by',
      'Last modified by',
      'Last modified by 2',
    ]);
  });

  test('is computed by every write of a record, with formulas over formulas', async () => {
    const goods = await ground();
    const { tableId } = goods;
    await addFormula(goods, 'Total', '{Price} * {Count}');
    await addFormula(goods, 'Label', '{Name} & ": " & {Total}');
    await addFormula(goods, 'Twice', '{Total} + {Total}');
    const made = await shop.owner.call(createRecords, {
      params: { tableId },
      body: {
        typecast: true,
        records: [{ fields: { Name: 'Screw', Price: '4', Count: 2, Total: 99 } }, { fields: { Count: 3 } }],
      },
    });
    expect(made.body.records.map(({ fields }) => fields)).toEqual([
      { Name: 'Screw', Price: 4, Count: 2, Total: 8, Label: 'Screw: 8', Twice: 16 },
      { Count: 3, Total: 0, Label: ': 0', Twice: 0 },
    ]);
    const [first, second] = made.body.records.map(({ id }) => id) as [string, string];
    const changed = await shop.owner.call(updateRecords, {
      params: { tableId },
      body: {
        records: [
          { id: first, fields: { Count: 5 } },
          { id: second, fields: { Price: 7 } },
        ],
      },
    });
    expect((changed.body as unknown as { fields: object }[]).map(({ fields }) => fields)).toMatchObject([
      { Total: 20, Label: 'Screw: 20', Twice: 40 },
      { Total: 21, Label: ': 21', Twice: 42 },
    ]);
    await shop.owner.call(updateRecord, {
      params: { tableId, recordId: first },
      body: { record: { fields: { Name: null } } },
    });
    expect((await shop.owner.call(getRecord, { params: { tableId, recordId: first } })).body.fields).toEqual({
      Price: 4,
      Count: 5,
      Total: 20,
      Label: ': 20',
      Twice: 40,
    });
    const copy = await shop.owner.call(duplicateRecord, { params: { tableId, recordId: first } });
    expect(JSON.stringify(copy.body)).toContain('":": 20"');
  });

  test('keeps its cells when it becomes a field that people write', async () => {
    const goods = await ground();
    let made = 0;
    const became = async (expression: string, type: string, more: object = {}): Promise<unknown[]> => {
      made += 1;
      const { id } = await addFormula(goods, `Made ${made}`, expression);
      const converted = await shop.owner.call(api.convertField, {
        params: { ...goods, fieldId: id },
        body: { type, ...more } as never,
      });
      expect([converted.status, converted.error.message]).toEqual([200, undefined]);
      const held = await cells(goods, `Made ${made}`);
      // And back.
      expect(
        (
          await shop.owner.call(api.convertField, {
            params: { ...goods, fieldId: id },
            body: { type: 'formula', options: { expression } } as never,
          })
        ).status,
      ).toBe(200);
      return held;
    };
    expect(await became('{Price} > 2', 'checkbox')).toEqual([null, true, null]);
    expect(await became('{Price} > 2', 'singleLineText')).toEqual(['false', 'true', 'false']);
    expect(await became('{Price} > 2', 'number')).toEqual([null, 1, null]);
    expect(await became('{Price} * 1.5', 'number')).toEqual([3, 4.5, 0]);
    expect(await became('{Price} * 1.5', 'checkbox')).toEqual([true, true, null]);
    expect(await became('{Name} & "!"', 'singleSelect')).toEqual(['Bolt!', 'Nut!', '!']);
    expect(await became('DATE_ADD("2024-02-28", {Price}, "day")', 'date')).toEqual([
      '2024-03-01T00:00:00.000Z',
      '2024-03-02T00:00:00.000Z',
      '2024-02-28T00:00:00.000Z',
    ]);
    expect(await became('ARRAY_COMPACT({Name}, {Price})', 'multipleSelect')).toEqual([
      ['Bolt', '2'],
      ['Nut', '3'],
      null,
    ]);
    expect(await became('ARRAY_COMPACT({Name})', 'longText')).toEqual(['Bolt', 'Nut', null]);
    expect(await became('NOW() > "2020-01-01"', 'checkbox')).toEqual([true, true, true]);
  });

  // As many as are computed with the write, and one more.
  test.each(cases([3, 13, 14], [3, 14]))(
    'is computed over %i others, each over those before, whatever is done with the record',
    async (length) => {
      const goods = await ground([]);
      for (let at = 0; at < length; at += 1)
        await addFormula(goods, `F${at}`, at === 0 ? '{Price} * 2' : `{F${at - 1}} + {F${Math.max(0, at - 2)}} / 4`);
      const expected = (price: number): number[] => {
        const values = [price * 2];
        for (let at = 1; at < length; at += 1)
          values.push((values[at - 1] as number) + (values[Math.max(0, at - 2)] as number) / 4);
        return values;
      };
      const made = await shop.owner.call(createRecords, {
        params: goods,
        body: { records: [{ fields: { Price: 8 } }, { fields: {} }] },
      });
      expect(made.body.records.map(({ fields }) => Array.from({ length }, (_, at) => fields[`F${at}`]))).toEqual([
        expected(8),
        expected(0),
      ]);
      expect(await cells(goods, `F${length - 1}`)).toEqual([expected(8).at(-1), 0]);
      const recordId = made.body.records[0]?.id as string;
      const changed = await shop.owner.call(updateRecord, {
        params: { ...goods, recordId },
        body: { record: { fields: { Price: 24 } } },
      });
      expect([changed.error.message, changed.body.fields?.[`F${length - 1}`]]).toEqual([
        undefined,
        expected(24).at(-1),
      ]);
      const preview = await shop.owner.call(planned.planFieldCreate, {
        params: goods,
        body: { type: 'formula', options: { expression: `{F${length - 1}} * 2` } },
        query: { recordId },
      });
      expect(preview.error.message).toBeUndefined();
      // By their expressions, too.
      for (let at = 0; at < length; at += 1)
        await addFormula(
          goods,
          `Live${at}`,
          at === 0 ? 'IF(NOW() > "2020-01-01", {F0}, 0)' : `{Live${at - 1}} + {Live${Math.max(0, at - 2)}} / 4`,
        );
      expect(await cells(goods, `Live${length - 1}`)).toEqual([expected(24).at(-1), 0]);
      // Filled again when what they need has other cells.
      for (const type of ['singleLineText', 'number'])
        expect(
          (
            await shop.owner.call(api.convertField, {
              params: { ...goods, fieldId: goods.fieldIds.Price as string },
              body: { type } as never,
            })
          ).status,
        ).toBe(200);
      expect(await cells(goods, `F${length - 1}`)).toEqual([expected(24).at(-1), 0]);
      const gone = await shop.owner.call(deleteRecords, { params: goods, query: { recordIds: [recordId] } });
      expect(gone.status).toBe(200);
      await undo(goods.tableId, gone);
      const copy = await shop.owner.call(duplicateTable, {
        params: { baseId: shop.baseId, tableId: goods.tableId },
        body: { name: 'Copy', includeRecords: true },
      });
      expect(await cells({ ...goods, tableId: copy.body.id }, `F${length - 1}`)).toEqual(
        expect.arrayContaining([expected(24).at(-1), 0]),
      );
    },
  );

  test('comes back from a create as it is read: empty cells, parts of a second, texts with every character', async () => {
    const goods = await ground([]);
    await addFormula(goods, 'Later', 'DATE_ADD({Day}, 1, "day")');
    await addFormula(
      goods,
      'Part',
      'IF({Price} > 2, DATE_ADD({Day}, {Price}, "millisecond"), IF({Price} > 1, {Day}, BLANK()))',
    );
    await addFormula(goods, 'Share', '{Price} / {Count}');
    await addFormula(goods, 'Said', 'IF({Price} > 0, {Name} & "", BLANK())');
    await addFormula(goods, 'Large', '{Price} > 2');
    await addFormula(goods, 'List', 'ARRAY_COMPACT({Name}, {Price})');
    await addFormula(goods, 'Now', 'NOW() > {Day}');
    const rows = [
      { Name: 'a,b "c"\\ NULL', Price: 3, Count: 4, Day: '2024-02-28T23:59:59.999Z' },
      {},
      { Name: 'NULL', Price: 1.5, Count: 3e-9, Day: '2024-02-28T00:00:00.500Z' },
      { Name: 'null', Price: 2, Count: 0, Day: '0999-12-31T00:00:00.000Z' },
      { Name: '{}', Price: 1e200, Count: 1e-200 },
      { Name: 'line\nline\t\u0001\u001f \u2028 \u{1f600}', Price: 7 },
    ];
    for (const records of [
      rows,
      rows.map((row) => ({ ...row, Day: undefined })),
      rows.map((row) => ({ ...row, Day: '2024-01-01T10:20:30.000Z' })),
    ]) {
      const made = await shop.owner.call(createRecords, {
        params: goods,
        body: { records: records.map((fields) => ({ fields })) },
      });
      expect(made.status).toBe(201);
      const listed = await shop.owner.call(listRecords, { params: goods, query: { take: 1_000 } });
      for (const { id, fields } of made.body.records)
        expect(fields).toEqual(listed.body.records.find((record) => record.id === id)?.fields);
    }
    const [first] = (await shop.owner.call(listRecords, { params: goods, query: {} })).body.records;
    expect(first?.fields).toMatchObject({
      Later: '2024-02-29T23:59:59.999Z',
      Part: '2024-02-29T00:00:00.002Z',
      Share: 0.75,
      Said: 'a,b "c"\\ NULL',
      Large: true,
      List: ['a,b "c"\\ NULL', '3'],
      Now: true,
    });
  });

  test('is the same from a create and an update, however many formulas stand on each other', async () => {
    const goods = await ground([]);
    const steps = 52;
    // Each twice in the next one, so that none is calculated in place of its name.
    for (let step = 1; step <= steps; step += 1)
      await addFormula(
        goods,
        `Step ${step}`,
        step === 1 ? '{Price} + 1' : `IF({Step ${step - 1}} > 0, {Step ${step - 1}} + 1, BLANK())`,
      );
    const made = await shop.owner.call(createRecords, {
      params: goods,
      body: { records: [{ fields: { Price: 0 } }, { fields: { Price: -5 } }] },
    });
    expect(made.body.records.map(({ fields }) => fields[`Step ${steps}`])).toEqual([steps, undefined]);
    const changed = await shop.owner.call(updateRecord, {
      params: { ...goods, recordId: made.body.records[1]?.id as string },
      body: { record: { fields: { Price: 10 } } },
    });
    expect(changed.body.fields[`Step ${steps}`]).toBe(10 + steps);
  });

  test('comes back from a create of many records, each with its own cells', async () => {
    const goods = await ground([]);
    await addFormula(goods, 'Half', 'IF({Price} > 0, {Price} / 2, BLANK())');
    await addFormula(goods, 'Said', 'IF({Count} > 0, {Name} & "!", BLANK())');
    await addFormula(goods, 'Later', 'DATE_ADD({Day}, 1, "day")');
    await addFormula(goods, 'Large', 'IF({Price} > 400, {Name}, BLANK())');
    const records = Array.from({ length: 700 }, (_, at) => ({
      fields: {
        ...(at % 7 === 0 ? {} : { Name: `${at} \u00e9 \u{1f600} "` }),
        ...(at % 2 === 0 ? { Price: at } : {}),
        ...(at % 3 === 0 ? { Count: 1 } : {}),
        ...(at % 5 === 0 ? { Day: '2024-01-01T10:20:30.000Z' } : {}),
      },
    }));
    const made = await shop.owner.call(createRecords, { params: goods, body: { records } });
    expect(made.status).toBe(201);
    const listed = await shop.owner.call(listRecords, { params: goods, query: { take: 1_000 } });
    for (const [at, record] of listed.body.records.entries()) expect(made.body.records[at]).toMatchObject(record);
    for (const [at, { fields }] of listed.body.records.entries()) expect(made.body.records[at]?.fields).toEqual(fields);
    for (const [at, { fields }] of made.body.records.entries())
      expect(fields).toMatchObject(records[at]?.fields as object);
    expect(made.body.records[492]?.fields).toMatchObject({
      Half: 246,
      Said: '492 \u00e9 \u{1f600} "!',
      Large: '492 \u00e9 \u{1f600} "',
    });
    expect(made.body.records[7]?.fields).toEqual({});
  });

  test('over calculations of a few cells is the same from a create, an update and its expression, however large or small they are', async () => {
    const goods = await ground([]);
    const inner = cases(
      [
        '{Price} * {Count}',
        '{Price} / {Count}',
        '{Price} - {Count}',
        '-{Price}',
        '{Price} / 3 * {Count}',
        '{Price} * {Price}',
      ],
      ['{Price} * {Count}', '{Price} / {Count}'],
    );
    const outer = [
      'ROUND({X} / 3, 2)',
      '{X} + 1',
      '1 / {X}',
      '{X} * {X} - {Count}',
      '-{X} / {Price}',
      'IF({X} * 2 > 5, "more", "less")',
      'IS_ERROR({X} / 0)',
      'ROUND({X} + 0.005, 2)',
    ];
    for (const [at, expression] of inner.entries()) {
      await addFormula(goods, `X${at}`, expression);
      for (const [place, over] of outer.entries())
        await addFormula(goods, `Y${at}-${place}`, over.replaceAll('{X}', `{X${at}}`));
    }
    const sizes = [undefined, 0, 1, -0.3, 2.675, 1e5, -1e12, 3e99, 1e101, 1e155, -1e308, 1e-100, 5e-324, -1e-200];
    const rows = sizes.flatMap((Price) => sizes.map((Count) => ({ Price, Count })));
    const fieldsOf = async (): Promise<object[]> =>
      (await shop.owner.call(listRecords, { params: goods, query: { take: 1_000 } })).body.records.map(
        ({ fields }) => fields,
      );
    const made = await shop.owner.call(createRecords, {
      params: goods,
      body: { records: rows.map((fields) => ({ fields })) },
    });
    expect(made.status).toBe(201);
    const created = made.body.records.map(({ fields }) => fields);
    expect(await fieldsOf()).toEqual(created);
    expect(created.find(({ Price, Count }) => Price === 1e155 && Count === 1e155)).toMatchObject({
      'Y0-1': 1,
      'Y0-0': 0,
    });
    // By updates: to other cells and back.
    for (const change of [
      () => ({ Price: 17, Count: 4 }),
      (at: number) => ({ Price: rows[at]?.Price ?? null, Count: rows[at]?.Count ?? null }),
    ]) {
      const changed = await shop.owner.call(updateRecords, {
        params: goods,
        body: { records: made.body.records.map(({ id }, at) => ({ id, fields: change(at) })) },
      });
      expect(changed.status).toBe(200);
    }
    expect(await fieldsOf()).toEqual(created);
  });

  test('is not written, not unique and not required', async () => {
    const goods = await ground();
    await addFormula(goods, 'Total', '{Price} * 2');
    const written = await shop.owner.call(createRecords, {
      params: { tableId: goods.tableId },
      body: { records: [{ fields: { Total: 1 } }] },
    });
    expect(written.status).toBe(400);
    expect(written.body).toMatchObject({
      message: expect.stringContaining('"Total" is computed and cannot be written'),
    });
    for (const rule of [{ unique: true }, { notNull: true }]) {
      expect(
        (
          await shop.owner.call(api.createField, {
            params: { tableId: goods.tableId },
            body: { type: 'formula', options: { expression: '1' }, ...rule },
          })
        ).status,
      ).toBe(400);
    }
  });

  test('with a mistake is refused with its place, what was expected, and the nearest name', async () => {
    const { tableId } = await ground();
    const refused = async (expression: string): Promise<unknown> => {
      const answer = await shop.owner.call(api.createField, {
        params: { tableId },
        body: { type: 'formula', options: { expression } },
      });
      expect(answer.status).toBe(400);
      return (answer.body as unknown as { data: { issues: unknown[] } }).data.issues[0];
    };
    expect(await refused('1 + {Prise}')).toMatchObject({
      path: 'options.expression',
      start: 4,
      end: 11,
      nearest: '{Price}',
      message: expect.stringContaining('There is no field {Prise}'),
    });
    expect(await refused('SOM(1)')).toMatchObject({
      start: 0,
      end: 3,
      nearest: 'SUM',
      expected: 'the name of a function',
    });
    expect(await refused('(1 + 2')).toMatchObject({ expected: '")"' });
    expect(await refused('ROUND()')).toMatchObject({ expected: 'ROUND(number, [places])' });
    expect((await shop.owner.call(api.createField, { params: { tableId }, body: { type: 'formula' } })).status).toBe(
      400,
    );
  });

  test('is tried before it is saved: what it gives, for one record, and what it costs', async () => {
    const goods = await ground();
    const { tableId, recordIds } = goods;
    const first = await addFormula(goods, 'First', '{Price} + 1');
    const plan = (expression: string, recordId?: string) =>
      shop.owner.call(planned.planFieldCreate, {
        params: { tableId },
        query: recordId === undefined ? {} : { recordId },
        body: { type: 'formula', options: { expression } },
      });
    expect((await plan('{First} * 2')).body).toMatchObject({
      updateCellCount: 3,
      preview: { cellValueType: 'number', isMultipleCellValue: false, text: '6.00' },
    });
    expect((await plan('{Name} & "!"', recordIds[1])).body.preview).toEqual({
      cellValueType: 'string',
      isMultipleCellValue: false,
      text: 'Nut!',
    });
    expect((await plan('{First')).status).toBe(400);
    const convert = async (fieldId: string, expression: string) =>
      (
        await shop.owner.call(planned.planFieldConvert, {
          params: { tableId, fieldId },
          query: {},
          body: { type: 'formula', options: { expression } },
        })
      ).body;
    expect(await convert(first.id, first.options.expression as string)).toMatchObject({
      skip: true,
      updateCellCount: 0,
      preview: { text: '3.00' },
    });
    expect(await convert(first.id, '{Price} > 2')).toMatchObject({
      updateCellCount: 3,
      preview: { cellValueType: 'boolean', text: 'false' },
    });
    expect(await convert(goods.fieldIds.Count as string, '{Price}')).toMatchObject({
      lostCellCount: 1,
      filledCellCount: 1,
      preview: { text: '2.00' },
    });
    expect(await cells(goods, 'First')).toEqual([3, 4, 1]);
  });

  test('says how many cells a change reaches, and which fields', async () => {
    const goods = await ground();
    const { tableId, fieldIds } = goods;
    const sizes = ({ body }: { body: { updateCellCount: number; graph: planned.FieldGraph; skip?: boolean } }) => [
      body.updateCellCount,
      body.graph.nodes.length,
      body.graph.edges.length,
      body.graph.combos.length,
      body.skip ?? false,
    ];
    const convert = (fieldId: string, body: api.NewField) =>
      shop.owner.call(planned.planFieldConvert, { params: { tableId, fieldId }, query: {}, body });
    const [Name, Price, Count] = [fieldIds.Name as string, fieldIds.Price as string, fieldIds.Count as string];
    const drafted = await shop.owner.call(planned.planFieldCreate, {
      params: { tableId },
      query: {},
      body: { type: 'formula', name: 'New', options: { expression: '{Name}' } },
    });
    expect(sizes(drafted)).toEqual([3, 2, 1, 1, false]);
    const made = drafted.body.graph.nodes.find(({ isSelected }) => isSelected);
    expect(made).toMatchObject({ label: 'New', fieldType: 'formula', comboId: tableId });
    expect(drafted.body.graph).toMatchObject({
      nodes: [{ id: Name, label: 'Name', fieldType: 'singleLineText', isSelected: false }, {}],
      edges: [{ source: Name, target: made?.id, label: 'formula' }],
      combos: [{ id: tableId, label: expect.stringMatching(/^Goods/) }],
    });
    expect(sizes(await convert(Price, { type: 'formula', options: { expression: '{Name}' } }))).toEqual([
      3,
      2,
      1,
      1,
      false,
    ]);

    const total = await addFormula(goods, 'Total', '{Price} * 2');
    expect(sizes(await convert(Price, { type: 'singleLineText' }))).toEqual([6, 2, 1, 1, false]);
    expect(sizes(await convert(Price, { type: 'number', name: 'Cost' }))).toEqual([0, 2, 1, 1, true]);
    expect(sizes(await convert(total.id, { type: 'formula', options: { expression: '{Price} * {Count}' } }))).toEqual([
      3,
      3,
      2,
      1,
      false,
    ]);
    await addFormula(goods, 'Label', '{Total} & {Count}');
    await addFormula(goods, 'Age', 'IF(NOW() > "2020-01-01", {Label}, "")');
    const ofField = (fieldId: string) => shop.owner.call(planned.planField, { params: { tableId, fieldId } });
    expect(sizes(await ofField(total.id))).toEqual([6, 5, 4, 1, false]);
    expect(sizes(await ofField(Count))).toEqual([6, 4, 3, 1, false]);
    expect(sizes(await ofField(fieldIds.Day as string))).toEqual([3, 1, 0, 1, false]);
    const deleted = await shop.owner.call(planned.planFieldDelete, { params: { tableId, fieldId: Price } });
    expect(sizes(deleted)).toEqual([9, 5, 4, 1, false]);
    expect(deleted.body.linkFieldCount).toBe(0);
  });

  test('sees dates, choices, people and the record itself', async () => {
    const goods = await ground([{ Name: 'a', Day: '2024-03-05T23:30:00.000Z', Tags: ['blue', 'red'], Done: true }, {}]);
    await addFormula(goods, 'Month', 'MONTH({Day}) & "/" & DAY({Day})', { timeZone: 'Europe/Berlin' });
    await addFormula(goods, 'Shown', '"on " & {Day}');
    await addFormula(goods, 'Tagged', 'ARRAY_JOIN({Tags}, "+")');
    await addFormula(goods, 'All', '{Tags}');
    await addFormula(goods, 'Due', 'DATE_ADD({Day}, 1, "day")', {
      formatting: { date: 'D.M.YYYY', time: 'HH:mm', timeZone: 'Europe/Berlin' },
    });
    await addFormula(goods, 'Me', 'RECORD_ID()');
    await addFormula(goods, 'Open', 'NOT({Done})');
    const { body } = await shop.owner.call(listRecords, { params: { tableId: goods.tableId } });
    expect(body.records[0]?.fields).toMatchObject({
      Month: '3/6',
      Shown: 'on 2024-03-05',
      Tagged: 'blue+red',
      All: ['blue', 'red'],
      Due: '2024-03-06T23:30:00.000Z',
      Me: goods.recordIds[0],
      Open: false,
    });
    expect(body.records[1]?.fields).toEqual({ Month: '/', Shown: 'on ', Me: goods.recordIds[1], Open: true });
    expect(await cells(goods, 'Due', { cellFormat: 'text' })).toEqual(['7.3.2024 00:30', null]);
  });

  test('that depends on time, on who made the record or on its number is right at every read', async () => {
    const goods = await ground([{ Name: 'a' }, { Name: 'b' }]);
    await addFormula(goods, 'Now', 'NOW()');
    await addFormula(goods, 'Age', 'DATETIME_DIFF({Now}, CREATED_TIME(), "second") < 3600');
    await addFormula(goods, 'Key', '"K" & AUTO_NUMBER() & {Name}');
    await addFormula(goods, 'Long', '{Key} & {Key}');
    const [before] = await cells(goods, 'Now');
    expect(await cells(goods, 'Age')).toEqual([true, true]);
    expect(await cells(goods, 'Long')).toEqual(['K1aK1a', 'K2bK2b']);
    expect((await cells(goods, 'Now'))[0]).not.toBe(before);
    const made = await shop.owner.call(createRecords, {
      params: { tableId: goods.tableId },
      body: { records: [{ fields: { Name: 'c' } }] },
    });
    expect(made.body.records[0]?.fields).toMatchObject({ Key: 'K3c', Age: true, Long: 'K3cK3c' });
    expect(
      await cells(goods, 'Key', {
        orderBy: JSON.stringify([
          {
            fieldId: (
              await shop.owner.call(api.listFields, { params: { tableId: goods.tableId }, query: {} })
            ).body.find(({ name }) => name === 'Key')?.id,
            order: 'desc',
          },
        ]),
      }),
    ).toEqual(['K3c', 'K2b', 'K1a']);
  });
});

describe('other fields', () => {
  test('may be renamed; a deleted one breaks the formulas that need it, and mends them when it is back', async () => {
    const goods = await ground();
    const { tableId, fieldIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const label = await addFormula(goods, 'Label', '"= " & {Total}');
    await shop.owner.call(api.updateField, {
      params: { tableId, fieldId: fieldIds.Price as string },
      body: { name: 'Cost', dbFieldName: 'cost' },
    });
    expect(await fieldOf(goods, total.id)).toEqual(total);
    await shop.owner.call(updateRecord, {
      params: { tableId, recordId: goods.recordIds[0] as string },
      body: { record: { fields: { Cost: 10 } } },
    });
    expect(await cells(goods, 'Total')).toEqual([50, 0, 0]);
    const gone = await shop.owner.call(api.deleteField, { params: { tableId, fieldId: fieldIds.Price as string } });
    expect(gone.status).toBe(200);
    expect(await fieldOf(goods, total.id)).toEqual({ ...total, hasError: true });
    expect(await fieldOf(goods, label.id)).toEqual({ ...label, hasError: true });
    expect(await cells(goods, 'Total')).toEqual([null, null, null]);
    expect(await cells(goods, 'Label')).toEqual([null, null, null]);
    await shop.owner.call(updateRecord, {
      params: { tableId, recordId: goods.recordIds[1] as string },
      body: { record: { fields: { Count: 7 } } },
    });
    const back = await shop.owner.call(api.deleteField, { params: { tableId, fieldId: fieldIds.Day as string } });
    expect(back.status).toBe(200);
    await undo(tableId, gone);
    expect(await fieldOf(goods, total.id)).toEqual(total);
    expect(await cells(goods, 'Total')).toEqual([50, 21, 0]);
    expect(await cells(goods, 'Label')).toEqual(['= 50', '= 21', '= 0']);
  });

  test('may be converted: formulas give what follows of it', async () => {
    const goods = await ground();
    const { tableId, fieldIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} + {Count}');
    await addFormula(goods, 'Next', '{Total} & "!"');
    const converted = await shop.owner.call(api.convertField, {
      params: { tableId, fieldId: fieldIds.Price as string },
      body: { type: 'singleLineText' },
    });
    expect(converted.status).toBe(200);
    expect(await fieldOf(goods, total.id)).toMatchObject({
      cellValueType: 'string',
      dbFieldType: 'TEXT',
      options: { expression: total.options.expression, timeZone: 'UTC' },
    });
    expect(await cells(goods, 'Total')).toEqual(['2.005', '3.00', null]);
    expect(await cells(goods, 'Next')).toEqual(['2.005!', '3.00!', '!']);
    await undo(tableId, converted);
    expect(await fieldOf(goods, total.id)).toEqual(total);
    expect(await cells(goods, 'Next')).toEqual(['7!', '3!', '0!']);
    // A choice that gets another name.
    await addFormula(goods, 'Tagged', 'CONCATENATE({Tags})');
    await shop.owner.call(updateRecord, {
      params: { tableId, recordId: goods.recordIds[0] as string },
      body: { record: { fields: { Tags: ['red'] } } },
    });
    const tags = await fieldOf(goods, fieldIds.Tags as string);
    const choices = (tags.options.choices as { id: string; name: string }[]).map((choice) =>
      choice.name === 'red' ? { ...choice, name: 'green' } : choice,
    );
    await shop.owner.call(api.convertField, {
      params: { tableId, fieldId: tags.id },
      body: { type: 'multipleSelect', options: { choices } },
    });
    expect(await cells(goods, 'Tagged')).toEqual(['green', null, null]);
  });

  test('never need each other in a circle, not even when two requests would make one', async () => {
    const goods = await ground();
    const { tableId } = goods;
    const one = await addFormula(goods, 'One', '1');
    const two = await addFormula(goods, 'Two', '{One} + 1');
    const convert = (field: api.Field, expression: string) =>
      shop.owner.call(api.convertField, {
        params: { tableId, fieldId: field.id },
        body: { type: 'formula', options: { expression } },
      });
    const refused = await convert(one, '{Two}');
    expect(refused.status).toBe(400);
    expect((refused.body as unknown as { message: string }).message).toContain('One → Two → One');
    expect((await convert(one, '{One}')).status).toBe(400);
    await convert(two, '2');
    const both = await Promise.all([convert(one, '{Two}'), convert(two, '{One}')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    // Nor when a change is undone, or a field comes back.
    const [low, high] = [await addFormula(goods, 'Low', '1'), await addFormula(goods, 'High', '{Low} + 1')];
    const cut = await convert(high, '2');
    expect((await convert(low, '{High}')).status).toBe(200);
    const back = () =>
      shop.owner.call(restoreHistory, {
        params: { tableId },
        body: { operationId: cut.headers.get('x-operation-id') as string, force: true },
      });
    const undone = await back();
    expect([undone.status, undone.error.message]).toEqual([409, expect.stringContaining('High → Low → High')]);
    const gone = await shop.owner.call(api.deleteField, { params: { tableId, fieldId: low.id } });
    expect((await back()).status).toBe(200);
    expect(
      (
        await shop.owner.call(restoreHistory, {
          params: { tableId },
          body: { operationId: gone.headers.get('x-operation-id') as string },
        })
      ).error.message,
    ).toContain('Low → High → Low');
  });
});

describe('formulas are read like other fields', () => {
  test('filter, sort, group, search and statistics', async () => {
    const goods = await ground([
      { Name: 'Bolt', Price: 2, Count: 5, Tags: ['red'] },
      { Name: 'Nut', Price: 3, Count: 1, Tags: ['red', 'blue'] },
      { Name: 'Nail', Price: 20, Count: 2 },
    ]);
    const { tableId } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const large = await addFormula(goods, 'Large', '{Total} > 5');
    const label = await addFormula(goods, 'Label', 'UPPER({Name}) & "-" & {Total}');
    const list = await addFormula(goods, 'List', 'ARRAY_UNIQUE({Tags}, {Name})');
    const live = await addFormula(goods, 'Live', 'IF(NOW() > "2020-01-01", {Total}, 0)');
    const found = (fieldId: string, operator: string, value: unknown) =>
      cells(goods, 'Name', {
        filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }),
      });
    expect(await found(total.id, 'isGreater', 9)).toEqual(['Bolt', 'Nail']);
    expect(await found(live.id, 'isGreater', 9)).toEqual(['Bolt', 'Nail']);
    expect(await found(large.id, 'is', true)).toEqual(['Bolt', 'Nail']);
    expect(await found(label.id, 'contains', 'bolt-1')).toEqual(['Bolt']);
    expect(await found(list.id, 'is', 'blue')).toEqual(['Nut']);
    expect(await found(list.id, 'isNot', 'red')).toEqual(['Nail']);
    for (const field of [total, live])
      expect(await cells(goods, 'Name', { orderBy: JSON.stringify([{ fieldId: field.id, order: 'desc' }]) })).toEqual([
        'Nail',
        'Bolt',
        'Nut',
      ]);
    expect(await cells(goods, 'Name', { search: JSON.stringify(['NUT-3', 'Label', true]) })).toEqual(['Nut']);
    const grouped = await shop.owner.call(listRecords, {
      params: { tableId },
      query: { groupBy: JSON.stringify([{ fieldId: large.id, order: 'asc' }]) },
    });
    expect(
      (grouped.body.extra?.groupPoints ?? [])
        .filter((point) => point.type === 0)
        .map((point) => (point as { value: unknown }).value),
    ).toEqual([false, true]);
    const statistics = await shop.owner.call(getAggregation, {
      params: { tableId },
      query: { 'field[sum]': [total.id, live.id], 'field[checked]': [large.id], 'field[unique]': [list.id] },
    });
    expect(
      Object.fromEntries(statistics.body.aggregations.map(({ fieldId, total: answer }) => [fieldId, answer?.value])),
    ).toEqual({ [total.id]: 53, [live.id]: 53, [large.id]: 2, [list.id]: 5 });
  });

  test('their cells are told with those that they follow from', async () => {
    const goods = await ground();
    const { tableId, recordIds, fieldIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const ears = await Promise.all(
      ['?values=true', ''].map((query) =>
        listen(`${world().baseUrl}/table/${tableId}/events${query}`, { token: shop.owner.token }),
      ),
    );
    await Promise.all(ears.map((ear) => ear.until((event) => event.name === 'ready')));
    await shop.owner.call(updateRecord, {
      params: { tableId, recordId: recordIds[0] as string },
      body: { record: { fields: { Price: 4 } } },
    });
    await Promise.all(ears.map((ear) => ear.until((event) => event.name === 'records.updated')));
    expect(ears[0]?.heard.at(-1)?.data).toMatchObject({
      fieldIds: [fieldIds.Price, total.id],
      records: [{ id: recordIds[0], fields: { [fieldIds.Price as string]: 4, [total.id]: 20 } }],
    });
    expect(ears[1]?.heard.at(-1)?.data).toMatchObject({ fieldIds: [fieldIds.Price, total.id] });
    // What follows has no history of its own.
    const history = (await shop.owner.call(listTableHistory, { params: { tableId }, query: {} })).body.historyList;
    expect(history.map(({ after }) => after.meta.name)).toEqual(['Price']);
    for (const ear of ears) ear.close();
  });

  test('as the primary field, whatever it gives', async () => {
    const table = await shop.table({
      fields: [
        { type: 'formula', name: 'Key', options: { expression: '"No. " & {Number}' } },
        {
          id: 'fldAAAAAAAAAAAAAAAA'.replace('AAAA', Date.now().toString(36).slice(-4).toUpperCase()),
          type: 'number',
          name: 'Number',
        },
      ],
      records: [{ fields: { Number: 7 } }],
    });
    expect(table.records[0]).toMatchObject({ name: 'No. 7', fields: { Key: 'No. 7', Number: 7 } });
    const [key, number] = table.fields as [api.Field, api.Field];
    expect(key).toMatchObject({ isPrimary: true, options: { expression: `"No. " & {${number.id}}` } });
    const taken = await shop.owner.call(api.createField, {
      params: { tableId: table.id },
      body: { id: number.id, type: 'number' },
    });
    expect([taken.status, taken.error.data.issues[0].path]).toEqual([400, 'id']);
    await shop.owner.call(api.convertField, {
      params: { tableId: table.id, fieldId: key.id },
      body: {
        type: 'formula',
        options: { expression: '{Number} + 0.5', formatting: { type: 'decimal', precision: 1 } },
      },
    });
    const made = await shop.owner.call(createRecords, {
      params: { tableId: table.id },
      body: { records: [{ fields: { Number: 1 } }] },
    });
    expect(made.body.records[0]).toMatchObject({ name: '1.5', fields: { Key: 1.5 } });
  });

  test('records that come back, and copies of tables, are computed', async () => {
    const goods = await ground();
    const { tableId, recordIds } = goods;
    await addFormula(goods, 'Total', '{Price} * {Count}');
    await addFormula(goods, 'Me', 'RECORD_ID() & {Total}');
    const gone = await shop.owner.call(deleteRecords, {
      params: { tableId },
      query: { recordIds: [recordIds[0] as string] },
    });
    await undo(tableId, gone);
    expect(await cells(goods, 'Me')).toEqual([`${recordIds[0]}10`, `${recordIds[1]}0`, `${recordIds[2]}0`]);
    const changed = await shop.owner.call(updateRecord, {
      params: { tableId, recordId: recordIds[0] as string },
      body: { record: { fields: { Price: 9 } } },
    });
    expect(await cells(goods, 'Total')).toEqual([45, 0, 0]);
    await undo(tableId, changed);
    expect(await cells(goods, 'Total')).toEqual([10, 0, 0]);
    const copy = (
      await shop.owner.call(duplicateTable, {
        params: { baseId: shop.baseId, tableId },
        body: { name: 'Copy', includeRecords: true },
      })
    ).body;
    const listed = (await shop.owner.call(listRecords, { params: { tableId: copy.id } })).body.records;
    expect(listed.map(({ id, fields }) => fields.Me === `${id}${fields.Total as number}`)).toEqual([true, true, true]);
    expect(copy.fields.find(({ name }) => name === 'Total')?.options.expression).toBe(
      `{${copy.fieldMap[goods.fieldIds.Price as string]}} * {${copy.fieldMap[goods.fieldIds.Count as string]}}`,
    );
    const written = await shop.owner.call(updateRecord, {
      params: { tableId: copy.id, recordId: listed[0]?.id as string },
      body: { record: { fields: { Count: 1 } } },
    });
    expect(written.body.fields).toMatchObject({ Total: 2 });
  });
});

describe('in a table with many records', () => {
  test('a formula is right from the first read, and filled in the background while others write', async () => {
    const goods = await ground([]);
    const { tableId } = goods;
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { body } = await shop.owner.call(createRecords, {
        params: { tableId },
        body: { records: Array.from({ length: 1_000 }, (_, n) => ({ fields: { Price: n, Count: 2 } })) },
      });
      made.push(...body.records.map(({ id }) => id));
    }
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const next = await addFormula(goods, 'Next', '{Total} + 1');
    expect([total.isPending, next.isPending]).toEqual([true, true]);
    const found = async () =>
      await cells(goods, 'Next', {
        filter: JSON.stringify({
          conjunction: 'and',
          filterSet: [{ fieldId: total.id, operator: 'isGreater', value: 1_994 }],
        }),
        orderBy: JSON.stringify([{ fieldId: next.id, order: 'desc' }]),
      });
    const right = [1_999, 1_999, 1_999, 1_997, 1_997, 1_997];
    expect(await found()).toEqual(right);
    const changed = await shop.owner.call(updateRecord, {
      params: { tableId, recordId: made[0] as string },
      body: { record: { fields: { Price: 5_000 } } },
    });
    expect(changed.body.fields).toMatchObject({ Total: 10_000, Next: 10_001 });
    const last = await addFormula(goods, 'Last', '{Next} & "!"');
    await jobsDone(world().db);
    for (const { id } of [total, next, last]) expect(await fieldOf(goods, id)).not.toHaveProperty('isPending');
    expect(await found()).toEqual([10_001, ...right]);
    const stored = await world().db.query<{ wrong: number }>(
      sql`select count(*)::int as wrong from ${sql.id(...(await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId } })).body.dbTableName.split('.'))} where "Total" is distinct from "Price" * "Count" or "Next" is distinct from "Total" + 1 or "Last" is distinct from "Next" || '!'`,
    );
    expect(stored[0]?.wrong).toBe(0);
  });
});

describe('a formula that is being filled', () => {
  const count = 5_000;
  const idOf = (at: number): string => `rec${String(at).padStart(16, '0')}`;
  const large = async (): Promise<Ground & { name: Sql }> => {
    const goods = await ground([]);
    const { dbTableName } = (
      await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId: goods.tableId } })
    ).body;
    const name = sql.id(...(dbTableName.split('.') as [string, string]));
    await world().db.query(
      sql`insert into ${name} (__id, __created_by, "Price") select 'rec' || lpad(n::text, 16, '0'), ${shop.owner.userId}, n from generate_series(1, ${count}) n`,
    );
    return { ...goods, name };
  };
  const filledIn = async (name: Sql): Promise<number> =>
    (await world().db.query<{ count: number }>(sql`select count("Twice")::int as count from ${name}`))[0]?.count ?? 0;
  const jobOf = ({ tableId }: Ground) =>
    world().db.query<{ done: number; total: number; attempt: number }>(
      sql`select done, total, attempt from rowhouse.jobs where kind = 'fill-formulas' and payload ->> 'tableId' = ${tableId}`,
    );

  /** What a process leaves that dies in the midst of it, when its job is gone too. */
  const unfilled = async (goods: Ground & { name: Sql }, filled: number): Promise<api.Field> => {
    const twice = await addFormula(goods, 'Twice', '{Price} * 2');
    expect(twice.isPending).toBe(true);
    await vi.waitFor(async () => expect(await fieldOf(goods, twice.id)).not.toHaveProperty('isPending'), {
      timeout: 50_000,
      interval: 20,
    });
    await world().db.query(
      sql`update rowhouse.fields set computed = computed || ${JSON.stringify({ state: 'settling', run: `job${twice.id}` })}::jsonb where id = ${twice.id}`,
    );
    await world().db.query(sql`update ${goods.name} set "Twice" = null where __id > ${idOf(filled)}`);
    await world().db.query(
      sql`update ${sql.id(shop.baseId, '__table')} set version = version + 1 where id = ${goods.tableId}`,
    );
    return twice;
  };

  test('keeps what it has filled chunk by chunk; others write meanwhile, and another process goes on with it', async () => {
    const goods = await large();
    const { tableId, name } = goods;
    const twice = await unfilled(goods, 0);
    const session = await openSession(world().databaseUrl);
    await session.query(sql`begin`);
    await session.query(sql`select 1 from ${name} where __id = ${idOf(2_500)} for no key update`);
    world().services.work.hurry('find-unfilled-formulas');
    // A chunk waits for a record that somebody holds. Those before it are there for all to see.
    await vi.waitFor(async () => expect((await jobOf(goods))[0]?.done).toBeGreaterThanOrEqual(2_000), {
      timeout: 50_000,
      interval: 20,
    });
    const filled = await filledIn(name);
    expect([filled >= 2_000, filled < 2_500]).toEqual([true, true]);
    expect((await shop.owner.call(listBaseJobs, { params: { baseId: shop.baseId } })).body.jobs).toContainEqual(
      expect.objectContaining({ kind: 'fill-formulas', progress: { done: expect.any(Number), total: count } }),
    );
    await vi.waitFor(async () => expect(await countWaiting(world().db, '%order by __id limit%')).toBe(1), {
      timeout: 50_000,
      interval: 20,
    });
    // Records of the chunk that is done, and of those to come, are free.
    for (const at of [1, 2_000, 2_501, 4_500]) {
      const written = await shop.owner.call(updateRecord, {
        params: { tableId, recordId: idOf(at) },
        body: { record: { fields: { Price: at + 0.5 } } },
      });
      expect([written.status, written.body.fields.Twice]).toEqual([200, 2 * at + 1]);
    }
    expect(
      await cells(goods, 'Twice', { orderBy: JSON.stringify([{ fieldId: twice.id, order: 'desc' }]), take: 2 }),
    ).toEqual([10_000, 9_998]);
    // As if its process had died: what it was about to do does not count, and the next one goes on where the last chunk ended.
    await world().db.query(
      sql`update rowhouse.jobs set token = token + 1, worker = 'gone', due_time = now() where kind = 'fill-formulas' and payload ->> 'tableId' = ${tableId}`,
    );
    await session.query(sql`rollback`);
    await session.client.end();
    await vi.waitFor(async () => expect(await fieldOf(goods, twice.id)).not.toHaveProperty('isPending'), {
      timeout: 50_000,
      interval: 50,
    });
    expect(await world().db.query(sql`select 1 from ${name} where "Twice" is distinct from "Price" * 2`)).toEqual([]);
  });

  test('is found by the job that looks for them, when nobody is at it any more', async () => {
    const goods = await large();
    const twice = await unfilled(goods, 2_000);
    expect((await fieldOf(goods, twice.id)).isPending).toBe(true);
    expect(await cells(goods, 'Twice', { skip: 4_998 })).toEqual([9_998, 10_000]);
    world().services.work.hurry('find-unfilled-formulas');
    await vi.waitFor(async () => expect(await fieldOf(goods, twice.id)).not.toHaveProperty('isPending'), {
      timeout: 50_000,
      interval: 50,
    });
    expect(await world().db.query(sql`select 1 from ${goods.name} where "Twice" is distinct from "Price" * 2`)).toEqual(
      [],
    );
  });
});

/** Fields of the names and kinds that random formulas are made of: what no field can be written as is a formula itself. */
const ofEveryKind: api.NewField[] = [
  { type: 'singleLineText', name: 'text' },
  { type: 'longText', name: 'text2' },
  { type: 'number', name: 'number' },
  { type: 'number', name: 'number2' },
  { type: 'checkbox', name: 'boolean' },
  { type: 'checkbox', name: 'boolean2' },
  { type: 'date', name: 'date' },
  { type: 'date', name: 'date2' },
  { type: 'multipleSelect', name: 'texts', options: { choices: [{ name: 'red' }, { name: '12' }] } },
  ...Object.entries({
    texts2: 'ARRAY_UNIQUE({texts}, {text})',
    numbers: 'ARRAY_COMPACT({number}, {number2})',
    numbers2: 'ARRAY_COMPACT({number2})',
    booleans: 'ARRAY_COMPACT({boolean}, {boolean2})',
    booleans2: 'ARRAY_COMPACT({boolean})',
    dates: 'ARRAY_COMPACT({date}, {date2})',
    dates2: 'ARRAY_COMPACT({date2})',
  }).map(([name, expression]): api.NewField => ({ type: 'formula', name, options: { expression } })),
];

const somewhere: Record<string, fc.Arbitrary<unknown>> = {
  ...Object.fromEntries(
    ['text', 'text2'].map((name) => [
      name,
      fc.constantFrom(null, 'a', 'B c', '12', '-1e3', '2024-02-29', 'day', '(', '😀'),
    ]),
  ),
  ...Object.fromEntries(
    ['number', 'number2'].map((name) => [
      name,
      fc.oneof(fc.constantFrom(null, 0, 1, -2.5, 1e308, -1e308, 5e-324), fc.integer({ min: -50, max: 50 })),
    ]),
  ),
  ...Object.fromEntries(['boolean', 'boolean2'].map((name) => [name, fc.constantFrom(true, null)])),
  ...Object.fromEntries(
    ['date', 'date2'].map((name) => [
      name,
      fc.constantFrom(null, '2024-02-29T12:00:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'),
    ]),
  ),
  texts: fc.constantFrom(null, ['red'], ['12', 'red']),
};

/** A formula of any kind, which may need one of those before it. */
const randomFormula = (seed: number, before: readonly string[]): string => {
  const random = randomFrom(seed);
  const made = expression(random, 1 + random.below(10));
  return before.length > 0 && random.once(2) ? `IF({boolean}, ${made}, {${random.pick(before)}})` : made;
};

const turn = fc.oneof(
  fc.record({
    change: fc.array(fc.tuple(fc.nat(3), fc.record(somewhere, { requiredKeys: [] })), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ create: fc.record(somewhere, { requiredKeys: [] }) }),
);

test('whatever formulas there are and whatever is written, every stored cell is what its expression gives', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer(), { minLength: 6, maxLength: 8 }),
      fc.array(turn, { minLength: 3, maxLength: 6 }),
      async (seeds, turns) => {
        const made = await shop.owner.call(createTable, {
          params: { baseId: shop.baseId },
          body: { name: 'Any', fields: ofEveryKind, records: [{ fields: {} }, { fields: {} }] },
        });
        expect(made.error.message).toBeUndefined();
        const tableId = made.body.id;
        const write = async (one: (typeof turns)[number]): Promise<void> => {
          const ids = (await shop.owner.call(listRecords, { params: { tableId } })).body.records.map(({ id }) => id);
          const answer =
            'create' in one
              ? await shop.owner.call(createRecords, {
                  params: { tableId },
                  body: { records: [{ fields: one.create }] },
                })
              : await shop.owner.call(updateRecords, {
                  params: { tableId },
                  body: {
                    records: [
                      ...new Map(one.change.map(([at, fields]) => [ids[at % ids.length] as string, fields])),
                    ].map(([id, fields]) => ({ id, fields })),
                  },
                });
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
        };
        const names: string[] = [];
        for (const [at, seed] of seeds.entries()) {
          // Half of them are there before anything is written, the others fill what was.
          if (at === seeds.length >> 1) await write(turns[0] as (typeof turns)[number]);
          const answer = await shop.owner.call(api.createField, {
            params: { tableId },
            body: { type: 'formula', name: `F${at}`, options: { expression: randomFormula(seed, names) } },
          });
          expect([201, 400], JSON.stringify(answer.body)).toContain(answer.status);
          if (answer.status === 201) names.push(`F${at}`);
        }
        for (const one of turns) await write(one);
        const fields = await world().db.query<{ name: string; state: string }>(
          sql`select name, computed ->> 'state' as state from rowhouse.fields where table_id = ${tableId} and type = 'formula'`,
        );
        const stored = fields.filter(({ state }) => state === 'settled').map(({ name }) => name);
        const read = async () =>
          (await shop.owner.call(listRecords, { params: { tableId } })).body.records.map((record) =>
            stored.map((name) => [name, record.fields[name]]),
          );
        const before = await read();
        // From now on cells are read by their expressions.
        await world().db.query(
          sql`update rowhouse.fields set computed = computed || '{"state":"settling","run":"jobNone"}' where table_id = ${tableId} and computed ->> 'state' = 'settled'`,
        );
        await world().db.query(
          sql`update ${sql.id(shop.baseId, '__table')} set version = version + 1 where id = ${tableId}`,
        );
        expect(before).toEqual(await read());
        compared += before.flat().length;
      },
    ),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 3) },
  );
  expect(compared).toBeGreaterThan(30);
});

describe('the last change of chosen fields', () => {
  const patch = ({ tableId }: Ground, ...records: [id: string | undefined, fields: object][]) =>
    shop.owner.call(updateRecords, {
      params: { tableId },
      body: {
        records: records.map(([id, fields]) => ({ id: id as string, fields: fields as Record<string, unknown> })),
      },
    });
  const add = (
    { tableId }: Ground,
    name: string,
    type: 'lastModifiedTime' | 'lastModifiedBy',
    trackedFieldIds: unknown[],
  ) => shop.owner.call(api.createField, { params: { tableId }, body: { type, name, options: { trackedFieldIds } } });

  test('is told by fields of the last change that look at those alone', async () => {
    const goods = await ground();
    const { tableId, fieldIds, recordIds } = goods;
    const [first, second, third] = recordIds as [string, string, string];
    const made = await add(goods, 'Priced', 'lastModifiedTime', [fieldIds.Price, fieldIds.Count, fieldIds.Price]);
    expect(made.body).toMatchObject({
      type: 'lastModifiedTime',
      isComputed: true,
      cellValueType: 'dateTime',
      options: { trackedFieldIds: [fieldIds.Price, fieldIds.Count] },
    });
    await add(goods, 'Namer', 'lastModifiedBy', [fieldIds.Name]);
    await addFormula(goods, 'Year', 'YEAR({Priced})');
    const seen = async (name: string) => (await cells(goods, name)).map((cell) => cell !== null);
    expect(await seen('Priced')).toEqual([false, false, false]);
    await patch(goods, [first, { Price: 9 }], [second, { Name: 'Other' }]);
    expect([await seen('Priced'), await seen('Namer'), await seen('Year')]).toEqual([
      [true, false, false],
      [false, true, false],
      [true, false, false],
    ]);
    const [before] = await cells(goods, 'Priced');
    const record = (await shop.owner.call(getRecord, { params: { tableId, recordId: first } })).body;
    expect(Math.abs(Date.parse(String(before)) - Date.parse(record.lastModifiedTime as string))).toBeLessThan(1_000);
    await patch(goods, [first, { Name: 'Again', Done: true }], [third, { Count: 1 }]);
    expect((await cells(goods, 'Priced'))[0]).toBe(before);
    expect(await seen('Priced')).toEqual([true, false, true]);
    const one = await shop.owner.call(updateRecord, {
      params: { tableId, recordId: first },
      body: { record: { fields: { Count: 6 } } },
    });
    expect(Date.parse(String(one.body.fields.Priced))).toBeGreaterThan(Date.parse(String(before)));
    const filled = JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId: made.body.id, operator: 'isNotEmpty', value: null }],
    });
    expect(
      await cells(goods, 'Name', {
        filter: filled,
        orderBy: JSON.stringify([{ fieldId: made.body.id, order: 'desc' }]),
      }),
    ).toEqual(['Again', null]);
    // Nobody can write it, a new record has none, and a deleted one comes back with it.
    expect((await patch(goods, [first, { Priced: '2024-01-01T00:00:00.000Z' }])).status).toBe(400);
    const [created] = (
      await shop.owner.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Price: 1 } }] } })
    ).body.records;
    expect(created?.fields).not.toHaveProperty('Priced');
    const whole = (await shop.owner.call(getRecord, { params: { tableId, recordId: first } })).body.fields;
    await undo(tableId, await shop.owner.call(deleteRecords, { params: { tableId }, query: { recordIds: [first] } }));
    expect((await shop.owner.call(getRecord, { params: { tableId, recordId: first } })).body.fields).toEqual(whole);
    // A copy looks at its own fields.
    const copy = (
      await shop.owner.call(duplicateTable, {
        params: { baseId: shop.baseId, tableId },
        body: { name: 'Copy', includeRecords: true },
      })
    ).body;
    expect(copy.fields.find(({ name }) => name === 'Priced')?.options.trackedFieldIds).toEqual([
      copy.fieldMap[fieldIds.Price as string],
      copy.fieldMap[fieldIds.Count as string],
    ]);
    const [copied] = (await shop.owner.call(listRecords, { params: { tableId: copy.id } })).body.records;
    expect(copied?.fields).not.toHaveProperty('Priced');
    expect(
      (
        await shop.owner.call(updateRecord, {
          params: { tableId: copy.id, recordId: copied?.id as string },
          body: { record: { fields: { Price: 3 } } },
        })
      ).body.fields,
    ).toHaveProperty('Priced');
  });

  test('has to be of fields that people write, and can be converted', async () => {
    const goods = await ground();
    const { tableId, fieldIds, recordIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * 2');
    for (const wrong of ['fldNone', total.id]) {
      const refused = await add(goods, 'Wrong', 'lastModifiedTime', [fieldIds.Price, wrong]);
      expect([refused.status, refused.error.data.issues[0].path]).toEqual([400, 'options.trackedFieldIds[1]']);
    }
    expect(
      (
        await shop.owner.call(api.createField, {
          params: { tableId },
          body: { type: 'createdTime', options: { trackedFieldIds: [fieldIds.Price] } },
        })
      ).body.options,
    ).not.toHaveProperty('trackedFieldIds');
    const when = (await add(goods, 'When', 'lastModifiedTime', [])).body;
    expect(when.options).not.toHaveProperty('trackedFieldIds');
    const who = (await add(goods, 'Who', 'lastModifiedBy', [fieldIds.Price])).body;
    await patch(goods, [recordIds[0], { Name: 'x' }], [recordIds[1], { Price: 4 }]);
    const [all] = await cells(goods, 'When');
    const convert = async (fieldId: string, body: api.NewField) => {
      const converted = await shop.owner.call(api.convertField, { params: { tableId, fieldId }, body });
      expect([converted.status, converted.error.message]).toEqual([200, undefined]);
      return converted;
    };
    const tracking = await convert(when.id, {
      type: 'lastModifiedTime',
      options: { trackedFieldIds: [fieldIds.Name] },
    });
    expect(await cells(goods, 'When')).toEqual([null, null, null]);
    await patch(goods, [recordIds[2], { Name: 'y' }]);
    expect((await cells(goods, 'When')).map((cell) => cell !== null)).toEqual([false, false, true]);
    await undo(tableId, tracking);
    expect((await cells(goods, 'When'))[0]).toBe(all);
    await convert(when.id, { type: 'lastModifiedTime', options: { trackedFieldIds: [fieldIds.Name] } });
    await patch(goods, [recordIds[1], { Name: 'z' }]);
    const [, second] = await cells(goods, 'When');
    await convert(when.id, {
      type: 'date',
      options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'UTC' } },
    });
    expect(await cells(goods, 'When')).toEqual([null, second, null]);
    await convert(who.id, { type: 'singleLineText' });
    expect(await cells(goods, 'Who')).toEqual([null, 'Owner', null]);
    await undo(
      tableId,
      await convert(fieldIds.Name as string, {
        type: 'lastModifiedBy',
        options: { trackedFieldIds: [fieldIds.Price] },
      }),
    );
    expect(await cells(goods, 'Name')).toEqual(['x', 'z', 'y']);
  });
});
