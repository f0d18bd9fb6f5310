import { choose, escape, expect, newPerson, test } from '../support/browser.ts';
import { cell, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
];

test('a view is filtered and sorted, and stays so', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Count', type: 'number' },
    ],
    [
      { Name: 'Pear', Count: 2 },
      { Name: 'Apple', Count: 3 },
      { Name: 'Plum', Count: 1 },
    ],
  );
  await page.goto(table.url);
  await selectFirstCell(page);

  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  await page.getByRole('button', { name: 'Add sort field' }).click();
  await expect(cell(page, 0, 0)).toHaveText('Apple');
  await escape(page);

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await choose(page, 'Field of condition 1', 'Count');
  await choose(page, 'Operator of condition 1', '<');
  await page.getByLabel('Value', { exact: true }).fill('3');
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(cell(page, 1, 0)).toHaveText('Plum');

  await page.reload();
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(page.getByRole('button', { name: '1 filter' })).toBeVisible();

  // Whatever is set, no tool is cut off at the end of the line.
  const view = `/table/${table.tableId}/view/${(await api.get(`/table/${table.tableId}/view`))[0].id}`;
  const [, count] = await api.get(`/table/${table.tableId}/field`);
  await api.put(`${view}/group`, { group: [{ fieldId: count.id, order: 'asc' }] });
  await expect(page.getByRole('button', { name: /^Grouped by/ })).toBeVisible();
  const cutOff = `(() => { const [tools] = document.querySelectorAll('[role=toolbar] > div'); return tools.scrollWidth - tools.clientWidth; })()`;
  for (const width of [1_024, 1_100, 1_280, 1_440]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole('button', { name: 'Height' })).toBeInViewport();
    await expect.poll(() => page.evaluate(cutOff), String(width)).toBe(0);
  }

  // Words are left out one by one: first those of what is no tool, then of tools that nothing is set behind.
  const tools = page.getByRole('toolbar', { name: 'View' });
  const words = tools.locator('[data-word]').filter({ visible: true });
  const set = ['1 filter', 'Grouped by 1', 'Sorted by 1'];
  await page.setViewportSize({ width: 1_600, height: 800 });
  await expect(words).toHaveText(['Fields', ...set, 'Colour', 'Height', 'Search', 'History', 'Share']);
  for (const [width, least] of [
    [1_440, ['Fields', ...set, 'Colour', 'Height']],
    [1_280, ['Fields', ...set]],
    [1_100, set.slice(0, 2)],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    for (const word of least) await expect(words.filter({ hasText: word }), `${word} at ${width}`).toHaveCount(1);
  }
});

test('a search leads from place to place, and the end of a long table is a key away', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }]);
  await api.post(`/table/${table.tableId}/record`, {
    records: Array.from({ length: 5_000 }, (_item, index) => ({
      fields: { Name: `Row ${index + 1}${index % 2_000 === 1_500 ? ' needle' : ''}` },
    })),
  });
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'Control+End');
  await expect(cell(page, 4_999, 0)).toHaveText('Row 5000');

  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByLabel('Search in this view').fill('needle');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expect(cell(page, 1_500, 0)).toHaveText('Row 1501 needle');
  await page.keyboard.press('Enter');
  await expect(cell(page, 3_500, 0)).toHaveText('Row 3501 needle');
});

test('a search leads to the record that it found, wherever it stands by now', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    [{ name: 'Name', type: 'singleLineText' }],
    ['Alpha', 'Beta', 'Gamma needle', 'Delta', 'Epsilon needle'].map((Name) => ({ Name })),
  );
  const ids: string[] = (await api.get(`/table/${table.tableId}/record`)).records.map(({ id }: { id: string }) => id);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'Control+f');
  await page.keyboard.type('needle');
  await expect(cell(page, 2, 0)).toHaveAttribute('aria-selected', 'true');
  // Its places follow the records, and nobody is led away meanwhile.
  await api.delete(`/table/${table.tableId}/record/${ids[0]}`);
  await expect(cell(page, 1, 0)).toHaveText('Gamma needle');
  await expect(cell(page, 1, 0)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(cell(page, 3, 0)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('2 of 2')).toBeVisible();
  // The rows are older than what the search says: the record is found in them all the same, and followed.
  await escape(page);
  let resume = (): void => undefined;
  const resumed = new Promise<void>((resolve) => (resume = resolve));
  await page.route(/\/record\?/, (route) => resumed.then(() => route.continue()));
  await api.delete(`/table/${table.tableId}/record/${ids[1]}`);
  await press(page, 'Control+f');
  await page.getByLabel('Search in this view').fill('psilon');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(cell(page, 3, 0)).toHaveAttribute('aria-selected', 'true');
  resume();
  await expect(cell(page, 2, 0)).toHaveText('Epsilon needle');
  await expect(cell(page, 2, 0)).toHaveAttribute('aria-selected', 'true');
});

