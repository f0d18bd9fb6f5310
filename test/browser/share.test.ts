// Shares in the app: the owner's dialog and list, and the public pages, in a window without an account.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

/** Somebody without an account. */
const visit = async (browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  return page;
};

test('an owner shares a view with a password; a visitor opens it, sees what changes, and nothing hidden', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Secret', type: 'singleLineText' },
    ],
    [{ Name: 'Roof', Secret: 'hush' }],
  );
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/column-meta`, [
    { fieldId: table.fieldId('Secret'), columnMeta: { hidden: true } },
  ]);
  await page.goto(table.url);
  await page
    .getByRole('button', { name: `More for ${view.name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: `Share ${view.name}` });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(/\/share\/shr\w+\/view$/);
  await dialog.getByLabel('Password').fill('open sesame');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();

  const visitor = await visit(browser, 'about:blank');
  const loaded: number[] = [];
  visitor.on('requestfinished', async (request) => {
    const { responseBodySize } = await request.sizes();
    loaded.push(responseBodySize);
  });
  await visitor.goto(await link.inputValue(), { waitUntil: 'networkidle' });
  // Everything that comes before the view itself.
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(120_000);
  await visitor.getByLabel('Password').fill('wrong');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('The password is wrong.')).toBeVisible();
  await visitor.getByLabel('Password').fill('open sesame');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(cell(visitor, 0, 0)).toHaveText('Roof');
  await expect(visitor.locator('canvas [role="columnheader"]').filter({ hasText: /\w/ })).toHaveText(['Name']);
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Fence' } }] });
  await expect(cell(visitor, 1, 0)).toHaveText('Fence');

  const [space] = await api.get('/space');
  await page.goto(`/space/${space.id}/shares`);
  await page.getByRole('button', { name: `Stop sharing ${view.name}` }).click();
  await expect(page.getByText('Nothing is shared yet.')).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await visitor.context().close();
});

test('a page that shows files reads its records again before their addresses end; an owner is told when a link shows nothing any more', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Plan', type: 'attachment' },
      { name: 'Open', type: 'checkbox' },
    ],
    [{ Name: 'Roof', Open: true }],
  );
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/filter`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: table.fieldId('Open'), operator: 'is', value: true }] },
  });
  const { shareId } = await api.post(`/table/${table.tableId}/view/${view.id}/enable-share`, {});
  const visitor = await visit(browser, 'about:blank');
  await visitor.clock.install();
  await visitor.goto(`/share/${shareId}/view`);
  await expect(cell(visitor, 0, 0)).toHaveText('Roof');
  const again = visitor.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/view/records'));
  await visitor.clock.fastForward('10:01');
  await again;
  await visitor.context().close();

  await api.delete(`/table/${table.tableId}/field/${table.fieldId('Open')}`);
  await page.goto(table.url);
  await page
    .getByRole('button', { name: `More for ${view.name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: `Share ${view.name}` });
  await expect(dialog.getByRole('alert')).toContainText('Visitors see no records');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('a visitor fills in a form, with errors beside the fields, what the address says, a record and a file; then it leads elsewhere, and closes', async ({
  person: { api },
  browser,
}) => {
  const table = await newTable(api, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
    { name: 'Source', type: 'singleLineText' },
    { name: 'Plan', type: 'attachment' },
  ]);
  const rooms = await api.post(`/base/${table.baseId}/table`, {
    name: 'Rooms',
    fields: [{ name: 'Room', type: 'singleLineText' }],
    records: [{ fields: { Room: 'Attic' } }, { fields: { Room: 'Cellar' } }],
  });
  const link = await api.post(`/table/${table.tableId}/field`, {
    name: 'Place',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: rooms.id, isOneWay: true },
  });
  const form = await api.post(`/table/${table.tableId}/view`, {
    type: 'form',
    name: 'Order',
    columnMeta: { [table.fieldId('Name')]: { required: true } },
  });
  const { shareId } = await api.post(`/table/${table.tableId}/view/${form.id}/enable-share`);
  await api.put(`/table/${table.tableId}/view/${form.id}/share-meta`, {
    submit: { allow: true },
    frameAncestors: ['https://example.com'],
  });
  const visitor = await visit(browser, '/share/shrNONEnoneNONEnone/view');
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  const answer = await visitor.goto(`/share/${shareId}/view?prefill_Source=newsletter&hide_Source=true`);
  expect(answer?.headers()['content-security-policy']).toContain('frame-ancestors https://example.com');
  expect(answer?.headers()['x-frame-options']).toBeUndefined();
  await expect(visitor.getByRole('heading', { name: 'Order' })).toBeVisible();
  await expect(visitor.getByLabel('Source')).toHaveCount(0);
  await visitor.getByLabel('Count').fill('many');
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await expect(visitor.locator(`[data-field="${table.fieldId('Name')}"]`).getByRole('alert')).toHaveText(
    'This field is required.',
  );
  await expect(visitor.locator(`[data-field="${table.fieldId('Count')}"]`).getByRole('alert')).toBeVisible();
  await visitor.locator(`[data-field="${table.fieldId('Name')}"] input`).fill('Anna');
  await visitor.getByLabel('Count').fill('3');
  const place = visitor.locator(`[data-field="${link.id}"] button`);
  await place.click();
  await visitor.getByRole('radio', { name: 'Cellar' }).check();
  await expect(place).toContainText('Cellar');
  await visitor.keyboard.press('Escape');
  await expect(visitor.getByRole('radio')).toHaveCount(0);
  await visitor.locator(`[data-field="${table.fieldId('Plan')}"] button`).click();
  await visitor
    .getByLabel('Add files to Plan')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(visitor.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible();
  await visitor.keyboard.press('Escape');
  await expect(visitor.getByRole('button', { name: 'Remove plan.txt' })).toHaveCount(0);
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(await table.records()).toMatchObject([
    { Name: 'Anna', Count: 3, Source: 'newsletter', Place: { title: 'Cellar' }, Plan: [{ name: 'plan.txt', size: 5 }] },
  ]);

  await api.put(`/table/${table.tableId}/view/${form.id}/share-meta`, {
    submit: { allow: true, redirectUrl: 'https://example.org/thanks' },
  });
  await visitor.route('https://example.org/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
  );
  await visitor.goto(`/share/${shareId}/view?prefill_Name=Ben`);
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await expect(visitor.getByRole('heading', { name: 'Elsewhere' })).toBeVisible();
  await api.put(`/table/${table.tableId}/view/${form.id}/share-meta`, {
    submit: { allow: true, closesTime: '2020-01-01T00:00:00Z' },
  });
  await visitor.goto(`/share/${shareId}/view`);
  await expect(visitor.getByText('This form no longer accepts responses.')).toBeVisible();
  await visitor.context().close();
});

