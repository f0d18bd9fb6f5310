import { readFileSync } from 'node:fs';
import { choose, drawn, escape, expect, newPerson, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { name: 'Count', type: 'number' },
];

test('a form is built, and asks for what the answers call for', async ({ person: { page, api } }) => {
  const table = await newTable(api, [...fields, { name: 'Reason', type: 'longText' }]);
  await page.goto(table.url);
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Form' }).click();
  await page.getByLabel('Title of the form').fill('Tell us');
  await page.getByLabel('Description of the form').fill('Two minutes.');
  await page.getByRole('button', { name: 'Add a cover' }).click();
  await page.getByRole('button', { name: 'teal' }).click();
  await escape(page);
  await expect(page.getByRole('group', { name: 'Cover colour' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cover', exact: true })).toBeVisible();
  const form = async () =>
    (await api.get(`/table/${table.tableId}/view`)).find(({ type }: { type: string }) => type === 'form');
  await expect.poll(form).toMatchObject({ description: 'Two minutes.' });

  const asked = page.getByRole('list', { name: 'Fields of the form' });
  const names = () =>
    asked
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => (item as { ariaLabel: string | null }).ariaLabel));
  // Count is dragged to the top, Name is moved by its button.
  await asked
    .getByTitle(/^Drag to move/)
    .nth(2)
    .dragTo(asked.getByRole('listitem').first(), { targetPosition: { x: 40, y: 6 } });
  await expect.poll(names).toEqual(['Count', 'Name', 'Status', 'Reason']);
  await page.getByRole('button', { name: 'Move Name up' }).click();
  await expect.poll(names).toEqual(['Name', 'Count', 'Status', 'Reason']);

  const reason = asked.getByRole('listitem', { name: 'Reason' });
  await reason.getByRole('button', { name: 'Reason', exact: false }).first().click();
  await reason.getByLabel('Help text').fill('What happened?');
  await reason.getByLabel('Required', { exact: true }).check();
  await reason.getByRole('button', { name: 'Add a condition' }).click();
  await choose(reason, 'Field of condition 1', 'Status');
  await choose(reason, 'Value', 'done');
  const count = asked.getByRole('listitem', { name: 'Count' });
  await count.getByRole('button', { name: 'Count', exact: false }).first().click();
  await count.getByLabel('Default answer').fill('3');
  await page.getByLabel('Title of the thank-you page').fill('Got it');
  await page.getByLabel('Button text').fill('Send');
  await expect
    .poll(async () => (await form()).options)
    .toEqual({ title: 'Tell us', coverColor: 'teal', thanksTitle: 'Got it', submitLabel: 'Send' });

  await page.getByRole('radio', { name: 'Fill in' }).click();
  await expect(page.getByRole('heading', { name: 'Tell us' })).toBeVisible();
  await expect(page.getByText('Two minutes.')).toBeVisible();
  await expect(page.getByLabel('Count', { exact: true })).toHaveValue('3');
  await expect(page.getByLabel('Reason', { exact: true })).toBeHidden();
  await page.getByLabel('Name', { exact: true }).fill('From the form');
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'done' }).click();
  await escape(page);
  await expect(page.getByText('What happened?')).toBeVisible();
  await page.getByLabel('Count', { exact: true }).fill('several');
  await page.setViewportSize({ width: 800, height: 320 });
  await page.getByRole('button', { name: 'Send' }).click();
  // What is wrong comes into sight, with the cursor in it; nothing else is lost.
  await expect(page.getByText('“several” is not a number')).toBeInViewport();
  await expect(page.getByLabel('Count', { exact: true })).toBeFocused();
  await page.getByLabel('Count', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByLabel('Reason', { exact: true })).toBeFocused();
  await page.getByLabel('Reason', { exact: true }).fill('It broke');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('heading', { name: 'Got it' })).toBeFocused();
  expect(await table.records()).toEqual([{ Name: 'From the form', Status: 'done', Count: 7, Reason: 'It broke' }]);
  await page.getByRole('button', { name: 'Submit another response' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
});

