// Nothing is written where nobody meant it: a selection and an edit belong to a record and a field, whatever moves.
import type { Page } from '@playwright/test';
import { expect, newPerson, type Person, test } from '../support/browser.ts';
import {
  cell,
  clickGrid,
  copyText,
  newTable,
  press,
  selectFirstCell,
  type TestTable,
} from '../support/browser-table.ts';

const name = { name: 'Name', type: 'singleLineText' };
const count = { name: 'Count', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } };
const status = { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } };
const date = (format: string, time = 'None', timeZone = 'UTC') => ({
  type: 'date',
  options: { formatting: { date: format, time, timeZone } },
});

const viewOf = async ({ api }: Person, table: TestTable): Promise<string> =>
  (await api.get(`/table/${table.tableId}/view`))[0].id;
const sortBy = async (person: Person, table: TestTable, field: string): Promise<void> => {
  await person.api.put(`/table/${table.tableId}/view/${await viewOf(person, table)}/sort`, {
    sort: { sortObjs: [{ fieldId: table.fieldId(field), order: 'asc' }] },
  });
};
const filterBy = async (person: Person, table: TestTable, ...filterSet: object[]): Promise<void> => {
  await person.api.put(`/table/${table.tableId}/view/${await viewOf(person, table)}/filter`, {
    filter: { conjunction: 'and', filterSet },
  });
};

const type = async (page: Page, text: string, then: string): Promise<void> => {
  await page.keyboard.type(text);
  await press(page, then);
};

/** Someone else who may edit the same table. */
const join = async (person: Person, browser: Parameters<typeof newPerson>[0]): Promise<Person> => {
  const [space] = await person.api.get('/space');
  const kim = await newPerson(browser, 'kim');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'editor' });
  return kim;
};

test('in a sorted view the row that is edited stays until it is left, and what follows goes to the same record', async ({
  person,
}) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [name, count],
    ['Alpha', 'Beta', 'Gamma'].map((Name) => ({ Name })),
  );
  await sortBy(person, table, 'Name');
  await page.goto(table.url);
  await selectFirstCell(page);
  await type(page, 'Zeta', 'Tab');
  await expect(page.getByText('Moves when you leave')).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('Zeta');
  await type(page, '7', 'Enter');
  await expect.poll(table.records).toEqual([{ Name: 'Zeta', Count: 7 }, { Name: 'Beta' }, { Name: 'Gamma' }]);
  // Left: it goes where it belongs, and the selection is on the record that stood below it.
  await expect(cell(page, 2, 0)).toHaveText('Zeta');
  await expect(page.getByText('Moves when you leave')).toBeHidden();
  await expect(cell(page, 0, 0)).toHaveText('Beta');
  await expect(cell(page, 0, 1)).toHaveAttribute('aria-selected', 'true');
  await type(page, '8', 'Enter');
  await expect.poll(table.records).toEqual([{ Name: 'Zeta', Count: 7 }, { Name: 'Beta', Count: 8 }, { Name: 'Gamma' }]);
});

test('a record that others move or surround keeps the selection and what is typed', async ({ person, browser }) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [name, count],
    ['Alpha', 'Beta', 'Gamma'].map((Name) => ({ Name })),
  );
  await sortBy(person, table, 'Name');
  const kim = await join(person, browser);
  const records = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowDown', 'ArrowRight');
  // Kim deletes the row above; what is typed then still goes to Beta.
  await kim.api.delete(`/table/${table.tableId}/record/${records[0].id}`);
  await expect(cell(page, 0, 0)).toHaveText('Beta');
  await expect(cell(page, 0, 1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('1');
  // While the editor is open a row comes above, and Beta itself is renamed.
  await kim.api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Aardvark' } }] });
  await expect(cell(page, 0, 0)).toHaveText('Aardvark');
  await kim.api.patch(`/table/${table.tableId}/record/${records[1].id}`, { record: { fields: { Name: 'Zulu' } } });
  await expect(cell(page, 1, 0)).toHaveText('Zulu');
  await page.keyboard.type('2');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([{ Name: 'Zulu', Count: 12 }, { Name: 'Gamma' }, { Name: 'Aardvark' }]);
  await kim.leave();
});

