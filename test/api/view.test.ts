import { convertField, createField, deleteField, type Field } from '@rowhouse/contract/field.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { createTable, duplicateTable, getDefaultViewId } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import * as api from '@rowhouse/contract/view.ts';
import { viewTypes } from '@rowhouse/contract/view-types.ts';
import { duplicateView } from '@rowhouse/contract/view-order.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let tableId: string;
let viewId: string;
const field: Record<string, string> = {};

beforeAll(async () => {
  shop = await openWorkshop(world());
  const table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'name' },
      { type: 'number', name: 'count' },
      { type: 'singleSelect', name: 'status', options: { choices: [{ name: 'a' }] } },
      { type: 'multipleSelect', name: 'tags' },
      { type: 'date', name: 'due' },
      { type: 'checkbox', name: 'done' },
      { type: 'user', name: 'who' },
      { type: 'createdTime', name: 'made' },
    ],
  });
  tableId = table.id;
  viewId = table.views[0]!.id;
  table.fields.forEach(({ name, id }: Field) => {
    field[name] = id;
  });
});

const create = (body: object) => shop.owner.call(api.createView, { params: { tableId }, body: body as never });
const read = async (id: string) => (await shop.owner.call(api.getView, { params: { tableId, viewId: id } })).body;

describe('creating a view', () => {
  test('of each type gives it a name, a place and columns', async () => {
    for (const type of viewTypes) {
      const made = await create({ type });
      expect([type, made.status]).toEqual([type, 201]);
      expect(made.body).toMatchObject({ type, options: {}, createdBy: shop.owner.userId });
      expect(Object.keys(made.body.columnMeta).sort()).toEqual(Object.values(field).sort());
    }
    const views = (await shop.owner.call(api.listViews, { params: { tableId } })).body;
    expect(views.map(({ name }) => name)).toEqual([
      'Grid view',
      'Grid view 2',
      'Kanban view',
      'Gallery view',
      'Calendar view',
      'Timeline view',
      'Gantt view',
      'Form view',
    ]);
    expect(views[2]?.columnMeta[field.name!]).toEqual({ order: 0, visible: true });
    expect(views[2]?.columnMeta[field.count!]).toEqual({ order: 1 });
    expect(views[5]?.columnMeta[field.made!]).toEqual({ order: 7 });
  });

  test('takes filter, sort, group, options and columns', async () => {
    const filter = { conjunction: 'or', filterSet: [{ fieldId: field.count, operator: 'isGreater', value: 1 }] };
    const made = await create({
      type: 'grid',
      name: 'Full',
      description: 'd',
      order: 100,
      isLocked: true,
      filter,
      sort: { sortObjs: [{ fieldId: field.due, order: 'desc' }], manualSort: false },
      group: [{ fieldId: field.status, order: 'asc' }],
      options: { rowHeight: 'tall', frozenColumnCount: 2 },
      columnMeta: { [field.count!]: { width: 80, statisticFunc: 'sum' } },
    });
    expect(made.body).toMatchObject({
      name: 'Full',
      description: 'd',
      order: 100,
      isLocked: true,
      filter,
      options: { rowHeight: 'tall', frozenColumnCount: 2 },
    });
    expect(made.body.columnMeta[field.count!]).toEqual({ order: 1, width: 80, statisticFunc: 'sum' });
  });

  test.each([
    ['an unknown type', { type: 'tree' }],
    ['an unknown option', { type: 'grid', options: { colour: 'red' } }],
    ['an option of another type', { type: 'form', options: { rowHeight: 'tall' } }],
    ['a cover colour that is none', { type: 'form', options: { coverColor: 'url(//x)' } }],
    ['an unknown row height', { type: 'grid', options: { rowHeight: 'giant' } }],
    ['an unknown column key', { type: 'grid', columnMeta: { NAME: { visible: true } } }],
    ['a column of an unknown field', { type: 'grid', columnMeta: { fldNone: { hidden: true } } }],
    ['a sort by an unknown field', { type: 'grid', sort: { sortObjs: [{ fieldId: 'fldNone', order: 'asc' }] } }],
    ['a group by an unknown field', { type: 'grid', group: [{ fieldId: 'fldNone', order: 'asc' }] }],
    ['an order that is neither asc nor desc', { type: 'grid', group: [{ fieldId: 'NAME', order: 'up' }] }],
    ['a kanban stacked by text', { type: 'kanban', options: { stackFieldId: 'NAME' } }],
    ['a calendar that begins with a number', { type: 'calendar', options: { startDateFieldId: 'COUNT' } }],
    [
      'a calendar coloured by a date',
      { type: 'calendar', options: { colorConfig: { type: 'field', fieldId: 'DUE' } } },
    ],
    ['a cover that is no attachment', { type: 'gallery', options: { coverFieldId: 'NAME' } }],
    ['a name of 10,000 characters', { type: 'grid', name: 'x'.repeat(10_000) }],
    ['half a character in a label', { type: 'form', options: { submitLabel: '\ud800' } }],
  ])('refuses %s with 400', async (_what, body) => {
    const text = JSON.stringify(body)
      .replaceAll('"NAME"', `"${field.name}"`)
      .replaceAll('"COUNT"', `"${field.count}"`)
      .replaceAll('"DUE"', `"${field.due}"`);
    const made = await create(JSON.parse(text));
    expect([made.status, made.error.code]).toEqual([400, 'validation_error']);
  });

  test('accepts the fields that fit', async () => {
    expect((await create({ type: 'kanban', options: { stackFieldId: field.status } })).status).toBe(201);
    expect((await create({ type: 'kanban', options: { stackFieldId: field.who, coverFieldId: null } })).status).toBe(
      201,
    );
    expect((await create({ type: 'gallery', options: { colorFieldId: field.status } })).status).toBe(201);
    expect((await create({ type: 'gallery', options: { colorFieldId: field.count } })).status).toBe(400);
    const calendar = {
      startDateFieldId: field.due,
      endDateFieldId: field.made,
      titleFieldId: field.name,
      colorConfig: { type: 'field', fieldId: field.status },
    };
    expect((await create({ type: 'calendar', options: calendar })).body.options).toEqual(calendar);
  });
});

