// No part of the table's screen has a serious fault for people who use a keyboard or a screen reader, in light and dark.
import { expect, type Person, test } from '../support/browser.ts';
import { faultsInLightAndDark, takePictures } from '../support/browser-faults.ts';
import { withAllCases } from '../support/cases.ts';
import { cell, clickGrid, copyText, newTable, press } from '../support/browser-table.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { name: 'Due', type: 'date' },
  { name: 'Stars', type: 'rating' },
  { name: 'Count', type: 'number' },
];

const open = async ({ page, api }: Person) => {
  const table = await newTable(api, fields, [
    { Name: 'Alpha', Status: 'open', Due: new Date().toISOString(), Stars: 3, Count: 2 },
    { Name: 'Beta' },
  ]);
  const place = `/table/${table.tableId}`;
  const [view] = await api.get(`${place}/view`);
  const [record] = (await api.get(`${place}/record`)).records;
  await api.patch(`${place}/record/${record.id}`, { record: { fields: { Status: 'done', Stars: 4 } } });
  const found: Record<string, string[]> = {};
  const look = async (name: string): Promise<void> => {
    const list = await faultsInLightAndDark(page);
    await takePictures(page, name);
    if (list.length > 0) found[name] = list;
  };
  return { table, place, view, record, found, look };
};

test('axe finds nothing serious around a grid, in its menus and dialogs', async ({ person }) => {
  test.setTimeout(240_000);
  const { page } = person;
  const { table, found, look } = await open(person);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const opened = async (name: string, ready: () => Promise<unknown>): Promise<void> => {
    await button(name).click();
    await ready();
    await look(name);
    await press(page, 'Escape');
  };

  /** A list or a menu made of the same parts as another one here. */
  const inProof = async (opening: () => Promise<void>): Promise<void> => (withAllCases ? opening() : undefined);

  await page.goto(table.url);
  await cell(page, 0, 0).waitFor({ state: 'attached' });
  await look('grid');
  await inProof(() => opened('Search', () => page.getByLabel('Search in this view').waitFor()));
  await opened('Group', () => page.getByText('Group by a field').waitFor());
  await inProof(() => opened('Sort', () => page.getByText('Records are in the order').waitFor()));
  await opened('Fields', () => page.getByRole('checkbox', { name: 'Status' }).waitFor());
  await inProof(() => opened('Height', () => page.getByRole('menuitem', { name: 'Tall', exact: true }).waitFor()));
  await inProof(() =>
    opened('History', () =>
      page.getByRole('complementary', { name: 'History of the table' }).getByRole('listitem').first().waitFor(),
    ),
  );
  const [gone] = (await person.api.get(`/table/${table.tableId}/record`)).records.slice(-1);
  await person.api.delete(`/table/${table.tableId}/record/${gone.id}`);
  await opened('History', async () => {
    await page.getByRole('tab', { name: 'Deleted' }).click();
    await button('Delete all permanently').waitFor();
  });
  await inProof(() => opened('Count: no statistic', () => page.getByRole('menuitem', { name: 'Sum' }).waitFor()));
  await opened('Filter', async () => {
    await button('Add a condition').click();
    await button('Add a group').click();
    await page.getByLabel('Field of condition 2.1').waitFor();
  });
  await clickGrid(page, 120, 52, 'right');
  await page.getByRole('menuitem', { name: 'Open record' }).waitFor();
  await look('menu of a row');
  await press(page, 'Escape');
  await press(page, 'Control+/');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await look('shortcuts');
  await press(page, 'Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
  await press(page, 'End');
  await expect(cell(page, 0, 4)).toHaveAttribute('aria-selected', 'true');
  // What does not fit, and columns that have no field.
  await copyText(page, 'no number\tmore');
  await press(page, 'Control+v');
  await page.getByRole('dialog', { name: 'One more column' }).waitFor();
  await look('more columns');
  await button('Leave it out').click();
  await page.getByText('1 cell did not fit').waitFor();
  await look('what did not fit');
  await button('Dismiss').click();
  await inProof(() => opened('Grid view', () => page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()));
  await clickGrid(page, 340, 18, 'right');
  await page.getByRole('menuitem', { name: 'Edit field' }).waitFor();
  await look('menu of a column');
  await page.getByRole('menuitem', { name: 'Edit field' }).click();
  await page.getByLabel('Type', { exact: true }).click();
  await page.getByLabel('Search field types').waitFor();
  await look('dialog of a field');
  expect(found).toEqual({});
});

test('axe finds nothing serious in a record and in views of every kind', async ({ person }) => {
  test.setTimeout(240_000);
  const { page, api } = person;
  const { table, place, view, record, found, look } = await open(person);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await api.put(`${place}/view/${view.id}/group`, { group: [{ fieldId: table.fieldId('Status'), order: 'asc' }] });
  await page.goto(`${table.url}?record=${record.id}`);
  await page.getByLabel('Stars', { exact: true }).waitFor();
  await look('record');
  // A long text on the whole screen.
  await api.post(`${place}/field`, { name: 'Notes', type: 'longText' });
  await page
    .getByLabel('Notes', { exact: true })
    .fill('# Plan\n\n- **measure** the site\n- ask @somebody\n\n> Nothing is decided.\n\n`12 × 3`');
  await page.getByRole('button', { name: 'Expand' }).click();
  await page.getByRole('document', { name: 'Preview' }).getByText('measure').waitFor();
  await look('long text');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('complementary', { name: 'Record' }).getByRole('listitem').first().waitFor();
  await look('history of a record');

  for (const type of ['kanban', 'gallery', 'calendar', 'form']) {
    const { id } = await api.post(`${place}/view`, {
      type,
      name: type,
      ...(type === 'form'
        ? {}
        : { columnMeta: { [table.fieldId('Stars')]: { visible: true }, [table.fieldId('Due')]: { visible: true } } }),
    });
    await page.goto(`${table.url}?view=${id}`);
    await (type === 'form' ? button('Add a cover') : button('Alpha')).waitFor();
    await look(type);
    if (type !== 'form') continue;
    await page
      .getByRole('list', { name: 'Fields of the form' })
      .getByRole('button', { expanded: false })
      .nth(1)
      .click();
    await look('field in the form builder');
    await page.getByRole('radio', { name: 'Fill in' }).click();
    await button('Submit').waitFor();
    await look('form to fill in');
  }
  expect(found).toEqual({});
});
