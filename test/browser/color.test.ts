// Colours of records: rules made by hand in the app, drawn in every view, for visitors, and seen by others.
import { escape, expect, test } from '../support/browser.ts';
import { cell, newTable, selectFirstCell } from '../support/browser-table.ts';
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
