// Fields that become links, links that become other links or something else, and the same of what is looked up: nothing is lost that cannot be brought back.
import * as api from '@rowhouse/contract/field.ts';
import * as planned from '@rowhouse/contract/field-plan.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../server/domain/computed/plan.ts';
import { cases } from '../support/cases.ts';
import { linkShop, type Made, to } from '../support/links.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { newBase } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let shop: Workshop;
let links: ReturnType<typeof linkShop>;
beforeAll(async () => {
  shop = await openWorkshop(world());
  links = linkShop(shop, world());
});
// Every cell of the base is compared after each step.
beforeEach(async () => {
  shop.baseId = await newBase(shop.owner, shop.spaceId);
});

type Answer = Awaited<ReturnType<ReturnType<typeof linkShop>['convert']>>;

const undo = async ({ tableId }: Made, { headers }: { headers: Headers }, more: object = {}) =>
  shop.owner.call(restoreHistory, {
    params: { tableId },
    body: { operationId: headers.get('x-operation-id') as string, ...more },
  });

const convert = async (table: Made, fieldId: string, body: object): Promise<Answer> => {
  const answer = await links.convert(table, fieldId, body);
  expect([answer.status, answer.error?.message]).toEqual([200, undefined]);
  await links.allRight();
  return answer;
};

const undone = async (table: Made, answer: { headers: Headers }): Promise<{ headers: Headers }> => {
  const back = await undo(table, answer);
  expect([back.status, back.error?.message]).toEqual([200, undefined]);
  await links.allRight();
  return back;
};

const pair = async (relationship: string, more: object = {}) => {
  const projects = await links.makeTable('Projects', ['Alpha', 'Beta', 'Gamma']);
  const tasks = await links.makeTable('Tasks', ['One', 'Two', 'Three']);
  const field = await links.link(tasks, projects, relationship, more);
  return { projects, tasks, field, symmetricId: field.options.symmetricFieldId as string };
};

