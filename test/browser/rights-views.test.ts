// What somebody sees whom rules bind, in every kind of view, on a desk and on a phone: less, and never an error.
import { expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

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