test('what is typed into a record that someone deletes is kept and offered, and nothing is written elsewhere', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [name],
    ['Alpha', 'Beta', 'Gamma'].map((Name) => ({ Name })),
  );
  const kim = await join(person, browser);
  const records = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowDown');
  await page.keyboard.type('My long');
  await kim.api.delete(`/table/${table.tableId}/record/${records[1].id}`);
  await expect(page.getByText('Deleted by someone else')).toBeVisible();
  await expect(page.locator('#portal input')).toHaveValue('My long');
  await page.keyboard.type(' text');
  await press(page, 'Enter');
  await expect(page.getByText('This record was deleted. Your change wasn’t saved.')).toBeVisible();
  await expect(page.getByText('“My long text”')).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'Alpha' }, { Name: 'Gamma' }]);
  await page.getByRole('button', { name: 'Restore record with my change' }).click();
  await expect.poll(table.records).toEqual([{ Name: 'Alpha' }, { Name: 'My long text' }, { Name: 'Gamma' }]);

  // The panel of a record says so too, and writes what was typed when it is closed.
  await page.goto(`${table.url}?record=${records[0].id}`);
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByLabel('Name').fill('Alpha by panel');
  await press(page, 'Escape');
  await expect.poll(async () => (await table.records())[0]).toEqual({ Name: 'Alpha by panel' });
  await page.goto(`${table.url}?record=${records[2].id}`);
  await expect(panel.getByRole('heading', { name: 'Gamma' })).toBeVisible();
  await kim.api.delete(`/table/${table.tableId}/record/${records[2].id}`);
  await expect(panel.getByRole('alert')).toContainText('This record was deleted.');
  await expect(panel.locator('input')).toHaveCount(0);
  await kim.leave();
});

test('what one deletes oneself in another window is not said to be deleted by someone else, and what is being typed stays', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [name],
    ['Alpha', 'Beta', 'Gamma'].map((Name) => ({ Name })),
  );
  const [, beta] = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowDown');
  await page.keyboard.type('My long');
  // As the same person would in another window.
  await api.delete(`/table/${table.tableId}/record/${beta.id}`);
  const mark = page.getByRole('status').filter({ hasText: 'Deleted' });
  await expect(mark).toHaveText('Deleted');
  await expect(page.locator('#portal input')).toHaveValue('My long');
  await page.keyboard.type(' text');
  await press(page, 'Enter');
  await expect(page.getByText('“My long text”')).toBeVisible();
  await page.getByRole('button', { name: 'Restore record with my change' }).click();
  await expect.poll(table.records).toEqual([{ Name: 'Alpha' }, { Name: 'My long text' }, { Name: 'Gamma' }]);
});

test('an undo that deletes a record is refused once somebody else has changed it, and keeps what they type into it', async ({
  person,
  browser,
}) => {
  const { page, api } = person;
  const table = await newTable(api, [name], [{ Name: 'Alpha' }]);
  const kim = await join(person, browser);
  const add = async (text: string): Promise<string> => {
    await page.getByRole('button', { name: 'New record' }).click();
    await panel(page).getByLabel('Name').fill(text);
    await press(page, 'Escape');
    await expect.poll(async () => (await table.records()).at(-1)).toEqual({ Name: text });
    return (await api.get(`/table/${table.tableId}/record`)).records.at(-1).id;
  };
  const panel = (of: Page) => of.getByRole('complementary', { name: 'Record' });
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');

  // What somebody else has written is not deleted with it: neither their value is undone, nor the record that they wrote it into.
  const changed = await add('Beta');
  await kim.api.patch(`/table/${table.tableId}/record/${changed}`, { record: { fields: { Name: 'Beta of Kim' } } });
  await expect(cell(page, 1, 0)).toHaveText('Beta of Kim');
  const refusal = page.getByText('It was not undone. Someone changed this since.');
  await press(page, 'Control+z');
  await expect(refusal).toBeVisible();
  await press(page, 'Control+z');
  await expect(page.getByText('Someone else has changed a record that this would delete')).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'Alpha' }, { Name: 'Beta of Kim' }]);

  // Somebody who has it open is told, and what they are typing is offered to them.
  await page.getByRole('button', { name: 'New record', exact: true }).click();
  await expect(panel(page).getByLabel('Name')).toBeFocused();
  await press(page, 'Escape');
  await kim.page.goto(table.url);
  await expect(cell(kim.page, 1, 0)).toHaveText('Beta of Kim');
  await selectFirstCell(kim.page);
  await press(kim.page, 'ArrowDown', 'ArrowDown', 'Space');
  await expect(panel(kim.page).getByRole('heading', { name: 'Unnamed record' })).toBeVisible();
  await panel(kim.page).getByLabel('Name').fill('Gamma of Kim');
  await press(page, 'Control+z');
  await expect(panel(kim.page).getByRole('alert')).toContainText('This record was deleted.');
  await expect(kim.page.getByText('This record was deleted. Your change wasn’t saved.')).toBeVisible();
  await expect(kim.page.getByText('“Gamma of Kim”')).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'Alpha' }, { Name: 'Beta of Kim' }]);
  await kim.page.getByRole('button', { name: 'Restore record with my change' }).click();
  await expect(cell(page, 2, 0)).toHaveText('Gamma of Kim');
  await kim.leave();
});