describe('text becomes a link', () => {
  const ground = async () => {
    const projects = await links.makeTable('Projects', ['Alpha', 'Beta', 'Alpha', 'Gamma, Delta']);
    const tasks = await links.makeTable(
      'Tasks',
      [
        { Name: 'One', Of: 'Alpha' },
        { Name: 'Two', Of: 'Beta, Alpha' },
        { Name: 'Three', Of: 'Nobody' },
        { Name: 'Four', Of: 'Gamma, Delta' },
        'Five',
      ],
      [{ type: 'singleLineText', name: 'Of' }],
    );
    return { projects, tasks, id: tasks.fieldIds['Of'] as string };
  };

  const byTitle: [relationship: string, expected: unknown[]][] = [
    ['manyOne', ['Alpha', 'Beta', null, 'Gamma, Delta', null]],
    ['manyMany', [['Alpha'], ['Beta', 'Alpha'], null, ['Gamma, Delta'], null]],
    ['oneMany', [['Alpha'], ['Beta'], null, ['Gamma, Delta'], null]],
    ['oneOne', ['Alpha', 'Beta', null, 'Gamma, Delta', null]],
  ];

  test.each(cases(byTitle, byTitle.slice(0, 3)))('by title: %s, and back', async (relationship, expected) => {
    const { projects, tasks, id } = await ground();
    const made = await convert(tasks, id, {
      type: 'link',
      options: { relationship, foreignTableId: projects.tableId },
    });
    expect(made.body).toMatchObject({
      id,
      name: 'Of',
      type: 'link',
      options: { relationship, symmetricFieldId: expect.any(String), lookupFieldId: projects.fieldIds['Name'] },
    });
    expect(await links.shown(tasks, id)).toEqual(expected);
    const symmetricId = made.body.options.symmetricFieldId as string;
    // The oldest of those with the same title.
    expect((await links.cellsOf(projects, symmetricId))[2]).toBeNull();
    // It is a link like any other.
    const isMany = made.body.isMultipleCellValue === true;
    expect((await links.set(tasks, 4, id, isMany ? to(projects, 2) : to(projects, 2)[0])).status).toBe(200);
    expect((await links.set(tasks, 4, id, null)).status).toBe(200);
    // The cell was written since, and is as it was: undoing has to be told to go on.
    const back = await undo(tasks, made, { force: true });
    expect(back.status).toBe(200);
    expect(await links.cellsOf(tasks, id)).toEqual(['Alpha', 'Beta, Alpha', 'Nobody', 'Gamma, Delta', null]);
    expect(await links.fieldOf(projects, symmetricId)).toBeUndefined();
    await links.allRight();
  });

  test('undone and done again, it leads to the same records', async () => {
    const { projects, tasks, id } = await ground();
    const made = await convert(tasks, id, {
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: projects.tableId },
    });
    const symmetricId = made.body.options.symmetricFieldId as string;
    const back = await undone(tasks, made);
    await links.set(projects, 0, projects.fieldIds['Name'] as string, 'Renamed');
    await undone(tasks, back);
    expect(await links.shown(tasks, id)).toEqual([['Renamed'], ['Beta', 'Renamed'], null, ['Gamma, Delta'], null]);
    expect(await links.shown(projects, symmetricId)).toEqual([['One', 'Two'], ['Two'], null, ['Four']]);
  });

  test('one way, of choices, of numbers and of formulas', async () => {
    const projects = await links.makeTable('Projects', ['Alpha', 'Beta', '7']);
    const tasks = await links.makeTable(
      'Tasks',
      [{ Name: 'One', Tags: ['Beta', 'Alpha'], Count: 7 }, { Name: 'Alpha' }],
      [
        { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'Alpha' }, { name: 'Beta' }] } },
        { type: 'number', name: 'Count', options: { formatting: { type: 'decimal', precision: 0 } } },
        { type: 'formula', name: 'Said', options: { expression: '{Name}' } },
      ],
    );
    const options = { relationship: 'manyMany', foreignTableId: projects.tableId, isOneWay: true };
    for (const [name, expected] of [
      ['Tags', [['Beta', 'Alpha'], null]],
      ['Count', [['7'], null]],
      ['Said', [null, ['Alpha']]],
    ] as const) {
      const id = tasks.fieldIds[name] as string;
      const before = await links.cellsOf(tasks, id);
      const made = await convert(tasks, id, { type: 'link', options });
      expect(made.body.options.symmetricFieldId).toBeUndefined();
      expect(await links.shown(tasks, id)).toEqual(expected);
      await undone(tasks, made);
      expect(await links.cellsOf(tasks, id)).toEqual(before);
    }
    expect(await links.fieldsOf(projects)).toHaveLength(1);
  });

  test('a link can be required: no request empties it, but records that it leads to can be deleted', async () => {
    const projects = await links.makeTable('Projects', ['Alpha', 'Beta']);
    const tasks = await links.makeTable('Tasks', ['One', 'Two']);
    const options = { relationship: 'manyOne', foreignTableId: projects.tableId };
    const asked = { params: tasks, body: { type: 'link', options, notNull: true } as never };
    expect(await shop.owner.call(api.createField, asked)).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('required') },
    });
    const { id } = await links.addField(tasks, { type: 'link', options });
    expect((await links.set(tasks, 0, id, { id: projects.ids[0] })).status).toBe(200);
    expect((await links.convert(tasks, id, { type: 'link', notNull: true })).status).toBe(400);
    expect((await links.set(tasks, 1, id, { id: projects.ids[1] })).status).toBe(200);
    expect((await links.convert(tasks, id, { type: 'link', notNull: true })).body).toMatchObject({ notNull: true });

    expect((await links.set(tasks, 0, id, null)).status).toBe(400);
    const create = (fields: object) =>
      shop.owner.call(createRecords, {
        params: tasks,
        body: { fieldKeyType: 'id', records: [{ fields: fields as never }] },
      });
    expect((await create({})).status).toBe(400);
    expect((await create({ [id]: { id: projects.ids[0] } })).status).toBe(201);
    // What it leads to may go; then the cell is empty, sorted and grouped as such, and the record can be deleted and restored.
    const gone = { tableId: projects.tableId, recordId: projects.ids[1] as string };
    expect((await shop.owner.call(deleteRecord, { params: gone })).status).toBe(200);
    expect(await links.shown(tasks, id)).toEqual(['Alpha', null]);
    const sorted = await shop.owner.call(listRecords, {
      params: tasks,
      query: {
        fieldKeyType: 'id',
        orderBy: JSON.stringify([{ fieldId: id, order: 'asc' }]),
        groupBy: JSON.stringify([{ fieldId: id, order: 'asc' }]),
      },
    });
    expect(sorted.body.records.map((record) => record.id)[0]).toBe(tasks.ids[1]);
    const task = { tableId: tasks.tableId, recordId: tasks.ids[1] as string };
    const deleted = await shop.owner.call(deleteRecord, { params: task });
    expect((await undo(tasks, deleted)).status).toBe(200);
    expect(await links.shown(tasks, id)).toEqual(['Alpha', null]);
    // While the other table is in the trash nothing can be linked, so nothing is demanded.
    const other = { params: { baseId: shop.baseId, tableId: projects.tableId } };
    expect((await shop.owner.call(deleteTable, other)).status).toBe(200);
    expect((await create({})).status).toBe(201);
    const trash = await shop.owner.call(listTrashItems, { query: { resourceType: 'base', resourceId: shop.baseId } });
    const item = trash.body.trashItems.find(({ resourceId }) => resourceId === projects.tableId);
    expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(201);
    expect((await create({})).status).toBe(400);
    const [made] = (await shop.owner.call(listRecords, { params: tasks, query: {} })).body.records.slice(-1);
    tasks.ids.push(made?.id as string);
    expect((await links.set(tasks, 2, id, { id: projects.ids[0] })).status).toBe(200);
    // Another relationship keeps the rule where no cell is empty, and text has it no longer.
    expect(
      (await links.convert(tasks, id, { type: 'link', options: { ...options, relationship: 'manyMany' } })).status,
    ).toBe(400);
    expect((await links.set(tasks, 1, id, { id: projects.ids[0] })).status).toBe(200);
    expect(
      (await links.convert(tasks, id, { type: 'link', options: { ...options, relationship: 'manyMany' } })).body,
    ).toMatchObject({ notNull: true });
    expect((await links.convert(tasks, id, { type: 'singleLineText' })).body.notNull).toBeUndefined();
    await links.allRight();
  });

  test('the primary field, constraints, and tables of another base are refused', async () => {
    const { projects, tasks, id } = await ground();
    const options = { relationship: 'manyOne', foreignTableId: projects.tableId };
    expect(await links.convert(tasks, tasks.fieldIds['Name'] as string, { type: 'link', options })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('primary field') },
    });
    expect(await links.convert(tasks, id, { type: 'link', options, unique: true })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('cannot be unique') },
    });
    expect(await links.convert(tasks, id, { type: 'link', options, notNull: true })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('required') },
    });
    expect(await links.convert(tasks, id, { type: 'link', options: { ...options, baseId: 'bseOther' } })).toMatchObject(
      { status: 400, body: { message: expect.stringContaining('another base') } },
    );
    expect(
      await links.convert(tasks, id, { type: 'link', options: { ...options, foreignTableId: 'tblNone' } }),
    ).toMatchObject({ status: 400, body: { message: expect.stringContaining('has no table tblNone') } });
    // A title that would be the link itself, or be computed from it.
    const formula = await links.addField(tasks, { type: 'formula', options: { expression: `{${id}} & "!"` } });
    for (const lookupFieldId of [id, formula.id]) {
      const body = { type: 'link', options: { foreignTableId: tasks.tableId, relationship: 'manyOne', lookupFieldId } };
      expect(await links.convert(tasks, id, body)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/would need itself|could name a record/) },
      });
      expect(
        (
          await shop.owner.call(planned.planFieldConvert, {
            params: { tableId: tasks.tableId, fieldId: id },
            body: body as never,
          })
        ).status,
      ).toBeLessThan(500);
    }
    expect(await links.cellsOf(tasks, id)).toEqual(['Alpha', 'Beta, Alpha', 'Nobody', 'Gamma, Delta', null]);
  });
});