test('a second grid view keeps its own fields and height', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Count: 1 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Grid' }).click();
  await expect(page).toHaveURL(/view=viw/);
  await page.getByRole('button', { name: 'Height' }).click();
  await page.getByRole('menuitem', { name: 'Tall', exact: true }).click();
  await page.getByRole('button', { name: 'Fields' }).click();
  await page.getByRole('button', { name: 'Hide all' }).click();
  await expect(page.locator('th', { hasText: 'Status' })).toBeHidden();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.locator('th', { hasText: 'Status' })).toBeAttached();
  await page.getByLabel('Search fields').fill('cou');
  await expect(page.getByLabel('Status', { exact: true })).toBeHidden();
  await page.getByLabel('Count', { exact: true }).uncheck();
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await escape(page);
  await page.getByRole('link', { name: 'Grid view' }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeAttached();
  await expect(cell(page, 0, 2)).toHaveText('1.00');

  await page.getByRole('link', { name: 'Grid', exact: true }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.getByRole('button', { name: 'More for Grid', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeAttached();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Grid', exact: true })).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.getByRole('button', { name: 'More for Grid', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await expect(page.getByRole('link', { name: 'Grid', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('tab', { name: 'Deleted' }).click();
  await expect(page.getByRole('list', { name: 'Deleted' })).toContainText('View (grid), deleted');
  await page.getByRole('button', { name: 'Restore Grid' }).click();
  await expect(page.getByText('The view was restored.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Grid', exact: true })).toBeVisible();
});

test('a grid is printed as a table of its records, not as the screen', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    fields,
    Array.from({ length: 260 }, (_one, at) => ({ Name: `Record ${at + 1}`, Status: 'open', Count: at })),
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.evaluate('window.print = () => { window.dispatchEvent(new Event("beforeprint")); }');
  await page.getByRole('button', { name: 'Grid view', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  const printed = page.locator('body > div > table');
  await expect(printed).toBeAttached();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('#root')).toBeHidden();
  await expect(printed.locator('th')).toHaveText(['Name', 'Status', 'Count']);
  await expect(printed.locator('tbody tr')).toHaveCount(260);
  await expect(printed.locator('tbody tr').last()).toContainText('Record 260open259.00');
  await expect(page.getByText('260 records', { exact: true }).last()).toBeVisible();
  await page.emulateMedia({ media: null });
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))');
  await expect(printed).toHaveCount(0);
  await expect(page.locator('#root')).toBeVisible();
});

test('records are cards in a gallery, and one opens the record', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Status: 'open', Count: 2 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Gallery' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Alpha' });
  await expect(card).toContainText('open');
  await page.getByRole('button', { name: 'Cards' }).click();
  await choose(page, 'Colour by', 'Status');
  await escape(page);
  await expect(card.locator('[style*="oklch"]').first()).toBeVisible();
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Beta' } }] });
  await expect(page.getByRole('button', { name: 'Beta' })).toBeVisible();
  await card.getByRole('button', { name: 'Alpha' }).click();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByLabel('Name', { exact: true }).fill('Omega');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Omega' })).toBeVisible();
  await panel.getByRole('button', { name: 'Close record' }).click();
  await page.getByRole('button', { name: 'New record' }).click();
  await expect(panel.getByRole('heading', { name: 'Unnamed record' })).toBeVisible();
});

test('a calendar shows records on their days, moves by month, and takes new ones', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [...fields, { name: 'Due', type: 'date' }, { name: 'End', type: 'date' }],
    [{ Name: 'Alpha', Due: '2030-05-06T00:00:00.000Z', End: '2030-05-08T00:00:00.000Z' }],
  );
  const today = new Date().toISOString().slice(0, 8);
  await api.post(`/table/${table.tableId}/record`, {
    records: [{ fields: { Name: 'Now', Due: `${today}15T00:00:00.000Z` } }],
  });
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Calendar' }).click();
  const day = (name: string) => page.getByRole('gridcell', { name });
  const month = (date: Date): string =>
    new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date);
  const next = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 1));
  await expect(page.getByRole('button', { name: 'Now' })).toBeVisible();
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect(page.getByRole('heading', { name: month(next) })).toBeVisible();
  await page.getByRole('button', { name: 'Today' }).click();

  const fifteenth = day(
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${today}15T00:00:00.000Z`)),
  );
  const twentieth = day(
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${today}20T00:00:00.000Z`)),
  );
  await page.getByRole('button', { name: 'Now' }).dragTo(twentieth);
  await expect(twentieth.getByRole('button', { name: 'Now' })).toBeVisible();
  await fifteenth.hover();
  await fifteenth.getByRole('button', { name: /Add a record/ }).click();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByLabel('Name', { exact: true }).fill('Fresh');
  await page.keyboard.press('Enter');
  await expect(fifteenth.getByRole('button', { name: 'Fresh' })).toBeVisible();
  await expect
    .poll(table.records)
    .toEqual([
      expect.objectContaining({ Name: 'Alpha' }),
      { Name: 'Now', Due: `${today}20T00:00:00.000Z` },
      { Name: 'Fresh', Due: `${today}15T00:00:00.000Z` },
    ]);

  await panel.getByRole('button', { name: 'Close record' }).click();
  await page.getByRole('button', { name: 'More for Calendar' }).first().click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download as a calendar file' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.ics$/);
  const days = new Date(`${today}15T00:00:00.000Z`).toISOString().slice(0, 10).replaceAll('-', '');
  expect(readFileSync(await download.path(), 'utf8')).toContain(`DTSTART;VALUE=DATE:${days}`);
  await choose(page, 'Date', 'End');
  await expect(page.getByRole('button', { name: 'Fresh' })).toBeHidden();
});