test('a field that someone hides, moves or converts while its cell is edited still gets what is typed; a deleted one gives it back', async ({
  person,
}) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [name, count, { name: 'Notes', type: 'singleLineText' }],
    [{ Name: 'Alpha' }, { Name: 'Beta', Notes: '5' }],
  );
  const view = await viewOf(person, table);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'ArrowRight');
  await page.keyboard.type('for');
  await api.put(`/table/${table.tableId}/view/${view}/column-meta`, [
    { fieldId: table.fieldId('Count'), columnMeta: { hidden: true } },
  ]);
  await expect(page.locator('th', { hasText: 'Count' })).toHaveCount(0);
  await page.keyboard.type(' notes');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([
    { Name: 'Alpha', Notes: 'for notes' },
    { Name: 'Beta', Notes: '5' },
  ]);
  await press(page, 'ArrowUp');
  await page.keyboard.type('17');
  await api.put(`/table/${table.tableId}/field/${table.fieldId('Notes')}/convert`, {
    type: 'number',
    options: { formatting: { type: 'decimal', precision: 2 } },
  });
  await expect(cell(page, 1, 1)).toHaveText('5.00');
  await press(page, 'Enter');
  await expect.poll(table.records).toEqual([
    { Name: 'Alpha', Notes: 17 },
    { Name: 'Beta', Notes: 5 },
  ]);
  await press(page, 'ArrowUp');
  await page.keyboard.type('99');
  await api.delete(`/table/${table.tableId}/field/${table.fieldId('Notes')}`);
  await expect(page.locator('th', { hasText: 'Notes' })).toHaveCount(0);
  await press(page, 'Enter');
  await expect(page.getByText('This field was deleted. Your change wasn’t saved.')).toBeVisible();
  await expect(page.getByText('“99”')).toBeVisible();
  expect(await table.records()).toEqual([{ Name: 'Alpha' }, { Name: 'Beta' }]);
});