describe('a link becomes something else', () => {
  const kinds: [relationship: string, more: object][] = [
    ['manyOne', {}],
    ['oneMany', {}],
    ['manyMany', { isOneWay: true }],
    ['manyMany', {}],
    ['oneOne', {}],
    ['oneMany', { isOneWay: true }],
  ];

  test.each(cases(kinds, kinds.slice(0, 3)))('text, and back: %s %j', async (relationship, more) => {
    const { projects, tasks, field, symmetricId } = await pair(relationship, more);
    const isMany = field.isMultipleCellValue === true;
    await links.set(tasks, 0, field.id, isMany ? to(projects, 2, 0) : to(projects, 2)[0]);
    await links.set(tasks, 2, field.id, isMany ? to(projects, 1) : to(projects, 1)[0]);
    const shown = await links.shown(tasks, field.id);
    const otherSide = symmetricId === undefined ? null : await links.cellsOf(projects, symmetricId);
    const made = await convert(tasks, field.id, { type: 'singleLineText' });
    expect(made.body).toMatchObject({ type: 'singleLineText', options: {} });
    expect(await links.cellsOf(tasks, field.id)).toEqual([isMany ? 'Gamma, Alpha' : 'Gamma', null, 'Beta']);
    expect(await links.fieldsOf(projects)).toHaveLength(1);
    await links.set(projects, 2, projects.fieldIds['Name'] as string, 'Golf');
    await undone(tasks, made);
    expect(await links.shown(tasks, field.id)).toEqual(JSON.parse(JSON.stringify(shown).replaceAll('Gamma', 'Golf')));
    if (otherSide !== null) expect(await links.cellsOf(projects, symmetricId)).toEqual(otherSide);
    expect((await links.set(tasks, 1, field.id, isMany ? to(projects, 1) : null)).status).toBe(
      relationship === 'oneMany' ? 400 : 200,
    );
  });

  test('choices, and numbers where titles are numbers', async () => {
    const { projects, tasks, field } = await pair('manyMany');
    await links.set(tasks, 0, field.id, to(projects, 1, 0));
    const made = await convert(tasks, field.id, { type: 'multipleSelect' });
    expect(await links.cellsOf(tasks, field.id)).toEqual([['Beta', 'Alpha'], null, null]);
    await undone(tasks, made);
    await links.set(projects, 0, projects.fieldIds['Name'] as string, '12');
    await links.set(tasks, 0, field.id, to(projects, 0));
    const number = await convert(tasks, field.id, { type: 'number' });
    expect(await links.cellsOf(tasks, field.id)).toEqual([12, null, null]);
    await undone(tasks, number);
    expect(await links.shown(tasks, field.id)).toEqual([['12'], null, null]);
  });

  test('what was the other side comes back by undoing alone, and is made again when the trash was emptied', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    await links.set(tasks, 0, field.id, to(projects, 1)[0]);
    await shop.owner.call(api.updateField, {
      params: { tableId: projects.tableId, fieldId: symmetricId },
      body: { name: 'Its tasks' },
    });
    const sum = await links.addField(projects, { type: 'count', lookupOptions: { linkFieldId: symmetricId } });
    const said = await links.addField(projects, {
      type: 'formula',
      name: 'Said',
      options: { expression: `"has " & {${symmetricId}}` },
    });
    const made = await convert(tasks, field.id, { type: 'longText' });
    expect([
      (await links.fieldOf(projects, sum.id))?.hasError,
      (await links.fieldOf(projects, said.id))?.hasError,
    ]).toEqual([true, true]);
    const trash = await shop.owner.call(listTrashItems, {
      query: { resourceType: 'table', resourceId: projects.tableId },
    });
    const item = trash.body.trashItems.find(({ resourceIds }) => resourceIds?.includes(symmetricId));
    expect(await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('undo that change') },
    });
    // A link again: what is in the trash has nothing to do with it.
    const again = await convert(tasks, field.id, {
      type: 'link',
      options: { relationship: 'manyOne', foreignTableId: projects.tableId },
    });
    const second = again.body.options.symmetricFieldId as string;
    expect(second).not.toBe(symmetricId);
    expect(
      (await shop.owner.call(resetTrashItems, { query: { resourceType: 'table', resourceId: projects.tableId } }))
        .status,
    ).toBe(200);
    expect(await links.shown(projects, second)).toEqual([null, ['One'], null]);
    await links.allRight();
    await undone(tasks, again);
    expect((await undo(tasks, made, { force: true })).status).toBe(200);
    await links.allRight();
    expect(await links.fieldOf(projects, symmetricId)).toMatchObject({ name: 'Tasks' });
    expect(await links.cellsOf(projects, sum.id)).toEqual([null, 1, null]);
    expect(await links.cellsOf(projects, said.id)).toEqual(['has ', 'has One', 'has ']);
  });

  test('undoing leaves out records that are gone, and is refused where cells were written since', async () => {
    const { projects, tasks, field } = await pair('manyMany');
    await links.set(tasks, 0, field.id, to(projects, 0, 1));
    const made = await convert(tasks, field.id, { type: 'singleLineText' });
    await shop.owner.call(deleteRecord, { params: { tableId: projects.tableId, recordId: projects.ids[0] as string } });
    await shop.owner.call(updateRecord, {
      params: { tableId: tasks.tableId, recordId: tasks.ids[1] as string },
      body: { fieldKeyType: 'id', record: { fields: { [field.id]: 'Gamma' } } },
    });
    expect((await undo(tasks, made)).status).toBe(409);
    expect((await undo(tasks, made, { force: true })).status).toBe(200);
    expect(await links.shown(tasks, field.id)).toEqual([['Beta'], ['Gamma'], null]);
    await links.allRight();
  });
});