test('stacks are chosen, made and folded, and cards are put in order', async ({ person: { page, api, name } }) => {
  const table = await newTable(
    api,
    [
      ...fields,
      { name: 'Who', type: 'user' },
      { name: 'Size', type: 'singleSelect', options: { choices: [{ name: 'small' }, { name: 'large' }] } },
    ],
    [
      { Name: 'Alpha', Status: 'open', Size: 'small' },
      { Name: 'Beta', Status: 'open' },
      { Name: 'Gamma', Status: 'open' },
    ],
  );
  const board = await api.post(`/table/${table.tableId}/view`, {
    type: 'kanban',
    name: 'Board',
    options: { stackFieldId: table.fieldId('Status') },
  });
  await page.goto(`${table.url}?view=${board.id}`);
  const stack = (name: string) => page.getByRole('region', { name, exact: true });
  const cards = stack('open').getByRole('listitem');
  await expect(cards).toHaveText(['Alpha', 'Beta', 'Gamma']);
  await page.getByRole('button', { name: 'Move Gamma' }).click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await expect(cards).toHaveText(['Alpha', 'Gamma', 'Beta']);
  await cards.nth(2).dragTo(cards.nth(0), { targetPosition: { x: 60, y: 3 } });
  await expect(cards).toHaveText(['Beta', 'Alpha', 'Gamma']);
  await cards.nth(0).dragTo(stack('done'));
  await expect(stack('done').getByRole('listitem')).toHaveText(['Beta']);
  for (const wanted of [
    ['Beta', 'Alpha', 'Gamma'],
    ['Alpha', 'Gamma', 'Beta'],
    ['Alpha', 'Beta', 'Gamma'],
  ]) {
    await page.getByRole('button', { name: 'Undo last change' }).click();
    await expect(cards).toHaveText(wanted);
  }
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Redo last change' }).click();
  await expect(stack('done').getByRole('listitem')).toHaveText(['Beta']);

  await page.getByRole('button', { name: 'New stack' }).click();
  await page.getByLabel('Name of the stack').fill('later');
  await page.keyboard.press('Enter');
  await expect(stack('later')).toBeVisible();
  await page.getByRole('button', { name: 'Stacked by Status' }).click();
  await page.getByLabel('Fold empty stacks').check();
  await escape(page);
  await expect(page.getByRole('button', { name: 'Unfold later' })).toBeVisible();
  await page.getByRole('button', { name: 'Alpha', exact: true }).dragTo(stack('later'));
  await expect(stack('later').getByRole('listitem')).toHaveText(['Alpha']);
  await page.getByRole('button', { name: 'Stacked by Status' }).click();
  await choose(page, 'Stack by', 'Size');
  await escape(page);
  await expect(stack('small').getByRole('listitem')).toHaveText(['Alpha']);
  expect((await table.records()).map(({ Status }) => Status)).toEqual(['later', 'done', 'open']);

  // By people: those who work in the base, and nobody.
  await page.getByRole('button', { name: 'Stacked by Size' }).click();
  await choose(page, 'Stack by', 'Who');
  await page.getByLabel('Fold empty stacks').uncheck();
  await escape(page);
  await expect(stack('No Who').getByRole('listitem')).toHaveText(['Beta', 'Alpha', 'Gamma']);
  await page.getByRole('button', { name: 'Gamma', exact: true }).dragTo(stack(name));
  await expect(stack(name).getByRole('listitem')).toHaveText(['Gamma']);
  await expect.poll(async () => (await table.records())[2]).toMatchObject({ Who: { title: name } });
  await page.getByRole('button', { name: 'Gamma', exact: true }).dragTo(stack('No Who'));
  await expect.poll(async () => (await table.records())[2]).not.toHaveProperty('Who');
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect(stack(name).getByRole('listitem')).toHaveText(['Gamma']);
});

