// Lookups, rollups and counts: computed through links, right as soon as a write has answered.
import * as api from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable, deleteTable, duplicateTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { listen } from '../support/listen.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

interface Made {
  tableId: string;
  fieldIds: Record<string, string>;
  ids: string[];
}

const makeTable = async (name: string, fields: object[], records: Record<string, unknown>[]): Promise<Made> => {
  const made = await shop.owner.call(createTable, {
    params: { baseId: shop.baseId },
    body: {
      name,
      fields: [{ type: 'singleLineText', name: 'Name' }, ...fields] as never,
      records: records.map((one) => ({ fields: one })),
    },
  });
  expect(made.body).toMatchObject({ id: expect.any(String) });
  return {
    tableId: made.body.id,
    fieldIds: Object.fromEntries(made.body.fields.map((field) => [field.name, field.id])),
    ids: made.body.records.map(({ id }) => id),
  };
};

const add = async (table: Made, body: object): Promise<api.Field> => {
  const made = await shop.owner.call(api.createField, { params: { tableId: table.tableId }, body: body as never });
  expect(made.body).toMatchObject({ id: expect.any(String) });
  table.fieldIds[made.body.name] = made.body.id;
  return made.body;
};

const set = (table: Made, at: number, fields: Record<string, unknown>) =>
  shop.owner.call(updateRecord, {
    params: { tableId: table.tableId, recordId: table.ids[at] as string },
    body: {
      fieldKeyType: 'id',
      record: {
        fields: Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [table.fieldIds[name] ?? name, value]),
        ),
      },
    },
  });

const cells = async ({ tableId, ids }: Made, fieldId: string, cellFormat?: 'text'): Promise<unknown[]> => {
  const { body } = await shop.owner.call(listRecords, {
    params: { tableId },
    query: { fieldKeyType: 'id', ...(cellFormat === undefined ? {} : { cellFormat }) },
  });
  return ids.map((id) => body.records.find((record) => record.id === id)?.fields[fieldId] ?? null);
};

const allRight = async (baseId = shop.baseId): Promise<void> =>
  expect(await findWrongCells(world().db, baseId)).toEqual([]);

/** Tasks with hours, days, tags, marks; projects with several of them. */
const ground = async () => {
  const projects = await makeTable(
    'Projects',
    [{ type: 'number', name: 'Rate' }],
    [{ Name: 'Alpha', Rate: 10 }, { Name: 'Beta', Rate: 20 }, { Name: 'Gamma' }],
  );
  const tasks = await makeTable(
    'Tasks',
    [
      { type: 'number', name: 'Hours' },
      { type: 'date', name: 'Day' },
      { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'red' }, { name: 'blue' }] } },
      { type: 'checkbox', name: 'Done' },
      { type: 'autoNumber', name: 'No' },
      { type: 'lastModifiedTime', name: 'Changed' },
      { type: 'createdBy', name: 'Maker' },
    ],
    [
      { Name: 'One', Hours: 1.1, Day: '2024-01-01T00:00:00.000Z', Tags: ['red', 'blue'], Done: true },
      { Name: 'Two', Hours: 2.2, Tags: ['red'] },
      { Name: 'Three' },
    ],
  );
  const link = await add(tasks, {
    type: 'link',
    name: 'Project',
    options: { relationship: 'manyOne', foreignTableId: projects.tableId },
  });
  projects.fieldIds['Tasks'] = link.options.symmetricFieldId as string;
  const through = (source: string) => ({
    foreignTableId: tasks.tableId,
    linkFieldId: projects.fieldIds['Tasks'],
    lookupFieldId: tasks.fieldIds[source],
  });
  await set(projects, 0, { Tasks: [1, 0, 2].map((at) => ({ id: tasks.ids[at] })) });
  const lookUp = (type: string, source: string, more: object = {}) =>
    add(projects, { type, isLookup: true, lookupOptions: { ...through(source), ...more } });
  const rollUp = (expression: string, source: string, more: object = {}) =>
    add(projects, {
      type: 'rollup',
      name: `${expression} ${source}`,
      options: { expression: `${expression}({values})` },
      lookupOptions: { ...through(source), ...more },
    });
  return { projects, tasks, link, through, lookUp, rollUp };
};

