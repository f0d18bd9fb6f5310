// Templates: those that come along, those that administrators make of their bases, and bases that begin from them.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { deleteBase, listSpaceBases } from '@rowhouse/contract/base.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { listSpaces } from '@rowhouse/contract/space.ts';
import { createTable, listTables } from '@rowhouse/contract/table.ts';
import * as contract from '@rowhouse/contract/template.ts';
import { listViews } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { bumpEpochs } from '../../server/catalog/access.sql.ts';
import { sql } from '../../server/db/sql.ts';
import { type Person, person } from '../support/people.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { caller } from '../support/caller.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let admin: Person;
let user: Person;
let spaceId: string;
beforeAll(async () => {
  admin = await person(world(), { admin: true });
  user = await person(world());
  spaceId = await newSpace(user);
});

const cellsOf = async (who: Person, tableId: string): Promise<Record<string, unknown>[]> =>
  (await who.call(listRecords, { params: { tableId } })).body.records.map(({ fields }) => fields);

const begin = (who: Person, templateId: string, more: { withRecords?: boolean; baseId?: string } = {}) =>
  who.call(contract.createBaseFromTemplate, { body: { spaceId, templateId, ...more } });

const expectRightSums = async (tables: ReadonlyMap<string, string>): Promise<void> => {
  expect(
    (await cellsOf(user, tables.get('Products') as string)).map((record) => [
      record.Product,
      record.Sold,
      record['In stock'],
      record['Buy now'],
    ]),
  ).toEqual([
    ['Stoneware mug', 85, 35, 'Buy'],
    ['Salad bowl', 12, 33, undefined],
    ['Notebook A5', 120, 280, undefined],
    ['Desk lamp', 8, 22, undefined],
    ['Watering can', 16, 9, 'Buy'],
  ]);
  expect(
    (await cellsOf(user, tables.get('Orders') as string)).map(({ Order, Total, Lines }) => [Order, Total, Lines]),
  ).toEqual([
    ['Order 1001', 1616.5, 2],
    ['Order 1002', 1220, 2],
    ['Order 1003', 336, 1],
  ]);
};

test('every template that comes along makes a base without an error in it, with records or without', {
  timeout: 60_000,
}, async () => {
  const published = (await user.call(contract.listPublishedTemplates, {})).body;
  expect(published.map(({ name }) => name)).toEqual([
    'Project tracker',
    'Sales pipeline',
    'Content calendar',
    'Inventory and orders',
    'Event planning',
  ]);
  const categories = (await user.call(contract.listPublishedTemplateCategories, {})).body.map(({ id }) => id);
  for (const [at, template] of published.entries()) {
    expect(template).toMatchObject({
      isSystem: true,
      isPublished: true,
      description: expect.stringMatching(/\.$/),
      icon: null,
    });
    expect(categories).toContain(template.categoryId);
    const made = await begin(user, template.id, { withRecords: true });
    expect([made.status, made.body]).toEqual([
      201,
      { id: expect.stringMatching(/^bse/), name: template.name, icon: template.icon, spaceId },
    ]);
    const tables = (await user.call(listTables, { params: { baseId: made.body.id } })).body;
    expect(tables.map(({ name, icon }) => ({ name, icon: icon ?? null }))).toEqual(template.tables);
    for (const { id: tableId, name } of tables) {
      const fields = (await user.call(listFields, { params: { tableId } })).body;
      expect(
        fields.filter(({ hasError }) => hasError === true),
        name,
      ).toEqual([]);
      // What can be computed is: no field is empty in every record, but those that people fill.
      const cells = await cellsOf(user, tableId);
      const filled = new Set(cells.flatMap((record) => Object.keys(record)));
      expect(
        fields
          .filter((field) => (field.isComputed === true || field.type === 'link') && !filled.has(field.name))
          .map((field) => `${name}.${field.name}`),
      ).toEqual([]);
      expect(cells.length, name).toBeGreaterThan(0);
      // Cards show more than a name.
      const cards = (await user.call(listViews, { params: { tableId } })).body.filter(
        ({ type }) => type === 'kanban' || type === 'gallery',
      );
      for (const view of cards)
        expect(
          Object.values(view.columnMeta).filter((column) => (column as { visible?: boolean }).visible === true).length,
          view.name,
        ).toBeGreaterThan(2);
    }
    if (template.id === 'tplInventoryOrders0') await expectRightSums(new Map(tables.map(({ name, id }) => [name, id])));
    if (at > 0) continue;
    const empty = await begin(user, template.id);
    for (const { id: tableId } of (await user.call(listTables, { params: { baseId: empty.body.id } })).body)
      expect(await cellsOf(user, tableId)).toEqual([]);
  }
  expect(
    (await user.call(contract.getTemplate, { params: { templateId: published[0]?.id as string } })).body.usageCount,
  ).toBe(2);
});

