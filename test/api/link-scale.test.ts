// Very many records that depend on one, and fields that are added to large tables: the one who asks does not wait for all of it, nobody waits for more
// than a part, and whatever is read meanwhile is right.
import { createField, type Field, getField, type NewField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSession } from '../../server/db/session.ts';
import { sql } from '../../server/db/sql.ts';
import { checkCells, findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { limits } from '../../server/domain/computed/plan.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { listen } from '../support/listen.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const usual = { ...limits };
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});
afterAll(() => void Object.assign(limits, usual));

const count = 2_500;
const idOf = (at: number): string => `rec${String(at).padStart(16, '0')}`;

const add = async (tableId: string, body: object): Promise<Field> => {
  const made = await shop.owner.call(createField, { params: { tableId }, body: body as NewField });
  expect([made.status, made.error?.message]).toEqual([201, undefined]);
  return made.body;
};

/** Two projects; all tasks but three belong to the first. */
const ground = async () => {
  const { baseId } = await openWorkshop(world()).then((own) => Object.assign(shop, own));
  const fields = [{ type: 'singleLineText', name: 'Name' }, { type: 'number', name: 'Amount' }] as const;
  const projects = await shop.table({ name: 'Projects', fields: [...fields], records: [{ fields: { Name: 'Hub', Amount: 5 } }, { fields: { Name: 'Small', Amount: 7 } }] });
  const tasks = await shop.table({ name: 'Tasks', fields: [...fields], records: [] });
  const link = await add(tasks.id, { type: 'link', name: 'Project', options: { relationship: 'manyOne', foreignTableId: projects.id } });
  const [hub, small] = projects.records.map(({ id }) => id) as [string, string];
  const name = sql.id(...(tasks.dbTableName.split('.') as [string, string]));
  await world().db.query(sql`insert into ${name} (__id, __created_by, "Name", "Amount", ${sql.id(`__fk_${link.id}`)})
    select 'rec' || lpad(n::text, 16, '0'), ${shop.owner.userId}, 'Task ' || n, n % 10, case when n <= 3 then ${small} else ${hub} end from generate_series(1, ${count}) n`);
  // Link cells of what was not written over the API.
  await checkCells(world().db, { repair: true });
  const through = (source: string) => ({ foreignTableId: projects.id, linkFieldId: link.id, lookupFieldId: projects.fields.find((field) => field.name === source)?.id });
  return { baseId, projects, tasks, link, hub, small, name, through };
};

const holding = async (at: number, name: ReturnType<typeof sql.id>) => {
  const session = await openSession(world().databaseUrl);
  await session.query(sql`begin`);
  await session.query(sql`select from ${name} where __id = ${idOf(at)} for no key update`);
  return async (): Promise<void> => {
    await session.query(sql`rollback`);
    await session.client.end();
  };
};

const rename = (tableId: string, recordId: string, name: string) => shop.owner.call(updateRecord, { params: { tableId, recordId }, body: { record: { fields: { Name: name } } } });

const settled = async (tableId: string, fieldId: string): Promise<void> =>
  vi.waitFor(async () => expect((await shop.owner.call(getField, { params: { tableId, fieldId } })).body).not.toHaveProperty('isPending'), { timeout: 25_000, interval: 50 });