test('a new record in a filtered view gets what the filter determines, or stays in sight until it is left', async ({
  person,
}) => {
  const { page, api } = person;
  const table = await newTable(
    api,
    [name, status, count],
    [
      { Name: 'Alpha', Status: 'open', Count: 5 },
      { Name: 'Beta', Status: 'done' },
    ],
  );
  await filterBy(person, table, { fieldId: table.fieldId('Status'), operator: 'is', value: 'open' });
  await page.goto(table.url);
  await selectFirstCell(page);
  // Also when the server takes longer to make it than a person to type.
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/record', async (route) => {
    await held;
    await route.continue();
  });
  await clickGrid(page, 120, 36 + 34 + 17);
  await expect(cell(page, 1, 0)).toHaveAttribute('aria-selected', 'true');
  await type(page, 'Gamma', 'Enter');
  goOn();
  await expect.poll(table.records).toEqual([
    { Name: 'Alpha', Status: 'open', Count: 5 },
    { Name: 'Beta', Status: 'done' },
    { Name: 'Gamma', Status: 'open' },
  ]);
  await expect(cell(page, 1, 0)).toHaveText('Gamma');
  // The button above the table does the same, and what is typed then is the first field.
  await page.getByRole('button', { name: 'New record' }).click();
  await expect(page.getByRole('complementary', { name: 'Record' }).getByLabel('Name')).toBeFocused();
  await type(page, 'By button', 'Tab');
  await press(page, 'Escape');
  await expect.poll(async () => (await table.records())[3]).toEqual({ Name: 'By button', Status: 'open' });
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(table.records).toHaveLength(3);

  await filterBy(person, table, { fieldId: table.fieldId('Count'), operator: 'isGreater', value: 1 });
  await expect(cell(page, 1, 0)).toHaveCount(0);
  await clickGrid(page, 120, 36 + 34 + 17);
  await expect(cell(page, 1, 0)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Does not match the filter')).toBeVisible();
  await type(page, 'Delta', 'Tab');
  await expect(cell(page, 1, 0)).toHaveText('Delta');
  await press(page, 'ArrowRight');
  await type(page, '2', 'Tab');
  await expect(page.getByText('Does not match the filter')).toBeHidden();
  await press(page, 'ArrowUp');
  await expect(cell(page, 1, 0)).toHaveText('Delta');
  expect(await table.records()).toEqual([
    { Name: 'Alpha', Status: 'open', Count: 5 },
    { Name: 'Beta', Status: 'done' },
    { Name: 'Gamma', Status: 'open' },
    { Name: 'Delta', Count: 2 },
  ]);
  // What does not match goes when it is left, and is not lost.
  await press(page, 'ArrowDown', 'Delete');
  await expect(page.getByText('Does not match the filter')).toBeVisible();
  await press(page, 'ArrowUp');
  await expect(cell(page, 1, 0)).toHaveCount(0);
  expect(await table.records()).toHaveLength(4);
  // The keys still lead on, although the cell that had the focus is gone.
  await press(page, 'Home');
  await type(page, 'Omega', 'Enter');
  await expect(cell(page, 0, 0)).toHaveText('Omega');
});

test('new records that the cursor leaves at once stay where they were made', async ({ person: { page, api } }) => {
  const table = await newTable(api, [name, count], [{ Name: 'Alpha' }, { Name: 'Beta' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/record', async (route) => {
    await held;
    await route.continue();
  });
  const names = () =>
    page.evaluate<string[]>("[...document.querySelectorAll('[id^=glide-cell-1-]')].map((cell) => cell.textContent)");
  // One below the other, and none of them is there on the server yet.
  await press(page, 'Shift+Enter', 'Shift+Enter', 'ArrowDown');
  await expect.poll(names).toEqual(['Alpha', '', '', 'Beta']);
  await clickGrid(page, 120, 36 + 34 + 17);
  await type(page, 'First', 'ArrowDown');
  await clickGrid(page, 120, 36 + 2 * 34 + 17);
  await type(page, 'Second', 'Enter');
  await expect.poll(names).toEqual(['Alpha', 'First', 'Second', 'Beta']);
  goOn();
  await expect
    .poll(table.records)
    .toEqual([{ Name: 'Alpha' }, { Name: 'Beta' }, { Name: 'First' }, { Name: 'Second' }]);
  await expect.poll(names).toEqual(['Alpha', 'First', 'Second', 'Beta']);
});

test('Delete on ticked rows deletes the records in one request, and comes back in one step', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [name, count],
    ['Alpha', 'Beta', 'Gamma', 'Delta'].map((Name, index) => ({ Name, Count: index })),
  );
  const before = await api.get(`/table/${table.tableId}/record`);
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/(record|selection|undo-redo)\//.test(request.url()))
      writes.push(request.method());
  });
  await page.goto(table.url);
  await selectFirstCell(page);
  for (const row of [0, 1, 3]) await clickGrid(page, 26, 36 + row * 34 + 17);
  await press(page, 'Delete');
  await expect(page.getByText('3 records deleted')).toBeVisible();
  await expect.poll(table.records).toEqual([{ Name: 'Gamma', Count: 2 }]);
  expect(writes).toHaveLength(1);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => api.get(`/table/${table.tableId}/record`)).toEqual(before);
  expect(writes).toHaveLength(2);
});

