// A record that very many were linked to is restored, and its links come back part by part. Whatever happens to the record, to its link, to its table or to
// the base before all of them are back: none is lost.
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { convertField, createField, deleteField, type Field, listFields } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteTable, type FullTable, listTables } from '@rowhouse/contract/table.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { exportToFile, importFromFile } from '../support/base-file.ts';
import { chainFaults, linkedOnly } from '../support/chain.ts';
import { cases, withAllCases } from '../support/cases.ts';
import { holdRow, layStop, untilWaiting } from '../support/interleave.sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { sql } from '../../server/db/sql.ts';
import { findWrongCells, mendCells } from '../../server/domain/computed/check-cells.ts';
import { limits } from '../../server/domain/computed/plan.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const usual = { ...limits };
afterEach(() => void Object.assign(limits, usual));

/** More than a part, which has 500 at first. */
const count = 700;
const idOf = (at: number): string => `rec${String(at).padStart(16, '0')}`;
const all = Array.from({ length: count }, (_, at) => idOf(at + 1));

interface Halfway {
  shop: Workshop;
  projects: FullTable;
  tasks: FullTable;
  /** From the tasks to the projects. */
  link: Field;
  /** The other side. */
  sideId: string;
  hub: string;
  /** What brought the hub back. */
  restored: string;
  /** The rest comes back from now on. */
  resume(): Promise<void>;
  /** The tasks of the hub, in their order. */
  list(baseId?: string): Promise<string[]>;
  /** Until nothing is left to bring back. */
  done(): Promise<void>;
  allRight(baseId?: string): Promise<void>;
  historyIsWhole(): Promise<void>;
}

const operationOf = ({
  status,
  headers,
  error,
}: {
  status: number;
  headers: Headers;
  error?: { message: string };
}): string => {
  expect([status, error?.message]).toEqual([200, undefined]);
  return headers.get('x-operation-id') as string;
};

/** A project with very many tasks that was deleted and restored; 500 of its links are back, and the job was killed. */
const halfway = async (relationship: 'manyOne' | 'manyMany'): Promise<Halfway> => {
  const shop = await openWorkshop(world());
  const { owner, baseId } = shop;
  const fields = [
    { type: 'singleLineText', name: 'Name' },
    { type: 'number', name: 'Amount' },
  ] as const;
  const projects = await shop.table({
    name: 'Projects',
    fields: [...fields],
    records: [{ fields: { Name: 'Hub', Amount: 5 } }, { fields: { Name: 'Small', Amount: 7 } }],
  });
  const tasks = await shop.table({ name: 'Tasks', fields: [...fields], records: [] });
  const add = async (tableId: string, body: object): Promise<Field> => {
    const made = await owner.call(createField, { params: { tableId }, body: body as never });
    expect([made.status, made.error?.message]).toEqual([201, undefined]);
    return made.body;
  };
  const link = await add(tasks.id, {
    type: 'link',
    name: 'Project',
    options: { relationship, foreignTableId: projects.id },
  });
  await add(tasks.id, {
    type: 'number',
    isLookup: true,
    name: 'Rate',
    lookupOptions: { foreignTableId: projects.id, linkFieldId: link.id, lookupFieldId: projects.fields[1]?.id },
  });
  const hub = projects.records[0]?.id as string;
  const name = sql.id(...(tasks.dbTableName.split('.') as [string, string]));
  await world().db.query(
    sql`insert into ${name} (__id, __created_by, "Name") select 'rec' || lpad(n::text, 16, '0'), ${owner.userId}, 'Task ' || n from generate_series(1, ${count}) n`,
  );
  const sideId = link.options.symmetricFieldId as string;
  if (relationship === 'manyOne')
    await world().db.query(
      sql`update ${name} set ${sql.id(`__fk_${link.id}`)} = ${hub}, ${sql.id(`__at_${sideId}`)} = __auto_number`,
    );
  else {
    const columns = sql.join(
      [`__fk_${sideId}`, `__fk_${link.id}`, `__at_${link.id}`, `__at_${sideId}`].map((column) => sql.id(column)),
    );
    await world().db.query(
      sql`insert into ${sql.id(baseId, `junction_${link.id}_${sideId}`)} (${columns}) select __id, ${hub}, 0, __auto_number from ${name}`,
    );
  }
  await world().db.transaction((tx) => mendCells(tx, baseId));
  const list = async (within = baseId): Promise<string[]> => {
    const table = (await owner.call(listTables, { params: { baseId: within } })).body.find(
      (one) => one.name === 'Projects',
    ) as { id: string };
    const side = (await owner.call(listFields, { params: { tableId: table.id } })).body.find(
      ({ type }) => type === 'link',
    );
    const { records } = (
      await owner.call(listRecords, { params: { tableId: table.id }, query: { fieldKeyType: 'id' } })
    ).body;
    return ((records.find(({ id }) => id === hub)?.fields[side?.id as string] ?? []) as { id: string }[]).map(
      ({ id }) => id,
    );
  };
  expect(await list()).toEqual(all);
  const deleted = operationOf(await owner.call(deleteRecord, { params: { tableId: projects.id, recordId: hub } }));
  const held = await holdRow(world(), tasks.dbTableName, idOf(600));
  limits.reached = 20;
  const restored = operationOf(
    await owner.call(restoreHistory, { params: { tableId: projects.id }, body: { operationId: deleted } }),
  );
  Object.assign(limits, usual);
  await vi.waitFor(async () => expect(await list()).toHaveLength(500), { timeout: 30_000, interval: 100 });
  // Put aside by somebody else, as when its process is killed: what it was doing does not count.
  await world().db.query(
    sql`update rowhouse.jobs set token = token + 1, state = 'waiting', due_time = now() + interval '1 hour' where kind = 'restore-links'`,
  );
  await held.release();
  const left = () => world().db.query(sql`select from rowhouse.jobs where kind = 'restore-links'`);
  return {
    shop,
    projects,
    tasks,
    link,
    sideId,
    hub,
    restored,
    list,
    async resume() {
      await world().db.query(sql`update rowhouse.jobs set due_time = now() where kind = 'restore-links'`);
      world().services.work.wake();
    },
    async done() {
      await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 50_000, interval: 20 });
    },
    async allRight(within = baseId) {
      expect(await findWrongCells(world().db, within)).toEqual([]);
    },
    async historyIsWhole() {
      // The list of the hub is too long for its history.
      expect(await chainFaults({ call: owner.call, tableId: tasks.id }, linkedOnly)).toEqual([]);
    },
  };
};