test('what is looked up in a large table is right at once and filled by a job, while others write', async () => {
  const { baseId, projects, tasks, link, small, through } = await ground();
  const lookup = await add(tasks.id, { type: 'singleLineText', isLookup: true, name: 'Project name', lookupOptions: through('Name') });
  const doubled = await add(tasks.id, { type: 'formula', name: 'Called', options: { expression: `{${lookup.id}} & "!"` } });
  const sum = await add(projects.id, { type: 'rollup', name: 'Sum', options: { expression: 'sum({values})' }, lookupOptions: { foreignTableId: tasks.id, linkFieldId: link.options.symmetricFieldId, lookupFieldId: tasks.fields[1]?.id } });
  expect([lookup.isPending, doubled.isPending]).toEqual([true, true]);
  const read = async (query: object) => (await shop.owner.call(listRecords, { params: { tableId: tasks.id }, query })).body.records.map(({ fields }) => [fields['Name'], fields['Project name'], fields['Called']]);
  expect(await read({ skip: count - 1 })).toEqual([['Task 2500', 'Hub', 'Hub!']]);
  const filtered = { filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: doubled.id, operator: 'is', value: 'Small!' }] }), orderBy: JSON.stringify([{ fieldId: lookup.id, order: 'asc' }]) };
  expect(await read(filtered)).toEqual([1, 2, 3].map((at) => [`Task ${at}`, 'Small', 'Small!']));
  // Sums are right from the start, wherever they are read.
  const sums = async () => (await shop.owner.call(listRecords, { params: { tableId: projects.id }, query: {} })).body.records.map(({ fields }) => fields['Sum']);
  expect(await sums()).toEqual([11_244, 6]);
  // Records are written meanwhile, and what follows is right in the answer.
  const moved = await shop.owner.call(updateRecord, { params: { tableId: tasks.id, recordId: idOf(4) }, body: { record: { fields: { Project: { id: small }, Amount: 100 } } } });
  expect([moved.status, moved.body.fields]).toEqual([200, expect.objectContaining({ 'Project name': 'Small', Called: 'Small!' })]);
  expect(await sums()).toEqual([11_240, 106]);
  for (const [tableId, { id }] of [[tasks.id, lookup], [tasks.id, doubled], [projects.id, sum]] as const) await settled(tableId, id);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect(await read({ filter: filtered.filter })).toHaveLength(4);
});

test('a record that very many are linked to is renamed without waiting for them, and everything shows its name at once', async () => {
  const { baseId, projects, tasks, link, hub, small, name, through } = await ground();
  const lookup = await add(tasks.id, { type: 'number', isLookup: true, name: 'Rate', lookupOptions: through('Amount') });
  const called = await add(tasks.id, { type: 'formula', name: 'Called', options: { expression: `{${link.id}} & " " & {${lookup.id}}` } });
  await jobsDone(world().db);
  await settled(tasks.id, called.id);
  limits.reached = 500;
  const ear = await listen(`${world().baseUrl}/table/${tasks.id}/events`, { token: shop.owner.token });
  const release = await holding(2_400, name);
  const renamed = await shop.owner.call(updateRecord, { params: { tableId: projects.id, recordId: hub }, body: { record: { fields: { Name: 'Nabe', Amount: 6 } } } });
  expect([renamed.status, renamed.error?.message]).toEqual([200, undefined]);
  expect(renamed.body.fields).toMatchObject({ Name: 'Nabe', Amount: 6 });
  const read = async (query: object = { skip: count - 1 }) => (await shop.owner.call(listRecords, { params: { tableId: tasks.id }, query })).body.records.map(({ fields }) => [(fields['Project'] as { title: string }).title, fields['Rate'], fields['Called']]);
  expect(await read()).toEqual([['Nabe', 6, 'Nabe 6']]);
  expect(await read({ filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: called.id, operator: 'is', value: 'Nabe 6' }] }), take: 1 })).toEqual([['Nabe', 6, 'Nabe 6']]);
  expect((await ear.until(({ name: kind, data }) => kind === 'records.updated' && data.recordsOmitted === true)).data).toMatchObject({ fieldIds: expect.arrayContaining([link.id, lookup.id, called.id]) });
  // While the job waits for a record that somebody holds, others write, and the hub is renamed again.
  const small2 = await rename(projects.id, small, 'Smaller');
  expect(small2.status).toBe(200);
  expect((await read({ take: 1 }))[0]).toEqual(['Smaller', 7, 'Smaller 7']);
  const task = await shop.owner.call(updateRecord, { params: { tableId: tasks.id, recordId: idOf(10) }, body: { record: { fields: { Project: { id: small } } } } });
  expect(task.body.fields).toMatchObject({ Rate: 7, Called: 'Smaller 7' });
  expect((await rename(projects.id, hub, 'Kern')).status).toBe(200);
  const made = await shop.owner.call(createRecords, { params: { tableId: tasks.id }, body: { records: [{ fields: { Name: 'New', Project: { id: hub } } }] } });
  expect(made.body.records[0]?.fields).toMatchObject({ Project: { title: 'Kern' }, Rate: 6, Called: 'Kern 6' });
  expect(await read()).toEqual([['Kern', 6, 'Kern 6'], ['Kern', 6, 'Kern 6']]);
  await release();
  ear.close();
  for (const id of [link.id, lookup.id, called.id]) await settled(tasks.id, id);
  limits.reached = usual.reached;
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect(await read()).toEqual([['Kern', 6, 'Kern 6'], ['Kern', 6, 'Kern 6']]);
});
