import { expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

test('an owner makes roles from templates, says what they may, and gives them to people', async ({
  person: { page, api },
  browser,
}) => {
  const found: string[] = [];
  const guest = await newPerson(browser, 'kim');
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
      {
        name: 'State',
        type: 'singleSelect',
        options: { choices: [{ name: 'Open' }, { name: 'Approved' }] },
      },
      { name: 'Length', type: 'formula', options: { expression: 'LEN({Name})' } },
    ],
    [{ Name: 'Alpha' }],
  );
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [guest.email], role: 'viewer' });
  await page.goto(`/base/${table.baseId}/rights`);
  await page.getByText('There are no roles yet').waitFor();
  found.push(...(await inspect(page, 'rights-empty')));

  for (const [template, name] of [
    ['Client portal', 'Clients'],
    ['Approval', 'Staff'],
  ] as const) {
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('radio', { name: template }).click();
    await page.getByLabel('Name').fill(name);
    if (name === 'Clients') found.push(...(await inspect(page, 'rights-new-role')));
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('columnheader', { name }).waitFor();
  }
  const cell = page.getByRole('button', { name: /^Clients in .*: See, some records$/ });
  await expect(cell).toBeVisible();
  await cell.click();
  await page.getByRole('radio', { name: 'Only some' }).click();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Hidden' }).click();
  await expect(page.getByText('Shown where everything that it is computed from may be seen')).toBeVisible();
  found.push(...(await inspect(page, 'rights-grant')));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: /^Clients in .*: See, some records, 3 fields$/ })).toBeVisible();

  await page.getByRole('button', { name: 'Who is Clients: Nobody yet' }).click();
  await page.getByRole('combobox', { name: 'People' }).click();
  await page.getByRole('option', { name: new RegExp(guest.name) }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Who is Clients: 1 person' }).waitFor();
  await expect(page.getByText('Staff: Nobody has this role, and it is not the default.')).toBeVisible();
  found.push(...(await inspect(page, 'rights')));

  const [role] = await api.get(`/base/${table.baseId}/authority-matrix-role`);
  const stored = await api.get(`/base/${table.baseId}/authority-matrix-role/${role.id}`);
  expect(stored.users).toMatchObject([{ email: guest.email }]);
  expect(stored.tables[0].grants[0]).toMatchObject({
    actions: ['record|read', 'record|comment'],
    when: { filterSet: [{ operator: 'is', value: 'me' }] },
  });
  expect(stored.tables[0].grants[0].fields).toHaveLength(3);

  await page.getByRole('button', { name: 'More for Clients' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete role' }).click();
  await expect(page.getByRole('columnheader', { name: 'Clients' })).toBeHidden();
  expect(found).toEqual([]);
  await guest.leave();
});