const restore = (shop: Workshop, tableId: string, operationId: string) =>
  shop.owner.call(restoreHistory, { params: { tableId }, body: { operationId } });

/** The latest of a place. */
const restoreFromTrash = async (
  { owner }: Workshop,
  resourceId: string,
  resourceType: 'table' | 'base',
): Promise<void> => {
  const [item] = (await owner.call(listTrashItems, { query: { resourceId, resourceType } })).body.trashItems;
  const { status, error } = await owner.call(restoreTrash, { params: { trashId: item?.id as string } });
  expect([status, error?.message]).toEqual([201, undefined]);
};

describe.each(['manyOne', 'manyMany'] as const)(
  'links of a restored record that are not back yet (%s)',
  (relationship) => {
    // Each with one place of the links, a column or a table of their own; with both in the proof.
    const inColumn = withAllCases || relationship === 'manyOne' ? test : undefined;
    const inTable = withAllCases || relationship === 'manyMany' ? test : undefined;

    inColumn?.('stay with it when it is deleted again, or its restore is undone, and come back with it', async () => {
      const { shop, projects, hub, restored, resume, list, done, allRight, historyIsWhole } =
        await halfway(relationship);
      const { call } = shop.owner;
      const deleted = operationOf(await call(deleteRecord, { params: { tableId: projects.id, recordId: hub } }));
      await resume();
      await done();
      const again = operationOf(await restore(shop, projects.id, deleted));
      expect(await list()).toEqual(all);
      await allRight();
      // Undone and redone at once, with nothing left open.
      const undone = operationOf(await restore(shop, projects.id, again));
      operationOf(await restore(shop, projects.id, undone));
      expect(await list()).toEqual(all);
      expect(restored).not.toBe(again);
      await allRight();
      await historyIsWhole();
    });

    inTable?.('follow when it is deleted and restored again before anybody has noticed', async () => {
      const { shop, projects, restored, resume, list, done, allRight, historyIsWhole } = await halfway(relationship);
      const undone = operationOf(await restore(shop, projects.id, restored));
      expect(await list()).toEqual([]);
      operationOf(await restore(shop, projects.id, undone));
      await resume();
      await done();
      expect(await list()).toEqual(all);
      await allRight();
      await historyIsWhole();
    });

    inColumn?.('are gone when it is deleted for good', async () => {
      const { shop, projects, hub, resume, list, done, allRight, historyIsWhole } = await halfway(relationship);
      operationOf(await shop.owner.call(deleteRecord, { params: { tableId: projects.id, recordId: hub } }));
      expect(
        (await shop.owner.call(resetTrashItems, { query: { resourceId: projects.id, resourceType: 'table' } })).status,
      ).toBe(200);
      await resume();
      await done();
      expect(await list()).toEqual([]);
      await allRight();
      await historyIsWhole();
    });

    inTable?.('come back with the link when that is deleted and restored', async () => {
      const { shop, tasks, link, resume, list, done, allRight } = await halfway(relationship);
      expect((await shop.owner.call(deleteField, { params: { tableId: tasks.id, fieldId: link.id } })).status).toBe(
        200,
      );
      await resume();
      await done();
      await restoreFromTrash(shop, tasks.id, 'table');
      expect(await list()).toEqual(all);
      await allRight();
    });

    inColumn?.('come back when both the record and the link were deleted, in either order', async () => {
      const { shop, projects, tasks, link, hub, resume, list, done, allRight } = await halfway(relationship);
      expect((await shop.owner.call(deleteField, { params: { tableId: tasks.id, fieldId: link.id } })).status).toBe(
        200,
      );
      const deleted = operationOf(
        await shop.owner.call(deleteRecord, { params: { tableId: projects.id, recordId: hub } }),
      );
      await resume();
      await done();
      await restoreFromTrash(shop, tasks.id, 'table');
      operationOf(await restore(shop, projects.id, deleted));
      expect(await list()).toEqual(all);
      await allRight();
    });

    inTable?.each(cases<'projects' | 'tasks'>(['projects', 'tasks'], ['tasks']))(
      'come back with the table when that is deleted and restored (%s)',
      async (which) => {
        const made = await halfway(relationship);
        const { shop, resume, list, done, allRight } = made;
        expect(
          (await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: made[which].id } })).status,
        ).toBe(200);
        await resume();
        await done();
        await restoreFromTrash(shop, shop.baseId, 'base');
        expect(await list()).toEqual(all);
        await allRight();
      },
    );

    inTable?.('to a record that is deleted meanwhile come back with that one', async () => {
      const { shop, tasks, resume, list, done, allRight } = await halfway(relationship);
      const deleted = operationOf(
        await shop.owner.call(deleteRecord, { params: { tableId: tasks.id, recordId: idOf(650) } }),
      );
      await resume();
      await done();
      expect(await list()).toEqual(all.filter((id) => id !== idOf(650)));
      operationOf(await restore(shop, tasks.id, deleted));
      expect((await list()).toSorted()).toEqual(all);
      await allRight();
    });

    inColumn?.('are linked once when the job was killed in the middle', async () => {
      const { resume, list, done, allRight, historyIsWhole } = await halfway(relationship);
      await resume();
      await done();
      expect(await list()).toEqual(all);
      await allRight();
      await historyIsWhole();
    });

    inTable?.('come to a copy of the base, and to a base that is made from its file', async () => {
      const { shop, resume, list, done, allRight } = await halfway(relationship);
      const { owner, baseId, spaceId } = shop;
      const copy = (await owner.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } })).body
        .id;
      const imported = await importFromFile(owner, spaceId, await exportToFile(owner, baseId));
      await resume();
      await done();
      for (const id of [baseId, copy, imported]) {
        expect([id, await list(id)]).toEqual([id, all]);
        await allRight(id);
      }
    });
  },
);