test('an administrator saves a base as a template; others begin from it as it was then, and see nothing of its people', async () => {
  const source = await newBase(admin, await newSpace(admin), 'Recipes');
  const helper = await member(world(), admin, source, 'editor');
  const dishes = (
    await admin.call(createTable, {
      params: { baseId: source },
      body: {
        name: 'Dishes',
        fields: [
          { name: 'Dish', type: 'singleLineText' },
          { name: 'Cook', type: 'user', options: { defaultValue: helper.userId } },
        ],
        views: [{ type: 'grid', name: 'Menu' }],
        records: [{ fields: { Dish: 'Soup', Cook: { id: helper.userId, title: 'Cook' } } }],
      },
    })
  ).body;
  const dish = { id: dishes.records[0]?.id as string };
  await admin.call(createTable, {
    params: { baseId: source },
    body: {
      name: 'Meals',
      fields: [
        { name: 'Meal', type: 'singleLineText' },
        { name: 'Dishes', type: 'link', options: { relationship: 'manyMany', foreignTableId: dishes.id } },
      ],
      records: [{ fields: { Meal: 'Lunch', Dishes: [dish] } }],
    },
  });

  // A template is empty until it has a snapshot, and unknown until it is published.
  const templateId = (
    await admin.call(contract.createTemplate, { body: { name: 'Recipes', category: 'tpcOperations000000' } })
  ).body.id;
  expect(
    (await admin.call(contract.updateTemplate, { params: { templateId }, body: { isPublished: true } })).status,
  ).toBe(400);
  expect((await admin.call(contract.snapshotTemplate, { params: { templateId } })).status).toBe(400);
  expect(
    (
      await admin.call(contract.updateTemplate, {
        params: { templateId },
        body: { baseId: source, description: 'What we cook.' },
      })
    ).body,
  ).toMatchObject({ baseId: source, description: 'What we cook.', isPublished: false });
  const saved = await admin.call(contract.snapshotTemplate, { params: { templateId } });
  expect([saved.status, saved.body]).toMatchObject([
    201,
    { snapshot: { name: 'Recipes' }, tables: [{ name: 'Dishes' }, { name: 'Meals' }] },
  ]);
  expect((await user.call(contract.getTemplate, { params: { templateId } })).status).toBe(404);
  expect((await begin(user, templateId)).status).toBe(404);
  expect(
    (await admin.call(contract.updateTemplate, { params: { templateId }, body: { isPublished: true } })).status,
  ).toBe(200);

  // Later changes do not reach it.
  await admin.call(createRecords, {
    params: { tableId: dishes.id },
    body: { records: [{ fields: { Dish: 'Salad' } }] },
  });
  const made = await begin(user, templateId, { withRecords: true });
  expect([made.status, made.body.name]).toEqual([201, 'Recipes']);
  const [dishesCopy, mealsCopy] = (await user.call(listTables, { params: { baseId: made.body.id } })).body;
  expect(await cellsOf(user, dishesCopy?.id as string)).toMatchObject([{ Dish: 'Soup', Meals: [{ title: 'Lunch' }] }]);
  expect(await cellsOf(user, mealsCopy?.id as string)).toMatchObject([{ Meal: 'Lunch', Dishes: [{ title: 'Soup' }] }]);
  const shown = JSON.stringify([
    await cellsOf(user, dishesCopy?.id as string),
    (await user.call(listFields, { params: { tableId: dishesCopy?.id as string } })).body,
  ]);
  expect(shown).not.toContain(helper.userId);
  expect(
    (await user.call(listViews, { params: { tableId: dishesCopy?.id as string } })).body.map(({ name }) => name),
  ).toEqual(['Menu']);

  // Into a base that is there already, beside its tables; the base may be gone that it was made of.
  expect((await begin(user, templateId, { baseId: made.body.id, withRecords: true })).status).toBe(201);
  expect((await user.call(listTables, { params: { baseId: made.body.id } })).body.map(({ name }) => name)).toEqual([
    'Dishes',
    'Meals',
    'Dishes 2',
    'Meals 2',
  ]);
  expect((await begin(user, templateId, { baseId: source })).status).toBe(404);
  await admin.call(deleteBase, { params: { baseId: source } });
  expect((await begin(user, templateId)).status).toBe(201);

  // A new snapshot takes the place of the old one; the space of snapshots is nobody's.
  const first = saved.body.snapshot?.baseId as string;
  const next = await newBase(admin, await newSpace(admin), 'Drinks');
  await admin.call(contract.updateTemplate, { params: { templateId }, body: { baseId: next } });
  const again = (await admin.call(contract.snapshotTemplate, { params: { templateId } })).body;
  expect(again.snapshot?.baseId).not.toBe(first);
  expect(await world().db.query(sql`select id from rowhouse.bases where id = ${first}`)).toEqual([]);
  expect((await admin.call(listSpaces, {})).body.map(({ id }) => id)).not.toContain('spcTemplateSnapshot');
  expect((await admin.call(listSpaceBases, { params: { spaceId: 'spcTemplateSnapshot' } })).status).toBe(404);
  expect((await admin.call(contract.deleteTemplate, { params: { templateId } })).status).toBe(200);
  expect((await admin.call(contract.deleteTemplate, { params: { templateId } })).status).toBe(404);
  expect(await world().db.query(sql`select id from rowhouse.bases where space_id = 'spcTemplateSnapshot'`)).toEqual([]);
});

