// Shares of a base, a folder and a table in the app: the dialog of those who share, and the page of visitors.
import type { Browser, Page } from '@playwright/test';
import { escape, expect, follow, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable } from '../support/browser-table.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

/** Somebody without an account. */
const visit = async (browser: Browser, url: string, options: object = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  return page;
};

const setUp = async (api: any) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
      { name: 'Who', type: 'user' },
    ],
    [
      { Name: 'Roof', Status: 'open' },
      { Name: 'Fence', Status: 'done' },
    ],
  );
  const me = await api.get('/auth/user');
  const { records } = await api.get(`/table/${table.tableId}/record`);
  await api.patch(`/table/${table.tableId}/record/${records[0].id}`, {
    record: { fields: { Who: { id: me.id, title: me.name } } },
  });
  const rooms = await api.post(`/base/${table.baseId}/table`, {
    name: 'Rooms',
    fields: [{ name: 'Room', type: 'singleLineText' }],
    records: [{ fields: { Room: 'Attic' } }],
  });
  const folder = await api.post(`/base/${table.baseId}/node/folder`, { name: 'House' });
  await api.put(`/base/${table.baseId}/node/bno${rooms.id.slice(3)}/move`, { parentId: `bno${folder.id.slice(3)}` });
  return { table, rooms, me };
};

test('a base is shared with a password; a visitor reads its tables in their views, live, and no more when it ends', async ({
  person: { page, api },
  browser,
}) => {
  const { table, rooms, me } = await setUp(api);
  await api.post(`/table/${table.tableId}/view`, {
    type: 'kanban',
    name: 'By person',
    options: { stackFieldId: table.fieldId('Who') },
  });
  await api.post(`/table/${table.tableId}/view`, { type: 'form', name: 'Ask' });
  // From home: the sidebar of a base, with its menu, goes when the window gets narrow.
  await page.goto('/');
  const found: string[] = [];
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Projects' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(/\/share\/shr\w+\/base$/);
  await dialog.getByLabel('Password').fill('open sesame');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();
  const url = await link.inputValue();

  const visitor = await visit(browser, url);
  await visitor.getByLabel('Password').fill('wrong');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('The password is wrong.')).toBeVisible();
  await visitor.getByLabel('Password').fill('open sesame');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByRole('heading', { name: 'Tasks' })).toBeVisible();
  await expect(cell(visitor, 0, 0)).toHaveText('Roof');
  await expect(visitor.getByRole('button', { name: 'Copy all' })).toHaveCount(0);
  found.push(...(await inspect(visitor, 'shared-base')));
  // Live.
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Door' } }] });
  await expect(cell(visitor, 2, 0)).toHaveText('Door');
  // Another view, by an address of its own; a form is no place for visitors.
  await expect(visitor.getByRole('link', { name: 'Ask', exact: true })).toHaveCount(0);
  await visitor.getByRole('link', { name: 'By person' }).click();
  await expect(visitor.getByRole('region', { name: 'Board by Who' })).toContainText(me.name);
  found.push(...(await inspect(visitor, 'shared-base-board')));
  await visitor.reload();
  await expect(visitor.getByRole('region', { name: 'Board by Who' })).toContainText('Roof');
  await visitor.getByText('Roof').click();
  await expect(visitor.getByRole('dialog', { name: 'Roof' })).toContainText('open');
  await escape(visitor);
  await visitor.getByRole('link', { name: 'Rooms' }).click();
  await expect(cell(visitor, 0, 0)).toHaveText('Attic');
  await visitor.goBack();
  await expect(visitor.getByRole('region', { name: 'Board by Who' })).toBeVisible();
  expect(await visitor.content()).not.toContain(me.email);
  // What has another name is called so at once.
  await visitor.getByRole('link', { name: 'Rooms' }).click();
  await expect(cell(visitor, 0, 0)).toHaveText('Attic');
  // The stream of a table begins a moment after its first cells.
  await visitor.waitForTimeout(2_000);
  await api.put(`/base/${table.baseId}/table/${rooms.id}/name`, { name: 'Halls' });
  await expect(visitor.getByRole('heading', { name: 'Halls' })).toBeVisible();

  // May copy, from now on.
  await dialog.getByLabel('Allow copying cells').check();
  await dialog.getByLabel('Allow copying the base').check();
  found.push(...(await inspect(page, 'base-share-dialog')));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Copy all' })).toBeVisible();
  await visitor.getByRole('button', { name: 'Copy base' }).click();
  await expect(visitor.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /redirect=%2Fshare%2F/);
  await escape(visitor);
  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await visitor.context().close();
  expect(found).toEqual([]);
});