describe('filters', () => {
  const set = (condition: object) =>
    shop.owner.call(api.setViewFilter, {
      params: { tableId, viewId },
      body: { filter: { conjunction: 'and', filterSet: [condition] } },
    });

  const good: [string, string, unknown][] = [
    ['name', 'contains', 'x'],
    ['name', 'isEmpty', null],
    ['name', 'is', null],
    ['count', 'isLessEqual', 3],
    ['count', 'is', 0],
    ['done', 'is', true],
    ['done', 'is', false],
    ['status', 'isAnyOf', ['a']],
    ['status', 'isNot', 'gone'],
    ['tags', 'hasAllOf', ['x', 'y']],
    ['tags', 'isExactly', ['x']],
    ['who', 'is', 'Me'],
    ['who', 'isNoneOf', ['usr1']],
    ['due', 'isWithIn', { mode: 'pastNumberOfDays', numberOfDays: 3, timeZone: 'Europe/Berlin' }],
    ['due', 'is', { mode: 'exactDate', exactDate: '2024-05-06T00:00:00.000Z', timeZone: 'UTC' }],
    ['made', 'isBefore', { mode: 'today', timeZone: 'Asia/Shanghai' }],
    ['due', 'isNotEmpty', null],
  ];
  test.each(good)('%s %s %j is kept', async (name, operator, value) => {
    const condition = { fieldId: field[name], operator, value };
    expect((await set(condition)).status).toBe(200);
    expect((await read(viewId)).filter).toEqual({ conjunction: 'and', filterSet: [condition] });
  });

  const bad: [string, string, unknown, string][] = [
    ['name', 'isGreater', 'x', 'operator'],
    ['name', 'isAnyOf', ['x'], 'operator'],
    ['name', 'is', { a: 1 }, 'value'],
    ['name', 'isEmpty', 'x', 'value'],
    ['count', 'contains', '1', 'operator'],
    ['count', 'is', 'abc', 'value'],
    ['count', 'is', [1], 'value'],
    ['done', 'is', 'x', 'value'],
    ['done', 'isEmpty', null, 'operator'],
    ['status', 'isAnyOf', 'a', 'value'],
    ['status', 'isAnyOf', [], 'value'],
    ['tags', 'is', 'x', 'operator'],
    ['due', 'is', '2024-01-01', 'value'],
    ['due', 'is', { mode: 'pastWeek', timeZone: 'UTC' }, 'value.mode'],
    ['due', 'isWithIn', { mode: 'today', timeZone: 'UTC' }, 'value.mode'],
    ['due', 'isWithIn', { mode: 'pastNumberOfDays', timeZone: 'UTC' }, 'value.numberOfDays'],
    ['due', 'is', { mode: 'exactDate', timeZone: 'UTC' }, 'value.exactDate'],
    ['due', 'is', { mode: 'today', timeZone: 'Moon/Crater' }, 'value.timeZone'],
    ['due', 'is', { mode: 'today' }, 'value.timeZone'],
    ['nothing', 'is', 'x', 'fieldId'],
    ['name', '__proto__', 'x', 'operator'],
  ];
  test.each(bad)('%s %s %j is refused, naming the place', async (name, operator, value, place) => {
    const refused = await set({ fieldId: field[name] ?? 'fldNone', operator, value });
    expect(refused.status).toBe(400);
    expect(refused.error.data.issues[0].path).toBe(`filter.filterSet[0].${place}`);
  });

  test('nest, take symbols, and are taken away by null', async () => {
    const put = (filter: unknown) =>
      shop.owner.call(api.setViewFilter, { params: { tableId, viewId }, body: { filter } as never });
    const inner = { fieldId: field.count, operator: '>', isSymbol: true, value: 1 };
    expect((await put({ conjunction: 'or', filterSet: [{ conjunction: 'and', filterSet: [inner] }] })).status).toBe(
      200,
    );
    expect((await read(viewId)).filter).toEqual({
      conjunction: 'or',
      filterSet: [{ conjunction: 'and', filterSet: [{ fieldId: field.count, operator: 'isGreater', value: 1 }] }],
    });
    expect((await put({ conjunction: 'xor', filterSet: [] })).status).toBe(400);
    expect((await put({ conjunction: 'and', filterSet: [7] })).status).toBe(400);
    let deep: unknown = inner;
    for (let depth = 0; depth < 500; depth += 1) deep = { conjunction: 'and', filterSet: [deep] };
    expect((await put(deep)).status).toBe(400);
    expect((await put(null)).status).toBe(200);
    expect((await read(viewId)).filter).toBeUndefined();
  });
});

