import { expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

test('a computed field that stays hidden says what it would tell, and is shown when somebody says yes', async ({
  person: { page, api },
  browser,
}) => {
  test.slow();
  const guest = await newPerson(browser, 'kim');
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Budget', type: 'number' },
      { name: 'Twice', type: 'formula', options: { expression: '{Budget} * 2' } },
    ],
    [{ Name: 'Alpha', Budget: 7 }],
  );
  const { baseId, tableId } = table;
  const { id: guestId } = await guest.api.get('/auth/user');
  const fields: { id: string; name: string }[] = await api.get(`/table/${tableId}/field`);
  const shown = fields.filter(({ name }) => name !== 'Budget').map(({ id }) => id);
  const { id: roleId } = await api.post(`/base/${baseId}/authority-matrix-role`, {
    name: 'Team',
    tables: [{ tableId, grants: [{ actions: ['record|read'], fields: shown, create: [], update: [] }] }],
  });
  await api.patch(`/base/${baseId}/authority-matrix-role/${roleId}/user`, { userIds: [guestId] });
  await api.patch(`/base/${baseId}/authority-matrix/status`, { enabled: true });
  const read = async (): Promise<Record<string, unknown>> =>
    (await guest.api.get(`/table/${tableId}/record`)).records[0].fields;
  expect(await read()).toEqual({ Name: 'Alpha' });

  await page.goto(`/base/${baseId}`);
  await page.getByRole('link', { name: 'Rights', exact: true }).click();
  const open = () => page.getByRole('button', { name: /^Team in Tasks: Change|^Team in Tasks/ }).click();
  await open();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('It would tell of Tasks, Budget.')).toBeVisible();
  const found = await inspect(page, 'rights-reveal');
  await dialog.getByRole('button', { name: 'Show it all the same: Twice' }).click();
  await expect(dialog.getByText('Shown, also where something that it is computed from is hidden')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Twice');
  found.push(...(await inspect(page, 'rights-revealed')));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await read()).toEqual({ Name: 'Alpha', Twice: 14 });

  await open();
  await dialog.getByRole('button', { name: 'Hide it again' }).click();
  await expect(dialog.getByText('It would tell of Tasks, Budget.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await read()).toEqual({ Name: 'Alpha' });
  expect(found).toEqual([]);
});