test('copied cells carry their full values to our cells, and formatted text to other programs', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [
      name,
      count,
      { ...count, name: 'Other' },
      { name: 'At', ...date('YYYY-MM-DD') },
      { name: 'Then', ...date('D/M/YYYY', 'HH:mm') },
    ],
    [{ Name: 'Alpha', Count: 1.5, At: '2026-03-04T09:30:15.250Z' }, { Name: 'Beta' }],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight', 'Control+c', 'ArrowRight', 'Control+v');
  await expect.poll(async () => (await table.records())[0]?.['Other']).toBe(1.5);
  await press(page, 'ArrowRight', 'Control+c', 'ArrowRight', 'Control+v');
  await expect.poll(async () => (await table.records())[0]?.['Then']).toBe('2026-03-04T09:30:15.250Z');
  // A single cell is seen, and needs no words.
  await expect(page.getByText(/pasted/)).toHaveCount(0);
  await press(page, 'Home', 'Shift+End', 'Control+c');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Alpha\t2\t2\t2026-03-04\t4/3/2026 09:30');
  await press(page, 'Home', 'ArrowDown', 'Control+v');
  await expect.poll(async () => (await table.records())[1]).toEqual((await table.records())[0]);
  await expect(page.getByText('5 cells pasted.')).toBeVisible();
  // Text of another program is read as text.
  await copyText(page, '7');
  await press(page, 'ArrowRight', 'Control+v');
  await expect.poll(async () => (await table.records())[1]?.['Count']).toBe(7);
});

test('what is selected is copied, cut and emptied as a whole, also where it is not loaded, and nothing else is', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [name, count]);
  await api.post(`/table/${table.tableId}/record`, {
    records: Array.from({ length: 1_500 }, (_item, index) => ({ fields: { Name: `Row ${index}`, Count: index + 1 } })),
  });
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/(record|selection)/.test(request.url()))
      writes.push(new URL(request.url()).pathname.split('/').slice(4).join('/'));
  });
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'Control+a', 'Control+c');
  await expect
    .poll(async () => String(await page.evaluate('navigator.clipboard.readText()')).split('\n').length)
    .toBe(1_500);
  expect(String(await page.evaluate('navigator.clipboard.readText()')).split('\n')[1_234]).toBe('Row 1234\t1235');

  // All rows but the last, ticked with Shift: most of them were never seen.
  await press(page, 'Escape');
  await clickGrid(page, 26, 36 + 17);
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.locator('.dvn-scroller').evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(cell(page, 1_499, 0)).toHaveText('Row 1499');
  const height = (await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox())?.height ?? 0;
  await page.keyboard.down('Shift');
  await clickGrid(page, 26, height - 17 - 2 * 34);
  await page.keyboard.up('Shift');
  await expect(page.getByText('1,499 selected')).toBeVisible();
  await press(page, 'Control+x');
  const states = async (): Promise<unknown[]> => {
    const { records } = await api.get(`/table/${table.tableId}/record?take=2000`);
    return [
      records.filter(({ fields }: { fields: object }) => Object.keys(fields).length === 0).length,
      records.at(-1).fields,
    ];
  };
  await expect.poll(states).toEqual([1_499, { Name: 'Row 1499', Count: 1_500 }]);
  expect(
    String(await page.evaluate('navigator.clipboard.readText()'))
      .split('\n')
      .at(-1),
  ).toBe('Row 1498\t1499');
  await press(page, 'Control+z');
  await expect.poll(states).toEqual([0, { Name: 'Row 1499', Count: 1_500 }]);

  // A whole column, in one request: of all records that the filter of the view lets through.
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/filter`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: table.fieldId('Count'), operator: 'isLess', value: 1_400 }] },
  });
  await expect(page.getByText('1,399 records', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('1,499 selected')).toBeHidden();
  await page.locator('.dvn-scroller').evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(cell(page, 0, 0)).toHaveText('Row 0');
  writes.length = 0;
  await clickGrid(page, 52 + 40, 18);
  await press(page, 'Delete');
  await expect(page.getByText('1,399 records: Name emptied')).toBeVisible();
  expect(writes).toEqual(['selection/clear']);
  const left = async (): Promise<number> =>
    (await api.get(`/table/${table.tableId}/record?take=2000&ignoreViewQuery=true`)).records.filter(
      ({ fields }: { fields: Record<string, unknown> }) => fields['Name'] !== undefined,
    ).length;
  expect(await left()).toBe(101);
  await press(page, 'Control+z');
  await expect.poll(left).toBe(1_500);
});