describe('a link becomes another link', () => {
  const relationships = ['manyOne', 'oneMany', 'oneOne', 'manyMany'];
  // From each place of the key to another (a column here, a column there, a table between), and one where others lose theirs.
  const changes: [from: string, other: string][] = [
    ['manyOne', 'oneMany'],
    ['oneMany', 'manyMany'],
    ['manyMany', 'manyOne'],
    ['manyMany', 'oneOne'],
  ];

  test.each(
    cases(
      relationships.flatMap((from) => relationships.filter((other) => other !== from).map((other) => [from, other])),
      changes,
    ) as typeof changes,
  )('%s → %s and back', async (from, other) => {
    const { projects, tasks, field, symmetricId } = await pair(from);
    const isMany = (relationship: string): boolean => relationship === 'oneMany' || relationship === 'manyMany';
    await links.set(tasks, 0, field.id, isMany(from) ? to(projects, 2, 0) : to(projects, 2)[0]);
    if (from !== 'oneOne')
      await links.set(tasks, 1, field.id, isMany(from) ? to(projects, from === 'oneMany' ? 1 : 2) : to(projects, 2)[0]);
    const before = [await links.shown(tasks, field.id), await links.shown(projects, symmetricId)];
    const made = await convert(tasks, field.id, {
      type: 'link',
      options: { relationship: other, foreignTableId: projects.tableId },
    });
    expect(made.body.options).toMatchObject({ relationship: other, symmetricFieldId: symmetricId });
    expect((await links.fieldOf(projects, symmetricId))?.options).toMatchObject({
      symmetricFieldId: field.id,
      selfKeyName: made.body.options.foreignKeyName,
      foreignKeyName: made.body.options.selfKeyName,
    });
    const first = isMany(from) ? ['Gamma', 'Alpha'] : ['Gamma'];
    expect((await links.shown(tasks, field.id))[0]).toEqual(isMany(other) ? first : 'Gamma');
    // Where a project can have one task only, the first one has it.
    const isTaken = (other === 'oneMany' || other === 'oneOne') && from !== 'oneMany';
    const second = from === 'oneOne' || isTaken ? null : from === 'oneMany' ? 'Beta' : 'Gamma';
    expect((await links.shown(tasks, field.id))[1]).toEqual(second === null || !isMany(other) ? second : [second]);
    await undone(tasks, made);
    expect([await links.shown(tasks, field.id), await links.shown(projects, symmetricId)]).toEqual(before);
  });

  test.each(cases(relationships, ['manyOne', 'manyMany']))('one way and both ways: %s', async (relationship) => {
    const { projects, tasks, field } = await pair(relationship, { isOneWay: true });
    await links.set(tasks, 0, field.id, field.isMultipleCellValue === true ? to(projects, 1, 0) : to(projects, 1)[0]);
    const shown = await links.shown(tasks, field.id);
    const both = await convert(tasks, field.id, {
      type: 'link',
      options: { relationship, foreignTableId: projects.tableId, isOneWay: false },
    });
    const symmetricId = both.body.options.symmetricFieldId as string;
    expect(await links.shown(tasks, field.id)).toEqual(shown);
    expect([(await links.shown(projects, symmetricId))[1]].flat()).toEqual(['One']);
    const one = await convert(tasks, field.id, {
      type: 'link',
      options: { relationship, foreignTableId: projects.tableId, isOneWay: true },
    });
    expect(one.body.options.symmetricFieldId).toBeUndefined();
    expect(await links.fieldOf(projects, symmetricId)).toBeUndefined();
    expect(await links.shown(tasks, field.id)).toEqual(shown);
    await undone(tasks, one);
    expect([(await links.shown(projects, symmetricId))[1]].flat()).toEqual(['One']);
    await undone(tasks, both);
    expect(await links.fieldsOf(projects)).toHaveLength(1);
    expect(await links.shown(tasks, field.id)).toEqual(shown);
  });

  test('to another table, by title; what is looked up through it has an error', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyMany');
    const others = await links.makeTable('Others', ['Beta', 'Zeta', 'Alpha']);
    await links.set(tasks, 0, field.id, to(projects, 0, 1, 2));
    const lookup = await links.addField(tasks, {
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: {
        foreignTableId: projects.tableId,
        linkFieldId: field.id,
        lookupFieldId: projects.fieldIds['Name'],
      },
    });
    const said = await links.addField(tasks, {
      type: 'formula',
      name: 'Said',
      options: { expression: `"of " & {${field.id}}` },
    });
    const made = await convert(tasks, field.id, {
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: others.tableId },
    });
    expect(await links.cellsOf(tasks, field.id)).toEqual([
      [
        { id: others.ids[2], title: 'Alpha' },
        { id: others.ids[0], title: 'Beta' },
      ],
      null,
      null,
    ]);
    expect((await links.fieldsOf(projects)).map(({ name }) => name)).toEqual(['Name']);
    expect((await links.fieldsOf(others)).map(({ name }) => name)).toEqual(['Name', 'Tasks']);
    expect(await links.fieldOf(tasks, lookup.id)).toMatchObject({ hasError: true });
    expect((await links.fieldOf(tasks, said.id))?.hasError).toBeUndefined();
    expect((await links.cellsOf(tasks, said.id))[0]).toBe('of Alpha, Beta');
    await undone(tasks, made);
    expect((await links.fieldsOf(others)).map(({ name }) => name)).toEqual(['Name']);
    expect(await links.shown(tasks, field.id)).toEqual([['Alpha', 'Beta', 'Gamma'], null, null]);
    expect(await links.shown(projects, symmetricId)).toEqual([['One'], ['One'], ['One']]);
    expect((await links.cellsOf(tasks, lookup.id))[0]).toEqual(['Alpha', 'Beta', 'Gamma']);
  });

  test('within a table, from either side', async () => {
    const people = await links.makeTable('People', ['Ada', 'Bob', 'Cy']);
    const boss = await links.link(people, people, 'manyOne');
    const reports = boss.options.symmetricFieldId as string;
    await links.set(people, 0, reports, to(people, 2, 1));
    const many = await convert(people, reports, {
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: people.tableId },
    });
    expect(await links.shown(people, boss.id)).toEqual([null, ['Ada'], ['Ada']]);
    await undone(people, many);
    expect(await links.shown(people, boss.id)).toEqual([null, 'Ada', 'Ada']);
    const text = await convert(people, reports, { type: 'singleLineText' });
    expect(await links.cellsOf(people, reports)).toEqual(['Cy, Bob', null, null]);
    expect(await links.fieldOf(people, boss.id)).toBeUndefined();
    await undone(people, text);
    expect(await links.shown(people, boss.id)).toEqual([null, 'Ada', 'Ada']);
    expect(await links.shown(people, reports)).toEqual([['Cy', 'Bob'], null, null]);
  });

  test('lookups, rollups and views follow', async () => {
    const { projects, tasks, field } = await pair('manyMany');
    await links.set(tasks, 0, field.id, to(projects, 1, 0));
    const lookup = await links.addField(tasks, {
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: {
        foreignTableId: projects.tableId,
        linkFieldId: field.id,
        lookupFieldId: projects.fieldIds['Name'],
      },
    });
    const made = await convert(tasks, field.id, {
      type: 'link',
      options: { relationship: 'manyOne', foreignTableId: projects.tableId },
    });
    expect(await links.fieldOf(tasks, lookup.id)).toMatchObject({
      lookupOptions: { relationship: 'manyOne', foreignKeyName: `__fk_${field.id}` },
    });
    expect((await links.fieldOf(tasks, lookup.id))?.isMultipleCellValue).toBeUndefined();
    expect(await links.cellsOf(tasks, lookup.id)).toEqual(['Beta', null, null]);
    await undone(tasks, made);
    expect(await links.cellsOf(tasks, lookup.id)).toEqual([['Beta', 'Alpha'], null, null]);
  });
});

