import { expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

test('an owner binds a department, which then sees less, and views the base as one of them', async ({
  person: { page, api },
  browser,
}) => {
  test.slow();
  const found: string[] = [];
  const guest = await newPerson(browser, 'kim');
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Lead', type: 'user' },
      { name: 'Budget', type: 'number' },
      { name: 'Twice', type: 'formula', options: { expression: '{Budget} * 2' } },
    ],
    [],
  );
  const { baseId } = table;
  await api.post(`/base/${baseId}/table`, { name: 'Salaries' });
  await api.post(`/base/${baseId}/invitation/email`, { emails: [guest.email], role: 'editor' });
  const { id: guestId } = await guest.api.get('/auth/user');
  const { records } = await api.post(`/table/${table.tableId}/record`, {
    records: [
      { fields: { Name: 'Alpha', Lead: { id: guestId, title: '' }, Budget: 7 } },
      { fields: { Name: 'Beta', Budget: 8 } },
    ],
  });

  await page.goto(`/base/${baseId}`);
  await page.getByRole('link', { name: 'Rights', exact: true }).click();
  await page.getByRole('button', { name: 'New role' }).click();
  await page.getByRole('radio', { name: 'Department' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();

  // Fields, and what follows for those that are computed from them.
  await page.getByRole('button', { name: /^Department in Tasks: Change/ }).click();
  const dialog = page.getByRole('dialog');
  for (const one of [0, 1]) {
    await dialog.getByRole('radio', { name: 'Only some' }).nth(one).click();
    await dialog.getByRole('combobox', { name: 'Budget' }).nth(one).click();
    await page.getByRole('option', { name: 'Hidden' }).click();
  }
  await expect(dialog.getByText('Hidden: computed from Budget, which this role does not see').first()).toBeVisible();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('No longer see Budget');
  await expect(preview).toContainText('No longer see Twice: computed from something that is hidden');
  found.push(...(await inspect(page, 'rights-preview')));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /^Department in Salaries/ }).click();
  await page.getByRole('radio', { name: 'Hidden' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Department in Salaries: hidden' }).waitFor();

  await page.getByRole('button', { name: 'Who is Department: Nobody yet' }).click();
  await page.getByRole('combobox', { name: 'People' }).click();
  await page.getByRole('option', { name: new RegExp(guest.name) }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Who is Department: 1 person' }).waitFor();

  await page.getByRole('button', { name: 'Switch on…' }).click();
  const switching = page.getByRole('dialog');
  await expect(switching.getByText(guest.name)).toBeVisible();
  await expect(switching).toContainText('Salaries');
  found.push(...(await inspect(page, 'rights-switch-on')));
  await switching.getByRole('button', { name: 'Switch on', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Switch off' })).toBeVisible();
  found.push(...(await inspect(page, 'rights-on')));

  // The other person has an app with less in it, and nothing in it that would be refused.
  const sees = async (window: typeof page): Promise<void> => {
    const columns = window.locator('canvas [role="columnheader"]').filter({ hasText: /\w/ });
    await expect(columns).toHaveText(['Name', 'Lead']);
    await expect(window.getByText('Alpha').first()).toBeAttached();
    await expect(window.getByText('Beta').first()).toBeAttached();
    await expect(window.getByRole('link', { name: 'Salaries' })).toHaveCount(0);
    await expect(window.getByRole('button', { name: 'New table' })).toHaveCount(0);
    await expect(window.getByRole('link', { name: 'Rights', exact: true })).toHaveCount(0);
  };
  const theirs = guest.page;
  const refused: string[] = [];
  theirs.on('response', (response) => {
    if (response.status() === 403 || response.status() >= 500) refused.push(`${response.status()} ${response.url()}`);
  });
  await theirs.goto(`/base/${baseId}/${table.tableId}`);
  await sees(theirs);
  found.push(...(await inspect(theirs, 'rights-bound')));
  await theirs.goto(`/base/${baseId}/${table.tableId}?record=${records[0].id}`);
  await expect(theirs.getByRole('complementary', { name: 'Record' })).toBeVisible();
  expect(refused).toEqual([]);

  // View as shows the same, says so, changes nothing and ends.
  await page.getByRole('button', { name: 'View as…' }).click();
  found.push(...(await inspect(page, 'rights-view-as')));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(guest.name) })
    .click();
  await expect(page.getByText('You view this base as')).toBeVisible();
  await page.goto(`/base/${baseId}/${table.tableId}`);
  await sees(page);
  await expect(page.getByRole('button', { name: 'New record' })).toHaveCount(0);
  found.push(...(await inspect(page, 'rights-viewing')));
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('heading', { name: 'Rights of Projects' }).waitFor();
  await expect(page.getByText('You view this base as')).toHaveCount(0);

  // Who sees a record, asked where it is open.
  await page.goto(`/base/${baseId}/${table.tableId}?record=${records[0].id}`);
  await page.getByRole('button', { name: 'More for this record' }).click();
  await page.getByRole('menuitem', { name: 'Who sees this record' }).click();
  const who = page.getByRole('dialog', { name: 'Who sees Alpha' });
  await expect(who.getByText('By Department.')).toBeVisible();
  await expect(who.getByText('Owner of the space.')).toBeVisible();
  found.push(...(await inspect(page, 'rights-who')));
  expect(found).toEqual([]);
  await guest.leave();
});

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
  await page.getByRole('combobox', { name: 'Compared with, condition 1' }).click();
  await page.getByRole('option', { name: 'People of my groups' }).click();
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
    when: { filterSet: [{ operator: 'is', value: { type: 'myGroups', of: 'people' } }] },
  });
  expect(stored.tables[0].grants[0].fields).toHaveLength(3);

  await page.getByRole('button', { name: 'More for Clients' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete role' }).click();
  await expect(page.getByRole('columnheader', { name: 'Clients' })).toBeHidden();
  expect(found).toEqual([]);
  await guest.leave();
});
