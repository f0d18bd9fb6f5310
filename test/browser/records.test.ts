// Records in the app: their colours, by rules made by hand, drawn in every view and for visitors; templates for new ones, made from a record and by hand.
import { inspect } from '../support/browser-faults.ts';
import { cell, clickGrid, newTable, selectFirstCell } from '../support/browser-table.ts';
import { escape, expect, newPerson, test } from '../support/browser.ts';
import type { Page } from '@playwright/test';

const screens = process.env['ROWHOUSE_SCREENS'];
const picture = async (page: Page, name: string): Promise<void> => {
  if (screens !== undefined) await page.screenshot({ path: `${screens}/color-${name}.png` });
};

/** The colour of the canvas inside of a row, at the end of its first cell. */
const colorAt = (page: Page, row: number, x: number): Promise<string> =>
  page.evaluate(
    ([at, left]) => {
      const canvas = document.querySelector('canvas[data-testid="data-grid-canvas"]') as HTMLCanvasElement;
      const scale = canvas.width / canvas.getBoundingClientRect().width;
      const [red, green, blue] = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
        left * scale,
        (36 + at * 34 + 17) * scale,
        1,
        1,
      ).data;
      return `${red} ${green} ${blue}`;
    },
    [row, x] as const,
  );

test('a backlog is coloured by hand, follows edits, and visitors see its colours', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Points', type: 'number' },
      {
        name: 'State',
        type: 'singleSelect',
        options: {
          choices: [
            { name: 'Open', color: 'orangeBright' },
            { name: 'Done', color: 'greenBright' },
          ],
        },
      },
    ],
    [
      { Name: 'Sign in', Points: 8, State: 'Open' },
      { Name: 'Export', Points: 3, State: 'Done' },
      { Name: 'Search', Points: 13 },
    ],
  );
  await page.goto(table.url);
  await selectFirstCell(page);
  const plain = await colorAt(page, 2, 250);

  await page.getByRole('button', { name: 'Colour', exact: true }).click();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await expect.poll(() => colorAt(page, 0, 250)).not.toBe(await colorAt(page, 1, 250));
  // The second is still on its way when it is changed.
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/options', (route) => held.then(() => route.continue()), { times: 1 });
  let saves = 0;
  page.on('request', (request) => (saves += request.url().endsWith('/options') ? 1 : 0));
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await expect.poll(() => saves).toBe(1);
  const second = page.getByRole('group', { name: 'Rule 2' });
  await second.getByRole('combobox', { name: 'How it is coloured' }).click();
  await page.getByRole('option', { name: 'as a heat map' }).click();
  await second.getByLabel('to', { exact: true }).fill('13');
  await picture(page, 'rules');
  await escape(page);
  // The next save knows what this one has written: it waits.
  expect(saves).toBe(1);
  goOn();
  await expect(page.getByRole('button', { name: '2 colours' })).toBeVisible();
  await page.reload();
  await expect(cell(page, 0, 0)).toHaveText('Sign in');
  await expect.poll(() => colorAt(page, 2, 250)).toBe(plain);
  const open = await colorAt(page, 0, 250);
  expect(open).not.toBe(plain);
  expect(await colorAt(page, 1, 250)).not.toBe(open);
  await picture(page, 'grid');

  // Somebody else changes a cell that decides.
  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  await api.patch(`/table/${table.tableId}/record/${record.id}`, { record: { fields: { State: 'Done' } } });
  await expect.poll(() => colorAt(page, 0, 250)).not.toBe(open);

  const [view] = await api.get(`/table/${table.tableId}/view`);
  const { shareId } = await api.post(`/table/${table.tableId}/view/${view.id}/enable-share`);
  for (const type of ['gallery', 'kanban', 'calendar'])
    await api.post(`/table/${table.tableId}/view`, {
      type,
      name: `My ${type}`,
      options: {
        colorRules: view.options.colorRules,
        ...(type === 'kanban' ? { stackFieldId: table.fieldId('State') } : {}),
      },
    });
  const made = await api.get(`/table/${table.tableId}/view`);
  for (const type of ['gallery', 'kanban']) {
    await page.goto(`${table.url}?view=${made.find((one: { type: string }) => one.type === type).id}`);
    const card = page.getByRole('listitem').filter({ hasText: 'Sign in' });
    await expect(card).toBeVisible();
    const background = () =>
      card.evaluate((item) =>
        [item, ...item.querySelectorAll('*')].some((one) =>
          (one as HTMLElement).style.background.includes('color-mix'),
        ),
      );
    await expect.poll(background).toBe(true);
    await picture(page, type);
  }
  const visitor = await browser.newPage();
  await visitor.goto(`/share/${shareId}/view`);
  await expect(visitor.locator('canvas[data-testid="data-grid-canvas"]')).toBeVisible();
  await expect.poll(() => colorAt(visitor, 0, 250)).not.toBe(plain);
  await picture(visitor, 'share');
  await visitor.close();
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(table.url);
      await expect(cell(page, 0, 0)).toHaveText('Sign in');
      await picture(page, `${scheme}-${width}`);
    }
  }
});