test('public pages show views of every type: the whole of them, grouped, in the dark, on a phone; and they are copied to a base', async ({
  person: { page, api },
  browser,
}) => {
  const today = new Date().toISOString();
  const rows = Array.from({ length: 5_100 }, (_item, at) => ({
    Name: `Row ${at}`,
    Status: at < 3 ? 'open' : 'closed',
    ...(at < 1_100 ? { Due: today } : {}),
    Secret: 'hush',
  }));
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'closed' }] } },
      { name: 'Due', type: 'date' },
      { name: 'Secret', type: 'singleLineText' },
    ],
    rows,
  );
  const [status, due, secret] = ['Status', 'Due', 'Secret'].map((one) => table.fieldId(one)) as [
    string,
    string,
    string,
  ];
  const shareOf = async (
    view: { type: string } & Record<string, unknown>,
    meta: object = { includeRecords: true },
  ): Promise<string> => {
    const isGrid = view.type === 'grid';
    const made = await api.post(`/table/${table.tableId}/view`, {
      name: `As ${view.type}`,
      columnMeta: isGrid
        ? { [secret]: { hidden: true } }
        : { [status]: { visible: true }, [secret]: { visible: false } },
      ...view,
    });
    const { shareId } = await api.post(`/table/${table.tableId}/view/${made.id}/enable-share`);
    await api.put(`/table/${table.tableId}/view/${made.id}/share-meta`, meta);
    return `/share/${shareId}/view`;
  };
  const [grid, board, gallery, calendar] = [
    await shareOf(
      { type: 'grid', group: [{ fieldId: status, order: 'asc' }] },
      { includeRecords: true, allowCopy: true },
    ),
    await shareOf({ type: 'kanban', options: { stackFieldId: status } }),
    await shareOf({ type: 'gallery' }),
    await shareOf({ type: 'calendar', options: { startDateFieldId: due } }),
  ];
  const phone = await visit(browser, grid, { colorScheme: 'dark', viewport: { width: 390, height: 780 } });
  const fits = async (): Promise<void> =>
    expect(
      await phone.evaluate(() => [
        document.documentElement.dataset['theme'],
        document.documentElement.scrollWidth <= window.innerWidth,
      ]),
    ).toEqual(['dark', true]);
  // Two headers, and all the records.
  await expect(phone.locator('[data-rows]')).toHaveAttribute('data-rows', '5102');
  await expect(cell(phone, 1, 0)).toHaveText('Row 0');
  await fits();
  await phone.getByRole('searchbox', { name: 'Search' }).fill('Row 1199');
  await expect(phone.locator('[data-rows]')).toHaveAttribute('data-rows', '2');
  await expect(cell(phone, 1, 0)).toHaveText('Row 1199');
  await phone.getByRole('button', { name: 'Copy to my base' }).click();
  await expect(phone.getByRole('link', { name: 'Sign in' })).toBeVisible();

  await phone.goto(board);
  await expect(phone.getByRole('region', { name: 'open' }).getByRole('listitem')).toHaveCount(3);
  await expect(phone.getByRole('region', { name: 'closed' })).toContainText('5097');
  await fits();
  await phone.goto(gallery);
  await phone.getByRole('button', { name: 'Row 1', exact: true }).click();
  await expect(phone.getByRole('dialog', { name: 'Row 1' })).toContainText('open');
  await fits();
  await phone.goto(calendar);
  // More than one page of records.
  await expect(phone.getByRole('button', { name: /^1100 on / })).toBeVisible();
  await expect(phone.getByText('are not shown')).toHaveCount(0);
  await fits();
  await expect(phone.getByText('hush')).toHaveCount(0);
  await phone.context().close();

  await page.goto(grid);
  await page.getByRole('button', { name: 'Copy to my base' }).click();
  await page.getByRole('dialog', { name: 'Copy to my base' }).getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('5100 records copied to')).toBeVisible();
  await page.getByRole('link', { name: 'As grid' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Row 0');
  const { fields } = await (async () => ({
    fields: await api.get(`/table/${page.url().split('/').at(-1)?.split('?')[0]}/field`),
  }))();
  expect(fields.map((field: { name: string }) => field.name)).toEqual(['Name', 'Status', 'Due']);
});

