// Things put in order by hand: by keys, by dragging, by menus.
import { drawn, expect, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { name: 'Count', type: 'number' },
];

test('tables go into folders, views, fields, choices and bases to other places, by keys and by dragging', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Status: 'open' }]);
  await api.post(`/base/${table.baseId}/table`, { name: 'Second', records: [] });
  await api.post(`/table/${table.tableId}/view`, { type: 'gallery', name: 'Cards' });
  const tree = async () =>
    (await api.get(`/base/${table.baseId}/node/list`)).map(
      ({ parentId, resourceMeta }: { parentId: string | null; resourceMeta: { name: string } }) =>
        `${parentId === null ? '' : '· '}${resourceMeta.name}`,
    );
  await page.goto(table.url);
  await selectFirstCell(page);
  const tables = page.getByRole('navigation', { name: 'Tables' });
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Archive');
  await page.getByRole('button', { name: 'Create' }).click();
  const folder = tables.getByRole('button', { name: /^Archive/ });
  await expect(folder).toBeVisible();
  await tables.getByRole('link', { name: 'Second' }).focus();
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(tree).toEqual(['Tasks', 'Archive', '· Second']);
  await expect(page.getByRole('status').getByText('Second moved into Archive')).toBeAttached();
  await expect(tables.getByRole('link', { name: 'Second' })).toBeFocused();
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await expect.poll(tree).toEqual(['Tasks', 'Second', 'Archive']);
  await tables.getByRole('link', { name: 'Second' }).dragTo(folder);
  await expect.poll(tree).toEqual(['Tasks', 'Archive', '· Second']);
  await folder.click();
  await expect(tables.getByRole('link', { name: 'Second' })).toBeHidden();
  await page.reload();
  await selectFirstCell(page);
  await expect(folder).toHaveAttribute('aria-expanded', 'false');
  await expect(tables.getByRole('link', { name: 'Second' })).toBeHidden();

  const views = page.getByRole('navigation', { name: 'Views' });
  const viewNames = async () =>
    (await api.get(`/table/${table.tableId}/view`)).map(({ name }: { name: string }) => name);
  const [first] = await viewNames();
  await views.getByRole('link', { name: 'Cards' }).focus();
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await expect.poll(viewNames).toEqual(['Cards', first]);

  // Who has gone elsewhere since stays there when the list is drawn again.
  await page.getByRole('button', { name: 'Fields', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Search fields' })).toBeFocused();
  const [cards] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${cards.id}/name`, { name: 'Pictures' });
  await expect(views.getByRole('link', { name: 'Pictures' })).toBeVisible();
  await drawn(page);
  await expect(page.getByRole('textbox', { name: 'Search fields' })).toBeFocused();

  // What is shown stays.
  await expect(page.getByRole('toolbar', { name: 'View' }).getByRole('button', { name: 'Grid view' })).toBeVisible();
  const items = page.getByRole('listitem').filter({ has: page.getByRole('checkbox') });
  await items
    .filter({ hasText: 'Count' })
    .dragTo(items.filter({ hasText: 'Status' }), { targetPosition: { x: 60, y: 4 } });
  await expect
    .poll(async () => {
      const [{ columnMeta }] = (await api.get(`/table/${table.tableId}/view`)).filter(
        ({ type }: { type: string }) => type === 'grid',
      );
      return columnMeta[table.fieldId('Count')].order < columnMeta[table.fieldId('Status')].order;
    })
    .toBe(true);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Skip to the records' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('data-grid-canvas')).toBeFocused();

  // Choices, in the dialog of their field: saved with it.
  await clickGrid(page, 52 + 220 + 130 + 60, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Status' });
  await dialog.getByLabel('Choice 2').press('Alt+Shift+ArrowUp');
  await expect(dialog.getByLabel('Choice 1')).toHaveValue('done');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () =>
      (await api.get(`/table/${table.tableId}/field/${table.fieldId('Status')}`)).options.choices.map(
        ({ name }: { name: string }) => name,
      ),
    )
    .toEqual(['done', 'open']);

  // Bases, on the home page.
  const [space] = await api.get('/space');
  await api.post('/base', { spaceId: space.id, name: 'Garden' });
  const bases = async () => (await api.get('/base/access/all')).map(({ name }: { name: string }) => name);
  const before = await bases();
  await page.goto('/');
  await page.getByRole('link', { name: before[0], exact: true }).press('Alt+Shift+ArrowRight');
  await expect.poll(bases).toEqual(before.toReversed());
});

test('rows go from group to group, stacks to other places; records are inserted beside others', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Status: 'open', Count: 2 },
    { Name: 'Beta', Status: 'done', Count: 3 },
  ]);
  const [grid] = await api.get(`/table/${table.tableId}/view`);
  await page.goto(table.url);
  await selectFirstCell(page);
  await clickGrid(page, 100, 36 + 17, 'right');
  await page.getByRole('menuitem', { name: 'Insert record above' }).click();
  await expect(cell(page, 0, 0)).toHaveText('');
  await expect(cell(page, 1, 0)).toHaveText('Alpha');
  await page.keyboard.type('First');
  await page.keyboard.press('Enter');
  const names = async () =>
    (await api.get(`/table/${table.tableId}/record?viewId=${grid.id}`)).records.map(
      ({ fields: { Name, Status } }: { fields: Record<string, string> }) => `${Name} ${Status ?? '–'}`,
    );
  await expect.poll(names).toEqual(['First –', 'Alpha open', 'Beta done']);

  await api.put(`/table/${table.tableId}/view/${grid.id}/group`, {
    group: [{ fieldId: table.fieldId('Status'), order: 'asc' }],
  });
  // Headers and records: –, First, open, Alpha, done, Beta.
  await expect(cell(page, 3, 0)).toHaveText('Alpha');
  await clickGrid(page, 100, 36 + 34 * 3 + 17);
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(names).toEqual(['First –', 'Alpha done', 'Beta done']);
  await page.keyboard.press('Control+z');
  await expect.poll(names).toEqual(['First –', 'Alpha open', 'Beta done']);

  const board = await api.post(`/table/${table.tableId}/view`, {
    type: 'kanban',
    name: 'Board',
    options: { stackFieldId: table.fieldId('Status'), totalFieldId: table.fieldId('Count') },
  });
  await page.goto(`${table.url}?view=${board.id}`);
  const done = page.getByRole('region', { name: 'done', exact: true });
  await expect(done.getByTitle('Sum of Count')).toHaveText('3.00');
  await done.getByRole('button', { name: 'Fold done' }).focus();
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect
    .poll(async () =>
      (await api.get(`/table/${table.tableId}/field`))
        .find(({ name }: { name: string }) => name === 'Status')
        .options.choices.map(({ name }: { name: string }) => name),
    )
    .toEqual(['done', 'open']);
  await page.getByRole('region', { name: 'Board by Status' }).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});
