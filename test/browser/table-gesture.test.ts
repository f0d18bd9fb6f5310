// What is done with the mouse, and with keys that are not letters.
import { expect, test } from '../support/browser.ts';
import { cell, clickGrid, dragGrid, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
  { name: 'Notes', type: 'singleLineText' },
];

test('rows are dragged to another place, and stay there', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    fields,
    ['Alpha', 'Beta', 'Gamma', 'Delta'].map((Name) => ({ Name })),
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  const rows = () => Promise.all([0, 1, 2, 3].map((row) => cell(page, row, 0).textContent()));
  await dragGrid(page, [12, 52], [12, 125], async () =>
    expect(page.locator('[data-drop="row"]')).toHaveCSS('top', '104px'),
  );
  await expect(page.locator('[data-drop]')).toHaveCount(0);
  await expect(cell(page, 2, 0)).toHaveText('Alpha');
  await page.reload();
  await expect.poll(rows).toEqual(['Beta', 'Gamma', 'Alpha', 'Delta']);
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(rows).toEqual(['Alpha', 'Beta', 'Gamma', 'Delta']);
  // Those that are ticked move together, and back.
  for (const row of [0, 2]) await clickGrid(page, 30, 36 + row * 34 + 17);
  await dragGrid(page, [8, 52], [8, 36 + 3 * 34 + 17], async () =>
    expect(page.locator('[data-drop="row"]')).toHaveText('2 records'),
  );
  await expect.poll(rows).toEqual(['Beta', 'Delta', 'Alpha', 'Gamma']);
  await press(page, 'Control+z');
  await expect.poll(rows).toEqual(['Alpha', 'Beta', 'Gamma', 'Delta']);
  await press(page, 'Control+Shift+z');
  await expect.poll(rows).toEqual(['Beta', 'Delta', 'Alpha', 'Gamma']);
});

test('a cell is filled into those below; columns are fitted, dragged, resized and frozen, and stay so', async ({
  person: { page, api },
}) => {
  const long = 'A name that needs about four hundred pixels to be read whole';
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Count: 7, Notes: 'first' },
    { Name: 'Beta' },
    { Name: long },
  ]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  const shown = async () => api.get(`/table/${table.tableId}/view/${view.id}`);
  const headers = () => page.locator('thead th').allTextContents();
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'ArrowRight');
  // The handle is the lower right corner of the cell: 52 + 220 + 130 across.
  await dragGrid(page, [400, 68], [380, 120]);
  const counts = async () => (await table.records()).map((record) => record['Count']);
  await expect.poll(counts).toEqual([7, 7, 7]);
  await press(page, 'Control+z');
  await expect.poll(counts).toEqual([7, undefined, undefined]);
  await clickGrid(page, 120, 52);
  // Notes to the left of Count.
  await dragGrid(page, [480, 18], [310, 18], async () =>
    expect(page.locator('[data-drop="column"]')).toHaveCSS('left', '272px'),
  );
  await expect.poll(async () => (await headers()).join(' ')).toMatch(/Name.*Notes.*Count/);
  // What was dragged is what stays selected.
  await press(page, 'Control+c');
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^first\s*$/);
  // The right edge of Name.
  await dragGrid(page, [271, 18], [351, 18]);
  await expect.poll(async () => (await shown()).columnMeta[table.fieldId('Name')].width).toBeGreaterThan(290);
  await clickGrid(page, 420, 18, 'right');
  await page.getByRole('menuitem', { name: 'Freeze up to here' }).click();
  await expect.poll(async () => (await shown()).options.frozenColumnCount).toBe(2);
  await page.reload();
  await cell(page, 0, 0).waitFor({ state: 'attached' });
  expect((await headers()).join(' ')).toMatch(/Name.*Notes.*Count/);

  // Its edge again, behind the markers: a click alone changes nothing, a double click fits the column to what is in it.
  const width = async (): Promise<number> => (await shown()).columnMeta[table.fieldId('Name')].width;
  const before = await width();
  const grid = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  if (grid === null) throw new Error('There is no grid on the page');
  const edge = [grid.x + 52 + before - 1, grid.y + 18] as const;
  await page.mouse.click(...edge);
  await expect(cell(page, 2, 0)).toHaveText(long);
  expect(await width()).toBe(before);
  await page.mouse.dblclick(...edge);
  await expect.poll(width).toBeGreaterThan(before + 50);
  expect(await width()).toBeLessThan(520);
});

test('several fields are selected, moved and hidden together', async ({ person: { page, api } }) => {
  const table = await newTable(
    api,
    ['A', 'B', 'C', 'D', 'E']
      .map((name) => ({ name, type: 'checkbox' }))
      .with(0, fields[0] as { name: string; type: string }),
    [{ Name: 'Alpha' }],
  );
  const headers = async () => (await page.locator('thead th').allTextContents()).join('').replaceAll(/[^A-Z]/g, '');
  await page.goto(table.url);
  await selectFirstCell(page);
  const at = (column: number): [number, number] => [52 + 220 + (column - 1) * 90 + 30, 18];
  await clickGrid(page, ...at(1));
  await page.keyboard.down('Control');
  await clickGrid(page, ...at(3));
  await page.keyboard.up('Control');
  await dragGrid(page, at(1), at(4), async () => expect(page.locator('[data-drop="column"]')).toHaveText('2 fields'));
  await expect.poll(headers).toContain('CEBD');
  await clickGrid(page, ...at(3), 'right');
  await page.getByRole('menuitem', { name: 'Hide 2 fields' }).click();
  await expect.poll(headers).not.toMatch(/[BD]/);
  // Undo means what is on the screen, also before the server has answered.
  await press(page, 'Control+z');
  await expect.poll(headers).toContain('CEBD');
  await press(page, 'Control+z');
  await expect.poll(headers).toContain('BCDE');
});

