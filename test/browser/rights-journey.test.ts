// Rights in the app: roles made by an owner, what somebody sees whom they bind, in every kind of view, on a desk and on a phone, and what computed fields tell.
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

test('boards, galleries, calendars and forms of somebody who is bound have less in them, and never an error', async ({
  person: { api },
  browser,
}) => {
  test.slow();
  const guest = await newPerson(browser, 'kim');
  // In the month that the window shows at first.
  const month = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date()).slice(0, 7);
  const onTheDay = `${month}-15T00:00:00.000Z`;
  const choices = (...names: string[]) => ({ choices: names.map((name) => ({ name })) });
  const table = await newTable(api, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Lead', type: 'user' },
    { name: 'Status', type: 'singleSelect', options: choices('open', 'done') },
    { name: 'Day', type: 'date' },
    { name: 'Note', type: 'singleLineText' },
    { name: 'Stage', type: 'singleSelect', options: choices('hush one', 'hush two') },
    { name: 'Deadline', type: 'date' },
  ]);
  const { baseId, tableId, url, fieldId } = table;
  await api.post(`/base/${baseId}/invitation/email`, { emails: [guest.email], role: 'editor' });
  const { id: guestId } = await guest.api.get('/auth/user');
  const hidden = { Note: 'hush note', Stage: 'hush one', Deadline: onTheDay };
  const { records } = await api.post(`/table/${tableId}/record`, {
    records: [
      { fields: { Name: 'Alpha', Lead: { id: guestId, title: '' }, Status: 'open', Day: onTheDay, ...hidden } },
      { fields: { Name: 'Hush Beta', Status: 'done', Day: onTheDay, ...hidden } },
    ],
  });
  const view = async (body: object): Promise<string> => (await api.post(`/table/${tableId}/view`, body)).id;
  const shown = Object.fromEntries(
    ['Name', 'Status', 'Day', 'Note', 'Stage'].map((name) => [fieldId(name), { visible: true }]),
  );
  const byHidden = {
    conjunction: 'and',
    filterSet: [{ fieldId: fieldId('Note'), operator: 'isNotEmpty', value: null }],
  };
  const views = {
    board: await view({
      type: 'kanban',
      name: 'Board',
      options: { stackFieldId: fieldId('Status') },
      columnMeta: shown,
    }),
    gallery: await view({ type: 'gallery', name: 'Cards', columnMeta: shown, filter: byHidden }),
    calendar: await view({ type: 'calendar', name: 'Days', options: { startDateFieldId: fieldId('Day') } }),
    form: await view({ type: 'form', name: 'Ask', columnMeta: shown }),
    hiddenBoard: await view({ type: 'kanban', name: 'Stages', options: { stackFieldId: fieldId('Stage') } }),
    hiddenCalendar: await view({
      type: 'calendar',
      name: 'Deadlines',
      options: { startDateFieldId: fieldId('Deadline') },
    }),
    grid: await view({
      type: 'grid',
      name: 'Grouped',
      group: [{ fieldId: fieldId('Stage'), order: 'asc' }],
      sort: { sortObjs: [{ fieldId: fieldId('Deadline'), order: 'asc' }] },
    }),
  };
  const mine = { conjunction: 'and', filterSet: [{ fieldId: fieldId('Lead'), operator: 'is', value: 'Me' }] };
  const grant = {
    actions: ['record|read', 'record|create', 'record|update', 'record|delete', 'record|comment'],
    fields: ['Name', 'Lead', 'Status', 'Day'].map(fieldId),
    when: mine,
  };
  const role = await api.post(`/base/${baseId}/authority-matrix-role`, {
    name: 'Staff',
    tables: [{ tableId, enabled: true, grants: [grant] }],
  });
  await api.patch(`/base/${baseId}/authority-matrix-role/${role.id}/user`, { userIds: [guestId], departmentIds: [] });
  await api.patch(`/base/${baseId}/authority-matrix/status`, { enabled: true });

  const { page } = guest;
  const faults: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/') && response.status() >= 400)
      faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  const hushed = async (place: string): Promise<void> => {
    const text = await page.locator('body').innerText();
    if (/hush|went wrong/i.test(text)) faults.push(`${place}: ${/.*(hush|went wrong).*/i.exec(text)?.[0]}`);
  };
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const open = async (name: keyof typeof views, there: () => Promise<void>): Promise<void> => {
      await page.goto(`${url}?view=${views[name]}`);
      await there();
      await hushed(`${name} at ${width}`);
      if (width === 1_280) faults.push(...(await inspect(page, `rights-bound-${name}`)));
    };
    const card = page.getByRole('listitem').filter({ hasText: 'Alpha' });
    await open('board', async () => {
      await expect(page.getByRole('region', { name: 'open', exact: true }).getByRole('listitem')).toHaveText([/Alpha/]);
      await expect(page.getByRole('region', { name: 'done', exact: true }).getByRole('listitem')).toHaveCount(0);
    });
    await open('gallery', async () => {
      await expect(card).toBeVisible();
      await expect(card).toContainText('open');
    });
    // On a phone a day says how many there are.
    const onDay = page.getByRole('button', { name: width === 390 ? /^1 on / : /^Alpha/ });
    await open('calendar', () => expect(onDay.first()).toBeVisible());
    await open('form', async () => {
      await expect(page.getByText('Status').first()).toBeVisible();
      await expect(page.getByText('Note', { exact: true })).toHaveCount(0);
    });
    // What a view is made of may be hidden: then it is there, without it.
    await open('hiddenBoard', () => expect(page.getByRole('heading').or(page.getByRole('main')).first()).toBeVisible());
    await open('hiddenCalendar', () => expect(page.getByRole('main')).toBeVisible());
    await open('grid', () => expect(page.getByText('Alpha').first()).toBeAttached());
    await page.goto(`${url}?view=${views.gallery}&record=${records[0].id}`);
    const panel = page.getByRole('complementary', { name: 'Record' }).or(page.getByRole('dialog'));
    await expect(panel.getByLabel('Name', { exact: true }).first()).toBeVisible();
    await hushed(`record at ${width}`);
  }
  expect(faults).toEqual([]);
  await guest.leave();
});

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
