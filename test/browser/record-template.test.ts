// Record templates in the app: made from a record and by hand, chosen at "New record", the default of a view, deleted and restored; seen by others at once.
import { escape, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, clickGrid, newTable } from '../support/browser-table.ts';

test('a template is saved from a record, chosen for new ones, and can be what a view begins with', async ({
  person: { page, api },
  browser,
}) => {
  const found: string[] = [];
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
      { name: 'Count', type: 'number' },
      { name: 'Due', type: 'date' },
    ],
    [{ Name: 'Kick-off', Status: 'open', Count: 3 }],
  );
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const last = async () => (await table.records()).at(-1);
  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(`${table.url}?record=${record.id}`);

  // The address of a record, for others.
  await page.getByLabel('Record', { exact: true }).getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${table.url}?record=${record.id}`);

  await button('More for this record').click();
  await item('Save as template').click();
  const dialog = page.getByRole('dialog', { name: 'New template' });
  await expect(dialog.getByLabel('Name of the template')).toHaveValue('Kick-off');
  await dialog.getByLabel('Name of the template').fill('Meeting');
  await dialog.getByLabel('Name', { exact: true }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('New meeting');
  found.push(...(await inspect(page, 'record-template')));
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog).toBeHidden();
  await button('Close record').click();

  await button('Record templates').click();
  await expect(item('Meeting')).toBeVisible();
  found.push(...(await inspect(page, 'record-templates-menu')));
  await item('Meeting').click();
  await expect(page.getByRole('heading', { name: 'New meeting' })).toBeVisible();
  await button('Close record').click();
  expect(await last()).toEqual({ Name: 'New meeting', Status: 'open', Count: 3 });

  // By hand; and what the view begins with from now on, also in the grid itself.
  await button('Record templates').click();
  await item('Manage templates').click();
  const all = page.getByRole('dialog', { name: 'Record templates' });
  await all.getByRole('button', { name: 'New template' }).click();
  await dialog.getByLabel('Name of the template').fill('Task');
  await dialog.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'done' }).click();
  await dialog.getByLabel('Count', { exact: true }).click();
  await dialog.getByLabel('Count', { exact: true }).fill('many');
  // The whole calendar is in sight.
  await dialog.getByLabel('Due', { exact: true }).click();
  await expect(dialog.getByRole('grid').getByRole('gridcell').last()).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Leave Due unchanged' }).click();
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Count', { exact: true }).fill('7');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(all.getByText('Task', { exact: true })).toBeVisible();
  await all.getByRole('listitem').filter({ hasText: 'Task' }).getByLabel('Default in this view').click();
  await expect(all.getByRole('listitem').filter({ hasText: 'Task' }).getByRole('checkbox')).toBeChecked();
  found.push(...(await inspect(page, 'record-templates')));
  await all.getByRole('button', { name: 'Done' }).click();
  await button('New record').click();
  await button('Close record').click();
  await expect.poll(last).toEqual({ Status: 'done', Count: 7 });
  // The row below the records, too.
  await clickGrid(page, 120, 36 + 3 * 34 + 17);
  await expect(cell(page, 3, 1)).toHaveText('done');
  await expect.poll(async () => (await table.records()).length).toBe(4);
  expect(await last()).toEqual({ Status: 'done', Count: 7 });

  // A guest sees what is renamed and deleted, without loading the page again.
  const guest = await newPerson(browser, 'kim');
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [guest.email], role: 'editor' });
  await guest.page.goto(table.url);
  await expect(cell(guest.page, 3, 1)).toHaveText('done');
  await guest.page.getByRole('button', { name: 'Record templates', exact: true }).click();
  await expect(guest.page.getByRole('menuitem', { name: 'Task' })).toContainText('Default');
  await escape(guest.page);
  await button('Record templates').click();
  await item('Manage templates').click();
  await all.getByRole('button', { name: 'Delete Task' }).click();
  await expect(page.getByText('“Task” deleted.')).toBeVisible();
  await guest.page.getByRole('button', { name: 'Record templates', exact: true }).click();
  await expect(guest.page.getByRole('menuitem', { name: 'Meeting' })).toBeVisible();
  await expect(guest.page.getByRole('menuitem', { name: 'Task' })).toHaveCount(0);
  await escape(guest.page);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(all.getByRole('listitem').filter({ hasText: 'Task' }).getByRole('checkbox')).toBeChecked();
  await guest.leave();
  expect(found).toEqual([]);
});