test('conditions are put into groups, which can be changed again', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Count', type: 'number' },
    ],
    [
      { Name: 'Pear', Count: 2 },
      { Name: 'Apple', Count: 3 },
      { Name: 'Plum', Count: 1 },
    ],
  );
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await choose(page, 'Field of condition 1', 'Count');
  await choose(page, 'Operator of condition 1', '>');
  await page.getByLabel('Value', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Add a group' }).click();
  const group = page.getByRole('group', { name: 'Group 2' });
  await choose(group, 'Operator of condition 2.1', 'contains');
  await group.getByLabel('Value', { exact: true }).fill('Apple');
  await expect(cell(page, 0, 0)).toHaveText('Apple');
  await group.getByRole('button', { name: 'Add to the group' }).click();
  await choose(group, 'Operator of condition 2.2', 'contains');
  await group.getByLabel('Value', { exact: true }).last().fill('Pear');
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(cell(page, 1, 0)).toHaveText('Apple');
  expect((await api.get(`/table/${table.tableId}/view/${view.id}`)).filter).toEqual({
    conjunction: 'and',
    filterSet: [
      { fieldId: table.fieldId('Count'), operator: 'isGreater', value: 1 },
      {
        conjunction: 'or',
        filterSet: [
          { fieldId: table.fieldId('Name'), operator: 'contains', value: 'Apple' },
          { fieldId: table.fieldId('Name'), operator: 'contains', value: 'Pear' },
        ],
      },
    ],
  });
  await page.getByRole('button', { name: 'Remove group 2' }).click();
  await page.getByLabel('Value', { exact: true }).fill('0');
  await expect(cell(page, 2, 0)).toHaveText('Plum');
});

test('who may not change a view filters and sorts it for themselves; others see it as it was', async ({
  person,
  browser,
}) => {
  const table = await newTable(person.api, fields, [
    { Name: 'Beta', Count: 5 },
    { Name: 'Alpha', Count: 2 },
    { Name: 'Gamma', Count: 9 },
  ]);
  const viewer = await newPerson(browser, 'kim');
  await person.api.post(`/base/${table.baseId}/invitation/email`, { emails: [viewer.email], role: 'viewer' });
  const { page } = viewer;
  await page.goto(table.url);
  await expect(page.getByText('3 records')).toBeVisible();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await choose(page, 'Field of condition 1', 'Count');
  await choose(page, 'Operator of condition 1', '>');
  await page.getByLabel('Value', { exact: true }).fill('3');
  await expect(page.getByText('2 records')).toBeVisible();
  await escape(page);
  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  await page.getByRole('button', { name: 'Add sort field' }).click();
  await choose(page, 'Sort field 1', 'Count');
  await choose(page, 'Direction 1', 'High to low');
  await expect(cell(page, 0, 0)).toHaveText('Gamma');
  await escape(page);
  await expect(page.getByText('Only you see this filter, sort and grouping.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save for everyone' })).toBeHidden();
  const [view] = await person.api.get(`/table/${table.tableId}/view`);
  expect([view.filter, view.sort]).toEqual([undefined, undefined]);

  // It is there again after a reload, without the records of the view before.
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/record?') && asked.push(request.url()));
  await page.reload();
  await expect(cell(page, 0, 0)).toHaveText('Gamma');
  await expect(page.getByText('2 records')).toBeVisible();
  expect(asked.every((url) => url.includes('ignoreViewQuery=true'))).toBe(true);
  await page.getByRole('button', { name: 'Reset to view' }).click();
  await expect(page.getByText('3 records')).toBeVisible();
  await expect(cell(page, 0, 0)).toHaveText('Beta');
  await selectFirstCell(page);
  await page.keyboard.type('x');
  await expect(page.getByText('You can view this table, but not edit it.')).toBeVisible();
  await viewer.leave();
});

test('an editor tries a filter alone, and then gives it to everyone', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [
    { Name: 'Beta', Count: 5 },
    { Name: 'Alpha', Count: 2 },
  ]);
  await page.goto(table.url);
  await expect(page.getByText('2 records')).toBeVisible();
  await page.getByRole('button', { name: 'Grid view', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Filter and sort only for me' }).click();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await choose(page, 'Operator of condition 1', 'contains');
  await page.getByLabel('Value', { exact: true }).fill('alp');
  await expect(page.getByText('1 record', { exact: true })).toBeVisible();
  expect((await api.get(`/table/${table.tableId}/view`))[0].filter).toBeUndefined();
  await escape(page);
  await page.getByRole('button', { name: 'Save for everyone' }).click();
  await expect(page.getByText('Only you see this')).toBeHidden();
  await expect
    .poll(async () => (await api.get(`/table/${table.tableId}/view`))[0].filter)
    .toMatchObject({ filterSet: [{ operator: 'contains', value: 'alp' }] });
  await expect(page.getByText('1 record', { exact: true })).toBeVisible();
});