describe('what is looked up', () => {
  const ground = async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyMany');
    const hours = await links.addField(projects, {
      type: 'number',
      name: 'Hours',
      options: { formatting: { type: 'decimal', precision: 1 } },
    });
    await links.set(projects, 0, hours.id, 1.5);
    await links.set(projects, 1, hours.id, 2);
    await links.set(tasks, 0, field.id, to(projects, 0, 1));
    await links.set(tasks, 1, field.id, to(projects, 1));
    const lookupOptions = { foreignTableId: projects.tableId, linkFieldId: field.id, lookupFieldId: hours.id };
    return { projects, tasks, field, symmetricId, hours, lookupOptions };
  };

  test('becomes plain cells, with what it shows, and back', async () => {
    const { tasks, lookupOptions } = await ground();
    const lookup = await links.addField(tasks, {
      type: 'number',
      isLookup: true,
      lookupOptions,
      options: { formatting: { type: 'decimal', precision: 2 } },
    });
    const text = await convert(tasks, lookup.id, { type: 'singleLineText' });
    expect(text.body.isLookup).toBeUndefined();
    expect(text.body.lookupOptions).toBeUndefined();
    expect(await links.cellsOf(tasks, lookup.id)).toEqual(['1.50, 2.00', '2.00', null]);
    expect((await links.set(tasks, 2, lookup.id, 'written')).status).toBe(200);
    await links.set(tasks, 2, lookup.id, null);
    expect((await undo(tasks, text, { force: true })).status).toBe(200);
    expect(await links.fieldOf(tasks, lookup.id)).toMatchObject({
      type: 'number',
      isLookup: true,
      isMultipleCellValue: true,
      options: { formatting: { precision: 2 } },
    });
    expect(await links.cellsOf(tasks, lookup.id)).toEqual([[1.5, 2], [2], null]);
    const sum = await links.addField(tasks, {
      type: 'rollup',
      options: { expression: 'sum({values})' },
      lookupOptions,
    });
    const number = await convert(tasks, sum.id, { type: 'number' });
    expect(await links.cellsOf(tasks, sum.id)).toEqual([3.5, 2, null]);
    await undone(tasks, number);
    expect(await links.fieldOf(tasks, sum.id)).toMatchObject({ type: 'rollup', lookupOptions, isComputed: true });
    expect(await links.cellsOf(tasks, sum.id)).toEqual([3.5, 2, null]);
  });

  test('becomes empty cells when it has lost what it shows, and back', async () => {
    const { tasks, field, lookupOptions } = await ground();
    const lookup = await links.addField(tasks, { type: 'number', isLookup: true, lookupOptions });
    const sum = await links.addField(tasks, {
      type: 'rollup',
      options: { expression: 'sum({values})' },
      lookupOptions,
    });
    const gone = await shop.owner.call(api.deleteField, { params: { tableId: tasks.tableId, fieldId: field.id } });
    expect((await links.fieldOf(tasks, sum.id))?.hasError).toBe(true);
    const [text, number] = [
      await convert(tasks, lookup.id, { type: 'singleLineText' }),
      await convert(tasks, sum.id, { type: 'number' }),
    ];
    expect([await links.cellsOf(tasks, lookup.id), await links.cellsOf(tasks, sum.id)]).toEqual([
      [null, null, null],
      [null, null, null],
    ]);
    await undone(tasks, gone);
    expect(await links.cellsOf(tasks, sum.id)).toEqual([null, null, null]);
    await undone(tasks, number);
    await undone(tasks, text);
    expect([await links.cellsOf(tasks, lookup.id), await links.cellsOf(tasks, sum.id)]).toEqual([
      [[1.5, 2], [2], null],
      [3.5, 2, null],
    ]);
  });

  test('comes of plain cells, which undoing brings back', async () => {
    const { tasks, field, lookupOptions } = await ground();
    const plain = await links.addField(tasks, { type: 'number', name: 'Plain' });
    await links.set(tasks, 2, plain.id, 42);
    for (const [body, expected] of [
      [{ type: 'number', isLookup: true, lookupOptions }, [[1.5, 2], [2], null]],
      [{ type: 'rollup', options: { expression: 'max({values})' }, lookupOptions }, [2, 2, null]],
      [{ type: 'count', lookupOptions: { linkFieldId: field.id } }, [2, 1, null]],
    ] as const) {
      const made = await convert(tasks, plain.id, body);
      expect(made.body).toMatchObject({ name: 'Plain', isComputed: true });
      expect(await links.cellsOf(tasks, plain.id)).toEqual(expected);
      await undone(tasks, made);
      expect(await links.cellsOf(tasks, plain.id)).toEqual([null, null, 42]);
    }
  });

  test('becomes another of its kind, a formula, and a link', async () => {
    const { projects, tasks, field, lookupOptions } = await ground();
    const one = await links.addField(tasks, { type: 'number', isLookup: true, lookupOptions });
    await convert(tasks, one.id, { type: 'rollup', options: { expression: 'sum({values})' }, lookupOptions });
    expect(await links.cellsOf(tasks, one.id)).toEqual([3.5, 2, null]);
    await convert(tasks, one.id, { type: 'count', lookupOptions: { linkFieldId: field.id } });
    expect(await links.cellsOf(tasks, one.id)).toEqual([2, 1, null]);
    const name = { ...lookupOptions, lookupFieldId: projects.fieldIds['Name'] };
    await convert(tasks, one.id, { type: 'singleLineText', isLookup: true, lookupOptions: name });
    expect(await links.cellsOf(tasks, one.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
    const linked = await convert(tasks, one.id, {
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: projects.tableId, isOneWay: true },
    });
    expect(await links.shown(tasks, one.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
    await undone(tasks, linked);
    expect(await links.cellsOf(tasks, one.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
    const formula = await convert(tasks, one.id, { type: 'formula', options: { expression: '{Name} & "!"' } });
    expect(await links.cellsOf(tasks, one.id)).toEqual(['One!', 'Two!', 'Three!']);
    await undone(tasks, formula);
    expect(await links.cellsOf(tasks, one.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
    const gone = await convert(tasks, field.id, {
      type: 'rollup',
      options: { expression: 'countall({values})' },
      lookupOptions: { ...lookupOptions, linkFieldId: (await links.link(tasks, projects, 'manyMany')).id },
    });
    expect((await links.fieldOf(tasks, one.id))?.hasError).toBe(true);
    await undone(tasks, gone);
    expect(await links.shown(tasks, field.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
    expect(await links.cellsOf(tasks, one.id)).toEqual([['Alpha', 'Beta'], ['Beta'], null]);
  });
});

test('a formula over the other side of a link goes with it, and comes back', async () => {
  const { projects, tasks, field, symmetricId } = await pair('manyOne');
  await links.set(tasks, 0, field.id, to(projects, 1)[0]);
  const said = await links.addField(projects, {
    type: 'formula',
    name: 'Said',
    options: { expression: `"has " & {${symmetricId}}` },
  });
  const gone = await shop.owner.call(api.deleteField, { params: { tableId: tasks.tableId, fieldId: field.id } });
  expect((await links.fieldOf(projects, said.id))?.hasError).toBe(true);
  expect(await links.cellsOf(projects, said.id)).toEqual([null, null, null]);
  // It says what the record is called by then.
  await links.set(tasks, 0, tasks.fieldIds['Name'] as string, 'Uno');
  await undone(tasks, gone);
  expect((await links.fieldOf(projects, said.id))?.hasError).toBeUndefined();
  expect(await links.cellsOf(projects, said.id)).toEqual(['has ', 'has Uno', 'has ']);
  // Also of a link that has become text and a link again, in tables that are filled by a job.
  limits.filledAtOnce = 1;
  const text = await convert(tasks, field.id, { type: 'singleLineText' });
  await links.set(tasks, 0, tasks.fieldIds['Name'] as string, 'Eins');
  await undone(tasks, text);
  limits.filledAtOnce = 1_000;
  expect(await links.cellsOf(projects, said.id)).toEqual(['has ', 'has Eins', 'has ']);
});

describe('plans', () => {
  const plan = async ({ tableId }: Made, fieldId: string, body: object) =>
    (await shop.owner.call(planned.planFieldConvert, { params: { tableId, fieldId }, query: {}, body: body as never }))
      .body;

  test('say what a conversion reaches, and what it would lose', async () => {
    const projects = await links.makeTable('Projects', ['Alpha', 'Beta', 'Gamma, Delta']);
    const tasks = await links.makeTable(
      'Tasks',
      [
        { Name: 'One', Of: 'Alpha' },
        { Name: 'Two', Of: 'Beta, Nobody' },
        { Name: 'Three', Of: 'Nobody' },
        { Name: 'Four', Of: 'Gamma, Delta' },
        { Name: 'Five', Of: 'Alpha' },
        'Six',
      ],
      [
        { type: 'singleLineText', name: 'Of' },
        { type: 'formula', name: 'Said', options: { expression: '{Of} & "!"' } },
      ],
    );
    const of = tasks.fieldIds['Of'] as string;
    const link = (relationship: string) => ({
      type: 'link',
      options: { relationship, foreignTableId: projects.tableId },
    });
    expect(await plan(tasks, of, link('manyMany'))).toMatchObject({
      updateCellCount: 12,
      filledCellCount: 5,
      lostCellCount: 2,
      lostExamples: [
        { text: 'Beta, Nobody', count: 1 },
        { text: 'Nobody', count: 1 },
      ],
    });
    expect(await plan(tasks, of, link('oneOne'))).toMatchObject({ filledCellCount: 5, lostCellCount: 3 });
    expect(await links.cellsOf(tasks, of)).toEqual(['Alpha', 'Beta, Nobody', 'Nobody', 'Gamma, Delta', 'Alpha', null]);
    const { body: field } = await links.convert(tasks, of, link('manyMany'));
    expect((await plan(tasks, of, link('manyMany'))).skip).toBe(true);
    expect(
      (
        await plan(tasks, of, {
          type: 'link',
          options: { ...field.options, visibleFieldIds: [projects.fieldIds['Name']] },
        })
      ).skip,
    ).toBe(true);
    await links.set(tasks, 1, of, to(projects, 0, 1));
    const single = await plan(tasks, of, link('manyOne'));
    expect(single.skip).toBeUndefined();
    expect(single).toMatchObject({
      filledCellCount: 4,
      lostCellCount: 1,
      lostExamples: [{ text: 'Alpha, Beta', count: 1 }],
    });
    expect(await plan(tasks, of, { type: 'singleLineText' })).toMatchObject({ filledCellCount: 4, lostCellCount: 0 });
    expect(await plan(tasks, of, { type: 'number' })).toMatchObject({ filledCellCount: 4, lostCellCount: 4 });
    const lookup = {
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: { foreignTableId: projects.tableId, linkFieldId: of, lookupFieldId: projects.fieldIds['Name'] },
    };
    const plain = await links.addField(tasks, { type: 'singleLineText', name: 'Plain' });
    await links.set(tasks, 0, plain.id, 'lost');
    expect(await plan(tasks, plain.id, lookup)).toMatchObject({
      updateCellCount: 6,
      filledCellCount: 1,
      lostCellCount: 1,
      preview: { cellValueType: 'string', isMultipleCellValue: true },
    });
  });

  test('show the fields of other tables, and count their cells', async () => {
    const { projects, tasks, field, symmetricId } = await pair('manyOne');
    await links.set(tasks, 0, field.id, to(projects, 1)[0]);
    const lookupOptions = {
      foreignTableId: projects.tableId,
      linkFieldId: field.id,
      lookupFieldId: projects.fieldIds['Name'],
    };
    const creating = (
      await shop.owner.call(planned.planFieldCreate, {
        params: { tableId: tasks.tableId },
        query: {},
        body: { type: 'singleLineText', isLookup: true, lookupOptions } as never,
      })
    ).body;
    expect([
      creating.updateCellCount,
      creating.graph.nodes.length,
      creating.graph.edges.length,
      creating.graph.combos.length,
    ]).toEqual([3, 3, 2, 2]);
    const lookup = await links.addField(tasks, { type: 'singleLineText', isLookup: true, lookupOptions });
    await links.addField(tasks, { type: 'formula', name: 'Said', options: { expression: `{${lookup.id}} & "!"` } });
    const deleting = (
      await shop.owner.call(planned.planFieldDelete, {
        params: { tableId: projects.tableId, fieldId: projects.fieldIds['Name'] as string },
      })
    ).body;
    // All names, the link and the lookup of the one task that is linked, the formula of all tasks.
    expect([deleting.updateCellCount, deleting.linkFieldCount]).toEqual([3 + 1 + 1 + 3, 1]);
    expect(deleting.graph.combos.map(({ id }) => id).toSorted()).toEqual([projects.tableId, tasks.tableId].toSorted());
    expect(deleting.graph.edges.map(({ label }) => label).toSorted()).toEqual(['formula', 'link', 'lookup']);
    expect(deleting.graph.nodes.map(({ label }) => label)).not.toContain(symmetricId);
  });
});

test('a formula over one that becomes something else follows, also where it is looked up', async () => {
  const orders = await links.makeTable('Orders', [{ Name: 'One', Sum: 3 }], [{ type: 'number', name: 'Sum' }]);
  const customers = await links.makeTable('Customers', ['Ada']);
  const first = await links.addField(orders, { type: 'formula', name: 'First', options: { expression: '{Sum} & ""' } });
  const second = await links.addField(orders, {
    type: 'formula',
    name: 'Second',
    options: { expression: `{${first.id}} & "!"` },
  });
  const link = await links.link(customers, orders, 'manyOne');
  await links.set(customers, 0, link.id, to(orders, 0)[0]);
  const lookedUp = await links.addField(customers, {
    type: 'formula',
    isLookup: true,
    lookupOptions: { linkFieldId: link.id, foreignTableId: orders.tableId, lookupFieldId: second.id },
  });
  const [before] = await links.cellsOf(orders, second.id);
  expect(await links.cellsOf(customers, lookedUp.id)).toEqual([before]);
  await links.convert(orders, first.id, { type: 'formula', options: { expression: '{Sum} * 2' } });
  const [after] = await links.cellsOf(orders, second.id);
  expect([before, after]).toEqual([expect.stringContaining('3'), expect.stringContaining('6')]);
  expect(await links.cellsOf(customers, lookedUp.id)).toEqual([after]);
  await links.allRight();
});