describe('a lookup', () => {
  test('is followed by many formulas that need each other', async () => {
    const { projects, tasks, rollUp } = await ground();
    const sum = await rollUp('sum', 'Hours');
    const length = 14;
    let last = sum;
    for (let at = 0; at < length; at += 1)
      last = await add(projects, {
        type: 'formula',
        name: `F${at}`,
        options: { expression: at === 0 ? `{${sum.id}} * 2` : `{F${at - 1}} + {F${Math.max(0, at - 2)}} / 4` },
      });
    const expected = (hours: number): number => {
      const values = [hours * 2];
      for (let at = 1; at < length; at += 1)
        values.push((values[at - 1] as number) + (values[Math.max(0, at - 2)] as number) / 4);
      return values.at(-1) as number;
    };
    const changed = await set(tasks, 0, { Hours: 10 });
    expect([changed.status, changed.error.message]).toEqual([200, undefined]);
    expect((await cells(projects, last.id))[0]).toBeCloseTo(expected(12.2), 6);
    await allRight();
  });

  test('shows cells of every type, in the order of the link, and follows them', async () => {
    const { projects, tasks, link, lookUp } = await ground();
    const name = await lookUp('singleLineText', 'Name');
    expect(name).toMatchObject({
      type: 'singleLineText',
      isLookup: true,
      isComputed: true,
      isMultipleCellValue: true,
      cellValueType: 'string',
      dbFieldType: 'JSON',
      lookupOptions: { linkFieldId: projects.fieldIds['Tasks'], relationship: 'oneMany', foreignKeyName: '__id' },
    });
    expect(name.name).toBe(
      'Name (from Tasks)'.replace(
        'Tasks',
        (
          await shop.owner.call(api.getField, {
            params: { tableId: projects.tableId, fieldId: projects.fieldIds['Tasks'] as string },
          })
        ).body.name,
      ),
    );
    expect((await cells(projects, name.id))[0]).toEqual(['Two', 'One', 'Three']);
    const hours = await lookUp('number', 'Hours');
    expect((await cells(projects, hours.id))[0]).toEqual([2.2, 1.1]);
    expect((await cells(projects, hours.id, 'text'))[0]).toBe('2.20, 1.10');
    expect((await cells(projects, (await lookUp('date', 'Day')).id))[0]).toEqual(['2024-01-01T00:00:00.000Z']);
    expect((await cells(projects, (await lookUp('multipleSelect', 'Tags')).id))[0]).toEqual(['red', 'red', 'blue']);
    expect((await cells(projects, (await lookUp('checkbox', 'Done')).id))[0]).toEqual([true]);
    expect((await cells(projects, (await lookUp('autoNumber', 'No')).id))[0]).toEqual([2, 1, 3]);
    expect((await cells(projects, (await lookUp('createdBy', 'Maker')).id))[0]).toMatchObject([
      { id: shop.owner.userId },
      {},
      {},
    ]);
    const changed = await lookUp('lastModifiedTime', 'Changed');
    await set(tasks, 2, { Name: 'Tres', Hours: 5 });
    expect((await cells(projects, name.id))[0]).toEqual(['Two', 'One', 'Tres']);
    expect((await cells(projects, hours.id))[0]).toEqual([2.2, 1.1, 5]);
    expect(((await cells(projects, changed.id))[0] as unknown[]).length).toBeGreaterThan(0);
    // One record through a link to one, and a link that is looked up.
    const rate = await add(tasks, {
      type: 'number',
      isLookup: true,
      lookupOptions: {
        foreignTableId: projects.tableId,
        linkFieldId: link.id,
        lookupFieldId: projects.fieldIds['Rate'],
      },
    });
    expect(rate.isMultipleCellValue).toBeUndefined();
    expect(await cells(tasks, rate.id)).toEqual([10, 10, 10]);
    const moved = await set(tasks, 0, { Project: { id: projects.ids[1] } });
    expect(moved.body.fields[rate.id]).toBe(20);
    expect(await cells(projects, name.id)).toEqual([['Two', 'Tres'], ['One'], null]);
    const siblings = await add(tasks, {
      type: 'link',
      isLookup: true,
      lookupOptions: {
        foreignTableId: projects.tableId,
        linkFieldId: link.id,
        lookupFieldId: projects.fieldIds['Tasks'],
      },
    });
    expect((await cells(tasks, siblings.id))[2]).toMatchObject([{ title: 'Two' }, { title: 'Tres' }]);
    expect((await set(projects, 0, { [name.id]: 'x' })).status).toBe(400);
    await allRight();
  });

  test('with a filter shows what meets it, also when that changes', async () => {
    const { projects, tasks, lookUp, rollUp } = await ground();
    const filter = {
      conjunction: 'and',
      filterSet: [{ fieldId: tasks.fieldIds['Done'], operator: 'is', value: true }],
    };
    const done = await lookUp('singleLineText', 'Name', { filter });
    const sum = await rollUp('sum', 'Hours', { filter });
    expect([(await cells(projects, done.id))[0], (await cells(projects, sum.id))[0]]).toEqual([['One'], 1.1]);
    await set(tasks, 1, { Done: true });
    expect([(await cells(projects, done.id))[0], (await cells(projects, sum.id))[0]]).toEqual([['Two', 'One'], 3.3]);
    await allRight();
  });

  test('of another lookup, and formulas between them, is right through several tables', async () => {
    const { projects, tasks, rollUp } = await ground();
    const sum = await rollUp('sum', 'Hours');
    const cost = await add(projects, {
      type: 'formula',
      name: 'Cost',
      options: { expression: `{${sum.id}} * {${projects.fieldIds['Rate']}}` },
    });
    const clients = await makeTable('Clients', [], [{ Name: 'Acme' }]);
    const toProjects = await add(clients, {
      type: 'link',
      name: 'Projects',
      options: { relationship: 'manyMany', foreignTableId: projects.tableId },
    });
    await set(clients, 0, { Projects: projects.ids.map((id) => ({ id })) });
    const total = await add(clients, {
      type: 'rollup',
      name: 'Total',
      options: { expression: 'sum({values})' },
      lookupOptions: { foreignTableId: projects.tableId, linkFieldId: toProjects.id, lookupFieldId: cost.id },
    });
    const said = await add(clients, {
      type: 'formula',
      name: 'Said',
      options: { expression: `"owes " & {${total.id}}` },
    });
    const costs = await add(clients, {
      type: 'formula',
      isLookup: true,
      name: 'Costs',
      lookupOptions: { foreignTableId: projects.tableId, linkFieldId: toProjects.id, lookupFieldId: cost.id },
    });
    expect(await cells(clients, said.id)).toEqual(['owes 33']);
    const ear = await listen(`${world().baseUrl}/table/${clients.tableId}/events`, { token: shop.owner.token });
    await set(tasks, 2, { Hours: 10, Name: 'Long' });
    expect(await cells(clients, said.id)).toEqual(['owes 133']);
    expect(await cells(clients, costs.id)).toEqual([[133, 0, 0]]);
    expect((await ear.until(({ name }) => name === 'records.updated')).data.fieldIds).toEqual(
      expect.arrayContaining([total.id, said.id]),
    );
    ear.close();
    await set(projects, 0, { Rate: 1 });
    expect(await cells(clients, said.id)).toEqual(['owes 13.3']);
    await shop.owner.call(deleteRecord, { params: { tableId: tasks.tableId, recordId: tasks.ids[2] as string } });
    expect(await cells(clients, total.id)).toEqual([3.3]);
    await allRight();
  });
});

