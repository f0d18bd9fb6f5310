// The editors of the field types, and edits that the server refuses or does not hear.
import { expect, newPerson, test } from '../support/browser.ts';
import { cell, clickGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';

test('people, ratings and dates have editors of their own', async ({ person }) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
      { name: 'Stars', type: 'rating' },
      { name: 'Due', type: 'date' },
      {
        name: 'Start',
        type: 'date',
        options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' } },
      },
      { name: 'Notes', type: 'longText' },
    ],
    [{ Name: 'Alpha' }],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'Enter');
  await page.getByRole('combobox', { name: 'Owner' }).fill(person.name.slice(0, 5));
  await page.keyboard.press('Enter');
  await expect(cell(page, 0, 1)).toHaveText(person.name);

  await press(page, 'ArrowRight', 'Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
  await expect.poll(async () => (await table.records())[0]).toMatchObject({ Stars: 3 });

  await clickGrid(page, 52 + 220 + 180 + 150 + 60, 52);
  await press(page, 'Enter');
  await page.locator('#portal input').fill('2026-03-04');
  await press(page, 'Tab');
  await expect(cell(page, 0, 3)).toHaveText('2026-03-04');
  await press(page, 'Enter');
  await page.locator('#portal input').fill('2026-07-01T09:30');
  await press(page, 'Tab');
  await expect(cell(page, 0, 4)).toHaveText('2026-07-01 09:30');

  await page.keyboard.type('First line');
  await press(page, 'Shift+Enter');
  await page.keyboard.type('second');
  await press(page, 'Enter');
  await expect
    .poll(async () => (await table.records())[0])
    .toMatchObject({
      Owner: { title: person.name },
      Stars: 3,
      Due: '2026-03-04T00:00:00.000Z',
      Start: '2026-07-01T07:30:00.000Z',
      Notes: 'First line\nsecond',
    });

  // The calendar beside a date writes the day that is chosen; what cannot be read stays and is explained.
  await press(page, 'ArrowUp', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
  await page.getByRole('grid', { name: 'March 2026' }).getByRole('gridcell', { name: '17', exact: true }).click();
  await expect.poll(async () => (await table.records())[0]?.['Due']).toBe('2026-03-17T00:00:00.000Z');
  await page.keyboard.type('some day');
  await press(page, 'Enter');
  await expect(cell(page, 0, 3)).toHaveText('some day');
  await expect(page.getByText('“some day” is not a date.')).toBeVisible();
  expect((await table.records())[0]).toMatchObject({ Due: '2026-03-17T00:00:00.000Z' });
});

test('what the server refuses stays in the cell and in its editor, with the reason', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [{ name: 'Name', type: 'singleLineText', unique: true }],
    [{ Name: 'Alpha' }, { Name: 'Beta' }],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowDown');
  await page.keyboard.type('Alpha');
  await press(page, 'Enter');
  await expect(page.getByText('The server did not accept the change.')).toBeVisible();
  await expect(cell(page, 1, 0)).toHaveText('Alpha');
  expect(await table.records()).toEqual([{ Name: 'Alpha' }, { Name: 'Beta' }]);
  await clickGrid(page, 120, 86);
  await press(page, 'Enter');
  await expect(page.locator('#portal input')).toHaveValue('Alpha');
  await expect(page.locator('#portal').getByRole('alert')).toBeVisible();
  await page.locator('#portal input').fill('Alpha two');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([{ Name: 'Alpha' }, { Name: 'Alpha two' }]);
});

test('edits made while the server is gone are shown, kept and sent when it is back', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }, { Name: 'Beta' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.context().setOffline(true);
  await page.keyboard.type('Offline one');
  await press(page, 'Enter');
  await page.keyboard.type('Offline two');
  await press(page, 'Enter');
  await expect(page.getByText('The server cannot be reached.')).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('Offline one');
  await expect(cell(page, 1, 0)).toHaveText('Offline two');
  // Leaving the page would lose them: it is asked whether that is meant.
  const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await page.context().setOffline(false);
  await expect.poll(table.records).toEqual([{ Name: 'Offline one' }, { Name: 'Offline two' }]);
  await expect(page.getByText('The server cannot be reached.')).toBeHidden();
});

