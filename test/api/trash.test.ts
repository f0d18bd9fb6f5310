import { createBase, deleteBase, destroyBase, getBase, listSpaceBases, moveBase } from '@rowhouse/contract/base.ts';
import { createField, deleteField, getField, listFields, updateField } from '@rowhouse/contract/field.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { allows, roles } from '@rowhouse/contract/permission.ts';
import { createRecords, deleteRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createAutomation, deleteAutomation } from '@rowhouse/contract/automation.ts';
import { deleteSpace, destroySpace, getSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { createTable, deleteTable, deleteTablePermanently, getTable, listTables } from '@rowhouse/contract/table.ts';
import { deleteTrashItem, listTrash, listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { createView, deleteView, listViews } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { createTableState } from '../../server/db/base-schema.ts';
import { sql } from '../../server/db/sql.ts';
import { type Person, person } from '../support/people.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

type Who = Pick<Person, 'call'>;

const trashed = async (who: Who, resourceType: 'space' | 'base'): Promise<string[]> =>
  (await who.call(listTrash, { query: { resourceType } })).body.trashItems.map((item) => item.resourceId);

const items = (who: Who, baseId: string, query: Record<string, unknown> = {}) =>
  who.call(listTrashItems, { query: { resourceId: baseId, resourceType: 'base', ...query } });

const restore = (who: Who, resourceId: string) =>
  who.call(restoreTrash, { params: { trashId: `tra${resourceId.slice(3)}` } });

/** A table with nothing but its id, in the trash or not. */
const table = async (baseId: string, name: string, deletedBy: string | null): Promise<string> => {
  const id = newId('tbl');
  const { db } = world();
  await db.query(
    sql`insert into rowhouse.tables (id, base_id, name, db_table_name, position, created_by, deleted_time, deleted_by)
        values (${id}, ${baseId}, ${name}, ${id}, 1, 'x', case when ${deletedBy}::text is not null then clock_timestamp() end, ${deletedBy})`,
  );
  await db.query(sql`create table ${sql.id(baseId, id)} (__id text primary key)`);
  await createTableState(db, baseId, id);
  return id;
};

const tableRow = async (id: string): Promise<{ name: string; live: boolean } | undefined> =>
  (
    await world().db.query<{ name: string; live: boolean }>(
      sql`select name, deleted_time is null as live from rowhouse.tables where id = ${id}`,
    )
  )[0];

const relations = async (baseId: string): Promise<string[]> =>
  (
    await world().db.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = ${baseId}`)
  ).map((row) => row.name);

test('a deleted space is in the trash of its owners, and comes back whole', async () => {
  const owner = await person(world(), { name: 'Olga' });
  const spaceId = await newSpace(owner, 'Plans');
  const baseId = await newBase(owner, spaceId);
  const creator = await member(world(), owner, spaceId, 'creator');
  await owner.call(deleteSpace, { params: { spaceId } });
  expect((await creator.call(getBase, { params: { baseId } })).status).toBe(404);
  const listed = (await owner.call(listTrash, { query: { resourceType: 'space' } })).body;
  expect(listed).toEqual({
    trashItems: [
      {
        id: `tra${spaceId.slice(3)}`,
        resourceId: spaceId,
        resourceType: 'space',
        deletedTime: expect.any(String),
        deletedBy: owner.userId,
      },
    ],
    userMap: { [owner.userId]: { id: owner.userId, name: 'Olga', email: owner.email, avatar: null } },
    resourceMap: { [spaceId]: { id: spaceId, name: 'Plans' } },
    nextCursor: null,
  });
  expect(await trashed(creator, 'space')).toEqual([]);
  expect((await restore(creator, spaceId)).status).toBe(403);
  expect((await restore(await person(world()), spaceId)).status).toBe(404);
  expect((await restore(owner, spaceId)).status).toBe(201);
  expect((await creator.call(getBase, { params: { baseId } })).status).toBe(200);
  expect((await owner.call(listSpaces)).body).toHaveLength(1);
  expect((await restore(owner, spaceId)).status).toBe(404);
});

test('anyone who may delete a base sees it in the trash and may restore it, in its old place', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const [first, baseId, last] = [
    await newBase(owner, spaceId),
    await newBase(owner, spaceId, 'Plans'),
    await newBase(owner, spaceId),
  ];
  for (const role of roles) {
    const someone = await member(world(), owner, spaceId, role);
    const may = allows(role, 'base|delete');
    await owner.call(deleteBase, { params: { baseId } });
    expect(await trashed(someone, 'base')).toEqual(may ? [baseId] : []);
    expect((await restore(someone, baseId)).status).toBe(may ? 201 : 403);
    if (!may) await restore(owner, baseId);
  }
  expect((await owner.call(listSpaceBases, { params: { spaceId } })).body.map((base) => base.id)).toEqual([
    first,
    baseId,
    last,
  ]);
  await owner.call(deleteBase, { params: { baseId } });
  expect((await owner.call(listTrash, { query: { resourceType: 'base' } })).body.resourceMap).toEqual({
    [baseId]: { id: baseId, name: 'Plans', spaceId },
  });
  const stranger = await person(world());
  expect((await restore(stranger, baseId)).error.message).toBe(`Trash item tra${baseId.slice(3)} not found`);
  expect((await owner.call(moveBase, { params: { baseId }, body: { spaceId } })).status).toBe(404);
});

test('a table, a base and a space are deleted for good at once, without a way through the trash', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const [first, second] = [await newBase(owner, spaceId), await newBase(owner, spaceId)];
  const tableId = (await owner.call(createTable, { params: { baseId: second }, body: {} })).body.id;
  const editor = await member(world(), owner, second, 'editor');
  expect((await editor.call(deleteTablePermanently, { params: { baseId: second, tableId } })).status).toBe(403);
  expect((await owner.call(deleteTablePermanently, { params: { baseId: second, tableId } })).status).toBe(200);
  expect((await owner.call(getTable, { params: { baseId: second, tableId } })).status).toBe(404);
  expect((await items(owner, second)).body.trashItems).toEqual([]);
  expect((await owner.call(destroyBase, { params: { baseId: first } })).status).toBe(200);
  expect((await owner.call(getBase, { params: { baseId: first } })).status).toBe(404);
  expect(await trashed(owner, 'base')).toEqual([]);
  expect((await owner.call(destroySpace, { params: { spaceId } })).status).toBe(200);
  expect((await owner.call(getBase, { params: { baseId: second } })).status).toBe(404);
  expect(await trashed(owner, 'space')).toEqual([]);
});

test('a base waits for its space', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  await owner.call(deleteBase, { params: { baseId } });
  await owner.call(deleteSpace, { params: { spaceId } });
  expect(await trashed(owner, 'base')).toEqual([]);
  expect((await restore(owner, baseId)).error).toMatchObject({
    status: 409,
    code: 'conflict',
    message: expect.stringContaining(spaceId),
  });
  await restore(owner, spaceId);
  expect((await owner.call(getBase, { params: { baseId } })).status).toBe(404);
  expect((await restore(owner, baseId)).status).toBe(201);
});

test('tables are listed by base, latest first, page by page', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  await table(baseId, 'live', null);
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) ids.unshift(await table(baseId, `t${at}`, owner.userId));
  const all = (await items(owner, baseId)).body;
  expect(all.trashItems.map((item) => item.resourceId)).toEqual(ids);
  expect(all.trashItems[0]).toMatchObject({ resourceType: 'table', deletedBy: owner.userId });
  expect(all.resourceMap[ids[0] as string]).toEqual({ id: ids[0], name: 't2' });
  await world().db.query(
    sql`insert into rowhouse.tables (id, base_id, name, db_table_name, position, created_by, deleted_time)
        select 'tblbulk000000000' || n, ${baseId}, 'bulk', 'bulk' || n, 1, 'x', '2020-01-01' from generate_series(100, 250) n`,
  );
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { trashItems: { resourceId?: string }[]; nextCursor: string | null } = (
      await items(owner, baseId, { cursor })
    ).body;
    seen.push(...page.trashItems.map((item) => item.resourceId as string));
    cursor = page.nextCursor;
  }
  expect(seen).toHaveLength(154);
  expect(new Set(seen).size).toBe(154);
  expect((await items(owner, baseId, { cursor: 'nonsense' })).status).toBe(400);
});

test('a table comes back under a free name, once its base is there', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const gone = await table(baseId, 'Plans', owner.userId);
  await table(baseId, 'Plans', null);
  await owner.call(deleteBase, { params: { baseId } });
  expect((await restore(owner, gone)).error).toMatchObject({ status: 409, message: expect.stringContaining(baseId) });
  await restore(owner, baseId);
  const editor = await member(world(), owner, baseId, 'editor');
  expect((await items(editor, baseId)).status).toBe(403);
  expect((await restore(editor, gone)).status).toBe(403);
  expect((await restore(owner, gone)).status).toBe(201);
  expect(await tableRow(gone)).toEqual({ name: 'Plans 2', live: true });
});

test('a table that was deleted through the API comes back with its records', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const make = () =>
    owner.call(createTable, { params: { baseId }, body: { name: 'People', records: [{ fields: { Name: 'Ada' } }] } });
  const tableId = (await make()).body.id;
  await owner.call(deleteTable, { params: { baseId, tableId } });
  await make();
  expect((await owner.call(listRecords, { params: { tableId } })).status).toBe(404);
  expect((await restore(owner, tableId)).status).toBe(201);
  expect((await owner.call(getTable, { params: { baseId, tableId } })).body.name).toBe('People 2');
  await owner.call(createRecords, { params: { tableId }, body: { records: [{ fields: { Name: 'Bob' } }] } });
  const { records } = (await owner.call(listRecords, { params: { tableId } })).body;
  expect(records.map((record) => record.fields.Name)).toEqual(['Ada', 'Bob']);
});

test('resetting deletes the tables in the trash for good, and only those', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const [live, gone] = [await table(baseId, 'live', null), await table(baseId, 'gone', owner.userId)];
  const reset = (who: Who) => who.call(resetTrashItems, { query: { resourceId: baseId, resourceType: 'base' } });
  expect((await reset(await member(world(), owner, baseId, 'editor'))).status).toBe(403);
  expect((await reset(await person(world()))).status).toBe(404);
  expect((await reset(owner)).status).toBe(200);
  expect(await tableRow(gone)).toBeUndefined();
  expect(await tableRow(live)).toEqual({ name: 'live', live: true });
  const left = await relations(baseId);
  expect(left.filter((name) => name.includes(gone))).toEqual([]);
  expect(left).toContain(live);
  expect((await reset(owner)).status).toBe(200);
  expect((await restore(owner, gone)).status).toBe(404);
});

test('nothing inside a table is kept in the trash', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const id = await table(baseId, 'live', null);
  const query = { resourceId: id, resourceType: 'table' as const };
  expect((await owner.call(listTrashItems, { query })).body.trashItems).toEqual([]);
  expect((await owner.call(resetTrashItems, { query })).status).toBe(200);
  expect(await tableRow(id)).toBeDefined();
  expect((await owner.call(listTrashItems, { query: { ...query, resourceId: 'tbl0000000000000000' } })).status).toBe(
    404,
  );
});

test('unknown things and wrong questions are refused', async () => {
  const owner = await person(world());
  for (const id of ['spc0000000000000000', 'spcx', "spc' or true --00000"])
    expect((await restore(owner, id)).status).toBe(404);
  expect((await owner.call(restoreTrash, { params: { trashId: 'bse0000000000000000' } })).status).toBe(404);
  expect((await owner.call(listTrash, { query: { resourceType: 'table' } })).status).toBe(400);
  expect((await owner.call(listTrash)).status).toBe(400);
  expect((await items(owner, 'bse0000000000000000')).status).toBe(404);
  expect((await owner.call(listTrashItems, { query: { resourceId: 'a\u0000', resourceType: 'base' } })).status).toBe(
    400,
  );
});

test('a token sees and restores what its scopes and reach allow', async () => {
  const owner = await person(world());
  const [inside, outside] = [await newSpace(owner), await newSpace(owner)];
  const [near, far] = [await newBase(owner, inside), await newBase(owner, outside)];
  for (const baseId of [near, far]) await owner.call(deleteBase, { params: { baseId } });
  const narrow = await owner.withToken({ scopes: ['base|delete'], spaceIds: [inside] });
  expect(await trashed(narrow, 'base')).toEqual([near]);
  expect((await narrow.call(listTrash, { query: { resourceType: 'space' } })).status).toBe(403);
  expect((await restore(narrow, far)).status).toBe(403);
  expect((await restore(narrow, near)).status).toBe(201);
  const single = await owner.withToken({ scopes: ['base|delete'], baseIds: [far] });
  expect(await trashed(single, 'base')).toEqual([far]);
  const reader = await owner.withToken({ scopes: ['base|read'], hasFullAccess: true });
  expect((await restore(reader, far)).status).toBe(403);
  for (const spaceId of [inside, outside]) await owner.call(deleteSpace, { params: { spaceId } });
  expect(await trashed(await owner.withToken({ spaceIds: [inside] }), 'space')).toEqual([inside]);
});

test('a space deleted for good takes everything with it', async () => {
  const owner = await person(world());
  for (let round = 0; round < 2; round += 1) {
    const spaceId = await newSpace(owner);
    const [baseId, trashedBase] = [await newBase(owner, spaceId), await newBase(owner, spaceId)];
    await table(baseId, 't', null);
    await member(world(), owner, baseId, 'viewer');
    await owner.call(deleteBase, { params: { baseId: trashedBase } });
    await owner.call(deleteSpace, { params: { spaceId } });
    expect((await owner.call(destroySpace, { params: { spaceId } })).status).toBe(200);
    const left = await world().db.query(
      sql`select id from rowhouse.spaces where id = ${spaceId} union all select id from rowhouse.bases where space_id = ${spaceId}
          union all select resource_id from rowhouse.collaborators where resource_id in (${spaceId}, ${baseId})
          union all select id from rowhouse.tables where base_id = ${baseId}
          union all select nspname from pg_namespace where nspname in (${baseId}, ${trashedBase})`,
    );
    expect(left).toEqual([]);
    expect((await owner.call(destroySpace, { params: { spaceId } })).status).toBe(404);
    expect((await restore(owner, spaceId)).status).toBe(404);
  }
});

test('deleting, restoring and deleting for good at the same time ends in one of the two, without a fault', async () => {
  const owner = await person(world());
  for (let round = 0; round < 4; round += 1) {
    const [spaceId, elsewhere] = [await newSpace(owner), await newSpace(owner)];
    const baseId = await newBase(owner, spaceId);
    const params = { spaceId };
    const answers = await Promise.all([
      owner.call(deleteSpace, { params }),
      owner.call(destroySpace, { params }),
      restore(owner, spaceId),
      owner.call(moveBase, { params: { baseId }, body: { spaceId: elsewhere } }),
      owner.call(createBase, { body: { spaceId } }),
      owner.call(deleteBase, { params: { baseId } }),
      owner.call(destroyBase, { params: { baseId } }),
      restore(owner, baseId),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const status = (await owner.call(getSpace, { params })).status;
    expect([200, 404]).toContain(status);
    const orphans = await world().db.query(
      sql`select nspname from pg_namespace n where nspname like 'bse%' and not exists (select from rowhouse.bases b where b.id = n.nspname)
          union all select id from rowhouse.bases b where not exists (select from pg_namespace where nspname = b.id)`,
    );
    expect(orphans).toEqual([]);
  }
});

test('anyone who is at work in a base that is deleted for good is told that it is gone, whatever they do', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner, 'Short-lived');
  for (let round = 0; round < 3; round += 1) {
    const baseId = await newBase(owner, spaceId);
    const { body } = await owner.call(createTable, { params: { baseId }, body: {} });
    const params = { tableId: body.id };
    const fieldId = body.fields[0]?.id as string;
    let isOver = false;
    const statuses = new Set<number>();
    const doAgain = async (work: () => Promise<{ status: number }>): Promise<void> => {
      while (!isOver) statuses.add((await work()).status);
      statuses.add((await work()).status);
    };
    const working = [
      () => owner.call(getField, { params: { ...params, fieldId } }),
      () => owner.call(listFields, { params }),
      () => owner.call(listViews, { params }),
      () => owner.call(listRecords, { params }),
      () => owner.call(createRecords, { params, body: { records: [{ fields: {} }] } }),
      () => owner.call(updateField, { params: { ...params, fieldId }, body: { description: String(Math.random()) } }),
      () => owner.call(listTables, { params: { baseId } }),
    ].map(doAgain);
    await expect.poll(() => [...statuses].filter((status) => status !== 409).toSorted()).toEqual([200, 201]);
    expect((await owner.call(deleteBase, { params: { baseId } })).status).toBe(200);
    expect((await owner.call(destroyBase, { params: { baseId } })).status).toBe(200);
    isOver = true;
    await Promise.all(working);
    // 409: both wanted the same locks, and PostgreSQL let the deletion have them.
    expect([...statuses].filter((status) => status !== 409).toSorted()).toEqual([200, 201, 404]);
  }
});

test('a base or a table that is deleted for good gives way to nobody: taken back for a deadlock, it is begun again', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const { body } = await owner.call(createTable, { params: { baseId }, body: {} });
  const params = { baseId, tableId: body.id };
  const found = await world().db.query<{ name: string }>(
    sql`select db_table_name as name from rowhouse.tables where id = ${body.id}`,
  );
  /** The one who holds the records wants what the deletion holds, after the deletion has begun to wait: PostgreSQL ends the one that waited first. */
  const whileInTheWay = async (wanted: string, destroy: () => Promise<{ status: number }>): Promise<number> => {
    const other = await world().db.dedicated();
    try {
      await other.query('begin');
      await other.query(`lock table "${baseId}"."${found[0]?.name}" in share mode`);
      const destroying = destroy();
      const isWaiting = async (): Promise<boolean> =>
        (
          await other.query(
            `select 1 from pg_locks where not granted and relation = '"${baseId}"."${found[0]?.name}"'::regclass`,
          )
        ).rows.length > 0;
      while (!(await isWaiting())) await new Promise((passed) => setTimeout(passed, 20));
      // On a slow machine the deletion may have looked for a deadlock before there is one: then the other is ended.
      await other.query(wanted).catch((error: { code?: string }) => expect(error.code).toBe('40P01'));
      await other.query('rollback');
      return (await destroying).status;
    } finally {
      await other.end();
    }
  };
  await owner.call(deleteTable, { params });
  expect(
    await whileInTheWay(`select 1 from "${baseId}".__table where id = '${body.id}' for update`, () =>
      owner.call(deleteTablePermanently, { params }),
    ),
  ).toBe(200);
  const second = await owner.call(createTable, { params: { baseId }, body: { dbTableName: 'second' } });
  found[0] = {
    name: (
      await world().db.query<{ name: string }>(
        sql`select db_table_name as name from rowhouse.tables where id = ${second.body.id}`,
      )
    )[0]?.name as string,
  };
  await owner.call(deleteBase, { params: { baseId } });
  expect(
    await whileInTheWay(`select 1 from rowhouse.bases where id = '${baseId}' for update`, () =>
      owner.call(destroyBase, { params: { baseId } }),
    ),
  ).toBe(200);
});

test('several tables of one base are deleted for good, put into the trash and brought back at once, and nobody is in the way', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const tableIds = await Promise.all(
    Array.from(
      { length: 9 },
      async (_, at) => (await owner.call(createTable, { params: { baseId }, body: { name: `Table ${at}` } })).body.id,
    ),
  );
  for (const tableId of tableIds.slice(0, 6)) await owner.call(deleteTable, { params: { baseId, tableId } });
  const answers = await Promise.all([
    ...tableIds.slice(0, 4).map((tableId) => owner.call(deleteTablePermanently, { params: { baseId, tableId } })),
    ...tableIds.slice(4, 6).map((tableId) => restore(owner, tableId)),
    ...tableIds.slice(6).map((tableId) => owner.call(deleteTable, { params: { baseId, tableId } })),
  ]);
  expect(answers.filter(({ status }) => status >= 300).map(({ error }) => error)).toEqual([]);
});

test('one thing in the trash is deleted for good, by owners alone; the others stay', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const [creator, stranger] = [await member(world(), owner, spaceId, 'creator'), await person(world())];
  const newTable = async () =>
    (
      await owner.call(createTable, {
        params: { baseId },
        body: { name: 'Things', fields: [{ name: 'Name', type: 'singleLineText' }] },
      })
    ).body;
  const { id: tableId, records } = await newTable();
  const place = { tableId };
  const made = async () => (await owner.call(createField, { params: place, body: { type: 'number' } })).body.id;
  const newView = async () => (await owner.call(createView, { params: place, body: { type: 'grid' } })).body.id;
  const newAutomation = async () =>
    (await owner.call(createAutomation, { params: { baseId }, body: { name: 'Idle' } })).body.id;
  /** Two of a kind that were deleted; answers where the trash shows them. */
  const kinds: Record<string, () => Promise<{ ids: string[]; list: () => Promise<string[]> }>> = {
    async record() {
      for (const { id } of records.slice(0, 2))
        await owner.call(deleteRecords, { params: place, query: { recordIds: [id] } });
      return inTable('record');
    },
    async field() {
      for (const fieldId of [await made(), await made()])
        await owner.call(deleteField, { params: { ...place, fieldId } });
      return inTable('field');
    },
    async view() {
      for (const viewId of [await newView(), await newView()])
        await owner.call(deleteView, { params: { ...place, viewId } });
      return inTable('view');
    },
    async table() {
      for (const { id } of [await newTable(), await newTable()])
        await owner.call(deleteTable, { params: { baseId, tableId: id } });
      return inBase('table');
    },
    async workflow() {
      for (const automationId of [await newAutomation(), await newAutomation()])
        await owner.call(deleteAutomation, { params: { baseId, automationId } });
      return inBase('workflow');
    },
    async base() {
      for (const id of [await newBase(owner, spaceId), await newBase(owner, spaceId)])
        await owner.call(deleteBase, { params: { baseId: id } });
      return inList('base');
    },
    async space() {
      for (const id of [await newSpace(owner), await newSpace(owner)])
        await owner.call(deleteSpace, { params: { spaceId: id } });
      return inList('space');
    },
  };
  const shown = async (list: () => Promise<string[]>) => ({ ids: await list(), list });
  const inTable = (kind: string) =>
    shown(async () =>
      (await owner.call(listTrashItems, { query: { resourceId: tableId, resourceType: 'table' } })).body.trashItems
        .filter(({ resourceType }) => resourceType === kind)
        .map(({ id }) => id),
    );
  const inBase = (kind: string) =>
    shown(async () =>
      (await items(owner, baseId)).body.trashItems.filter((one) => one.resourceType === kind).map(({ id }) => id),
    );
  const inList = (resourceType: 'base' | 'space') =>
    shown(async () => (await owner.call(listTrash, { query: { resourceType } })).body.trashItems.map(({ id }) => id));
  for (const [kind, prepare] of Object.entries(kinds)) {
    const { ids, list } = await prepare();
    expect(ids, kind).toHaveLength(2);
    const [first, second] = ids as [string, string];
    const remove = async (who: Who, trashId: string): Promise<number> =>
      (await who.call(deleteTrashItem, { params: { trashId } })).status;
    // A space that they are not in is not there for them, whatever they know of it.
    expect([kind, await remove(creator, first)]).toEqual([kind, kind === 'space' ? 404 : 403]);
    expect([kind, await remove(stranger, first)]).toEqual([kind, 404]);
    expect(await list()).toEqual(ids);
    expect([kind, await remove(owner, first)]).toEqual([kind, 200]);
    expect(await list()).toEqual([second]);
    expect([kind, await remove(owner, first)]).toEqual([kind, 404]);
    expect([kind, (await owner.call(restoreTrash, { params: { trashId: first } })).status]).toEqual([kind, 404]);
    // What comes back is out of reach.
    expect([kind, (await owner.call(restoreTrash, { params: { trashId: second } })).status]).toEqual([kind, 201]);
    expect([kind, await remove(owner, second)]).toEqual([kind, 404]);
  }
});

test('what stands in something that is in the trash is deleted with that', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const tableId = await table(baseId, 'Inner', owner.userId);
  const remove = async (id: string): Promise<number> =>
    (await owner.call(deleteTrashItem, { params: { trashId: `tra${id.slice(3)}` } })).status;
  await owner.call(deleteBase, { params: { baseId } });
  expect(await remove(tableId)).toBe(409);
  await owner.call(deleteSpace, { params: { spaceId } });
  expect(await remove(baseId)).toBe(409);
  expect(await remove(spaceId)).toBe(200);
  expect(await relations(baseId)).toEqual([]);
  expect(await tableRow(tableId)).toBeUndefined();
});