describe('a rollup', () => {
  test.each([
    ['countall', 'Hours', 3],
    ['counta', 'Hours', 2],
    ['count', 'Hours', 2],
    ['count', 'Name', 0],
    ['sum', 'Hours', 3.3],
    ['average', 'Hours', 1.65],
    ['max', 'Hours', 2.2],
    ['min', 'Hours', 1.1],
    ['max', 'Day', '2024-01-01T00:00:00.000Z'],
    ['and', 'Done', false],
    ['or', 'Done', true],
    ['xor', 'Done', true],
    ['array_join', 'Name', 'Two, One, Three'],
    ['array_join', 'Hours', '2.2, 1.1'],
    ['concatenate', 'Tags', 'red, red, blue'],
    ['array_unique', 'Tags', ['red', 'blue']],
    ['array_compact', 'Hours', [2.2, 1.1]],
    ['countall', 'Tags', 4],
  ])('%s of %s is %j', async (expression, source, expected) => {
    const { projects, rollUp } = await shared;
    const field = await rollUp(expression as string, source as string);
    expect(await cells(projects, field.id)).toEqual([expected, null, null]);
  });

  let shared: ReturnType<typeof ground>;
  beforeAll(() => {
    shared = ground();
  });

  test('shows money as money, and how many there are without decimals', async () => {
    const { tasks, rollUp } = await ground();
    const formatting = { type: 'currency', precision: 2, symbol: '€' };
    await shop.owner.call(api.convertField, {
      params: { tableId: tasks.tableId, fieldId: tasks.fieldIds['Hours'] as string },
      body: { type: 'number', options: { formatting } },
    });
    expect((await rollUp('sum', 'Hours')).options).toMatchObject({ formatting });
    expect((await rollUp('countall', 'Hours')).options).toMatchObject({
      formatting: { type: 'decimal', precision: 0 },
    });
  });

  test('that cannot be is refused, and says why', async () => {
    const { projects, tasks, link, through } = await shared;
    const ask = async (body: object) =>
      (await shop.owner.call(api.createField, { params: { tableId: projects.tableId }, body: body as never })).error
        ?.message;
    expect(
      await ask({ type: 'rollup', options: { expression: 'median({values})' }, lookupOptions: through('Hours') }),
    ).toContain('median');
    expect(
      await ask({ type: 'rollup', options: { expression: 'sum({values})' }, lookupOptions: through('Name') }),
    ).toContain('no use for');
    expect(await ask({ type: 'number', isLookup: true, lookupOptions: through('Name') })).toContain(
      'of type singleLineText',
    );
    expect(
      await ask({ type: 'number', isLookup: true, lookupOptions: { ...through('Hours'), linkFieldId: link.id } }),
    ).toContain('no link field');
    expect(
      await ask({
        type: 'number',
        isLookup: true,
        lookupOptions: { ...through('Hours'), foreignTableId: projects.tableId },
      }),
    ).toContain('leads to another table');
    expect(
      await ask({ type: 'number', isLookup: true, lookupOptions: { ...through('Hours'), lookupFieldId: 'fldNone' } }),
    ).toContain('no field fldNone');
    expect(await ask({ type: 'number', isLookup: true, unique: true, lookupOptions: through('Hours') })).toContain(
      'unique',
    );
    expect(await ask({ type: 'rollup', options: { expression: 'countall({values})' } })).toContain('no link field');
    // A count needs the link alone.
    const count = await add(projects, {
      type: 'count',
      name: 'How many',
      lookupOptions: { linkFieldId: projects.fieldIds['Tasks'] },
    });
    expect(await cells(projects, count.id)).toEqual([3, null, null]);
    // Records without a name are some, too, also the only one that a link leads to.
    const single = await add(tasks, { type: 'count', name: 'Has one', lookupOptions: { linkFieldId: link.id } });
    await set(projects, 0, { Name: null });
    expect(await cells(tasks, single.id)).toEqual([1, 1, 1]);
    // A circle, with names.
    const a = await add(projects, {
      type: 'rollup',
      name: 'A',
      options: { expression: 'sum({values})' },
      lookupOptions: through('Hours'),
    });
    const b = await add(tasks, {
      type: 'rollup',
      name: 'B',
      options: { expression: 'sum({values})' },
      lookupOptions: { foreignTableId: projects.tableId, linkFieldId: link.id, lookupFieldId: a.id },
    });
    const circle = await shop.owner.call(api.convertField, {
      params: { tableId: projects.tableId, fieldId: a.id },
      body: {
        type: 'rollup',
        options: { expression: 'sum({values})' },
        lookupOptions: { ...through('Hours'), lookupFieldId: b.id },
      } as never,
    });
    expect([circle.status, circle.error?.message]).toEqual([400, expect.stringMatching(/need itself: .*A.*→.*B/)]);
    expect(await cells(projects, a.id)).toEqual([3.3, null, null]);
    // Two requests that make one together: whichever comes second is refused.
    const [c, d] = [
      await add(projects, {
        type: 'rollup',
        name: 'C',
        options: { expression: 'sum({values})' },
        lookupOptions: through('Hours'),
      }),
      await add(tasks, {
        type: 'rollup',
        name: 'D',
        options: { expression: 'sum({values})' },
        lookupOptions: {
          foreignTableId: projects.tableId,
          linkFieldId: link.id,
          lookupFieldId: projects.fieldIds['Rate'],
        },
      }),
    ];
    const rollUp = (table: Made, fieldId: string, lookupOptions: object) =>
      shop.owner.call(api.convertField, {
        params: { tableId: table.tableId, fieldId },
        body: { type: 'rollup', options: { expression: 'sum({values})' }, lookupOptions } as never,
      });
    const both = await Promise.all([
      rollUp(projects, c.id, { ...through('Hours'), lookupFieldId: d.id }),
      rollUp(tasks, d.id, { foreignTableId: projects.tableId, linkFieldId: link.id, lookupFieldId: c.id }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 400)?.error?.message).toMatch(/need itself/);
    await allRight();
  });

  test('goes through ten links, and not through eleven', async () => {
    const people = await makeTable(
      'People',
      [],
      ['A', 'B', 'C'].map((name) => ({ Name: name })),
    );
    const above = await add(people, {
      type: 'link',
      name: 'Above',
      options: { relationship: 'manyOne', foreignTableId: people.tableId, isOneWay: true },
    });
    // Each is above the next, and the last above the first: ten steps up from A are one.
    for (const at of [0, 1, 2])
      expect((await set(people, at, { Above: { id: people.ids[(at + 1) % 3] } })).status).toBe(200);
    let lookupFieldId = people.fieldIds['Name'] as string;
    const up = (name: string) => ({
      type: 'singleLineText',
      isLookup: true,
      name,
      lookupOptions: { foreignTableId: people.tableId, linkFieldId: above.id, lookupFieldId },
    });
    for (let at = 1; at <= 10; at += 1) lookupFieldId = (await add(people, up(`Up ${at}`))).id;
    expect(await cells(people, lookupFieldId)).toEqual(['B', 'C', 'A']);
    expect((await set(people, 1, { Name: 'Bea' })).status).toBe(200);
    expect(await cells(people, lookupFieldId)).toEqual(['Bea', 'C', 'A']);
    const refused = await shop.owner.call(api.createField, {
      params: { tableId: people.tableId },
      body: up('Up 11') as never,
    });
    expect([refused.status, refused.error?.message]).toEqual([
      400,
      expect.stringContaining('through 11 links; at most 10 are allowed'),
    ]);
    await allRight();
  });
});

describe('what is looked up', () => {
  test('follows changes of its source: type, choices, formatting', async () => {
    const { projects, tasks, lookUp } = await ground();
    const hours = await lookUp('number', 'Hours');
    const said = await add(projects, {
      type: 'formula',
      name: 'Said',
      options: { expression: `ARRAY_JOIN({${hours.id}}, "/")` },
    });
    await shop.owner.call(api.convertField, {
      params: { tableId: tasks.tableId, fieldId: tasks.fieldIds['Hours'] as string },
      body: { type: 'singleLineText' },
    });
    const now = (await shop.owner.call(api.getField, { params: { tableId: projects.tableId, fieldId: hours.id } }))
      .body;
    expect(now).toMatchObject({ type: 'singleLineText', isLookup: true, cellValueType: 'string' });
    expect((await cells(projects, hours.id))[0]).toEqual(['2.20', '1.10']);
    expect((await cells(projects, said.id))[0]).toBe('2.20/1.10');
    await shop.owner.call(api.convertField, {
      params: { tableId: tasks.tableId, fieldId: tasks.fieldIds['Hours'] as string },
      body: { type: 'singleSelect' },
    });
    expect(
      (await shop.owner.call(api.getField, { params: { tableId: projects.tableId, fieldId: hours.id } })).body.options
        .choices,
    ).toHaveLength(2);
    await set(tasks, 2, { Hours: '2.20' });
    expect((await cells(projects, hours.id))[0]).toEqual(['2.20', '1.10', '2.20']);
    await allRight();
  });

  test('is empty and says so while its source, its link or the other table is gone', async () => {
    const { projects, tasks, link, lookUp, rollUp } = await ground();
    const name = await lookUp('singleLineText', 'Name');
    const sum = await rollUp('sum', 'Hours');
    const said = await add(projects, { type: 'formula', name: 'Said', options: { expression: `{${sum.id}} + 1` } });
    const told = await add(projects, {
      type: 'formula',
      name: 'Told',
      options: { expression: `{${sum.id}} & ": " & {${projects.fieldIds['Rate']}}` },
    });
    // Its column still holds what it showed: a write that computes a formula over it must not read that.
    const writeBeside = async (rate: number): Promise<void> => {
      await set(projects, 0, { Rate: rate });
      expect((await cells(projects, told.id))[0]).toBe(`: ${rate}`);
      await allRight();
    };
    const state = async () =>
      (await shop.owner.call(api.listFields, { params: { tableId: projects.tableId } })).body
        .filter(({ id }) => id === name.id || id === sum.id)
        .map(({ hasError }) => hasError ?? false);
    const gone = await shop.owner.call(api.deleteField, {
      params: { tableId: tasks.tableId, fieldId: tasks.fieldIds['Hours'] as string },
    });
    expect([await state(), await cells(projects, sum.id), await cells(projects, said.id)]).toEqual([
      [false, true],
      [null, null, null],
      [1, 1, 1],
    ]);
    await writeBeside(11);
    await shop.owner.call(restoreHistory, {
      params: { tableId: tasks.tableId },
      body: { operationId: gone.headers.get('x-operation-id') as string },
    });
    expect([await state(), (await cells(projects, sum.id))[0], (await cells(projects, said.id))[0]]).toEqual([
      [false, false],
      3.3,
      4.3,
    ]);
    const unlinked = await shop.owner.call(api.deleteField, { params: { tableId: tasks.tableId, fieldId: link.id } });
    expect([await state(), (await cells(projects, name.id))[0]]).toEqual([[true, true], null]);
    await writeBeside(12);
    await shop.owner.call(restoreHistory, {
      params: { tableId: tasks.tableId },
      body: { operationId: unlinked.headers.get('x-operation-id') as string },
    });
    expect([await state(), (await cells(projects, name.id))[0]]).toEqual([
      [false, false],
      ['Two', 'One', 'Three'],
    ]);
    await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: tasks.tableId } });
    expect([await state(), await cells(projects, said.id)]).toEqual([
      [true, true],
      [1, 1, 1],
    ]);
    await writeBeside(13);
    const { trashItems } = (
      await shop.owner.call(listTrashItems, { query: { resourceType: 'base', resourceId: shop.baseId } })
    ).body;
    expect(
      (
        await shop.owner.call(restoreTrash, {
          params: { trashId: trashItems.find(({ resourceId }) => resourceId === tasks.tableId)?.id as string },
        })
      ).status,
    ).toBe(201);
    expect([await state(), (await cells(projects, said.id))[0]]).toEqual([[false, false], 4.3]);
    expect((await cells(projects, told.id))[0]).toBe('3.3: 13');
    await allRight();
  });

  test('is filtered, sorted and searched like any field, and copied with its table and base', async () => {
    const { projects, lookUp, rollUp } = await ground();
    const name = await lookUp('singleLineText', 'Name');
    const sum = await rollUp('sum', 'Hours');
    const found = async (query: object) =>
      (
        await shop.owner.call(listRecords, {
          params: { tableId: projects.tableId },
          query: { fieldKeyType: 'id', ...query },
        })
      ).body.records.map((record) => record.name);
    const by = (fieldId: string, operator: string, value: unknown) =>
      found({ filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }) });
    expect(await by(name.id, 'contains', 'thr')).toEqual(['Alpha']);
    expect(await by(sum.id, 'isGreater', 3)).toEqual(['Alpha']);
    expect(await by(sum.id, 'isEmpty', null)).toEqual(['Beta', 'Gamma']);
    expect(await found({ orderBy: JSON.stringify([{ fieldId: sum.id, order: 'desc' }]) })).toEqual([
      'Alpha',
      'Beta',
      'Gamma',
    ]);
    expect(await found({ search: ['two', name.id, 'true'] })).toEqual(['Alpha']);
    const copy = await shop.owner.call(duplicateTable, {
      params: { baseId: shop.baseId, tableId: projects.tableId },
      body: { name: 'Copy', includeRecords: true },
    });
    expect(copy.status).toBe(201);
    const records = (
      await shop.owner.call(listRecords, { params: { tableId: copy.body.id }, query: { fieldKeyType: 'id' } })
    ).body.records;
    expect(records[0]?.fields[copy.body.fieldMap[sum.id] as string]).toBe(3.3);
    const base = await shop.owner.call(duplicateBase, {
      body: { fromBaseId: shop.baseId, spaceId: shop.spaceId, withRecords: true },
    });
    expect(base.status).toBe(201);
    await allRight(base.body.id);
    await allRight();
  });

  test('is right in the answer to the write that reaches it, as a read right after it says', async () => {
    const { projects, tasks, link, rollUp } = await ground();
    const sum = await rollUp('sum', 'Hours');
    const share = await add(tasks, {
      type: 'formula',
      name: 'Share',
      options: {
        expression: `{${tasks.fieldIds['Hours']}} / {${(await add(tasks, { type: 'rollup', name: 'All', options: { expression: 'sum({values})' }, lookupOptions: { foreignTableId: projects.tableId, linkFieldId: link.id, lookupFieldId: sum.id } })).id}}`,
      },
    });
    const written = await set(tasks, 2, { Hours: 3.3 });
    expect(written.body.fields[share.id]).toBe(0.5);
    const made = await shop.owner.call(createRecords, {
      params: { tableId: tasks.tableId },
      body: {
        fieldKeyType: 'id',
        records: [{ fields: { [tasks.fieldIds['Hours'] as string]: 6.6, [link.id]: { id: projects.ids[0] } } }],
      },
    });
    expect(made.body.records[0]?.fields[share.id]).toBe(0.5);
    expect(await cells(tasks, share.id)).toEqual(
      [1.1 / 13.2, 2.2 / 13.2, 3.3 / 13.2].map((one) => expect.closeTo(one, 10)),
    );
    await allRight();
  });
});