test('a field becomes another type, and what does not fit is said before', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Notes: '12' },
    { Name: 'Beta', Notes: 'many' },
  ]);
  await page.goto(table.url);
  await selectFirstCell(page);
  // The menu of the view closes, and in the same moment that of the field opens: it keeps the focus, and stays.
  await page.getByRole('button', { name: 'Grid view', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  await page.evaluate(`(async () => {
    const { left, top } = document.querySelector('canvas[data-testid="data-grid-canvas"]').getBoundingClientRect();
    const at = { clientX: left + 450, clientY: top + 18 };
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    for (let step = 0; step < 5; step++) await null;
    document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new MouseEvent('contextmenu', { ...at, bubbles: true, cancelable: true }));
  })()`);
  await page.getByRole('menuitem', { name: 'Edit field' }).waitFor();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await page.getByLabel('Type', { exact: true }).click();
  await page.getByRole('button', { name: /^Number / }).click();
  await expect(page.getByText('1 of 2 cells would be lost.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(cell(page, 0, 2)).toHaveText('12.00');
  await expect(cell(page, 1, 2)).toHaveText('');
  await expect.poll(table.records).toEqual([{ Name: 'Alpha', Notes: 12 }, { Name: 'Beta' }]);

  // A time that follows some fields only.
  await clickGrid(page, 450, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await page.getByLabel('Type', { exact: true }).click();
  await page.getByRole('button', { name: /^Last modified time / }).click();
  await expect(page.getByText('Changes to all fields count')).toBeVisible();
  await page
    .getByRole('group', { name: /^Changes to/ })
    .getByLabel('Name')
    .check();
  await expect(page.getByText('Changes to the selected fields count')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(
      async () => (await api.get(`/table/${table.tableId}/field/${table.fieldId('Notes')}`)).options.trackedFieldIds,
    )
    .toEqual([table.fieldId('Name')]);
});

test('everything in a row stands in its middle, the row below the mouse is marked, editing moves no text, and below the rows is nothing', async ({
  person: { page, api },
}) => {
  const table = await newTable(
    api,
    [
      fields[0] as object,
      { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'red' }] } },
      { name: 'Done', type: 'checkbox' },
    ],
    [{ Name: 'Alpha', Tags: ['red'], Done: true }, { Name: 'Beta' }],
  );
  const [view] = await api.get(`/table/${table.tableId}/view`);
  const color = (x: number, y: number): Promise<string> =>
    page.evaluate(
      `document.querySelector('canvas[data-testid="data-grid-canvas"]').getContext('2d').getImageData(${x}, ${y}, 1, 1).data.join()`,
    );
  const white = '255,255,255,255';
  for (const [rowHeight, height] of [
    ['tall', 90],
    ['short', 34],
  ] as const) {
    await api.patch(`/table/${table.tableId}/view/${view.id}/options`, { options: { rowHeight } });
    await page.goto(table.url);
    await selectFirstCell(page);
    const middle = 36 + height / 2;
    // The left end of the label, before its text.
    await page.mouse.move(5, 5);
    await expect.poll(() => color(52 + 220 + 14, middle)).not.toBe(white);
    expect([await color(52 + 220 + 14, middle - 14), await color(52 + 220 + 14, middle + 14)]).toEqual([white, white]);
    const grid = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
    const [left, top] = [grid?.x ?? 0, grid?.y ?? 0];
    await page.mouse.move(left + 400, top + middle + height);
    await expect.poll(() => color(52 + 200, middle + height)).not.toBe(white);
    await press(page, 'F2');
    const text = await page.locator('#portal input').boundingBox();
    expect(Math.abs((text?.x ?? 0) - left - 52 - 11)).toBeLessThanOrEqual(1);
    expect(Math.abs((text?.y ?? 0) + (text?.height ?? 0) / 2 - top - middle)).toBeLessThanOrEqual(1);
    await press(page, 'Escape');
    // A box that is checked is filled, the other is not.
    const box = 52 + 220 + 220 + 45 - 6;
    await expect.poll(() => color(box, middle)).not.toBe(white);
    await page.mouse.move(5, 5);
    await expect.poll(() => color(box, middle + height)).toBe(white);
    // Two records and the row that adds one; what the library draws below them is covered.
    const cover = await page.locator('[data-below-rows]').boundingBox();
    expect([cover?.x, cover?.width, Math.round(cover?.y ?? 0)]).toEqual([
      left,
      grid?.width,
      Math.round(top + 37 + 3 * height),
    ]);
  }
  // In the font that comes along, whose figures are all as wide.
  await expect
    .poll(() =>
      page.evaluate(
        "[...document.fonts].some(({ family, status, featureSettings }) => family === 'Inter' && status === 'loaded' && featureSettings.includes('tnum'))",
      ),
    )
    .toBe(true);
});