describe('a view', () => {
  test('is renamed, described, sorted, grouped and given options', async () => {
    const { body } = await create({ type: 'grid', name: 'Plain' });
    const params = { tableId, viewId: body.id };
    const { call } = shop.owner;
    expect((await call(api.renameView, { params, body: { name: 'Grid view' } })).status).toBe(200);
    expect((await call(api.describeView, { params, body: { description: 'text' } })).status).toBe(200);
    expect(
      (await call(api.setViewSort, { params, body: { sort: { sortObjs: [{ fieldId: field.due!, order: 'asc' }] } } }))
        .status,
    ).toBe(200);
    expect(
      (await call(api.setViewGroup, { params, body: { group: [{ fieldId: field.status!, order: 'desc' }] } })).status,
    ).toBe(200);
    expect((await call(api.setViewOptions, { params, body: { options: { rowHeight: 'short' } } })).status).toBe(200);
    expect((await call(api.setViewOptions, { params, body: { options: { frozenColumnCount: 1 } } })).status).toBe(200);
    const view = await read(body.id);
    expect(view).toMatchObject({
      description: 'text',
      sort: { sortObjs: [{ fieldId: field.due, order: 'asc' }] },
      group: [{ fieldId: field.status, order: 'desc' }],
      options: { rowHeight: 'short', frozenColumnCount: 1 },
      lastModifiedBy: shop.owner.userId,
    });
    expect(view.name).toMatch(/^Grid view \d$/);
    await call(api.setViewSort, { params, body: { sort: null } });
    await call(api.setViewGroup, { params, body: { group: null } });
    await call(api.describeView, { params, body: { description: null } });
    const bare = await read(body.id);
    expect([bare.sort, bare.group, bare.description]).toEqual([undefined, undefined, undefined]);
    expect((await call(api.setViewOptions, { params, body: { options: { stackFieldId: field.status } } })).status).toBe(
      400,
    );
    expect((await call(api.renameView, { params: { tableId, viewId: 'viwNone' }, body: { name: 'x' } })).status).toBe(
      404,
    );
  });

  test('keeps what somebody else has set since it was read, if the change says what it was made from', async () => {
    const { id } = (await create({ type: 'grid', name: 'Together' })).body;
    const params = { tableId, viewId: id };
    const by = (name: string) => ({
      conjunction: 'and' as const,
      filterSet: [{ fieldId: field[name]!, operator: 'isNotEmpty' as const, value: null }],
    });
    expect(
      (await shop.owner.call(api.setViewFilter, { params, body: { filter: by('count'), before: null } })).status,
    ).toBe(200);
    const { filter: present } = await read(id);
    const late = await shop.owner.call(api.setViewFilter, { params, body: { filter: by('due'), before: null } });
    expect([late.status, late.error.data]).toEqual([409, { present }]);
    expect(late.error.message).toBe(
      'The filter of the view "Together" has changed since it was read; make the change to what it is now, which is in "present"',
    );
    expect((await read(id)).filter).toEqual(present);
    expect(
      (await shop.owner.call(api.setViewFilter, { params, body: { filter: by('due'), before: present! } })).status,
    ).toBe(200);
    const sort = (name: string) => ({ sortObjs: [{ fieldId: field[name]!, order: 'asc' as const }] });
    expect(
      (await shop.owner.call(api.setViewSort, { params, body: { sort: sort('count'), before: null } })).status,
    ).toBe(200);
    expect((await shop.owner.call(api.setViewSort, { params, body: { sort: sort('due'), before: null } })).status).toBe(
      409,
    );
    const group = (name: string) => [{ fieldId: field[name]!, order: 'asc' as const }];
    expect(
      (await shop.owner.call(api.setViewGroup, { params, body: { group: group('status'), before: null } })).status,
    ).toBe(200);
    expect(
      (await shop.owner.call(api.setViewGroup, { params, body: { group: null, before: group('due') } })).status,
    ).toBe(409);
    expect(await read(id)).toMatchObject({ filter: by('due'), sort: sort('count'), group: group('status') });
    await shop.owner.call(api.deleteView, { params });
  });

  test('shows and hides columns, but never hides the primary one', async () => {
    const params = { tableId, viewId };
    const put = (fieldId: string, columnMeta: object, id = viewId) =>
      shop.owner.call(api.setViewColumns, {
        params: { tableId, viewId: id },
        body: [{ fieldId, columnMeta }] as never,
      });
    expect((await put(field.count!, { hidden: true, width: 50 })).status).toBe(200);
    expect((await put(field.count!, { hidden: false, statisticFunc: null })).status).toBe(200);
    expect((await read(viewId)).columnMeta[field.count!]).toEqual({
      order: 1,
      hidden: false,
      width: 50,
      statisticFunc: null,
    });
    expect((await put(field.name!, { hidden: true })).status).toBe(403);
    expect((await put(field.name!, { width: 300 })).status).toBe(200);
    expect((await put(field.count!, { visible: true })).status).toBe(400);
    expect((await put('fldNone', { hidden: true })).status).toBe(400);
    expect((await put(field.count!, { width: 'wide' })).status).toBe(400);
    const form = (await create({ type: 'form' })).body.id;
    expect((await put(field.count!, { required: true, visible: true }, form)).status).toBe(200);
    const kanban = (await create({ type: 'kanban' })).body.id;
    expect((await put(field.name!, { visible: false }, kanban)).status).toBe(403);
    expect((await shop.owner.call(api.setViewColumns, { params, body: { a: 1 } as never })).status).toBe(400);
  });

  test('that is a form says how each field is asked for, and on which condition', async () => {
    const { call } = shop.owner;
    const form = (
      await create({
        type: 'form',
        name: 'ask',
        options: { title: 'Tell us', thanksTitle: 'Thank you', thanksText: 'We will write.' },
      })
    ).body;
    const params = { tableId, viewId: form.id };
    const condition = { conjunction: 'and', filterSet: [{ fieldId: field.status, operator: 'is', value: 'a' }] };
    const set = (columnMeta: object) =>
      call(api.setViewColumns, { params, body: [{ fieldId: field.count as string, columnMeta: columnMeta as never }] });
    expect((await set({ help: 'How many?', defaultValue: 3, required: true, condition })).status).toBe(200);
    expect((await read(form.id)).columnMeta[field.count as string]).toMatchObject({
      help: 'How many?',
      defaultValue: 3,
      required: true,
      condition,
    });
    const refused = await set({
      condition: { conjunction: 'and', filterSet: [{ fieldId: 'fldUnknown', operator: 'is', value: 'a' }] },
    });
    expect([refused.status, refused.error.data]).toMatchObject([
      400,
      { issues: [{ path: '[0].columnMeta.condition.filterSet[0].fieldId' }] },
    ]);
    expect(
      (
        await call(api.setViewColumns, {
          params: { tableId, viewId },
          body: [{ fieldId: field.count as string, columnMeta: { help: 'no' } as never }],
        })
      ).status,
    ).toBe(400);

    // The condition follows the choice, and goes with the field.
    const extra = (
      await call(createField, {
        params: { tableId },
        body: { type: 'singleSelect', name: 'kind', options: { choices: [{ id: 'choA', name: 'x' }] } },
      })
    ).body;
    await set({ condition: { conjunction: 'and', filterSet: [{ fieldId: extra.id, operator: 'is', value: 'x' }] } });
    await call(convertField, {
      params: { tableId, fieldId: extra.id },
      body: {
        type: 'singleSelect',
        options: { choices: [{ id: (extra.options.choices as { id: string }[])[0]?.id, name: 'y' }] },
      },
    });
    expect((await read(form.id)).columnMeta[field.count as string]).toMatchObject({
      condition: { filterSet: [{ value: 'y' }] },
    });
    await call(deleteField, { params: { tableId, fieldId: extra.id } });
    expect((await read(form.id)).columnMeta[field.count as string]).toMatchObject({
      help: 'How many?',
      condition: null,
    });
  });

  test('that is a form takes the answers it asks for, and no others', async () => {
    const { call } = shop.owner;
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'name' },
        { type: 'singleSelect', name: 'kind', options: { choices: [{ name: 'bug' }, { name: 'idea' }] } },
        { type: 'longText', name: 'steps' },
        { type: 'number', name: 'inner' },
        { type: 'checkbox', name: 'urgent' },
      ],
      records: [],
    });
    const [name, kind, steps, inner, urgent] = table.fields.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const when = (fieldId: string, value: unknown) => ({
      conjunction: 'and',
      filterSet: [{ fieldId, operator: 'is', value }],
    });
    const params = { tableId: table.id };
    const form = (
      await call(api.createView, {
        params,
        body: {
          type: 'form',
          columnMeta: {
            [inner]: { visible: false },
            [name]: { required: true },
            [steps]: { required: true, condition: when(kind, 'bug') },
            [urgent]: { condition: when(steps, 'x') },
          },
        } as never,
      })
    ).body;
    const submit = (fields: Record<string, unknown>, more: object = {}) =>
      call(submitForm, { params, body: { viewId: form.id, fields, ...more } });

    const made = await submit({ [name]: 'Crash', [kind]: 'bug', [steps]: 'x', [urgent]: true });
    expect([made.status, made.body.fields]).toEqual([
      201,
      { [name]: 'Crash', [kind]: 'bug', [steps]: 'x', [urgent]: true },
    ]);
    expect((await submit({ [name]: 'Wish', [kind]: 'idea' })).status).toBe(201);
    const records = (await call(listRecords, { params })).body.records;
    expect(records.map(({ fields }) => fields)).toEqual([
      { name: 'Crash', kind: 'bug', steps: 'x', urgent: true },
      { name: 'Wish', kind: 'idea' },
    ]);

    const issues = async (fields: Record<string, unknown>) =>
      ((await submit(fields)).error.data as { issues: { path: string; message: string }[] }).issues;
    expect(await issues({ [kind]: 'bug' })).toMatchObject([
      { path: `fields.${name}`, message: '"name" must not be empty' },
      { path: `fields.${steps}` },
    ]);
    // The steps are asked for with bugs only, and what depends on them falls with them.
    expect(await issues({ [name]: 'n', [kind]: 'idea', [steps]: 'x', [urgent]: true })).toMatchObject([
      { path: `fields.${steps}`, message: 'The form does not ask for "steps" with these answers' },
      { path: `fields.${urgent}` },
    ]);
    expect((await submit({ [name]: 'n', [kind]: 'idea', [steps]: null })).status).toBe(201);
    expect((await submit({ [name]: 'n', [inner]: null })).status).toBe(403);
    expect((await submit({ name: 'n' })).status).toBe(403);
    const misfit = await submit({ [name]: 7 });
    expect([misfit.status, misfit.error.message]).toEqual([
      400,
      `Validation error: Expected a string, got 7 at "fields.${name}"`,
    ]);
    expect((await submit({ [name]: 7 }, { typecast: true })).body.fields).toEqual({ [name]: '7' });
    expect((await call(submitForm, { params, body: { viewId: 'viwUnknown', fields: {} } })).status).toBe(404);
    const grid = await call(submitForm, { params, body: { viewId: table.views[0]?.id as string, fields: {} } });
    expect([grid.status, grid.error.data]).toMatchObject([
      400,
      { issues: [{ path: 'viewId', expected: 'the id of a form view' }] },
    ]);

    // A field that comes later is not shown to those who fill in the form until somebody puts it there.
    const later = (await call(createField, { params, body: { type: 'number', name: 'later' } })).body.id;
    expect((await submit({ [name]: 'n', [later]: 1 })).status).toBe(403);
  });

  test('that is a form fills fields with values they can have', async () => {
    const { call } = shop.owner;
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'name' },
        {
          type: 'singleSelect',
          name: 'kind',
          options: {
            choices: [
              { id: 'choA', name: 'bug' },
              { id: 'choB', name: 'idea' },
            ],
          },
        },
        { type: 'user', name: 'who' },
      ],
      records: [],
    });
    const [name, kind, who] = table.fields.map(({ id }) => id) as [string, string, string];
    const form = (await call(api.createView, { params: { tableId: table.id }, body: { type: 'form' } })).body;
    const params = { tableId: table.id, viewId: form.id };
    const set = (fieldId: string, defaultValue: unknown) =>
      call(api.setViewColumns, { params, body: [{ fieldId, columnMeta: { defaultValue } as never }] });
    expect([(await set(name, 'Anna')).status, (await set(kind, 'bug')).status, (await set(name, null)).status]).toEqual(
      [200, 200, 200],
    );
    const refused = await set(kind, 'wish');
    expect([refused.status, refused.error.data]).toMatchObject([
      400,
      { issues: [{ path: '[0].columnMeta.defaultValue' }] },
    ]);
    expect([(await set(name, 7)).status, (await set(who, { id: shop.owner.userId })).status]).toEqual([400, 400]);

    // It follows the choice, and goes when it is no value of the field any more.
    const columnOf = async () => (await call(api.getView, { params })).body.columnMeta[kind];
    const choices = (table.fields[1]?.options as { choices: { id: string }[] }).choices;
    await call(convertField, {
      params: { tableId: table.id, fieldId: kind },
      body: { type: 'singleSelect', options: { choices: [{ id: choices[0]?.id, name: 'defect' }, choices[1]] } },
    });
    expect(await columnOf()).toMatchObject({ defaultValue: 'defect' });
    await call(convertField, { params: { tableId: table.id, fieldId: kind }, body: { type: 'number', options: {} } });
    expect(await columnOf()).not.toHaveProperty('defaultValue');
  });

  test('moves, is deleted, and the last one stays', async () => {
    const table = await shop.table({
      views: [
        { type: 'grid', name: 'A' },
        { type: 'grid', name: 'B' },
        { type: 'grid', name: 'C' },
      ],
    });
    const [a, b, c] = table.views.map(({ id }) => id) as [string, string, string];
    const params = (id: string) => ({ tableId: table.id, viewId: id });
    const list = async () =>
      (await shop.owner.call(api.listViews, { params: { tableId: table.id } })).body.map(({ name }) => name).join('');
    await shop.owner.call(api.moveView, { params: params(c), body: { anchorId: a, position: 'before' } });
    expect(await list()).toBe('CAB');
    await shop.owner.call(api.moveView, { params: params(c), body: { anchorId: a, position: 'after' } });
    expect(await list()).toBe('ACB');
    expect(
      (await shop.owner.call(api.moveView, { params: params(c), body: { anchorId: 'viwNone', position: 'after' } }))
        .status,
    ).toBe(400);
    expect((await shop.owner.call(api.deleteView, { params: params(a) })).status).toBe(200);
    expect((await shop.owner.call(api.deleteView, { params: params(a) })).status).toBe(404);
    const last = await Promise.all([b, c].map((id) => shop.owner.call(api.deleteView, { params: params(id) })));
    expect(last.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('that is locked refuses changes until a creator unlocks it', async () => {
    const editor = await member(world(), shop.owner, shop.baseId, 'editor');
    const { body } = await create({ type: 'grid' });
    const params = { tableId, viewId: body.id };
    expect((await editor.call(api.lockView, { params, body: { isLocked: true } })).status).toBe(200);
    expect((await read(body.id)).isLocked).toBe(true);
    const refused = await Promise.all([
      shop.owner.call(api.renameView, { params, body: { name: 'x' } }),
      shop.owner.call(api.setViewFilter, { params, body: { filter: null } }),
      shop.owner.call(api.setViewColumns, { params, body: [] }),
      shop.owner.call(api.setViewOptions, { params, body: { options: {} } }),
      shop.owner.call(api.moveView, { params, body: { anchorId: viewId, position: 'before' } }),
      shop.owner.call(api.deleteView, { params }),
      editor.call(api.lockView, { params, body: { isLocked: false } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(403));
    expect((await shop.owner.call(api.lockView, { params, body: {} })).status).toBe(200);
    expect((await editor.call(api.renameView, { params, body: { name: 'free' } })).status).toBe(200);
  });

  test('that is personal is changed by its owner alone, seen and copied by others, and taken over by those who run the base', async () => {
    const editor = await member(world(), shop.owner, shop.baseId, 'editor');
    const other = await member(world(), shop.owner, shop.baseId, 'editor');
    const made = await editor.call(api.createView, { params: { tableId }, body: { type: 'grid', isPersonal: true } });
    const params = { tableId, viewId: made.body.id };
    expect((await read(made.body.id)).personalOf).toBe(editor.userId);
    const refusals = (who: typeof editor) => [
      who.call(api.renameView, { params, body: { name: 'x' } }),
      who.call(api.setViewFilter, { params, body: { filter: null } }),
      who.call(api.setViewOptions, { params, body: { options: {} } }),
      who.call(api.moveView, { params, body: { anchorId: viewId, position: 'before' } }),
      who.call(api.lockView, { params, body: { isLocked: true } }),
      who.call(api.makeViewPersonal, { params, body: { isPersonal: true } }),
    ];
    const refused = await Promise.all([
      ...refusals(other),
      ...refusals(shop.owner),
      other.call(api.deleteView, { params }),
      other.call(api.makeViewPersonal, { params, body: { isPersonal: false } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(14).fill(403));
    expect((await editor.call(api.renameView, { params, body: { name: 'Mine' } })).status).toBe(200);

    // A copy belongs to the one who makes it.
    const copy = await other.call(duplicateView, { params });
    expect(copy.body.personalOf).toBe(other.userId);
    expect(
      (await other.call(api.renameView, { params: { tableId, viewId: copy.body.id }, body: { name: 'Hers' } })).status,
    ).toBe(200);

    // The default is never somebody's own, wherever it stands.
    expect((await editor.call(api.moveView, { params, body: { anchorId: viewId, position: 'before' } })).status).toBe(
      200,
    );
    expect((await other.call(getDefaultViewId, { params: { baseId: shop.baseId, tableId } })).body.id).toBe(viewId);

    expect((await shop.owner.call(api.makeViewPersonal, { params, body: { isPersonal: false } })).status).toBe(200);
    expect(await read(made.body.id)).not.toHaveProperty('personalOf');
    expect((await other.call(api.renameView, { params, body: { name: 'Ours' } })).status).toBe(200);
    // Those who run the base also delete what people leave behind; what is restored is as it was.
    const left = { tableId, viewId: copy.body.id };
    expect((await shop.owner.call(api.deleteView, { params: left })).status).toBe(200);
    const trash = await shop.owner.call(listTrashItems, { query: { resourceId: tableId, resourceType: 'table' } });
    const item = trash.body.trashItems.find((one) => 'resourceIds' in one && one.resourceIds.includes(copy.body.id));
    expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBeLessThan(300);
    expect((await read(copy.body.id)).personalOf).toBe(other.userId);
  });

  test('that is the last collaborative one of a table stays so', async () => {
    const table = await shop.owner.call(createTable, { params: { baseId: shop.baseId }, body: { name: 'Small' } });
    const of = table.body.id;
    const [first] = table.body.views ?? [];
    const params = { tableId: of, viewId: first?.id as string };
    const personal = () => shop.owner.call(api.makeViewPersonal, { params, body: { isPersonal: true } });
    expect((await personal()).status).toBe(400);
    await shop.owner.call(api.createView, { params: { tableId: of }, body: { type: 'grid', isPersonal: true } });
    const refused = await Promise.all([personal(), shop.owner.call(api.deleteView, { params })]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
    expect(refused[0]?.body).toMatchObject({ message: expect.stringContaining('last collaborative view') });
    await shop.owner.call(api.createView, { params: { tableId: of }, body: { type: 'grid' } });
    expect((await personal()).status).toBe(200);
    // The copy of a table has no personal views.
    const copy = await shop.owner.call(duplicateTable, {
      params: { baseId: shop.baseId, tableId: of },
      body: { name: 'Copy', includeRecords: false },
    });
    expect(copy.body.views?.map((view) => 'personalOf' in view)).toEqual([false, false, false]);
  });

  test('is read by viewers and changed by editors', async () => {
    const viewer = await member(world(), shop.owner, shop.baseId, 'viewer');
    expect((await viewer.call(api.listViews, { params: { tableId } })).status).toBe(200);
    expect((await viewer.call(api.createView, { params: { tableId }, body: { type: 'grid' } })).status).toBe(403);
    expect((await viewer.call(api.renameView, { params: { tableId, viewId }, body: { name: 'x' } })).status).toBe(403);
  });
});
