// Files in cells, and files that become tables.
import { readFileSync } from 'node:fs';
import type { JSHandle, Locator, Page } from '@playwright/test';
import { choose, expect, test } from '../support/browser.ts';
import { cell, newTable, press, selectFirstCell, type TestTable } from '../support/browser-table.ts';
import { startAirtable } from '../support/airtable-answers.ts';
import { startTeable } from '../support/teable-answers.ts';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="teal"/></svg>';

/** What a drag or a paste from outside of the page holds. */
const outside = (page: Page, name: string, type: string, text: string): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name, { type: file.type }));
      return transfer;
    },
    { name, type, text },
  );

const dropOn = async (
  page: Page,
  target: Locator,
  name: string,
  text = 'from elsewhere',
  at: { x: number; y: number } = { x: 0, y: 0 },
): Promise<void> => {
  const event = { dataTransfer: await outside(page, name, 'text/plain', text), clientX: at.x, clientY: at.y };
  for (const kind of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(kind, event);
};

const namesIn = async (table: TestTable, row = 0): Promise<string[] | undefined> =>
  ((await table.records())[row]?.['Files'] as { name: string }[] | undefined)?.map(({ name }) => name).toSorted();

test('a cell takes files that are chosen, dropped or pasted, shows them, and lets them go; an upload can be cancelled', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Files', type: 'attachment' },
    ],
    [{ Name: 'Alpha' }],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'Enter');
  await page.getByLabel('Add files to Files').setInputFiles([
    { name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
  ]);
  const files = page.getByRole('list', { name: 'Files' });
  await expect(files.getByRole('link')).toHaveCount(2);
  await dropOn(page, page.getByRole('button', { name: 'Choose files' }), 'dropped.txt');
  await expect(files.getByRole('link')).toHaveCount(3);
  await page.getByRole('button', { name: 'Remove notes.txt' }).click();
  await expect(files.getByRole('link')).toHaveCount(2);
  // What is on its way is cancelled, in the editor and beside it; the server never answers these.
  const canvas = page.locator('canvas[data-testid="data-grid-canvas"]');
  const box = await canvas.boundingBox();
  const onCell = { x: (box?.x ?? 0) + 52 + 260, y: (box?.y ?? 0) + 36 + 17 };
  await page.route('**/api/attachments/upload/**', () => undefined);
  await page
    .getByLabel('Add files to Files')
    .setInputFiles({ name: 'late.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1_000) });
  await page.getByRole('button', { name: 'Cancel the upload of late.bin' }).click();
  await expect(page.getByText('late.bin')).toHaveCount(0);
  await page.getByRole('button', { name: 'Choose files' }).press('Escape');
  await expect(cell(page, 0, 1)).toContainText('dropped.txt');
  await expect.poll(() => namesIn(table)).toEqual(['dropped.txt', 'plan.svg']);
  // The picture itself stands in the cell.
  await expect
    .poll(() =>
      canvas.evaluate((drawn: HTMLCanvasElement) => [
        ...(drawn.getContext('2d')?.getImageData(52 + 220 + 20, 36 + 17, 1, 1).data ?? []),
      ]),
    )
    .toEqual([0, 128, 128, 255]);
  await dropOn(page, canvas, 'later.bin', 'on a cell', onCell);
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await uploads.getByRole('button', { name: 'Cancel the upload of later.bin' }).click();
  await expect(uploads).toBeHidden();
  await page.unroute('**/api/attachments/upload/**');

  // Without an editor: dropped on the cell, and pasted into it.
  await dropOn(page, canvas, 'cell.txt', 'on a cell', onCell);
  await expect(page.getByText('cell.txt added.')).toBeVisible();
  await expect.poll(() => namesIn(table)).toEqual(['cell.txt', 'dropped.txt', 'plan.svg']);
  await expect(cell(page, 0, 1)).toHaveAttribute('aria-selected', 'true');
  await page.evaluate(
    (clipboardData) =>
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
    await outside(page, 'image.png', 'image/png', 'a picture'),
  );
  await expect(page.getByText(/^Screenshot .*\.png added\.$/)).toBeVisible();
  // On the record, beside its fields.
  await page.keyboard.press('Space');
  const panel = page.getByRole('complementary', { name: 'Record' });
  const shown = panel.getByRole('button', { name: 'Files', exact: true });
  await expect(shown.locator('img').first()).toBeVisible();
  await expect
    .poll(() =>
      shown
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(40);
  await dropOn(page, panel.getByRole('tabpanel', { name: 'Fields' }), 'record.txt');
  await expect(shown).toContainText('record.txt');
  await expect.poll(async () => (await namesIn(table))?.length).toBe(5);

  // Looked at one by one: arrows turn, Space and Escape close.
  await shown.click();
  await files.getByRole('link', { name: 'plan.svg' }).click();
  const preview = page.getByRole('dialog', { name: 'plan.svg' });
  await expect(preview.getByRole('img', { name: 'plan.svg' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'dropped.txt' }).getByText('from elsewhere')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(preview).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    preview.getByRole('button', { name: 'Download all' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Files.zip');
  expect(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  await preview.press('Space');
  await expect(preview).toBeHidden();

  // At every height: it is as high as its row, less a margin, and as wide as it is high.
  for (const [name, rowHeight] of [
    ['Medium', 56],
    ['Tall', 90],
    ['Extra tall', 132],
    ['Short', 34],
  ] as const) {
    await page.getByRole('button', { name: 'Height' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    const [inside, below] = [rowHeight - 8, rowHeight - 2];
    await expect
      .poll(() =>
        canvas.evaluate(
          (drawn: HTMLCanvasElement, heights: readonly number[]) =>
            heights.map((y) =>
              [...(drawn.getContext('2d')?.getImageData(52 + 220 + 20, 36 + y, 1, 1).data ?? [])].join(),
            ),
          [inside, below] as const,
        ),
      )
      .toEqual(['0,128,128,255', expect.not.stringMatching('^0,128,128,')]);
  }
});

test('cards and forms take files, and a PDF is shown in a frame', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }] } },
      { name: 'Files', type: 'attachment' },
    ],
    [{ Name: 'Alpha', Status: 'open' }],
  );
  for (const type of ['gallery', 'kanban']) {
    const { id } = await api.post(`/table/${table.tableId}/view`, { type, name: type });
    await page.goto(`${table.url}?view=${id}`);
    await dropOn(page, page.getByRole('button', { name: 'Alpha', exact: true }), `${type}.txt`);
    await expect(page.getByText(`${type}.txt added.`)).toBeVisible();
  }
  await expect.poll(() => namesIn(table)).toEqual(['gallery.txt', 'kanban.txt']);
  const { id } = await api.post(`/table/${table.tableId}/view`, {
    type: 'form',
    name: 'Form',
    columnMeta: { [table.fieldId('Name')]: { visible: true }, [table.fieldId('Files')]: { visible: true } },
  });
  await page.goto(`${table.url}?view=${id}`);
  await page.getByRole('radio', { name: 'Fill in' }).click();
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await page
    .getByLabel('Add files to Files')
    .setInputFiles({ name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') });
  await expect(page.getByRole('link', { name: 'paper.pdf' })).toBeVisible();
  await page.getByRole('link', { name: 'paper.pdf' }).click();
  await expect(page.getByRole('dialog', { name: 'paper.pdf' }).locator('iframe')).toHaveAttribute(
    'src',
    /\/api\/attachments\/read\/private\/table\/att/,
  );
  await page.getByRole('dialog', { name: 'paper.pdf' }).press('Escape');
  await expect(page.getByRole('dialog', { name: 'paper.pdf' })).toBeHidden();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect.poll(() => namesIn(table, 1)).toEqual(['paper.pdf']);
});

test('a file becomes a table, with the types that were chosen, and what did not fit is told', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  await page.goto(table.url);
  // A new table asks for its name first: the button kept the focus, and Enter after a typed name made a second table.
  await page.getByRole('button', { name: 'New table' }).click();
  await expect(page.getByRole('dialog', { name: 'New table' }).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Clients');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Clients' })).toBeVisible();
  expect((await api.get(`/base/${table.baseId}/table`)).map(({ name }: { name: string }) => name)).toEqual([
    'Tasks',
    'Clients',
  ]);
  await page.getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  await dialog.getByLabel('File to import').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Our people;;\nName;Age;Town;Note\nAda;36;London;x\nGrace;many;"New York";y\n'),
  });
  await expect(dialog.getByRole('cell', { name: 'New York' })).toBeVisible();
  await choose(dialog, 'Column names of people', 'Row 2: Name, Age, Town, Note');
  await expect(dialog.getByRole('combobox', { name: 'Type of Age' })).toHaveText('Text');
  await choose(dialog, 'Type of Age', 'Number');
  await choose(dialog, 'Type of Note', 'Leave out');
  await dialog.getByLabel('Name of column 3').fill('City');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('2 records imported into people. 1 value did not fit and was left out.')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(cell(page, 1, 2)).toHaveText('New York');
  await expect(page.locator('th', { hasText: 'City' })).toBeAttached();
  await expect(page.locator('th', { hasText: 'Note' })).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Show what did not fit' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toBe('\uFEFFRow,Field,Value\r\n4,Age,many');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  // Into the table that is there: a field by its name, a new one, and one that is left out. Then all of it is undone.
  await page.getByRole('button', { name: 'More for people' }).click();
  await page.getByRole('menuitem', { name: 'Import into this table' }).click();
  const into = page.getByRole('dialog', { name: 'Import into people' });
  await into.getByLabel('File to import').setInputFiles({
    name: 'more.json',
    mimeType: 'application/json',
    buffer: Buffer.from('[{"name":"Alan","Born":1912,"Secret":"x"}]'),
  });
  await expect(into.getByRole('combobox', { name: 'Where name goes' })).toHaveText('Name');
  await choose(into, 'Where Secret goes', 'Leave out');
  // What stops it is said, and it goes on when that is out of the way.
  const [, , people] = await api.get(`/base/${table.baseId}/table`);
  const [first] = await api.get(`/table/${people.id}/field`);
  await api.put(`/table/${people.id}/field/${first.id}/convert`, { type: 'singleLineText', unique: true });
  const { records } = await api.post(`/table/${people.id}/record`, { records: [{ fields: { Name: 'Alan' } }] });
  await into.getByRole('button', { name: 'Import', exact: true }).click();
  const stopped = into.getByRole('alert');
  await expect(stopped.getByText('The import stopped: Rows 1 to 1')).toBeVisible();
  await expect(stopped.getByText('No rows were imported.')).toBeVisible();
  await api.delete(`/table/${people.id}/record/${records[0].id}`);
  await stopped.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('1 record imported into people.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Born: no statistic' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Secret: no statistic' })).toHaveCount(0);
  await expect(cell(page, 2, 0)).toHaveText('Alan');
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect(page.getByText('1 record moved to the trash.')).toBeVisible();
  await expect(cell(page, 2, 0)).toHaveCount(0);
});

