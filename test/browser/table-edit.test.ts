// The editors of the field types, and edits that the server refuses or does not hear.
import { expect, test } from '../support/browser.ts';
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
  await expect(notes).toContainText('Both changes are in it.');
  await expect(note('Name')).toBeVisible();
  await page.getByRole('button', { name: 'Keep theirs' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Zeta');
  expect((await table.records())[0]).toMatchObject({ Name: 'Zeta' });
});