test('two people who add stacks, choices and conditions at the same moment both keep theirs', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Status: 'open', Count: 2 },
    { Name: 'Beta', Count: 1 },
  ]);
  const place = `/table/${table.tableId}`;
  const kim = await newPerson(browser, 'kim');
  const [space] = await api.get('/space');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'creator' });
  const board = await api.post(`${place}/view`, {
    type: 'kanban',
    name: 'Board',
    options: { stackFieldId: table.fieldId('Status') },
  });
  const choices = async (): Promise<string[]> =>
    (await api.get(`${place}/field/${table.fieldId('Status')}`)).options.choices.map(
      ({ name }: { name: string }) => name,
    );
  /** What one of them sends arrives after the other has done this. */
  const meanwhile = (address: string, act: () => Promise<unknown>): Promise<unknown> =>
    page.route(
      address,
      async (route) => {
        await act();
        await route.continue();
      },
      { times: 1 },
    );
  const addStack = async (who: typeof page, name: string): Promise<void> => {
    await who.getByRole('button', { name: 'New stack' }).click();
    await who.getByLabel('Name of the stack').fill(name);
    await who.keyboard.press('Enter');
    await expect(who.getByRole('region', { name, exact: true })).toBeVisible();
  };
  await Promise.all([page, kim.page].map((one) => one.goto(`${table.url}?view=${board.id}`)));
  await meanwhile('**/convert', () => addStack(kim.page, 'theirs'));
  await addStack(page, 'mine');
  for (const one of [page, kim.page])
    for (const name of ['open', 'done', 'theirs', 'mine'])
      await expect(one.getByRole('region', { name, exact: true })).toBeVisible();
  expect(await choices()).toEqual(['open', 'done', 'theirs', 'mine']);

  // Somebody types a new choice into a cell while another has the field open.
  await page.getByRole('link', { name: 'Grid view' }).click();
  await selectFirstCell(page);
  await clickGrid(page, 340, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await page.getByRole('button', { name: 'Add choice' }).click();
  await page.getByLabel('Choice 5').fill('early');
  await kim.api.patch(`${place}/record`, {
    typecast: true,
    records: [{ id: (await api.get(`${place}/record`)).records[1].id, fields: { Status: 'late' } }],
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(choices).toEqual(['open', 'done', 'theirs', 'mine', 'late', 'early']);
  expect((await table.records())[1]).toMatchObject({ Status: 'late' });
  await expect(page.getByRole('dialog')).toBeHidden();

  const grid = (await api.get(`${place}/view`)).find(({ type }: { type: string }) => type === 'grid');
  const filter = async () =>
    (await api.get(`${place}/view/${grid.id}`)).filter?.filterSet.map(
      ({ fieldId, operator }: { fieldId: string; operator: string }) => [fieldId, operator],
    );
  const theirs = { fieldId: table.fieldId('Name'), operator: 'isNotEmpty', value: null };
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await choose(page, 'Field of condition 1', 'Status');
  await meanwhile('**/filter', () =>
    kim.api.put(`${place}/view/${grid.id}/filter`, { filter: { conjunction: 'and', filterSet: [theirs] } }),
  );
  await choose(page, 'Operator of condition 1', 'is not empty');
  await expect.poll(filter).toEqual([
    [table.fieldId('Name'), 'isNotEmpty'],
    [table.fieldId('Status'), 'isNotEmpty'],
  ]);
  // What others set is in sight the next time.
  await escape(page);
  await page.getByRole('button', { name: '2 filters' }).click();
  await expect(page.getByLabel('Field of condition 2')).toBeVisible();
  await page.getByRole('button', { name: 'Remove condition 1' }).click();
  await expect.poll(filter).toEqual([[table.fieldId('Status'), 'isNotEmpty']]);
  await kim.leave();
});

test('a calendar shows a week, spans from one date to the other, and takes records that have no date', async ({
  browser,
}) => {
  // In a window that is not used again: its clock stands.
  const { page, api, leave } = await newPerson(browser, 'sam', {}, true);
  const table = await newTable(
    api,
    [...fields, { name: 'Due', type: 'date' }, { name: 'End', type: 'date' }],
    [{ Name: 'Alpha', Due: '2030-05-07T00:00:00.000Z', End: '2030-05-09T00:00:00.000Z' }, { Name: 'Beta' }],
  );
  const calendar = await api.post(`/table/${table.tableId}/view`, {
    type: 'calendar',
    name: 'Days',
    options: { startDateFieldId: table.fieldId('Due'), endDateFieldId: table.fieldId('End') },
  });
  await page.clock.setFixedTime(new Date('2030-05-15T12:00:00.000Z'));
  await page.goto(`${table.url}?view=${calendar.id}`);
  const day = (name: string) => page.getByRole('gridcell', { name });
  const alpha = page.getByRole('button', { name: 'Alpha' });
  await expect(day('Tuesday, 7 May 2030').getByRole('button', { name: 'Alpha' })).toBeVisible();
  const widthOf = async (locator: typeof alpha): Promise<number> => (await locator.boundingBox())?.width ?? 0;
  expect((await widthOf(alpha)) / (await widthOf(day('Tuesday, 7 May 2030')))).toBeGreaterThan(2.8);

  await page.getByRole('radio', { name: 'Week' }).click();
  await expect(page.getByRole('heading', { name: /13.*19 May 2030/ })).toBeVisible();
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect(alpha).toBeVisible();
  await alpha.focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(day('Wednesday, 8 May 2030').getByRole('button', { name: 'Alpha' })).toBeVisible();
  await alpha.dragTo(day('Monday, 6 May 2030'));
  await expect(day('Monday, 6 May 2030').getByRole('button', { name: 'Alpha' })).toBeVisible();
  await page.getByRole('button', { name: 'No date' }).click();
  await page
    .getByRole('region', { name: 'Without Due' })
    .getByRole('button', { name: 'Beta' })
    .dragTo(day('Saturday, 11 May 2030'));
  await expect(day('Saturday, 11 May 2030').getByRole('button', { name: 'Beta' })).toBeVisible();
  await expect(page.getByText('Every record has a date.')).toBeVisible();
  await page
    .getByRole('gridcell')
    .getByRole('button', { name: 'Beta' })
    .dragTo(page.getByRole('region', { name: 'Without Due' }));
  await expect(page.getByRole('region', { name: 'Without Due' }).getByRole('button', { name: 'Beta' })).toBeVisible();
  await expect
    .poll(table.records)
    .toEqual([{ Name: 'Alpha', Due: '2030-05-06T00:00:00.000Z', End: '2030-05-08T00:00:00.000Z' }, { Name: 'Beta' }]);
  await leave();
});

test('a calendar shows the hours of a week or a day: records are dragged to a time, lengthened by keys, and added by a click', async ({
  browser,
}) => {
  // In a window that is not used again: its clock stands.
  const { page, api, leave } = await newPerson(browser, 'sam', {}, true);
  const formatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' };
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Begins', type: 'date', options: { formatting } },
      { name: 'Ends', type: 'date', options: { formatting } },
    ],
    [
      { Name: 'Talk', Begins: '2030-05-14T07:00:00.000Z', Ends: '2030-05-14T08:30:00.000Z' },
      { Name: 'Fair', Begins: '2030-05-13T07:00:00.000Z', Ends: '2030-05-16T15:00:00.000Z' },
    ],
  );
  const calendar = await api.post(`/table/${table.tableId}/view`, {
    type: 'calendar',
    name: 'Hours',
    options: { startDateFieldId: table.fieldId('Begins'), endDateFieldId: table.fieldId('Ends') },
  });
  await page.clock.setFixedTime(new Date('2030-05-15T12:00:00.000Z'));
  await page.goto(`${table.url}?view=${calendar.id}`);
  await page.getByRole('radio', { name: 'Week' }).click();
  const hours = (day: string) => page.getByRole('gridcell', { name: `Hours of ${day}` });
  const tuesday = hours('Tuesday, 14 May 2030');
  const talk = page.getByRole('button', { name: /^Talk / });
  await expect(tuesday.getByRole('button', { name: 'Talk 09:00' })).toBeVisible();
  // Days are above the hours.
  await expect(
    page.getByRole('gridcell', { name: 'Monday, 13 May 2030', exact: true }).getByRole('button', { name: 'Fair' }),
  ).toBeVisible();
  const talkNow = async () => (await table.records())[0];

  // To Thursday at ten: it is taken 5 px below its upper edge.
  const { height, width } = await hours('Thursday, 16 May 2030')
    .boundingBox()
    .then((box) => box as { height: number; width: number });
  await talk.dragTo(hours('Thursday, 16 May 2030'), {
    sourcePosition: { x: 10, y: 5 },
    targetPosition: { x: width / 2, y: (height / 24) * 10 + 5 },
  });
  await expect(hours('Thursday, 16 May 2030').getByRole('button', { name: 'Talk 10:00' })).toBeVisible();
  await expect.poll(talkNow).toMatchObject({ Begins: '2030-05-16T08:00:00.000Z', Ends: '2030-05-16T09:30:00.000Z' });
  await talk.focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(talk).toHaveAccessibleName('Talk 10:15');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(talkNow).toMatchObject({ Begins: '2030-05-16T08:15:00.000Z', Ends: '2030-05-16T10:00:00.000Z' });
  // A finger pulls its lower edge: an hour is as high as a day by 24.
  const edge = await talk.locator('xpath=..').getByTitle('Drag to change the end').boundingBox();
  const at = { x: (edge?.x ?? 0) + (edge?.width ?? 0) / 2, y: (edge?.y ?? 0) + (edge?.height ?? 0) / 2 };
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', hoursBelow = 0) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: at.x, y: at.y + (height / 24) * hoursBelow }],
    });
  await touch('touchStart');
  for (const hoursBelow of [0.3, 0.6, 1]) await touch('touchMove', hoursBelow);
  await expect(talk).toContainText('until 13:00');
  await touch('touchEnd');
  await devtools.detach();
  await expect.poll(talkNow).toMatchObject({ Begins: '2030-05-16T08:15:00.000Z', Ends: '2030-05-16T11:00:00.000Z' });
  // Both cells of a move are one step.
  await press(page, 'Control+z', 'Control+z', 'Control+z', 'Control+z');
  await expect.poll(talkNow).toMatchObject({ Begins: '2030-05-14T07:00:00.000Z', Ends: '2030-05-14T08:30:00.000Z' });

  await page.getByRole('radio', { name: 'Day' }).click();
  await expect(page.getByRole('heading', { name: 'Wednesday, 15 May 2030' })).toBeVisible();
  const wednesday = hours('Wednesday, 15 May 2030');
  const place = (await wednesday.boundingBox()) as { height: number };
  await wednesday.click({ position: { x: 200, y: (place.height / 24) * 14.6 } });
  await expect(page.getByRole('complementary', { name: 'Record' })).toBeVisible();
  await expect
    .poll(async () => (await table.records())[2])
    .toEqual({ Begins: '2030-05-15T12:30:00.000Z', Ends: '2030-05-15T13:30:00.000Z' });

  // Visitors of its share see the hours, and change nothing.
  const { shareId } = await api.post(`/table/${table.tableId}/view/${calendar.id}/enable-share`);
  await page.goto(`/share/${shareId}/view`);
  await page.getByRole('radio', { name: 'Week' }).click();
  await expect(tuesday.getByRole('button', { name: 'Talk 09:00' })).toBeVisible();
  await talk.focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByTitle('Drag to change the end')).toHaveCount(0);
  await tuesday.click({ position: { x: 5, y: (height / 24) * 12 } });
  expect(await talkNow()).toMatchObject({ Begins: '2030-05-14T07:00:00.000Z' });
  expect(await table.records()).toHaveLength(3);
  await leave();
});