test('administrators order, describe and withdraw templates, and keep their categories', async () => {
  const ids = async () => (await user.call(contract.listPublishedTemplates, {})).body.map(({ id }) => id);
  const before = await ids();
  const last = before.at(-1) as string;
  expect((await admin.call(contract.pinTemplate, { params: { templateId: last } })).status).toBe(200);
  expect(await ids()).toEqual([last, ...before.slice(0, -1)]);
  const params = { templateId: last };
  expect(
    (await admin.call(contract.updateTemplate, { params, body: { isPublished: false, name: 'Conference' } })).body,
  ).toMatchObject({ name: 'Conference', isPublished: false });
  expect(await ids()).not.toContain(last);
  expect((await admin.call(contract.listTemplates, {})).body.map(({ id }) => id)).toContain(last);
  expect((await begin(user, last)).status).toBe(404);

  const category = (await admin.call(contract.createTemplateCategory, { body: { name: 'Cooking' } })).body;
  expect(category).toEqual({ id: expect.stringMatching(/^tpc/), name: 'Cooking', order: expect.any(Number) });
  expect(
    (
      await admin.call(contract.updateTemplateCategory, {
        params: { templateCategoryId: category.id },
        body: { name: 'Kitchen' },
      })
    ).body.name,
  ).toBe('Kitchen');
  expect((await user.call(contract.listPublishedTemplateCategories, {})).body.map(({ name }) => name)).not.toContain(
    'Kitchen',
  );
  expect(
    (await admin.call(contract.updateTemplate, { params, body: { isPublished: true, categoryId: category.id } })).body
      .categoryId,
  ).toBe(category.id);
  expect((await user.call(contract.listPublishedTemplateCategories, {})).body.map(({ name }) => name)).toContain(
    'Kitchen',
  );
  expect(
    (await admin.call(contract.updateTemplate, { params, body: { categoryId: 'tpcUnknown000000000' } })).status,
  ).toBe(400);
  expect(
    (await admin.call(contract.deleteTemplateCategory, { params: { templateCategoryId: category.id } })).status,
  ).toBe(200);
  expect((await user.call(contract.getTemplate, { params })).body).not.toHaveProperty('categoryId');
});

test('templates and categories are put in order, visits are counted, and a template has an address', async () => {
  const ids = async () => (await user.call(contract.listPublishedTemplates, {})).body.map(({ id }) => id);
  const [first, second, ...others] = await ids();
  const params = { templateId: first as string };
  const body = { anchorId: second as string, position: 'after' as const };
  expect((await user.call(contract.orderTemplate, { params, body })).status).toBe(403);
  expect((await admin.call(contract.orderTemplate, { params, body })).status).toBe(200);
  expect(await ids()).toEqual([second, first, ...others]);
  const refused = await admin.call(contract.orderTemplate, { params, body: { ...body, anchorId: 'tplNone' } });
  expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('tplNone')]);
  expect((await admin.call(contract.orderTemplate, { params: { templateId: 'tplNone' }, body })).status).toBe(404);
  // Two at once: one order after the other, and none is lost.
  await Promise.all(
    others.slice(0, 2).map((templateId) =>
      admin.call(contract.orderTemplate, {
        params: { templateId },
        body: { anchorId: second as string, position: 'before' },
      }),
    ),
  );
  expect((await ids()).toSorted()).toEqual([second, first, ...others].toSorted());
  expect((await ids()).slice(2, 4)).toEqual([second, first]);
  const categories = async () => (await admin.call(contract.listTemplateCategories, {})).body.map(({ id }) => id);
  const [one, two] = await categories();
  await admin.call(contract.orderTemplateCategory, {
    params: { templateCategoryId: two as string },
    body: { anchorId: one as string, position: 'before' },
  });
  expect((await categories()).slice(0, 2)).toEqual([two, one]);

  const count = async () => (await user.call(contract.getTemplate, { params })).body.visitCount;
  const before = await count();
  await Promise.all([1, 2, 3].map(() => user.call(contract.visitTemplate, { params })));
  expect(await count()).toBe(before + 3);
  const anyone = caller({ baseUrl: world().baseUrl });
  const link = () => anyone(contract.getTemplatePermalink, { params: { identifier: first as string } });
  expect((await link()).body).toEqual({ redirectUrl: expect.stringMatching(new RegExp(`/\\?template=${first}$`)) });
  await admin.call(contract.updateTemplate, { params, body: { isPublished: false } });
  expect((await link()).status).toBe(404);
  expect((await user.call(contract.visitTemplate, { params })).status).toBe(404);
  await admin.call(contract.updateTemplate, { params, body: { isPublished: true } });
});

