// The first hour of a team that comes from Airtable: one base, from a file to a phone, by what is on the screen alone. What it did is looked up through the API.
import type { Page } from '@playwright/test';
import { choose, escape, expect, newPerson, test } from '../support/browser.ts';
import { cell, clickGrid, press, selectFirstCell } from '../support/browser-table.ts';

interface Row {
  fields: Record<string, unknown>;
}

const projects = (rows: string[]): string => ['Name,Client,Budget,Due,Stage,Paid,Started', ...rows, ''].join('\n');

test('the first hour of a team: a file, four linked tables, a board, a form, a share, two people, undo, a phone', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  // The first file makes the base.
  await page.goto('/');
  await page.getByLabel('File to import').setInputFiles({
    name: 'Clients.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name\nNordlys\nVista\n'),
  });
  await page.getByLabel('Name').fill('Studio');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Import a file' })
    .getByRole('button', { name: 'Import', exact: true })
    .click();
  await expect(page.getByRole('heading', { name: 'Clients', exact: true })).toBeVisible();
  await expect(cell(page, 1, 0)).toHaveText('Vista');
  const baseId = /bse\w+/.exec(page.url())?.[0] ?? '';
  const tablesNow = async (): Promise<{ id: string; name: string }[]> => api.get(`/base/${baseId}/table`);
  const idOf = async (name: string): Promise<string> =>
    (await tablesNow()).find((table) => table.name === name)?.id ?? '';
  const texts = async (name: string): Promise<Record<string, unknown>[]> =>
    (await api.get(`/table/${await idOf(name)}/record?cellFormat=text`)).records.map(({ fields }: Row) => fields);

  // A file becomes a table; numbers and dates are seen for what they are. A date that may be two days is asked about; what is neither yes nor no is told.
  const rows = [
    'Harbour,Nordlys,12000,2026-03-01,idea,ja,03/04/2026',
    'Tower,Nordlys,8000,2026-04-15,idea,nein,05/04/2026',
    'Bridge,Vista,5500,2026-05-20,idea,✗,',
    'Museum,Vista,700,2026-02-01,idea,Ada,',
  ];
  await page.getByRole('button', { name: 'Import a file' }).click();
  const importing = page.getByRole('dialog', { name: 'Import a file' });
  await importing
    .getByLabel('File to import')
    .setInputFiles({ name: 'Projects.csv', mimeType: 'text/csv', buffer: Buffer.from(projects(rows)) });
  await expect(importing.getByRole('combobox', { name: 'Type of Budget' })).toHaveText('Number');
  await expect(importing.getByRole('combobox', { name: 'Type of Due' })).toHaveText('Date');
  await choose(importing, 'Type of Stage', 'Select');
  await choose(importing, 'Type of Paid', 'Checkbox');
  await importing.getByLabel('Name of column 7').fill('Kickoff');
  await choose(importing, 'Dates such as 03/04/2026 mean', '4 March (month first)');
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('4 records imported into Projects. 1 value did not fit and was left out.')).toBeVisible();
  await expect(cell(page, 3, 0)).toHaveText('Museum');
  expect((await texts('Projects')).map(({ Paid, Kickoff }) => [Paid, Kickoff])).toEqual([
    ['true', '2026-03-04'],
    [undefined, '2026-05-04'],
    [undefined, undefined],
    [undefined, undefined],
  ]);

  // The next version of the file goes where this one went; rows are matched by their name.
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Import into this table' }).click();
  const again = page.getByRole('dialog', { name: 'Import into Projects' });
  await again.getByLabel('File to import').setInputFiles({
    name: 'Projects.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(projects([...rows.slice(0, 3), 'Museum,Vista,750,2026-02-01,idea,yes,06/04/2026'])),
  });
  await expect(again.getByRole('combobox', { name: 'Where Started goes' })).toHaveText('Kickoff');
  await choose(again, 'Dates such as 03/04/2026 mean', '4 March (month first)');
  await choose(again, 'Update existing records', 'With the same Name');
  await again.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('4 rows imported into Projects, 1 record updated.')).toBeVisible();
  expect((await texts('Projects')).map(({ Budget, Kickoff }) => [Budget, Kickoff])).toEqual([
    ['12000', '2026-03-04'],
    ['8000', '2026-05-04'],
    ['5500', undefined],
    ['750', '2026-06-04'],
  ]);

  // The names of clients become links to the table of clients, in the dialog of the field.
  await clickGrid(page, 300, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Client' });
  await dialog.getByRole('button', { name: 'Type' }).click();
  await dialog.getByRole('button', { name: /^Link / }).click();
  await choose(dialog, 'Which table?', 'Clients');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(async () => (await texts('Clients')).map(({ Projects: names }) => names))
    .toEqual(['Harbour, Tower', 'Bridge, Museum']);

  // Two more tables from files, linked to the projects in the dialog of fields, and a sum over a link.
  const bring = async (name: string, text: string): Promise<void> => {
    await page.getByRole('button', { name: 'Import a file' }).click();
    await importing
      .getByLabel('File to import')
      .setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await importing.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    await expect.poll(async () => (await texts(name)).length).toBeGreaterThan(0);
  };
  const linkTo = async (table: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a field' }).first().click();
    const adding = page.getByRole('dialog', { name: 'New field' });
    await adding.getByLabel('Search field types').fill('Link');
    await press(page, 'Enter');
    await choose(adding, 'Which table?', table);
    await adding.getByLabel('Name', { exact: true }).fill(name);
    await adding.getByRole('button', { name: 'Add field' }).click();
    await expect(adding).toBeHidden();
  };
  await bring('Team', 'Name\nAda\nGrace\n');
  await bring('Tasks', 'Task,Hours\nMeasure the site,2\n');
  await linkTo('Projects', 'Project');
  await linkTo('Team', 'Who');
  const table = (of: Page, name: string) =>
    of.getByRole('navigation', { name: 'Tables' }).getByRole('link', { name, exact: true });
  await table(page, 'Projects').click();
  await expect(cell(page, 0, 0)).toHaveText('Harbour');
  await page.getByRole('button', { name: 'Add a field' }).first().click();
  const summing = page.getByRole('dialog', { name: 'New field' });
  await summing.getByLabel('Search field types').fill('Rollup');
  await press(page, 'Enter');
  await summing.getByRole('combobox', { name: 'Linked field' }).click();
  await page.getByRole('option', { name: /^Tasks/ }).click();
  await choose(summing, 'Which field of Tasks?', 'Hours');
  await summing.getByLabel('Name', { exact: true }).fill('Hours');
  await summing.getByRole('button', { name: 'Add field' }).click();
  await expect(summing).toBeHidden();

  // A form for tasks, shared; a visitor answers it and sees nothing else.
  await table(page, 'Tasks').click();
  await expect(page.getByRole('heading', { name: 'Tasks', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Form' }).click();
  await page.getByLabel('Title of the form').fill('New task');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const sharing = page.getByRole('dialog', { name: 'Share Form' });
  await sharing.getByRole('button', { name: 'Create link' }).click();
  const link = sharing.getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(/\/share\/shr\w+\/view$/);
  const address = await link.inputValue();
  await escape(page);
  const kim = await newPerson(browser, 'kim');
  await kim.page.goto(address);
  await kim.page.getByLabel('Task').fill('Draw the plan');
  await kim.page.getByLabel('Hours').fill('6');
  await kim.page.getByRole('button', { name: 'Project', exact: true }).click();
  await kim.page.getByLabel('Search Project').fill('Har');
  await kim.page.getByLabel('Harbour').check();
  await escape(kim.page);
  await kim.page.getByRole('button', { name: 'Submit' }).click();
  await expect
    .poll(async () => (await texts('Tasks')).at(-1))
    .toMatchObject({ Task: 'Draw the plan', Project: 'Harbour' });

  // Kim is invited by e-mail. Both work in the same table: each sees what the other does, and undo takes back one's own change only.
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByLabel('E-mail addresses').fill(kim.email);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByLabel(`Role of ${kim.name}`)).toBeVisible();
  await page.getByRole('button', { name: 'New link' }).click();
  const invitation = page.getByText(/\/invite\?/);
  const invited = (await invitation.textContent()) ?? '';
  await page.goBack();
  await kim.page.goto('/');
  await kim.page.getByRole('link', { name: 'Studio' }).click();
  const shows = (of: Page, name: string) => expect(of.getByRole('heading', { name, exact: true })).toBeVisible();
  // The list of tables unfolds where one is: a click at that moment would hit nothing.
  await shows(kim.page, 'Clients');
  await shows(page, 'Tasks');
  for (const of of [kim.page, page]) {
    await table(of, 'Projects').click();
    await shows(of, 'Projects');
  }
  await selectFirstCell(page);
  await selectFirstCell(kim.page);
  await page.keyboard.type('Old harbour');
  await press(page, 'Enter');
  await expect(cell(kim.page, 0, 0)).toHaveText('Old harbour');
  await press(kim.page, 'ArrowDown');
  await kim.page.keyboard.type('High tower');
  await press(kim.page, 'Enter');
  await expect(cell(page, 1, 0)).toHaveText('High tower');
  await press(page, 'Control+z');
  await expect(cell(kim.page, 0, 0)).toHaveText('Harbour');
  await expect(cell(page, 1, 0)).toHaveText('High tower');

  // A board by stage: a card goes on, by its menu and by dragging.
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Kanban' }).click();
  const stack = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(stack('idea').getByRole('button', { name: 'Harbour', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'New stack' }).click();
  await page.keyboard.type('build');
  await press(page, 'Enter');
  await page.getByRole('button', { name: 'Move Harbour' }).click();
  await page.getByRole('menuitem', { name: 'build' }).click();
  await expect(stack('build').getByRole('button', { name: 'Harbour', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Bridge', exact: true }).dragTo(stack('build'));
  await expect(stack('build').getByRole('listitem')).toHaveCount(2);
  await kim.leave();

  // On a phone, by fingers: from an invitation link to the list of tables to a record, and one more hour.
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } };
  const lee = await newPerson(browser, 'lee', phone, true);
  await lee.page.goto(invited);
  await lee.page.getByRole('button', { name: 'Accept invitation' }).tap();
  await expect(lee.page.getByRole('heading', { name: 'Clients', exact: true })).toBeVisible();
  await lee.page.getByRole('button', { name: 'Tables and views' }).tap();
  await lee.page.getByRole('link', { name: 'Tasks' }).tap();
  await expect(cell(lee.page, 1, 0)).toHaveText('Draw the plan');
  const grid = await lee.page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  await lee.page.touchscreen.tap((grid?.x ?? 0) + 120, (grid?.y ?? 0) + 36 + 34 + 17);
  const panel = lee.page.getByRole('complementary', { name: 'Record' });
  await expect(panel.getByRole('heading', { name: 'Draw the plan' })).toBeVisible();
  await panel.getByLabel('Hours').tap();
  await panel.getByLabel('Hours').fill('7');
  await panel.getByRole('button', { name: 'Close record' }).tap();
  await expect.poll(async () => Number((await texts('Tasks'))[1]?.['Hours'])).toBe(7);
  expect(await lee.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await lee.leave();

  const stages = (await texts('Projects')).map(({ Name, Client, Stage, Hours }) => ({ Name, Client, Stage, Hours }));
  expect(stages).toEqual([
    { Name: 'Harbour', Client: 'Nordlys', Stage: 'build', Hours: expect.stringMatching(/^7/) as unknown },
    { Name: 'High tower', Client: 'Nordlys', Stage: 'idea', Hours: undefined },
    { Name: 'Bridge', Client: 'Vista', Stage: 'build', Hours: undefined },
    { Name: 'Museum', Client: 'Vista', Stage: 'idea', Hours: undefined },
  ]);
  expect((await texts('Clients')).map(({ Projects: names }) => names)).toEqual([
    'Harbour, High tower',
    'Bridge, Museum',
  ]);
});