test('a personal view is changed by its owner alone; others find it below theirs and copy it', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha' }]);
  const [first] = await api.get(`/table/${table.tableId}/view`);
  await api.post(`/table/${table.tableId}/view`, { type: 'grid', name: 'Mine' });
  const kim = await newPerson(browser, 'kim');
  const [space] = await api.get('/space');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'editor' });
  await page.goto(`${table.url}?view=${first.id}`);
  await page.getByRole('link', { name: 'Mine' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Make personal' }).click();
  await expect(page.getByRole('link', { name: 'Mine Personal' })).toBeVisible();
  // What everyone sees first cannot be kept to oneself.
  await page.getByRole('link', { name: first.name }).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Make personal' })).toBeDisabled();
  await escape(page);

  await kim.page.goto(table.url);
  await kim.page.getByText('Views of others (1)').click();
  await kim.page.getByRole('link', { name: 'Mine Personal' }).click();
  await kim.page.getByRole('link', { name: 'Mine Personal' }).click({ button: 'right' });
  await expect(kim.page.getByRole('menuitem', { name: 'Rename' })).toHaveCount(0);
  await kim.page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(kim.page.getByRole('link', { name: 'Mine copy Personal' })).toBeVisible();
  await kim.page.getByRole('link', { name: 'Mine copy Personal' }).click({ button: 'right' });
  await expect(kim.page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await escape(kim.page);
  await kim.leave();
});

test('cards have a cover: the first picture of a field of files, as wide as the card or whole', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [...fields, { name: 'Pictures', type: 'attachment' }],
    [
      { Name: 'Alpha', Status: 'open' },
      { Name: 'Beta', Status: 'open' },
    ],
  );
  const picture = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="30"><rect width="80" height="30" fill="teal"/></svg>',
  );
  const { url, token } = await api.post('/attachments/signature', {
    contentType: 'image/svg+xml',
    contentLength: picture.length,
    type: 1,
  });
  expect((await page.request.put(url, { data: picture, headers: { 'content-type': 'image/svg+xml' } })).status()).toBe(
    200,
  );
  const file = await api.post(`/attachments/notify/${token}?filename=plan.svg`);
  const { records } = await api.get(`/table/${table.tableId}/record`);
  await api.patch(`/table/${table.tableId}/record/${records[0].id}`, {
    record: { fields: { Pictures: [{ ...file, name: 'plan.svg' }] } },
  });
  for (const type of ['gallery', 'kanban']) {
    const { id } = await api.post(`/table/${table.tableId}/view`, { type, name: type });
    await page.goto(`${table.url}?view=${id}`);
    const card = page.getByRole('listitem').filter({ hasText: 'Alpha' });
    await expect(card).toBeVisible();
    await expect(card.getByRole('img', { name: 'plan.svg' })).toHaveCount(0);
    await page.getByRole('button', { name: type === 'gallery' ? 'Cards' : 'Stacked by Status' }).click();
    await choose(page, 'Cover', 'Pictures');
    const cover = card.getByRole('img', { name: 'plan.svg' });
    await expect(cover).toHaveCSS('object-fit', 'cover');
    await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(80);
    await page.getByLabel('Show the whole picture').check();
    await expect(cover).toHaveCSS('object-fit', 'contain');
    await escape(page);
    await expect(page.getByRole('listitem').filter({ hasText: 'Beta' }).locator('img')).toHaveCount(0);
    // The card opens as before, cover and all.
    await card.getByRole('button', { name: 'Alpha', exact: true }).click();
    await expect(page.getByRole('complementary', { name: 'Record' })).toBeVisible();
  }
});

