// The screens that people work on, with the records of a template in them: views full of them, dialogs with something to decide, and what visitors see. With the
// pictures of screens.test.ts they are every kind of screen.
import { escape, expect, follow, type Person, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { clickGrid, press, selectFirstCell } from '../support/browser-table.ts';

interface Sample {
  baseId: string;
  url(table: string, view?: string): string;
  tableId(table: string): string;
  viewId(table: string, view: string): Promise<string>;
}

/** A base with linked tables, choices, dates, people and conditions. */
const newSample = async ({ api }: Person): Promise<Sample> => {
  const [space] = await api.get('/space');
  const template = (await api.get('/template/published')).find(
    ({ name }: { name: string }) => name === 'Project tracker',
  );
  const base = await api.post('/base/create-from-template', {
    spaceId: space.id,
    templateId: template.id,
    withRecords: true,
  });
  const tables: { id: string; name: string }[] = await api.get(`/base/${base.id}/table`);
  const tableId = (name: string): string => tables.find((table) => table.name === name)?.id ?? '';
  return {
    baseId: base.id,
    tableId,
    url: (table, view) => `/base/${base.id}/${tableId(table)}${view === undefined ? '' : `?view=${view}`}`,
    viewId: async (table, view) =>
      (await api.get(`/table/${tableId(table)}/view`)).find(({ name }: { name: string }) => name === view)?.id,
  };
};

test('views that are full of records', async ({ person }) => {
  test.setTimeout(300_000);
  const { page } = person;
  page.setDefaultTimeout(20_000);
  const found: string[] = [];
  const sample = await newSample(person);
  for (const [table, view, shown] of [
    ['Projects', 'All projects', 'New website'],
    ['Projects', 'By status', 'New website'],
    ['Projects', 'Timeline', 'New website'],
    ['Tasks', 'All tasks', 'Collect requirements'],
    ['Tasks', 'Board', 'Collect requirements'],
    ['Tasks', 'New task', 'Edit form'],
  ] as const) {
    await page.goto(sample.url(table, await sample.viewId(table, view)));
    await page.getByText(shown).first().waitFor({ state: 'attached' });
    found.push(...(await inspect(page, `work ${table} ${view}`)));
  }
  await page.goto(sample.url('Projects', await sample.viewId('Projects', 'All projects')));
  await selectFirstCell(page);
  await page.keyboard.press('Space');
  await page.getByRole('complementary', { name: 'Record' }).getByLabel('Name', { exact: true }).waitFor();
  found.push(...(await inspect(page, 'work record')));
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.getByRole('button', { name: 'Mention someone' }).waitFor();
  found.push(...(await inspect(page, 'work comments')));
  expect(found).toEqual([]);
});

test('dialogs of a table with something in them', async ({ person }) => {
  test.setTimeout(300_000);
  const { page } = person;
  page.setDefaultTimeout(20_000);
  const found: string[] = [];
  const look = async (name: string): Promise<void> => void found.push(...(await inspect(page, name)));
  const sample = await newSample(person);
  await page.goto(sample.url('Projects', await sample.viewId('Projects', 'All projects')));
  await selectFirstCell(page);
  await press(page, 'Shift+Space', 'Shift+ArrowDown');
  await press(page, 'Control+e');
  await page.getByRole('dialog').waitFor();
  await look('work edit records');
  await escape(page);
  await clickGrid(page, 300, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const field = page.getByRole('dialog', { name: 'Edit Status' });
  await field.getByRole('button', { name: 'Type' }).click();
  await field.getByRole('button', { name: /^Number / }).click();
  await field
    .getByText(/lost|changed|fit/)
    .first()
    .waitFor();
  await look('work conversion');
  await escape(page);
  await page.getByRole('button', { name: 'Add a field' }).first().click();
  await page.getByRole('dialog', { name: 'New field' }).getByLabel('Search field types').fill('Formula');
  await press(page, 'Enter');
  await page.getByRole('dialog', { name: 'New field' }).getByLabel('Formula', { exact: true }).fill('{Budget} * 2');
  await expect(page.getByRole('status', { name: 'Preview' })).toHaveText('= 36,000.00');
  await look('work formula');
  await escape(page);
  for (const name of ['Sort', 'Colour', 'Height']) {
    await page.getByRole('button', { name, exact: true }).click();
    await look(`work ${name}`);
    await escape(page);
  }
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Link', { exact: true }).waitFor();
  await look('work share');
  await escape(page);
  await press(page, 'Control+k');
  await page.keyboard.type('web');
  await page.getByRole('option').first().waitFor();
  await look('work find');
  await escape(page);
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Import into this table' }).waitFor();
  await look('work menu of a table');
  // On the narrow screen the list of tables was put away with its menu.
  await page.getByRole('button', { name: 'More for Projects' }).click();
  await page.getByRole('menuitem', { name: 'Import into this table' }).click();
  const file = {
    name: 'Clients.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Budget,Starts,Paid\nHarbour,12000,03/04/2026,ja\nTower,8000,05/04/2026,nein\n'),
  };
  await page.getByLabel('File to import').setInputFiles(file);
  await page.getByRole('cell', { name: 'Harbour' }).waitFor();
  await look('work import into');
  // The narrow screen puts it away with the list of tables.
  await page.reload();
  await page.getByRole('button', { name: 'Import a file' }).click();
  await look('work import empty');
  await page.getByLabel('File to import').setInputFiles(file);
  await page.getByRole('cell', { name: 'Harbour' }).waitFor();
  await look('work import');
  await escape(page);
  expect(found).toEqual([]);
});

test('pages of a base, and what a base begins with', async ({ person }) => {
  test.setTimeout(300_000);
  const { page } = person;
  page.setDefaultTimeout(20_000);
  const found: string[] = [];
  const look = async (name: string): Promise<void> => void found.push(...(await inspect(page, name)));
  const sample = await newSample(person);
  await page.goto(sample.url('Projects'));
  await follow(page, `/base/${sample.baseId}/map`);
  await page.getByRole('heading', { name: /Schema/ }).waitFor();
  await look('work schema');
  await follow(page, `/base/${sample.baseId}/people`);
  await page
    .getByRole('heading', { name: /People/ })
    .first()
    .waitFor();
  await look('work people');
  await page.goto('/');
  await page.getByRole('button', { name: 'New base', exact: true }).click();
  await page.getByRole('button', { name: /^Sales pipeline/ }).waitFor();
  await look('work new base');
  await escape(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('radio', { name: 'Airtable' }).click();
  await look('work import from');
  expect(found).toEqual([]);
});

test('what visitors of shares see', async ({ person, browser }) => {
  test.setTimeout(300_000);
  const found: string[] = [];
  const sample = await newSample(person);
  const visitor = await browser.newPage();
  for (const [table, view] of [
    ['Projects', 'All projects'],
    ['Projects', 'By status'],
    ['Projects', 'Timeline'],
    ['Tasks', 'New task'],
  ] as const) {
    const { shareId } = await person.api.post(
      `/table/${sample.tableId(table)}/view/${await sample.viewId(table, view)}/enable-share`,
    );
    await visitor.goto(`/share/${shareId}/view`);
    await visitor.getByText(view).first().waitFor();
    await visitor.waitForLoadState('networkidle');
    found.push(...(await inspect(visitor, `share ${view}`)));
  }
  await visitor.getByRole('button', { name: 'Add task' }).click();
  found.push(...(await inspect(visitor, 'share form with nothing in it')));
  await visitor.context().close();
  expect(found).toEqual([]);
});