test('a cell that somebody else changed meanwhile is not overwritten: both values are shown, and one is chosen', async ({
  person: { page, api, name },
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Notes', type: 'longText' },
    ],
    [{ Name: 'Alpha', Notes: 'one\ntwo' }, { Name: 'Beta' }],
  );
  const ids = (await api.get(`/table/${table.tableId}/record`)).records.map(({ id }: { id: string }) => id);
  /** Somebody else, who sees nothing of this page. */
  const write = (row: number, fields: Record<string, unknown>): Promise<unknown> =>
    api.patch(`/table/${table.tableId}/record/${ids[row]}`, { record: { fields } });
  const notes = page.locator('[aria-live=polite]').last();
  // The person has another window, by the name that the history has.
  const note = (of: string) => notes.getByText(new RegExp(`^${name} changed ${of}, too, .+\\.$`, 'i'));
  await page.goto(table.url);
  await selectFirstCell(page);

  // Both type into the same cell, and the other is done first.
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type(' mine');
  await write(0, { Name: 'Alpha theirs' });
  await page.keyboard.press('Enter');
  await expect(note('Name')).toBeVisible();
  await expect(notes).toContainText('YoursAlpha mineTheirsAlpha theirs');
  await expect(cell(page, 0, 0)).toHaveText('Alpha mine');
  expect((await table.records())[0]).toMatchObject({ Name: 'Alpha theirs' });
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(async () => (await table.records())[0]).toMatchObject({ Name: 'Alpha mine' });
  await expect(page.getByRole('button', { name: 'Keep mine' })).toBeHidden();

  // An answer is lost after it was written, and somebody writes into the cell before it is sent again.
  let isLost = false;
  await page.route('**/api/table/*/record', async (route) => {
    if (route.request().method() !== 'PATCH' || isLost) return route.fallback();
    isLost = true;
    await route.fetch();
    await write(1, { Name: 'Beta theirs' });
    await route.abort('connectionreset');
  });
  await press(page, 'ArrowUp', 'ArrowDown');
  await page.keyboard.type('Gamma');
  await press(page, 'Enter');
  await expect(cell(page, 1, 0)).toHaveText('Beta theirs');
  expect((await table.records())[1]).toMatchObject({ Name: 'Beta theirs' });

  // Without a network: a text is merged, and a paste asks.
  await selectFirstCell(page);
  await page.context().setOffline(true);
  await press(page, 'ArrowRight', 'Enter');
  await page.keyboard.type(' mine');
  await press(page, 'Tab', 'Home');
  await page.keyboard.type('offline');
  await press(page, 'Enter');
  await write(0, { Name: 'Zeta', Notes: 'zero\none\ntwo' });
  await page.context().setOffline(false);
  await expect.poll(async () => (await table.records())[0]).toEqual({ Name: 'Zeta', Notes: 'zero\none\ntwo mine' });
  await expect(notes).toContainText('Both changes were kept.');
  await expect(note('Name')).toBeVisible();
  await page.getByRole('button', { name: 'Keep theirs' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Zeta');
  expect((await table.records())[0]).toMatchObject({ Name: 'Zeta' });
});

test('a long text is written on the whole screen, with headings, lists and links, and kept as Markdown', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Notes', type: 'longText' },
    ],
    [{ Name: 'Alpha', Notes: 'Plan' }],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Expand' }).click();
  const editor = page.getByRole('dialog', { name: 'Notes' });
  await editor.getByRole('button', { name: 'Heading' }).click();
  await editor.getByRole('textbox', { name: 'Notes' }).press('End');
  await page.keyboard.type('\n- [site](https://example.com)\n- <b>no</b> [x](javascript:1)');
  const preview = editor.getByRole('document', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Plan' })).toBeVisible();
  await expect(preview.getByRole('link')).toHaveAttribute('href', 'https://example.com');
  await expect(preview.getByRole('listitem').last()).toHaveText('<b>no</b> [x](javascript:1)');
  await editor.getByRole('button', { name: 'Done' }).click();
  await expect
    .poll(async () => (await table.records())[0]?.['Notes'])
    .toBe('## Plan\n- [site](https://example.com)\n- <b>no</b> [x](javascript:1)');
  // Where it is only glanced at, without the marks; copied with them.
  await expect(cell(page, 0, 1)).toHaveText('Plan • site • <b>no</b> [x](javascript:1)');
  await page.keyboard.press('Escape');
  await clickGrid(page, 52 + 220 + 60, 52);
  await press(page, 'Control+c');
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('- [site](https://example.com)');
});

