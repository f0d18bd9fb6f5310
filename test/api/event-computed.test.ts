// Somebody who follows a table by its events alone has what a reader has: every cell that a change leaves, computed ones too.
import { createField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { beforeAll, expect, test } from 'vitest';
import { type Ear, type Heard, listen } from '../support/listen.ts';
import { linkShop, type Made } from '../support/links.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

type Cells = Record<string, unknown>;
type Mirror = Map<string, Cells>;

const withoutEmpty = (cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== null));

/** When no records are named, the cells of the fields that are named are read again. */
const apply = (mirror: Mirror, { name, data }: Heard, seen: Mirror): void => {
  expect(data).not.toHaveProperty('valuesOmitted');
  if (data.recordsOmitted === true) {
    for (const [id, cells] of mirror) {
      const again = Object.fromEntries(data.fieldIds.map((one: string) => [one, seen.get(id)?.[one] ?? null]));
      mirror.set(id, withoutEmpty({ ...cells, ...again }));
    }
    return;
  }
  if (name === 'records.deleted') for (const id of data.recordIds) mirror.delete(id);
  if (name === 'records.created') for (const { id, fields } of data.records) mirror.set(id, fields);
  if (name === 'records.updated')
    for (const { id, fields } of data.records) mirror.set(id, withoutEmpty({ ...mirror.get(id), ...fields }));
};

const add = async ({ tableId }: Made, name: string, body: object): Promise<string> => {
  const made = await shop.owner.call(createField, { params: { tableId }, body: { name, ...body } as never });
  expect(made.body).toMatchObject({ id: expect.any(String) });
  return made.body.id;
};

const present = async ({ tableId }: Made): Promise<Mirror> => {
  const { body } = await shop.owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } });
  return new Map(body.records.map(({ id, fields }) => [id, fields]));
};

/** Applies what is heard, in its order, until it shows what a reader sees; throws with both when it does not. */
const follows = async (ear: Ear, table: Made, mirror: Mirror): Promise<void> => {
  const seen = await present(table);
  const plain = (of: Mirror): Cells => Object.fromEntries([...of].map(([id, cells]) => [id, cells]));
  await expect
    .poll(() => {
      for (const event of ear.heard.splice(0)) apply(mirror, event, seen);
      return plain(mirror);
    })
    .toEqual(plain(seen));
};

