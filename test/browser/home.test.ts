import { choose, expect, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('spaces and bases are created, renamed, deleted and restored', async ({ person: { page, api } }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'New space' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Studio');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Studio', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'More for Studio' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Atelier');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('link', { name: 'Atelier', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'New base in Atelier' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Projects');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/base\/bse/);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible();

  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Delete base' }).click();
  await page.getByRole('button', { name: 'Delete base' }).click();
  await expect(page.getByRole('link', { name: 'Projects' })).toBeHidden();

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await page.getByRole('button', { name: 'Restore Projects' }).click();
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible();

  // A copy, into another space and without records.
  const [space] = (await api.get('/space')).filter(({ name }: { name: string }) => name === 'Atelier');
  const [base] = await api.get(`/space/${space.id}/base`);
  await api.post(`/base/${base.id}/table`, { name: 'Tasks', records: [{ fields: { Name: 'Alpha' } }] });
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Duplicate Projects' });
  await expect(dialog.getByLabel('Name of the copy')).toHaveValue('Projects copy');
  await dialog.getByLabel('Name of the copy').fill('Plans');
  await dialog.getByLabel('Copy the records too').uncheck();
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page).toHaveURL(/\/base\/bse\w+\/tbl/);
  const [, copyId, tableId] = /\/base\/(bse\w+)\/(tbl\w+)/.exec(page.url()) ?? [];
  expect(copyId).not.toBe(base.id);
  expect((await api.get(`/base/${copyId}`)).name).toBe('Plans');
  expect((await api.get(`/table/${tableId}/record`)).records).toEqual([]);
});