test('a template is saved from a record, chosen for new ones, and can be what a view begins with', async ({
  person: { page, api },
  browser,
}) => {
  const found: string[] = [];
  const table = await newTable(
    api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Status', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
      { name: 'Count', type: 'number' },
      { name: 'Due', type: 'date' },
    ],
    [{ Name: 'Kick-off', Status: 'open', Count: 3 }],
  );
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const last = async () => (await table.records()).at(-1);
  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  await page.goto(`${table.url}?record=${record.id}`);

  // The address of a record, for others.
  await page.getByLabel('Record', { exact: true }).getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${table.url}?record=${record.id}`);

  await button('More for this record').click();
  await item('Save as template').click();
  const dialog = page.getByRole('dialog', { name: 'New template' });
  await expect(dialog.getByLabel('Name of the template')).toHaveValue('Kick-off');
  await dialog.getByLabel('Name of the template').fill('Meeting');
  await dialog.getByLabel('Name', { exact: true }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('New meeting');
  found.push(...(await inspect(page, 'record-template')));
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog).toBeHidden();
  await button('Close record').click();

  await button('Record templates').click();
  await expect(item('Meeting')).toBeVisible();
  found.push(...(await inspect(page, 'record-templates-menu')));
  await item('Meeting').click();
  await expect(page.getByRole('heading', { name: 'New meeting' })).toBeVisible();
  await button('Close record').click();
  expect(await last()).toEqual({ Name: 'New meeting', Status: 'open', Count: 3 });

  // By hand; and what the view begins with from now on, also in the grid itself.
  await button('Record templates').click();
  await item('Manage templates').click();
  const all = page.getByRole('dialog', { name: 'Record templates' });
  await all.getByRole('button', { name: 'New template' }).click();
  await dialog.getByLabel('Name of the template').fill('Task');
  await dialog.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'done' }).click();
  await dialog.getByLabel('Count', { exact: true }).click();
  await dialog.getByLabel('Count', { exact: true }).fill('many');
  // The whole calendar is in sight.
  await dialog.getByLabel('Due', { exact: true }).click();
  await expect(dialog.getByRole('grid').getByRole('gridcell').last()).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Leave Due unchanged' }).click();
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Count', { exact: true }).fill('7');
  await dialog.getByRole('button', { name: 'Create template' }).click();
  await expect(all.getByText('Task', { exact: true })).toBeVisible();
  await all.getByRole('listitem').filter({ hasText: 'Task' }).getByLabel('Default in this view').click();
  await expect(all.getByRole('listitem').filter({ hasText: 'Task' }).getByRole('checkbox')).toBeChecked();
  found.push(...(await inspect(page, 'record-templates')));
  await all.getByRole('button', { name: 'Done' }).click();
  await button('New record').click();
  await button('Close record').click();
  await expect.poll(last).toEqual({ Status: 'done', Count: 7 });
  // The row below the records, too.
  await clickGrid(page, 120, 36 + 3 * 34 + 17);
  await expect(cell(page, 3, 1)).toHaveText('done');
  await expect.poll(async () => (await table.records()).length).toBe(4);
  expect(await last()).toEqual({ Status: 'done', Count: 7 });

  // A guest sees what is renamed and deleted, without loading the page again.
  const guest = await newPerson(browser, 'kim');
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [guest.email], role: 'editor' });
  await guest.page.goto(table.url);
  await expect(cell(guest.page, 3, 1)).toHaveText('done');
  await guest.page.getByRole('button', { name: 'Record templates', exact: true }).click();
  await expect(guest.page.getByRole('menuitem', { name: 'Task' })).toContainText('Default');
  await escape(guest.page);
  await button('Record templates').click();
  await item('Manage templates').click();
  await all.getByRole('button', { name: 'Delete Task' }).click();
  await expect(page.getByText('“Task” deleted.')).toBeVisible();
  await guest.page.getByRole('button', { name: 'Record templates', exact: true }).click();
  await expect(guest.page.getByRole('menuitem', { name: 'Meeting' })).toBeVisible();
  await expect(guest.page.getByRole('menuitem', { name: 'Task' })).toHaveCount(0);
  await escape(guest.page);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(all.getByRole('listitem').filter({ hasText: 'Task' }).getByRole('checkbox')).toBeChecked();
  await guest.leave();
  expect(found).toEqual([]);
});