test('a list is searched and picked from by keyboard alone', async ({ person: { page, api } }) => {
  const many = Array.from({ length: 9 }, (_item, index) => ({ name: `Field ${index + 1}`, type: 'singleLineText' }));
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }, ...many]);
  await page.goto(table.url);
  await page.getByRole('button', { name: 'Sort', exact: true }).click();
  await page.getByRole('button', { name: 'Add sort field' }).click();
  const field = page.getByRole('combobox', { name: 'Sort field 1' });
  await field.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: 'Name', exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('ld 7');
  await expect(page.getByRole('option')).toHaveText(['Field 7']);
  await page.keyboard.press('Enter');
  await expect(field).toHaveText('Field 7');
  await expect(field).toBeFocused();
  // A short list has no search: the first letters lead there.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('z');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Direction 1' })).toHaveText('Z to A');
  await expect
    .poll(async () => (await api.get(`/table/${table.tableId}/view`))[0].sort?.sortObjs)
    .toEqual([{ fieldId: table.fieldId('Field 7'), order: 'desc' }]);
});

test('a filter that lets nothing through says so; one whose field was converted stays, marked, until it is mended', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [
    { Name: 'Pear', Count: 2 },
    { Name: 'Plum', Count: 1 },
  ]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  const condition = { fieldId: table.fieldId('Count'), operator: 'isGreater', value: 5 };
  await api.put(`/table/${table.tableId}/view/${view.id}/filter`, {
    filter: { conjunction: 'and', filterSet: [condition] },
  });
  await page.goto(table.url);
  await expect(page.getByText('No records match the filter')).toBeVisible();
  await api.put(`/table/${table.tableId}/field/${table.fieldId('Count')}/convert`, { type: 'singleLineText' });
  await page.reload();
  await expect(cell(page, 1, 0)).toHaveText('Plum');
  const unfit = page.getByRole('button', { name: '1 filter, 1 without effect' });
  // To see it is short: the other tools stay in sight.
  await expect(unfit).toHaveText('1 filter');
  await unfit.click();
  await expect(page.getByRole('alert')).toContainText('it no longer fits Count, which is now of the type Text');
  await choose(page, 'Operator of condition 1', 'contains');
  await page.getByLabel('Value').fill('2');
  await expect(page.getByRole('button', { name: '1 filter', exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await escape(page);
  await expect(cell(page, 0, 0)).toHaveText('Pear');
  await expect(cell(page, 1, 0)).toHaveCount(0);

  // A note stands beside the sidebar, and goes when another page is opened.
  await selectFirstCell(page);
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'More for this record' }).click();
  await page.getByRole('menuitem', { name: /Delete/ }).click();
  const note = page.getByRole('status').filter({ hasText: 'record deleted' });
  await expect(note).toBeVisible();
  const [noteBox, sidebarBox] = [
    await note.boundingBox(),
    await page.getByRole('complementary', { name: 'Tables and views' }).boundingBox(),
  ];
  expect(noteBox!.x).toBeGreaterThanOrEqual(sidebarBox!.x + sidebarBox!.width);
  await page.getByRole('link', { name: 'People' }).click();
  await expect(note).toBeHidden();
});

test('two quick changes arrive in their order: the later one is on the screen and on the server', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(api, fields, [
    { Name: 'Pear', Count: 2 },
    { Name: 'Apple', Count: 3 },
  ]);
  const [space] = await api.get('/space');
  const kim = await newPerson(browser, 'kim');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [kim.email], role: 'viewer' });
  const [{ id: viewId }] = await api.get(`/table/${table.tableId}/view`);

  /** The first of these requests is answered only when it is let go; tells how many were sent. */
  const holdFirst = async (on: typeof page, path: string) => {
    let sent = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await on.route(`**/${path}`, async (route) => {
      sent += 1;
      if (sent === 1) await held;
      await route.continue();
    });
    return { letGo, sent: () => sent };
  };

  // For everyone: the height of the rows.
  await page.goto(table.url);
  await selectFirstCell(page);
  const options = await holdFirst(page, 'options');
  const setHeight = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Height' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await setHeight('Medium');
  await setHeight('Tall');
  await expect.poll(options.sent).toBe(1);
  options.letGo();
  const heightNow = async (): Promise<unknown> => (await api.get(`/table/${table.tableId}/view/${viewId}`)).options;
  await expect.poll(options.sent).toBe(2);
  await expect.poll(heightNow).toMatchObject({ rowHeight: 'tall' });

  // For oneself: a sort, then a group.
  await kim.page.goto(table.url);
  await selectFirstCell(kim.page);
  const own = await holdFirst(kim.page, 'own-query');
  await kim.page.getByRole('button', { name: 'Sort', exact: true }).click();
  await kim.page.getByRole('button', { name: 'Add sort field' }).click();
  await expect(cell(kim.page, 0, 0)).toHaveText('Apple');
  await escape(kim.page);
  await kim.page.getByRole('button', { name: 'Group', exact: true }).click();
  await kim.page.getByRole('button', { name: 'Group by a field' }).click();
  await expect(kim.page.getByRole('button', { name: 'Grouped by 1' })).toBeVisible();
  expect(own.sent()).toBe(1);
  own.letGo();
  const ownNow = async () => (await kim.api.get(`/table/${table.tableId}/view`))[0].ownQuery;
  await expect.poll(async () => (await ownNow())?.group?.length).toBe(1);
  expect((await ownNow()).sort).toHaveLength(1);
  await expect(kim.page.getByRole('button', { name: 'Grouped by 1' })).toBeVisible();
  await kim.leave();
});