test('favourites and the bases opened last are on top of the home page, in every browser', async ({
  person: { page, api, email, password },
  browser,
}) => {
  const [space] = await api.get('/space');
  const ids: string[] = [];
  for (const name of ['Allotments', 'Boats', 'Cellars', 'Drains'])
    ids.push((await api.post('/base', { spaceId: space.id, name })).id);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Recent' })).toBeHidden();
  await page.getByRole('link', { name: 'Boats' }).click();
  await expect(page.getByRole('heading', { name: 'Create the first table' })).toBeVisible();
  await page.goto(`/base/${ids[2]}`);
  await expect(page.getByRole('button', { name: 'More for Cellars' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Recent' }).getByRole('link')).toHaveText(['Cellars', 'Boats']);
  await page.getByRole('button', { name: 'More for Drains' }).click();
  await page.getByRole('menuitem', { name: 'Add to favourites' }).click();
  await expect(page.getByRole('region', { name: 'Favourites' }).getByRole('link')).toHaveText(['Drains']);

  const tables: string[] = [];
  for (const name of ['First', 'Second']) tables.push((await api.post(`/base/${ids[3]}/table`, { name })).id);
  await page.goto(`/base/${ids[3]}/${tables[1]}`);
  await expect
    .poll(async () => (await api.get(`/user/last-visit?resourceType=table&parentResourceId=${ids[3]}`)).resourceId)
    .toBe(tables[1]);
  const elsewhere = await browser.newContext({ baseURL: new URL(page.url()).origin });
  await elsewhere.request.post('/api/auth/signin', { data: { email, password } });
  const other = await elsewhere.newPage();
  await other.goto('/');
  await expect(other.getByRole('region', { name: 'Recent' }).getByRole('link')).toHaveText([
    'Drains',
    'Cellars',
    'Boats',
  ]);
  // A base opens where one left it.
  await other.getByRole('region', { name: 'Favourites' }).getByRole('link', { name: 'Drains' }).click();
  await expect(other).toHaveURL(new RegExp(`${tables[1]}`));
  await elsewhere.close();
  await page.goto('/');
  await page.getByRole('region', { name: 'Favourites' }).getByRole('button', { name: 'More for Drains' }).click();
  await page.getByRole('menuitem', { name: 'Remove from favourites' }).click();
  await expect(page.getByRole('region', { name: 'Favourites' })).toBeHidden();
});

test('a base begins with a template, or with a file whose columns become fields', async ({ person: { page, api } }) => {
  await page.goto('/');
  // A newcomer is greeted with the templates that come along, beside the empty table and the file.
  await expect(page.getByRole('group', { name: 'Start with' }).locator('button')).toHaveCount(7);
  await page.getByRole('button', { name: /^Project tracker/ }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Project tracker');
  await page.getByLabel('Name').fill('Our projects');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('New website');
  await expect(page.getByText('Our projects').first()).toBeVisible();

  // A workbook, as Excel writes it. What becomes of it is asked as of any file: nothing is guessed behind one's back.
  const stock = await newTable(
    api,
    [
      { name: 'Item', type: 'singleLineText' },
      { name: 'Pieces', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
      { name: 'Since', type: 'date', options: { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } } },
      { name: 'Here', type: 'singleLineText' },
      { name: 'Secret', type: 'singleLineText' },
    ],
    [
      { Item: 'Bolts, M6', Pieces: 120, Since: '2026-01-05T00:00:00.000Z', Here: 'ja', Secret: 'x' },
      { Item: 'Nuts', Pieces: 80, Since: '2026-02-01T00:00:00.000Z', Here: 'nein', Secret: 'y' },
    ],
  );
  const workbook = await (await page.request.get(`/api/export/${stock.tableId}?format=xlsx`)).body();
  await page.goto('/');
  await page.getByRole('button', { name: 'New base', exact: true }).click();
  await page.getByLabel('File to import').setInputFiles({
    name: 'Stock list.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: workbook,
  });
  await expect(page.getByLabel('Name')).toHaveValue('Stock list');
  await page.getByRole('button', { name: 'Create base' }).click();
  const importing = page.getByRole('dialog', { name: 'Import a file' });
  await expect(importing.getByLabel('Name of the table')).toHaveValue('Stock list');
  await expect(importing.getByRole('combobox', { name: 'Type of Since' })).toHaveText('Date');
  await expect(importing.getByRole('combobox', { name: 'Type of Here' })).toHaveText('Checkbox');
  await importing.getByLabel('Name of the table').fill('Stock');
  await importing.getByLabel('Name of column 2').fill('Count');
  await choose(importing, 'Type of Secret', 'Leave out');
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('2 records imported into Stock.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Stock', exact: true })).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('Bolts, M6');
  const tableId = /tbl\w+/.exec(page.url())?.[0];
  const { records } = await api.get(`/table/${tableId}/record`);
  expect(records.map(({ fields }: { fields: object }) => fields)).toEqual([
    { Item: 'Bolts, M6', Count: 120, Since: '2026-01-04T23:00:00.000Z', Here: true },
    { Item: 'Nuts', Count: 80, Since: '2026-01-31T23:00:00.000Z' },
  ]);
  // The next report takes the place of this one, and another page that of both.
  await page.getByRole('button', { name: 'Import a file' }).click();
  await importing
    .getByLabel('File to import')
    .setInputFiles({ name: 'Tools.csv', mimeType: 'text/csv', buffer: Buffer.from('Tool\nSaw\n') });
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('1 record imported into Tools.')).toBeVisible();
  await expect(page.getByText('behind this one')).toBeHidden();
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await expect(page.getByText('1 record imported into Tools.')).toBeHidden();
});

test('the address of a template leads to a new base that begins with it, after signing in', async ({
  person: { page, api },
}) => {
  const { redirectUrl } = await api.get('/template/permalink/tplProjectTracker00');
  const { visitCount } = await api.get('/template/tplProjectTracker00');
  await page.goto(new URL(redirectUrl).pathname + new URL(redirectUrl).search);
  const dialog = page.getByRole('dialog', { name: 'New base' });
  await expect(dialog.getByLabel('Name')).not.toHaveValue('');
  await expect(dialog.getByRole('button', { pressed: true })).toContainText(
    await dialog.getByLabel('Name').inputValue(),
  );
  await dialog.getByRole('button', { name: 'Create base' }).click();
  await page.waitForURL(/\/base\/bse/);
  expect((await api.get('/template/tplProjectTracker00')).visitCount).toBeGreaterThan(visitCount);
});