test('chosen records are edited together: one request, one undo, refused fields are named, and viewers are not offered it', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Count', type: 'number' },
      {
        name: 'Status',
        type: 'singleSelect',
        options: { choices: ['To do', 'Done'].map((name) => ({ name, color: 'blue' })) },
      },
      { name: 'Done', type: 'checkbox' },
      { name: 'Code', type: 'singleLineText', unique: true },
    ],
    [
      { Name: 'Alpha', Count: 1, Status: 'To do', Code: 'a' },
      { Name: 'Beta', Count: 2, Status: 'To do', Code: 'b' },
      { Name: 'Gamma', Count: 3, Status: 'Done', Done: true, Code: 'c' },
    ],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  // By keyboard alone.
  await press(page, 'Shift+ArrowDown', 'Control+e');
  const dialog = page.getByRole('dialog', { name: 'Edit 2 records' });
  await expect(dialog.getByLabel('Count', { exact: true })).toHaveText('Several values');
  await expect(dialog.getByLabel('Status', { exact: true })).toHaveText('To do');
  await dialog.getByLabel('Count', { exact: true }).press('Enter');
  await page.keyboard.type('many');
  await dialog.getByLabel('Code', { exact: true }).press('Enter');
  await page.keyboard.type('z');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('“many” is not a number')).toBeVisible();
  await dialog.getByLabel('Count', { exact: true }).fill('7');
  await dialog.getByLabel('Done', { exact: true }).check();
  await dialog.getByRole('button', { name: 'Update 2 records' }).click();
  await expect(dialog.getByRole('alert')).toContainText('"Code" must be unique');
  await expect(dialog.getByRole('alert')).toHaveCount(1);
  expect((await table.records()).map((record) => record['Count'])).toEqual([1, 2, 3]);
  await dialog.getByRole('button', { name: 'Leave Code unchanged' }).click();
  const requests: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && requests.push(request.url()));
  await dialog.getByRole('button', { name: 'Update 2 records' }).click();
  await expect(dialog).toBeHidden();
  const state = async () => (await table.records()).map((record) => [record['Count'], record['Done'], record['Code']]);
  await expect.poll(state).toEqual([
    [7, true, 'a'],
    [7, true, 'b'],
    [3, true, 'c'],
  ]);
  expect(requests).toHaveLength(1);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(state).toEqual([
    [1, undefined, 'a'],
    [2, undefined, 'b'],
    [3, true, 'c'],
  ]);
  const viewer = await newPerson(browser, 'kim');
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [viewer.email], role: 'viewer' });
  await viewer.page.goto(table.url);
  await selectFirstCell(viewer.page);
  await press(viewer.page, 'Shift+Space');
  const bar = viewer.page.getByRole('toolbar', { name: 'Selected records' });
  await expect(bar).toContainText('1 selected');
  await expect(bar.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  await viewer.leave();
});
