import { choose, escape, expect, test } from '../support/browser.ts';
import { cell, clickGrid, copyText, newTable, press, selectFirstCell } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { name: 'Ready', type: 'checkbox' },
  { name: 'Due', type: 'date' },
];

test('what is typed without a pause on a busy machine arrives where it was meant; Delete clears, and it can be undone', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [{}, {}, { Name: 'Gamma' }]);
  await page.goto(table.url);
  await expect(cell(page, 2, 0)).toHaveText('Gamma');
  const machine = await page.context().newCDPSession(page);
  await machine.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await clickGrid(page, 120, 52);
  await page.keyboard.type('Alpha');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Beta');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12.5');
  await page.keyboard.press('Tab');
  await page.keyboard.type('urgent');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await clickGrid(page, 120, 120);
  await page.keyboard.type('never');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await expect
    .poll(table.records)
    .toEqual([
      { Name: 'Alpha' },
      { Name: 'Beta', Count: 12.5, Status: 'urgent', Ready: true },
      { Name: 'Gamma', Count: 7 },
    ]);
  // Windows are used again, and one that is held up holds up the whole machine: it is slowed down by keeping the processor busy.
  await machine.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await machine.detach();

  const count = async (): Promise<unknown> => (await table.records())[2]?.['Count'];
  await press(page, 'ArrowUp', 'Delete');
  await expect.poll(count).toBeUndefined();
  await press(page, 'Control+z');
  await expect.poll(count).toBe(7);
  await press(page, 'Control+Shift+z');
  await expect.poll(count).toBeUndefined();
});

test('rows pasted from a spreadsheet change records, add records, and say what did not fit', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await copyText(page, 'One\t1\topen\tTRUE\t2024-05-06\nTwo\t2,000.5\tlate\tFALSE\t\nThree\tno number\t\t\t');
  await press(page, 'Control+v');
  await expect(page.getByText('2 records added')).toBeVisible();
  await expect(page.getByText('1 cell did not fit')).toBeVisible();
  await expect
    .poll(table.records)
    .toEqual([
      { Name: 'One', Count: 1, Status: 'open', Ready: true, Due: '2024-05-06T00:00:00.000Z' },
      { Name: 'Two', Count: 2000.5, Status: 'late' },
      { Name: 'Three' },
    ]);
  // Each is named, and leads to its cell.
  await page
    .getByRole('button', { name: 'Count of Three: “no number” is not a number. Type digits, such as 1234.5.' })
    .click();
  await expect(cell(page, 2, 1)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  // What did not fit goes with the rest when it is undone.
  await press(page, 'Control+Home', 'ArrowRight');
  await copyText(page, '7\nno number either');
  await press(page, 'Control+v');
  await expect(cell(page, 1, 1)).toHaveText('no number either');
  await press(page, 'Control+z');
  await expect(cell(page, 0, 1)).toHaveText('1.00');
  await expect(cell(page, 1, 1)).toHaveText('2,000.50');
  // Dates of one column are read alike: where one has its day first, all have.
  await press(page, 'Control+Home', ...Array.from({ length: 4 }, () => 'ArrowRight'));
  await copyText(page, '05/06/2026\n31/12/2025');
  await press(page, 'Control+v');
  await expect(cell(page, 0, 4)).toHaveText('2026-06-05');
  await expect(cell(page, 1, 4)).toHaveText('2025-12-31');
  await press(page, 'Control+z');
  await expect(cell(page, 0, 4)).toHaveText('2024-05-06');

  // More columns than there are fields become fields, in one step with their cells.
  const before = await table.records();
  await press(page, 'Control+Home', 'End');
  await copyText(page, '2024-01-01\t1.5\tx\n2024-01-02\t2\ty\t\n');
  await press(page, 'Control+v');
  const dialog = page.getByRole('dialog', { name: '2 more columns' });
  await expect(dialog.getByRole('listitem')).toHaveText([/Field 6.*Number/, /Field 7.*Text/]);
  await dialog.getByRole('button', { name: 'Leave them out' }).click();
  await expect(page.getByText('2 columns beyond the last field were left out.')).toBeVisible();
  await press(page, 'Control+z', 'Control+v');
  await page.getByRole('dialog').getByRole('button', { name: 'Add 2 fields' }).click();
  await expect
    .poll(async () => (await table.records()).slice(0, 2))
    .toEqual([
      { ...before[0], Due: '2024-01-01T00:00:00.000Z', 'Field 6': 1.5, 'Field 7': 'x' },
      { ...before[1], Due: '2024-01-02T00:00:00.000Z', 'Field 6': 2, 'Field 7': 'y' },
    ]);
  await expect(cell(page, 0, 6)).toHaveText('x');
  await press(page, 'Control+z');
  await expect.poll(table.records).toEqual(before);
  await expect(cell(page, 0, 6)).toHaveCount(0);
});