test('a base of Teable or Airtable is chosen and imported, and a file that is dropped on home or a base becomes a table', async ({
  person: { page },
}) => {
  const teable = await startTeable();
  try {
    await page.goto('/');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByRole('radio', { name: 'Teable' }).click();
    await dialog.getByLabel('Address').fill(teable.url);
    await dialog.getByLabel('Access token').fill('wrong');
    await dialog.getByRole('button', { name: 'Show bases' }).click();
    await expect(dialog.getByText(/refused the key \(401\)/)).toBeVisible();
    await dialog.getByLabel('Access token').fill(teable.token);
    await dialog.getByRole('button', { name: 'Show bases' }).click();
    await expect(dialog.getByRole('combobox', { name: 'Base' })).toHaveText('Answers');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByText('Imported: 4 records in 2 tables.')).toBeVisible();
    const report = dialog.getByRole('region', { name: 'What was left out' });
    await expect(report.getByText('connect it to an automation here; it counts from zero')).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      report.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(
      'People,Press,,connect it to an automation here; it counts from zero',
    );
    await dialog.getByRole('button', { name: 'Open the base' }).click();
    await expect(cell(page, 0, 0)).toHaveText('Ada');
  } finally {
    teable.close();
  }
  const airtable = await startAirtable();
  // The app leads to Airtable itself; its answers come from here.
  await page.route('**/api/base/import-from**', async (route) => {
    const body = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify({ ...body, source: { ...body.source, url: airtable.url } }) });
  });
  try {
    await page.goto('/');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByRole('radio', { name: 'Airtable' }).click();
    await dialog.getByLabel('Personal access token').fill(airtable.key);
    await dialog.getByRole('button', { name: 'Show bases' }).click();
    await expect(dialog.getByRole('combobox', { name: 'Base' })).toHaveText('Building');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByText('Imported: 4 records in 2 tables.')).toBeVisible();
    await expect(
      dialog.getByRole('region', { name: 'What was left out' }).getByText('people became their names'),
    ).toBeVisible();
    await dialog.getByRole('button', { name: 'Open the base' }).click();
    await expect(cell(page, 0, 0)).toHaveText('House');
  } finally {
    airtable.close();
  }
  // On a base.
  await dropOn(
    page,
    page.getByRole('complementary', { name: 'Tables and views' }),
    'towns.csv',
    'Town,Size,Country,River,Height,Founded,Mayor,Twin\nUlm,1\n',
  );
  const sheet = page.getByRole('dialog', { name: 'Import a file' });
  await expect(sheet.getByRole('cell', { name: 'Ulm' })).toBeVisible();
  // Its table scrolls, the dialog does not: labels for screen readers made it as wide as the table, and a column that got the focus pushed the rest out of sight.
  await sheet.getByRole('combobox', { name: 'Type of Twin' }).focus();
  expect(await page.evaluate<number>("document.querySelector('[role=dialog]').scrollLeft")).toBe(0);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  // On home: into a new base.
  await page.goto('/');
  // Before the spaces are there a file has no place to go to.
  await expect(page.getByRole('link', { name: 'Building' })).toBeVisible();
  await dropOn(page, page.getByRole('main'), 'rivers.csv', 'River,Length\nDanube,2850\n');
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await expect(dialog.getByText('rivers.csv')).toBeVisible();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(sheet.getByRole('cell', { name: 'Danube' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('1 record imported into rivers.')).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('Danube');
});

test('a base is saved as a file and comes back from it', async ({ person: { page, api } }) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  await page.goto('/');
  const { baseId } = table;
  const card = page
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href*="${baseId}"]`) })
    .first();
  await card.getByRole('button', { name: /^More for/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as a file' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.rowhouse$/);
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Import a base' }).click(),
  ]);
  await chooser.setFiles(await download.path());
  await expect(cell(page, 0, 0)).toHaveText('Alpha');
  expect(page.url()).not.toContain(baseId);
});