test('a folder and a table are shared on their own; on a phone; and the dialog of the base lists and ends them', async ({
  person: { page, api },
  browser,
}) => {
  const { table, rooms } = await setUp(api);
  await page.goto(table.url);
  await page.getByRole('button', { name: 'More for Tasks' }).click();
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
  const ofTable = page.getByRole('dialog', { name: 'Share Tasks' });
  await ofTable.getByRole('button', { name: 'Create link' }).click();
  await expect(ofTable.getByLabel('Allow copying the base')).toHaveCount(0);
  const tableUrl = await ofTable.getByLabel('Link', { exact: true }).inputValue();
  await escape(page);
  await page.getByRole('button', { name: 'More for folder House' }).click();
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
  const ofFolder = page.getByRole('dialog', { name: 'Share House' });
  await ofFolder.getByRole('button', { name: 'Create link' }).click();
  const folderUrl = await ofFolder.getByLabel('Link', { exact: true }).inputValue();
  await escape(page);

  const visitor = await visit(browser, tableUrl, phone);
  await expect(cell(visitor, 0, 0)).toHaveText('Roof');
  await visitor.getByRole('button', { name: 'Tables and views' }).click();
  await expect(visitor.getByRole('navigation', { name: 'Tables' }).getByRole('link')).toHaveText([
    'Tasks',
    /Grid|view/,
  ]);
  const found = await inspect(visitor, 'shared-table-drawer');
  await visitor.getByRole('navigation', { name: 'Tables' }).getByRole('link').first().click();
  await expect(visitor.getByRole('navigation', { name: 'Tables' })).toHaveCount(0);
  // What is not in the share is not there.
  expect(
    (
      await visitor.request.get(`/api/table/${rooms.id}/record`, {
        headers: { 'x-tea-base-share': /shr\w+/.exec(tableUrl)?.[0] as string },
      })
    ).status(),
  ).toBe(404);
  await visitor.goto(folderUrl);
  await expect(visitor.getByRole('heading', { name: 'Rooms' })).toBeVisible();
  await expect(cell(visitor, 0, 0)).toHaveText('Attic');

  await follow(page, '/');
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click();
  const parts = page.getByRole('region', { name: 'Parts that are shared' });
  await expect(parts.getByRole('listitem')).toHaveCount(2);
  found.push(...(await inspect(page, 'base-share-parts')));
  await parts.getByRole('button', { name: 'Stop sharing House' }).click();
  await expect(parts.getByRole('listitem')).toHaveText([/Tasks/]);
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  const [space] = await api.get('/space');
  await follow(page, `/space/${space.id}/shares`);
  await expect(page.getByRole('list', { name: 'Shared bases' }).getByRole('listitem')).toHaveText([/TasksIn Projects/]);
  found.push(...(await inspect(page, 'space-base-shares')));
  expect((await api.get(`/base/${table.baseId}/share`)).map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual([
    `bno${table.tableId.slice(3)}`,
  ]);
  await visitor.context().close();
  expect(found).toEqual([]);
});

test('somebody with an account copies a shared base into a space of their own', async ({
  person: { api },
  browser,
}) => {
  const { table } = await setUp(api);
  const { shareId } = await api.post(`/base/${table.baseId}/share`, { allowSave: true });
  const guest = await newPerson(browser, 'kim');
  await guest.page.goto(`/share/${shareId}/base`);
  await guest.page.getByRole('button', { name: 'Copy base' }).click();
  const dialog = guest.page.getByRole('dialog', { name: 'Copy base' });
  await dialog.getByLabel('Name of the base').fill('My projects');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.getByRole('link', { name: 'My projects' }).click();
  await expect(guest.page.getByRole('link', { name: 'Tasks' })).toBeVisible();
  await guest.leave();
});

test('visitors of a base see views of every type with files and links, ask for nothing that is refused, on a phone too', async ({
  person: { api },
  browser,
}) => {
  const today = new Date().toISOString();
  const { table, rooms } = await setUp(api);
  const { tableId, baseId } = table;
  const add = (field: object) => api.post(`/table/${tableId}/field`, field);
  const due = await add({ name: 'Due', type: 'date' });
  const files = await add({ name: 'Plan', type: 'attachment' });
  const place = await add({
    name: 'Place',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: rooms.id, isOneWay: true },
  });
  const { records } = await api.get(`/table/${tableId}/record`);
  const rooms1 = await api.get(`/table/${rooms.id}/record`);
  await api.patch(`/table/${tableId}/record/${records[0].id}`, {
    fieldKeyType: 'id',
    record: { fields: { [due.id]: today, [place.id]: { id: rooms1.records[0].id } } },
  });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  const signed = await api.post('/attachments/signature', {
    contentType: 'image/png',
    contentLength: png.length,
    type: 1,
  });
  const views = {
    gallery: { options: { coverFieldId: files.id } },
    calendar: { options: { startDateFieldId: due.id } },
    timeline: { options: { startDateFieldId: due.id } },
    gantt: { options: { startDateFieldId: due.id } },
    kanban: { options: { stackFieldId: place.id } },
  };
  for (const [type, given] of Object.entries(views))
    await api.post(`/table/${tableId}/view`, { type, name: `As ${type}`, ...given });
  const { shareId } = await api.post(`/base/${baseId}/share`, { allowCopy: true });
  const visitor = await visit(browser, 'about:blank');
  await visitor.request.fetch(signed.url, { method: 'PUT', data: png, headers: { 'content-type': 'image/png' } });
  await api.post(`/attachments/notify/${signed.token}?filename=plan.png`);
  await api.patch(`/table/${tableId}/record/${records[0].id}`, {
    fieldKeyType: 'id',
    record: { fields: { [files.id]: [{ token: signed.token, name: 'plan.png' }] } },
  });
  const refused: string[] = [];
  visitor.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await visitor.goto(`/share/${shareId}/base`);
  await expect(cell(visitor, 0, 0)).toHaveText('Roof');
  for (const type of ['gallery', 'calendar', 'timeline', 'gantt', 'kanban']) {
    await visitor.getByRole('link', { name: `As ${type}`, exact: true }).click();
    await expect(visitor.getByText('Roof').first()).toBeAttached();
    await expect(visitor).toHaveURL(new RegExp(`/share/${shareId}/base/${tableId}/viw`));
  }
  await expect(visitor.getByRole('region', { name: 'Board by Place' })).toContainText('Attic');
  await visitor.getByRole('link', { name: 'As gallery', exact: true }).click();
  await visitor.getByText('Roof').first().click();
  const picture = visitor.getByRole('dialog', { name: 'Roof' }).getByAltText('plan.png');
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  await escape(visitor);
  await visitor.getByLabel('Search').fill('nothing of the kind');
  await expect(visitor.getByText('Roof')).toHaveCount(0);
  await visitor.getByLabel('Search').fill('');
  await visitor.getByRole('link', { name: 'Grid view' }).first().click();
  await visitor.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.getByRole('button', { name: 'Copy all' }).click();
  await expect(visitor.getByText('Copied')).toBeVisible();
  expect(await visitor.evaluate('navigator.clipboard.readText()')).toContain('Roof');
  expect(refused).toEqual([]);
  await visitor.setViewportSize({ width: 390, height: 780 });
  expect(await visitor.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await visitor.context().close();
});