test('what is typed at once into a new record is all there, also when its real id comes in between', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha' }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  const names = Array.from({ length: 2 }, (_item, at) => `Order ${at}`);
  for (const [at, name] of names.entries()) {
    // The row below the last one. The answer to the new record arrives while the first letters do.
    const answered = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/record'),
    );
    await clickGrid(page, 120, 37 + 34 * (at + 1) + 17);
    if (at % 2 === 1) await answered;
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await expect(page.getByText(`${at + 2} records`)).toBeVisible();
    await expect(cell(page, at + 1, 0)).toHaveText(name);
  }
  await expect.poll(async () => (await table.records()).map((record) => record['Name'])).toEqual(['Alpha', ...names]);
});

test('a formula is written with completion and colours, shows its mistakes and what it gives, and its cells say where they come from', async ({
  person: { page, api },
}) => {
  const site = {
    name: 'Site',
    type: 'formula',
    options: { expression: '"example.org/" & {Name}', showAs: { type: 'url' } },
  };
  const table = await newTable(api, [...fields.slice(0, 2), site], [{ Name: 'Alpha', Count: 3 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Twice');
  await page.getByRole('button', { name: /^Formula/ }).click();
  const formula = page.getByRole('combobox', { name: 'Formula' });
  await formula.pressSequentially('rou');
  await expect(page.getByRole('option', { name: /^ROUND\(/ })).toBeVisible();
  await press(page, 'Enter');
  await expect(formula).toHaveValue('ROUND()');
  await formula.pressSequentially('{cou');
  await press(page, 'Enter');
  await expect(formula).toHaveValue('ROUND({Count})');
  await expect(page.getByRole('status', { name: 'Preview' })).toHaveText('= 3.00');
  await formula.fill('ROUND({Cuont}) * 2');
  await expect(page.getByText('There is no field {Cuont} in this table', { exact: false }).first()).toBeVisible();
  /** The pieces as they are drawn: the text itself cannot be seen, and what is coloured lies exactly below it. */
  const drawn = () =>
    formula.evaluate((area) => {
      const under = area.previousElementSibling as HTMLElement;
      const [own, below] = [area, under].map((box) => JSON.stringify(box.getBoundingClientRect()));
      const metrics = [area, under].map((box) =>
        (({ font, lineHeight, padding, letterSpacing, whiteSpace, borderWidth }) =>
          JSON.stringify({ font, lineHeight, padding, letterSpacing, whiteSpace, borderWidth }))(getComputedStyle(box)),
      );
      const pieces = [...under.querySelectorAll('span')].map((piece) => {
        const { color, textDecorationLine, textDecorationStyle } = getComputedStyle(piece);
        return {
          text: piece.textContent,
          color,
          mark: `${textDecorationLine} ${textDecorationStyle}`,
          isSeen: piece.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
        };
      });
      return {
        pieces,
        isBelow: own === below && metrics[0] === metrics[1],
        ownColor: getComputedStyle(area).color,
        background: getComputedStyle(area).backgroundColor,
      };
    });
  const transparent = 'rgba(0, 0, 0, 0)';
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await formula.fill('IF({Count} > 12, UPPER({Name}), "few")');
    await expect(page.getByRole('status', { name: 'Preview' })).toBeVisible();
    const { pieces, ...rest } = await drawn();
    expect(rest).toEqual({ isBelow: true, ownColor: transparent, background: transparent });
    expect(pieces.map(({ text }) => text).join('')).toBe('IF({Count} > 12, UPPER({Name}), "few")');
    expect(pieces.every(({ isSeen, mark }) => isSeen && mark === 'none solid')).toBe(true);
    const colorOf = (text: string): string | undefined => pieces.find((piece) => piece.text === text)?.color;
    const colors = ['IF', '{Count}', '"few"', '12', '('].map(colorOf);
    expect(colors).not.toContain(undefined);
    expect(new Set(colors).size).toBe(colors.length);
    expect([colorOf('UPPER'), colorOf('{Name}')]).toEqual([colorOf('IF'), colorOf('{Count}')]);
    for (const [text, wrong] of [
      ['ROUND({Count}) + {Cuont} * 2', '{Cuont}'],
      ['ROUND({Count}) + RUOND(2)', 'RUOND'],
    ] as const) {
      await formula.fill(text);
      await expect(formula).toHaveAttribute('aria-invalid', 'true');
      expect((await drawn()).pieces.filter(({ mark }) => mark === 'underline wavy').map((piece) => piece.text)).toEqual(
        [wrong],
      );
    }
  }
  await formula.fill('{Count} * 2');
  await expect(page.getByRole('status', { name: 'Preview' })).toHaveText('= 6.00');
  await page.getByRole('combobox', { name: 'Show as' }).click();
  await page.getByRole('option', { name: 'Ring' }).click();
  await page.getByRole('button', { name: 'Add field' }).click();
  await expect(cell(page, 0, 3)).toHaveText('6.00');
  await clickGrid(page, 340, 52);
  await page.keyboard.type('5');
  await press(page, 'Tab', 'Tab');
  await expect(cell(page, 0, 3)).toHaveText('10.00');
  await page.keyboard.type('7');
  await expect(page.getByText('It uses Count.')).toBeVisible();
  await expect.poll(table.records).toEqual([{ Name: 'Alpha', Count: 5, Site: 'example.org/Alpha', Twice: 10 }]);
  await press(page, 'Space');
  await expect(page.getByRole('link', { name: 'example.org/Alpha' })).toHaveAttribute(
    'href',
    'https://example.org/Alpha',
  );
});

test('fields are added, edited, hidden and deleted', async ({ person: { page, api } }) => {
  const table = await newTable(api, fields.slice(0, 2), [{ Name: 'Alpha', Count: 3 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await page.getByRole('button', { name: 'Add a field' }).click();
  // The name has the focus. Enter after a choice begins the next one, and a click beside the dialog loses nothing.
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Stage');
  await page.getByRole('button', { name: /^Select One choice/ }).click();
  await page.getByRole('button', { name: 'Add choice' }).click();
  await page.keyboard.type('early');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Choice 2')).toBeFocused();
  await page.keyboard.type('late');
  await page.mouse.click(640, 760);
  await expect(page.getByLabel('Choice 2')).toHaveValue('late');
  await page.getByRole('button', { name: 'Add field' }).click();
  await expect(page.locator('th', { hasText: 'Stage' })).toBeAttached();
  const [, , stage] = await api.get(`/table/${table.tableId}/field`);
  expect(stage.options.choices.map(({ name }: { name: string }) => name)).toEqual(['early', 'late']);

  await page.getByRole('button', { name: 'Fields' }).click();
  // The box shows what the server has kept, so it changes a moment after the click.
  await page.getByLabel('Stage', { exact: true }).click();
  await expect(page.locator('th', { hasText: 'Stage' })).toBeHidden();
  await expect(page.getByLabel('Stage', { exact: true })).not.toBeChecked();
  await page.getByLabel('Stage', { exact: true }).click();
  await expect(page.getByLabel('Stage', { exact: true })).toBeChecked();
  await escape(page);

  await clickGrid(page, 340, 18, 'right');
  await page.getByRole('menuitem', { name: 'Delete field' }).click();
  await page.getByRole('button', { name: 'Delete field' }).click();
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(cell(page, 0, 1)).toHaveText('3.00');
  await clickGrid(page, 340, 52);
  await press(page, 'Control+Shift+z');
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await press(page, 'Control+z');
  await expect(cell(page, 0, 1)).toHaveText('3.00');
  await press(page, 'Control+Shift+z');
  await expect(page.locator('th', { hasText: 'Count' })).toBeHidden();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('tab', { name: 'Deleted' }).click();
  await expect(page.getByRole('list', { name: 'Deleted' })).toContainText('Field (number), deleted');
  await page.getByRole('button', { name: 'Restore Count' }).click();
  await expect(page.getByText('The field was restored.')).toBeVisible();
  await expect(cell(page, 0, 1)).toHaveText('3.00');
  expect(await table.records()).toEqual([{ Name: 'Alpha', Count: 3 }]);
});

test('the panel of a record shows hidden fields and history, leads to its neighbours, is as wide as one wants, and copies, duplicates and deletes', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields, [{ Name: 'Alpha', Count: 3 }, { Name: 'Beta' }, { Name: 'Gamma' }]);
  const [view] = await api.get(`/table/${table.tableId}/view`);
  await api.put(`/table/${table.tableId}/view/${view.id}/column-meta`, [
    { fieldId: table.fieldId('Count'), columnMeta: { hidden: true } },
  ]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await press(page, 'Space');
  const panel = page.getByRole('complementary', { name: 'Record' });
  const count = panel.getByLabel('Count', { exact: true });
  await expect(count).toHaveValue('3');
  await count.fill('4');
  await press(page, 'Enter');
  await expect.poll(async () => (await table.records())[0]).toEqual({ Name: 'Alpha', Count: 4 });
  await expect(count).toHaveValue('4');
  await panel.getByLabel('Name').fill('Omega');
  await press(page, 'Enter');
  await expect(panel.getByRole('heading', { name: 'Omega' })).toBeVisible();
  await panel.getByRole('tab', { name: 'History' }).click();
  await panel.getByRole('button', { name: 'Restore Name to Alpha', exact: true }).click();
  await expect(panel.getByRole('heading', { name: 'Alpha' })).toBeVisible();
  await panel.getByRole('tab', { name: 'Fields' }).click();
  const title = (name: string) => expect(panel.getByRole('heading', { name, exact: true })).toBeVisible();
  const button = (name: string) => panel.getByRole('button', { name, exact: true });
  await title('Alpha');
  await expect(button('Previous record')).toBeDisabled();
  await button('Next record').click();
  await title('Beta');
  await button('Previous record').click();
  await title('Alpha');
  await button('Next record').click();
  await title('Beta');
  await button('Copy link').click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(page.url());

  // Wider by the mouse and by a key, over the whole table, and so again after a reload.
  const width = async (): Promise<number> => Math.round((await panel.boundingBox())?.width ?? 0);
  const before = await width();
  const edge = panel.getByRole('separator', { name: 'Width of the panel' });
  const at = await edge.boundingBox();
  await page.mouse.move((at?.x ?? 0) + 4, (at?.y ?? 0) + 200);
  await page.mouse.down();
  await page.mouse.move((at?.x ?? 0) - 96, (at?.y ?? 0) + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(before + 100);
  await edge.focus();
  await press(page, 'ArrowRight');
  await expect.poll(width).toBe(before + 68);
  await page.reload();
  await title('Beta');
  await expect.poll(width).toBe(before + 68);
  await button('Wide panel').click();
  await expect.poll(width).toBeGreaterThan(900);
  await button('Narrow panel').click();
  await expect.poll(width).toBe(before + 68);

  await button('More for this record').click();
  await page.getByRole('menuitem', { name: 'Duplicate record' }).click();
  await expect
    .poll(async () => (await table.records()).map(({ Name }) => Name))
    .toEqual(['Alpha', 'Beta', 'Gamma', 'Beta']);
  await title('Beta');
  await expect(cell(page, 2, 0)).toHaveText('Beta');
  await button('More for this record').click();
  await page.getByRole('menuitem', { name: 'Delete record' }).click();
  await expect(panel).toBeHidden();
  await expect.poll(async () => (await table.records()).map(({ Name }) => Name)).toEqual(['Alpha', 'Beta', 'Gamma']);
});

test('a field is described, filled in, demanded and kept unique by its dialog, which stands beside its column', async ({
  person: { page, api },
}) => {
  const table = await newTable(api, fields.slice(0, 2), [{ Name: 'Alpha', Count: 3 }]);
  await page.goto(table.url);
  await selectFirstCell(page);
  await clickGrid(page, 340, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Count' });
  const grid = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  // Behind the column: 52 for the markers, 220 and 130 for the fields.
  expect((await dialog.boundingBox())?.x).toBeGreaterThanOrEqual((grid?.x ?? 0) + 52 + 220 + 130);
  // Formats are shown by what they do.
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await expect(page.getByRole('option', { name: /^Percent/ })).toHaveText('Percent12.50%');
  await page.getByRole('option', { name: /^Currency/ }).click();
  await choose(dialog, 'Decimals', '$1,234.5');
  await dialog.getByLabel('Default value').fill('7');
  await dialog.getByLabel('Required').check();
  await dialog.getByLabel('Unique').check();
  await dialog.getByRole('button', { name: 'Add a description' }).click();
  await dialog.getByLabel('Description').fill('How many there are');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const fieldOf = async (name: string) =>
    (await api.get(`/table/${table.tableId}/field`)).find((field: { name: string }) => field.name === name);
  await expect
    .poll(() => fieldOf('Count'))
    .toMatchObject({
      description: 'How many there are',
      notNull: true,
      unique: true,
      options: { defaultValue: 7, formatting: { type: 'currency', precision: 1, symbol: '$' } },
    });
  await expect(cell(page, 0, 1)).toHaveText('$3.0');

  // Types are searched, as are time zones.
  await page.getByRole('button', { name: 'Add a field' }).click();
  const added = page.getByRole('dialog', { name: 'New field' });
  await added.getByRole('textbox', { name: 'Name' }).fill('When');
  await added.getByLabel('Search field types').fill('without time');
  await expect(added.getByRole('list', { name: 'Field types' }).getByRole('button')).toHaveText([/^Date/]);
  await press(page, 'Enter');
  await added.getByRole('combobox', { name: 'Time zone' }).click();
  await page.keyboard.type('tokyo');
  await expect(page.getByRole('option')).toHaveText([/Asia\/Tokyo.*UTC\+09:00/]);
  await press(page, 'Enter');
  await added.getByRole('button', { name: 'Add field' }).click();
  await expect(added).toBeHidden();
  expect((await fieldOf('When')).options.formatting.timeZone).toBe('Asia/Tokyo');

  // Choices get a hue each, in turn.
  await page.getByRole('button', { name: 'Add a field' }).click();
  await added.getByRole('textbox', { name: 'Name' }).fill('Stage');
  await added.getByRole('button', { name: /^Select One choice/ }).click();
  // Enter goes on to the next choice, and saves nothing.
  await added.getByRole('button', { name: 'Add choice' }).click();
  for (const [index, name] of ['one', 'two', 'three', 'four'].entries()) {
    await expect(added.getByLabel(`Choice ${index + 1}`)).toBeFocused();
    await page.keyboard.type(name);
    if (index < 3) await press(page, 'Enter');
  }
  await added.getByRole('button', { name: 'Add field' }).click();
  await expect(added).toBeHidden();
  expect(
    new Set(
      (await fieldOf('Stage')).options.choices.map(({ color }: { color: string }) =>
        color.replace(/(Light|Bright|Dark)\d*$/, ''),
      ),
    ).size,
  ).toBe(4);
});