test('a link is not converted while links of a restored record come back to it', async () => {
  const { shop, tasks, projects, link, sideId, hub, resume, done, list, allRight } = await halfway('manyOne');
  const convert = (tableId: string, fieldId: string) =>
    shop.owner.call(convertField, { params: { tableId, fieldId }, body: { type: 'singleLineText' } });
  for (const [tableId, fieldId] of [
    [tasks.id, link.id],
    [projects.id, sideId],
  ] as const) {
    const refused = await convert(tableId, fieldId);
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('still coming back')]);
  }
  await resume();
  await done();
  expect(await list()).toEqual(all);
  await allRight();
  expect(
    (
      await shop.owner.call(updateRecord, {
        params: { tableId: projects.id, recordId: hub },
        body: { record: { fields: { Name: 'Hub 2' } } },
      })
    ).status,
  ).toBe(200);
  expect((await convert(tasks.id, link.id)).status).toBe(200);
});

test('a part is in the gate: a field that is added while it is under way counts its links', async () => {
  const { shop, tasks, projects, sideId, hub, resume, done, list, allRight } = await halfway('manyMany');
  const add = async (tableId: string, body: object): Promise<string> =>
    (await shop.owner.call(createField, { params: { tableId }, body: body as never })).body.id;
  // A table beside them, which the part does not reach yet.
  const clients = await shop.table({
    name: 'Clients',
    fields: [{ type: 'singleLineText', name: 'Name' }],
    records: [{ fields: { Name: 'Client' } }],
  });
  const linkId = await add(clients.id, {
    type: 'link',
    name: 'Of',
    options: { relationship: 'manyOne', foreignTableId: projects.id, isOneWay: true },
  });
  expect(
    (
      await shop.owner.call(updateRecord, {
        params: { tableId: clients.id, recordId: clients.records[0]?.id as string },
        body: { record: { fields: { Of: { id: hub } } } },
      })
    ).status,
  ).toBe(200);
  const countId = await add(projects.id, {
    type: 'rollup',
    name: 'How many',
    options: { expression: 'countall({values})' },
    lookupOptions: { foreignTableId: tasks.id, linkFieldId: sideId, lookupFieldId: tasks.fields[0]?.id },
  });
  const stopped = await (await layStop(world(), shop.baseId, 'computed', tasks.id)).hold();
  await resume();
  await untilWaiting(world(), 1);
  const adding = shop.owner.call(createField, {
    params: { tableId: clients.id },
    body: {
      type: 'rollup',
      name: 'Tasks',
      options: { expression: 'sum({values})' },
      lookupOptions: { foreignTableId: projects.id, linkFieldId: linkId, lookupFieldId: countId },
    } as never,
  });
  await untilWaiting(world(), 2, adding);
  await stopped.release();
  expect((await adding).status).toBe(201);
  await done();
  expect(await list()).toEqual(all);
  const [client] = (await shop.owner.call(listRecords, { params: { tableId: clients.id }, query: {} })).body.records;
  expect(client?.fields).toMatchObject({ Tasks: count });
  await allRight();
});