test('the owner says in the dialog which sites may show a form, and whom it confirms to', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [
    { name: 'E-mail', type: 'singleLineText' },
    { name: 'Count', type: 'number' },
  ]);
  const form = await api.post(`/table/${table.tableId}/view`, { type: 'form', name: 'Order' });
  await page.goto(`${table.url}?view=${form.id}`);
  await page.getByRole('button', { name: 'More for Order' }).first().click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Order' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('combobox', { name: /Send a confirmation/ }).click();
  await page.getByRole('option', { name: 'E-mail' }).click();
  await dialog.getByLabel('Allow embedding').check();
  await dialog.getByLabel('Sites that may embed it').fill('https://example.com, https://example.org');
  await expect(dialog.getByLabel('Embed code')).toHaveValue(/^<iframe src="http.*\/share\/shr\w+\/view" title="Order"/);
  await expect(dialog.getByText('No password: anyone with the link gets in.')).toBeVisible();
  await dialog.getByLabel('Link expires').fill('2999-01-02T03:04');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();
  const { shareMeta } = await api.get(`/table/${table.tableId}/view/${form.id}`);
  expect(shareMeta).toMatchObject({
    submit: { allow: true, confirmFieldId: table.fieldId('E-mail') },
    frameAncestors: ['https://example.com', 'https://example.org'],
    expiresTime: expect.stringMatching(/^2999-01-0/),
  });
  // Whether there is a password is said, and what it is nowhere.
  const password = dialog.getByLabel('Password', { exact: true });
  await password.fill('sesame-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Password set. Type to replace it.')).toBeVisible();
  await expect(password).toHaveValue('');
  // Another change leaves it.
  await dialog.getByLabel('Allow embedding').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Saved.')).toBeVisible();
  expect((await api.get(`/table/${table.tableId}/view/${form.id}`)).shareMeta).toMatchObject({ password: '********' });
  await dialog.getByLabel('Remove password').check();
  await expect(dialog.getByText('The password is removed when you save.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('No password: anyone with the link gets in.')).toBeVisible();
});