test('events tell computed cells of the written records and of those that follow, whichever side is written', async () => {
  const on = linkShop(shop, world());
  const projects = await on.makeTable(
    'Projects',
    [
      { Name: 'House', Budget: 100 },
      { Name: 'Harbour', Budget: 250 },
    ],
    [{ type: 'number', name: 'Budget' }],
  );
  const tasks = await on.makeTable('Tasks', [{ Name: 'Draw' }, { Name: 'House' }], [{ type: 'number', name: 'Hours' }]);
  const [name, hours] = [tasks.fieldIds['Name'] as string, tasks.fieldIds['Hours'] as string];
  const [title, budget] = [projects.fieldIds['Name'] as string, projects.fieldIds['Budget'] as string];
  const link = await on.addField(tasks, {
    name: 'Project',
    type: 'link',
    options: { foreignTableId: projects.tableId, relationship: 'manyOne' },
  });
  const back = (link.options as { symmetricFieldId: string }).symmetricFieldId;
  const through = { foreignTableId: projects.tableId, linkFieldId: link.id };
  const lookup = await add(tasks, 'Budget', {
    type: 'number',
    isLookup: true,
    lookupOptions: { ...through, lookupFieldId: budget },
  });
  const there = { foreignTableId: tasks.tableId, linkFieldId: back };
  const sum = await add(projects, 'Hours', {
    type: 'rollup',
    options: { expression: 'sum({values})' },
    lookupOptions: { ...there, lookupFieldId: hours },
  });
  await add(projects, 'Tasks there', {
    type: 'rollup',
    options: { expression: 'countall({values})' },
    lookupOptions: { ...there, lookupFieldId: name },
  });
  const share = await add(tasks, 'All hours', {
    type: 'rollup',
    isLookup: true,
    lookupOptions: { ...through, lookupFieldId: sum },
  });
  await add(tasks, 'Share', { type: 'formula', options: { expression: `{${hours}} / {${share}}` } });
  await add(tasks, 'Twice', { type: 'formula', options: { expression: `{${lookup}} * 2` } });
  await add(tasks, 'Changed', { type: 'formula', options: { expression: 'LAST_MODIFIED_TIME()' } });
  const sameName = {
    conjunction: 'and',
    filterSet: [{ fieldId: title, operator: 'is', value: { type: 'field', fieldId: name } }],
  };
  const alike = await add(tasks, 'Alike', {
    type: 'conditionalRollup',
    options: {
      foreignTableId: projects.tableId,
      lookupFieldId: budget,
      filter: sameName,
      expression: 'sum({values})',
    },
  });
  await add(tasks, 'Alike twice', { type: 'formula', options: { expression: `{${alike}} * 2` } });

  const ears = await Promise.all(
    [tasks, projects].map(({ tableId }) =>
      listen(`${world().baseUrl}/table/${tableId}/events?values=true`, { token: shop.owner.token }),
    ),
  );
  const [onTasks, onProjects] = ears as [Ear, Ear];
  await Promise.all(ears.map((ear) => ear.until(({ name: one }) => one === 'ready')));
  for (const ear of ears) ear.heard.splice(0);
  const mirrors = [await present(tasks), await present(projects)] as const;
  const bothFollow = async (): Promise<void> => {
    await follows(onTasks, tasks, mirrors[0]);
    await follows(onProjects, projects, mirrors[1]);
  };
  const write = async ({ tableId }: Made, records: { id: string; fields: Cells }[]): Promise<string> => {
    const { status, headers } = await shop.owner.call(updateRecords, {
      params: { tableId },
      body: { fieldKeyType: 'id', records } as never,
    });
    expect(status).toBe(200);
    await bothFollow();
    return headers.get('x-operation-id') as string;
  };
  const task = (at: number, fields: Cells) => ({ id: tasks.ids[at] as string, fields });
  const project = (at: number, fields: Cells) => ({ id: projects.ids[at] as string, fields });
  const to = ({ ids }: Made, at: number) => ({ id: ids[at] as string });

  await write(tasks, [task(0, { [link.id]: to(projects, 1) })]);
  expect(mirrors[0].get(tasks.ids[0] as string)).toMatchObject({ [lookup]: 250 });
  const moved = await write(tasks, [task(0, { [link.id]: to(projects, 0), [hours]: 3 }), task(1, { [hours]: 2 })]);
  await write(tasks, [task(1, { [link.id]: to(projects, 0) })]);
  await write(tasks, [task(0, { [name]: 'Harbour' })]);
  await write(projects, [project(0, { [budget]: 5, [back]: [to(tasks, 1)] })]);
  await write(projects, [project(1, { [back]: [to(tasks, 0)] })]);
  await write(tasks, [task(0, { [link.id]: null }), task(1, { [name]: 'None' })]);
  const undone = await shop.owner.call(restoreHistory, {
    params: { tableId: tasks.tableId },
    body: { operationId: moved, force: true },
  });
  expect(undone.status).toBe(200);
  await bothFollow();
  const made = await shop.owner.call(createRecords, {
    params: { tableId: tasks.tableId },
    body: { fieldKeyType: 'id', records: [{ fields: { [name]: 'House', [hours]: 4, [link.id]: to(projects, 1) } }] },
  });
  await bothFollow();
  await shop.owner.call(deleteRecords, {
    params: { tableId: tasks.tableId },
    query: { recordIds: made.body.records.map(({ id }) => id) },
  });
  await bothFollow();
  await shop.owner.call(deleteRecords, {
    params: { tableId: projects.tableId },
    query: { recordIds: [projects.ids[1] as string] },
  });
  await bothFollow();
  for (const ear of ears) ear.close();
});