test('a base begins while rights in its space change all the time', async () => {
  let isOver = false;
  const restless = (async () => {
    for (; !isOver; await sleep(20)) await bumpEpochs(world().db, [spaceId]);
  })();
  const made = await begin(user, 'tplProjectTracker00', { withRecords: true });
  isOver = true;
  await restless;
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});

test('the cover of a template is a picture that everybody can see', async () => {
  const templateId = 'tplSalesPipeline000';
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>');
  const upload = async (contentType: string) => {
    const { token, url } = (
      await admin.call(createFileSignature, { body: { contentType, contentLength: bytes.length, type: 1 } })
    ).body;
    expect(
      (
        await fetch(url.replace(/^.*\/api/, world().baseUrl), {
          method: 'PUT',
          headers: { 'content-type': contentType },
          body: bytes,
        })
      ).status,
    ).toBe(200);
    return (await admin.call(notifyFile, { params: { token } })).body;
  };
  const cover = async (contentType: string) =>
    admin.call(contract.updateTemplate, {
      params: { templateId },
      body: { cover: { ...(await upload(contentType)), id: 'actCover', name: 'cover.svg' } },
    });
  expect((await cover('text/plain')).status).toBe(400);
  const shown = (await cover('image/svg+xml')).body.cover;
  expect(shown).toMatchObject({ name: 'cover.svg', mimetype: 'image/svg+xml', size: bytes.length });
  const read = () => fetch(shown?.presignedUrl.replace(/^.*\/api/, world().baseUrl) as string);
  expect([(await read()).status, await (await read()).text()]).toEqual([200, bytes.toString()]);
  expect(
    (await admin.call(contract.updateTemplate, { params: { templateId }, body: { cover: null } })).body,
  ).not.toHaveProperty('cover');
  expect((await read()).status).toBe(404);
});

test('a base is published as a template in one step, brought up to date in another, and withdrawn', async () => {
  const baseId = await newBase(admin, await newSpace(admin), 'Recipes');
  const publish = (who: Person, title: string, of = baseId) =>
    who.call(contract.publishBase, { params: { baseId: of }, body: { title, description: 'What to cook' } });
  expect((await admin.call(contract.getTemplateOfBase, { params: { baseId } })).status).toBe(404);
  expect((await publish(user, 'Theirs')).status).toBe(403);
  const first = await publish(admin, 'Recipes');
  expect([first.status, first.body]).toEqual([200, { baseId, templateId: expect.stringMatching(/^tpl/) }]);
  const { templateId } = first.body;
  const snapshotOf = async () =>
    (await admin.call(contract.getTemplateOfBase, { params: { baseId } })).body.snapshot?.baseId;
  const before = await snapshotOf();
  expect((await publish(admin, 'Dishes')).body).toEqual({ baseId, templateId });
  expect(await snapshotOf()).not.toBe(before);
  expect((await user.call(contract.getTemplate, { params: { templateId } })).body).toMatchObject({
    name: 'Dishes',
    isPublished: true,
  });
  expect((await begin(user, templateId)).status).toBe(201);
  expect((await admin.call(contract.unpublishTemplate, { params: { templateId } })).status).toBe(200);
  expect((await begin(user, templateId)).status).toBe(404);
  expect((await publish(admin, 'None of mine', await newBase(user, await newSpace(user)))).status).toBe(404);
  await admin.call(contract.deleteTemplate, { params: { templateId } });
});