test('a search leaves out the cards that do not match', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Status: 'open' },
    { Name: 'Beta', Status: 'open' },
  ]);
  for (const type of ['kanban', 'gallery']) {
    const { id } = await api.post(`/table/${table.tableId}/view`, { type, name: type });
    await page.goto(`${table.url}?view=${id}`);
    await expect(page.getByRole('button', { name: 'Alpha', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByLabel('Search in this view').fill('bet');
    await expect(page.getByRole('button', { name: 'Alpha', exact: true })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Beta', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(page.getByRole('button', { name: 'Alpha', exact: true })).toBeVisible();
  }
});

test('on a phone every view is reached from the list of tables and views', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  for (const name of ['Second', 'Third', 'Fourth', 'Fifth'])
    await api.post(`/table/${table.tableId}/view`, { type: 'gallery', name });
  const last = await api.post(`/table/${table.tableId}/view`, { type: 'gallery', name: 'Last of them' });
  await page.setViewportSize({ width: 360, height: 720 });
  await page.goto(`${table.url}?view=${last.id}`);
  await page.getByRole('button', { name: 'Tables and views' }).click();
  await expect(page.getByRole('link', { name: 'Last of them' })).toBeInViewport({ ratio: 0.5 });
  await expect(page.getByRole('link', { name: 'Last of them' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'Third' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Third' })).toBeVisible();
  // The name of the view above the records leads to the others as well.
  await page.getByRole('button', { name: 'Third' }).click();
  await page.getByRole('menuitemradio', { name: 'Grid view' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  // Nothing of the bar is cut off or has to be scrolled to.
  for (const name of [
    'Fields',
    'Filter',
    'Group',
    'Sort',
    'Height',
    'Search',
    'Undo last change',
    'History',
    'New record',
  ])
    await expect(page.getByRole('toolbar', { name: 'View' }).getByRole('button', { name, exact: true })).toBeInViewport(
      { ratio: 1 },
    );
  // Nor is the dialog of a field.
  await clickGrid(page, 150, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Name' })).toBeInViewport({ ratio: 1 });
});

test('with fingers a tap opens the record, a tick is set, and a finger that stays opens the menu of a row, a column, a table and a view', async ({
  browser,
}) => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } };
  const { page, api, leave } = await newPerson(browser, 'kim', phone, true);
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Done', type: 'checkbox' },
    ],
    [{ Name: 'Alpha' }, { Name: 'Beta' }],
  );
  const second = await api.post(`/table/${table.tableId}/view`, { type: 'gallery', name: 'Cards' });
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  const box = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  const at = (x: number, y: number) => ({ x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + y });
  const devtools = await page.context().newCDPSession(page);
  /** Until the menu is there: a finger has no other way to see that it was long enough. */
  const stay = async ({ x, y }: { x: number; y: number }, item: string): Promise<void> => {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await expect(page.getByRole('menuitem', { name: item })).toBeVisible();
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await drawn(page);
    await expect(page.getByRole('menuitem', { name: item })).toBeVisible();
    await escape(page);
  };
  await stay(at(120, 52), 'Insert record below');
  await stay(at(120, 18), 'Edit field');
  const panel = page.getByRole('complementary', { name: 'Record' });
  await expect(panel).toBeHidden();
  const tick = at(52 + 220 + 55, 36 + 34 + 17);
  await page.touchscreen.tap(tick.x, tick.y);
  await expect.poll(async () => (await table.records())[1]?.['Done']).toBe(true);
  await expect(panel).toBeHidden();
  const name = at(120, 36 + 34 + 17);
  await page.touchscreen.tap(name.x, name.y);
  await expect(panel.getByLabel('Name', { exact: true })).toHaveValue('Beta');
  await panel.getByRole('button', { name: 'Close record' }).tap();
  await page.getByRole('button', { name: 'Tables and views' }).tap();
  for (const [link, item] of [
    ['Tasks', 'API of this table'],
    ['Cards', 'Copy link'],
  ] as const) {
    const place = await page.getByRole('link', { name: link }).boundingBox();
    await stay({ x: (place?.x ?? 0) + 30, y: (place?.y ?? 0) + 10 }, item);
  }
  // Of a view that is not shown, from its button: the page stays where it is.
  await page.getByRole('button', { name: 'More for Cards' }).tap();
  await page.getByRole('menuitem', { name: 'Delete view' }).tap();
  await expect(page.getByRole('link', { name: 'Cards' })).toHaveCount(0);
  expect((await api.get(`/table/${table.tableId}/view`)).map(({ id }: { id: string }) => id)).not.toContain(second.id);
  await leave();
});

test('a view is downloaded as CSV, duplicated with all it shows, described, locked, and unlocked', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Status: 'open', Count: 2 },
    { Name: 'Beta, "the second"', Count: 1 },
    { Name: 'Gamma', Status: 'done', Count: 3 },
  ]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  const place = `/table/${table.tableId}/view/${view.id}`;
  await api.put(`${place}/filter`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: table.fieldId('Count'), operator: 'isLess', value: 3 }] },
  });
  await api.put(`${place}/sort`, { sort: { sortObjs: [{ fieldId: table.fieldId('Count'), order: 'asc' }] } });
  await page.goto(table.url);
  await page.getByRole('button', { name: `More for ${view.name}` }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const text = readFileSync(await download.path(), 'utf8').replace(/^\uFEFF/, '');
  expect(text.trim().split(/\r?\n/)).toEqual(['Name,Status,Count', '"Beta, ""the second""",,1.00', 'Alpha,open,2.00']);

  const more = (name: string) => page.getByRole('button', { name: `More for ${name}`, exact: true });
  await more('Grid view').click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('link', { name: 'Grid view copy' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText('2 records', { exact: true })).toBeVisible();
  await more('Grid view copy').click();
  await page.getByRole('menuitem', { name: 'Add a description' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Only the large ones');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'Grid view copy' })).toHaveAttribute('title', 'Only the large ones');
  await more('Grid view copy').click();
  await page.getByRole('menuitem', { name: 'Lock view' }).click();
  await expect(page.getByRole('link', { name: 'Grid view copy Locked' })).toBeVisible();
  await more('Grid view copy').click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Unlock view' }).click();
  await expect(page.getByRole('link', { name: 'Grid view copy', exact: true })).toBeVisible();
  const copy = (await api.get(`/table/${table.tableId}/view`)).find(
    ({ name }: { name: string }) => name === 'Grid view copy',
  );
  expect(copy).toMatchObject({ description: 'Only the large ones', filter: { filterSet: [{ value: 3 }] } });
});
