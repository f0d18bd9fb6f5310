// Short addresses of shared views.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createBaseShare, deleteBaseShare, updateBaseShare } from '@rowhouse/contract/base-share.ts';
import { disableShare, enableShare, refreshShareId } from '@rowhouse/contract/share.ts';
import { createShortLink, getShortLink } from '@rowhouse/contract/short-link.ts';
import { expect, test } from 'vitest';
import { caller } from '../support/caller.ts';
import { person, type Person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

test('those who may share a view get one short address for it, which ends with the share', async () => {
  const shop = await openWorkshop(world());
  const { owner } = shop;
  const table = await shop.table({});
  const params = { tableId: table.id, viewId: table.defaultViewId as string };
  const { shareId } = (await owner.call(enableShare, { params })).body;
  const shorten = (who: Pick<Person, 'call'>, resourceId = shareId) =>
    who.call(createShortLink, { body: { type: 'view-share', resourceId } });
  const made = await shorten(owner);
  expect([made.status, made.body]).toEqual([
    201,
    { code: expect.stringMatching(/^\w{9}$/), path: `/s/${made.body.code}` },
  ]);
  expect((await shorten(owner)).body).toEqual(made.body);
  const viewer = await member(world(), owner, shop.baseId, 'viewer');
  const blind = await owner.withToken({ hasFullAccess: true, scopes: ['view|read', 'record|read'] });
  expect((await shorten(viewer)).status).toBe(403);
  expect((await shorten(blind)).status).toBe(403);
  expect((await shorten(await person(world()))).status).toBe(404);
  expect((await shorten(owner, 'shr0000000000000000')).status).toBe(404);

  const anyone = caller({ baseUrl: world().baseUrl });
  const leads = () => anyone(getShortLink, { params: { code: made.body.code } });
  expect((await leads()).body).toEqual({ type: 'view-share', resourceId: shareId, path: `/share/${shareId}/view` });
  await owner.call(disableShare, { params });
  expect((await leads()).status).toBe(404);
  const again = (await owner.call(enableShare, { params })).body.shareId;
  expect((await leads()).status).toBe(404);
  const next = (await shorten(owner, again)).body.code;
  expect(next).not.toBe(made.body.code);
  await owner.call(refreshShareId, { params });
  expect((await anyone(getShortLink, { params: { code: next } })).status).toBe(404);
  expect((await anyone(getShortLink, { params: { code: "' or 1" } })).status).toBe(404);
});

test('a shared base has one, too, for those who may share it', async () => {
  const { owner, baseId } = await openWorkshop(world());
  const { shareId } = (await owner.call(createBaseShare, { params: { baseId }, body: {} })).body;
  const body = { type: 'base-share' as const, resourceId: shareId };
  const { code } = (await owner.call(createShortLink, { body })).body;
  const editor = await member(world(), owner, baseId, 'editor');
  expect((await editor.call(createShortLink, { body })).status).toBe(403);
  expect((await (await person(world())).call(createShortLink, { body })).status).toBe(404);
  expect((await owner.call(createShortLink, { body: { ...body, type: 'view-share' } })).status).toBe(404);
  const leads = () => caller({ baseUrl: world().baseUrl })(getShortLink, { params: { code } });
  expect((await leads()).body).toEqual({ type: 'base-share', resourceId: shareId, path: `/share/${shareId}/base` });
  await owner.call(updateBaseShare, { params: { baseId, shareId }, body: { enabled: false } });
  expect((await leads()).status).toBe(404);
  await owner.call(updateBaseShare, { params: { baseId, shareId }, body: { enabled: true } });
  expect((await leads()).status).toBe(200);
  await owner.call(deleteBaseShare, { params: { baseId, shareId } });
  expect((await leads()).status).toBe(404);
});

const isBuilt = existsSync(join(import.meta.dirname, '../../web/dist/index.html'));

test.skipIf(!isBuilt)('its page leads on to that of the share, and to none afterwards', async () => {
  const shop = await openWorkshop(world());
  const { owner } = shop;
  const table = await shop.table({});
  const params = { tableId: table.id, viewId: table.defaultViewId as string };
  const { shareId } = (await owner.call(enableShare, { params })).body;
  const { path } = (await owner.call(createShortLink, { body: { type: 'view-share', resourceId: shareId } })).body;
  const page = () => fetch(world().origin + path, { redirect: 'manual', headers: { accept: 'text/html' } });
  const answer = await page();
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/share/${shareId}/view`]);
  await owner.call(disableShare, { params });
  expect((await page()).status).toBe(404);
});
