// Timelines and Gantt charts. What is drawn is a canvas; each bar in sight is a button for keys and screen readers, which says where the bar is.
import type { Locator, Page } from '@playwright/test';
import { choose, drawn, escape, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';

const at = (day: string): string => `${day}T00:00:00.000Z`;

const bar = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Bars' }).getByRole('button', { name: new RegExp(`^${name}, `) });
const placeOf = async (page: Page, name: string): Promise<{ x: number; y: number; width: number; height: number }> => {
  await drawn(page);
  const box = await bar(page, name).boundingBox();
  if (box === null) throw new Error(`There is no bar ${name}`);
  return box;
};
const dayWidth = 48;

/** Drags from a place of a bar, measured from its left edge, so many pixels to the right. */
const drag = async (page: Page, name: string, from: (width: number) => number, by: number): Promise<void> => {
  const { x, y, width, height } = await placeOf(page, name);
  await page.mouse.move(x + from(width), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + from(width) + by / 2, y + height / 2, { steps: 5 });
  await page.mouse.move(x + from(width) + by, y + height / 2, { steps: 5 });
  await page.mouse.up();
};

test('a plan is dragged and stretched, what waits moves along and back, others see it, and a share shows it', async ({
  person: { page, api },
  browser,
}) => {
  const table = await newTable(
    api,
    [
      { name: 'Task', type: 'singleLineText' },
      { name: 'From', type: 'date' },
      { name: 'Until', type: 'date' },
      { name: 'Team', type: 'singleSelect', options: { choices: [{ name: 'Design' }, { name: 'Works' }] } },
    ],
    [
      // A Monday.
      { Task: 'Draw', From: at('2030-05-06'), Until: at('2030-05-07'), Team: 'Design' },
      { Task: 'Build', From: at('2030-05-08'), Until: at('2030-05-10'), Team: 'Works' },
      { Task: 'Launch', From: at('2030-05-13'), Until: at('2030-05-13'), Team: 'Works' },
      { Task: 'Later' },
    ],
  );
  await api.post(`/table/${table.tableId}/field`, {
    name: 'Waits for',
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: table.tableId },
  });
  const { records } = await api.get(`/table/${table.tableId}/record?take=10`);
  await api.patch(`/table/${table.tableId}/record`, {
    records: [1, 2].map((task) => ({
      id: records[task].id,
      fields: { 'Waits for': [{ id: records[task - 1].id }] },
    })),
  });
  const days = async (): Promise<string> =>
    (await table.records())
      .filter(({ From }) => From !== undefined)
      .map(({ Task, From, Until }) => `${Task} ${String(From).slice(5, 10)} ${String(Until ?? '').slice(5, 10)}`)
      .join(', ');
  await page.goto(table.url);
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Gantt' }).click();
  await choose(page, 'Zoom', 'Days');
  await expect(bar(page, 'Build')).toHaveText('Build, 8 May 2030 – 10 May 2030');

  const mate = await newPerson(browser, 'kim');
  const [space] = await api.get('/space');
  await api.post(`/space/${space.id}/invitation/email`, { emails: [mate.email], role: 'viewer' });
  await mate.page.goto(page.url());
  await expect(bar(mate.page, 'Launch')).toBeAttached();

  // Two days on: what waits is pushed over the weekend, and keeps its three working days.
  await drag(page, 'Draw', (width) => width / 2, 2 * dayWidth);
  const pushed = 'Draw 05-08 05-09, Build 05-10 05-14, Launch 05-15 05-15';
  await expect.poll(days).toBe(pushed);
  await expect(bar(page, 'Launch')).toHaveText('Launch, 15 May 2030');
  await expect(bar(mate.page, 'Launch')).toHaveText('Launch, 15 May 2030');
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(days).toBe('Draw 05-06 05-07, Build 05-08 05-10, Launch 05-13 05-13');
  await expect(bar(page, 'Launch')).toHaveText('Launch, 13 May 2030');
  await page.getByRole('button', { name: 'Redo last change' }).click();
  await expect.poll(days).toBe(pushed);
  await expect(bar(page, 'Launch')).toHaveText('Launch, 15 May 2030');

  // By its end, and by keys.
  await drag(page, 'Draw', (width) => width - 3, -dayWidth);
  await expect.poll(days).toBe('Draw 05-08 05-08, Build 05-10 05-14, Launch 05-15 05-15');
  await bar(page, 'Launch').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(bar(page, 'Launch')).toHaveText('Launch, 16 May 2030');
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(days).toBe('Draw 05-08 05-08, Build 05-10 05-14, Launch 05-16 05-17');
  // Who may not change records drags nothing, and opens them.
  await choose(mate.page, 'Zoom', 'Days');
  await drag(mate.page, 'Draw', (width) => width / 2, 3 * dayWidth);
  const box = await placeOf(mate.page, 'Draw');
  await mate.page.mouse.click(box.x + 8, box.y + 8);
  await expect(mate.page.getByRole('complementary', { name: 'Record' })).toBeVisible();
  expect(await days()).toBe('Draw 05-08 05-08, Build 05-10 05-14, Launch 05-16 05-17');

  // A circle is named.
  await api.patch(`/table/${table.tableId}/record/${records[0].id}`, {
    record: { fields: { 'Waits for': [{ id: records[2].id }] } },
  });
  const circle = page.getByText('These wait for each other in a circle');
  await expect(circle).toContainText('Draw → Build → Launch → Draw');
  await api.patch(`/table/${table.tableId}/record/${records[0].id}`, { record: { fields: { 'Waits for': null } } });
  await expect(circle).toBeHidden();

  await page.getByRole('button', { name: 'Bars', exact: true }).click();
  await page.getByLabel('Show the critical path').check();
  await expect(bar(page, 'Launch')).toHaveText('Launch, 16 May 2030 – 17 May 2030, critical');
  await escape(page);
  const found = await inspect(page, 'gantt');
  const wide = (await placeOf(page, 'Build')).width;
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(async () => (await placeOf(page, 'Build')).width).toBeLessThan(wide / 2);
  await choose(page, 'Zoom', 'Days');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a picture' }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe('Gantt.png');

  // Lanes: dragged into another one, a record gets its cell; over an empty place there is a new one.
  await page.getByRole('button', { name: 'New view' }).click();
  await page.getByRole('menuitem', { name: 'Timeline' }).click();
  await expect(page.getByRole('region', { name: 'Timeline by From' })).toBeVisible();
  await page.getByRole('button', { name: 'Bars', exact: true }).click();
  await choose(page, 'Lanes', 'Team');
  await escape(page);
  const [low, high] = [await placeOf(page, 'Build'), await placeOf(page, 'Draw')];
  await page.mouse.move(high.x + 10, high.y + 10);
  await page.mouse.down();
  await page.mouse.move(high.x + 12, low.y - 20, { steps: 5 });
  await page.mouse.move(high.x + 12, low.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await table.records())[0]).toMatchObject({ Task: 'Draw', Team: 'Works' });
  const build = await placeOf(page, 'Build');
  await page.mouse.move(build.x - 6 * dayWidth, build.y + 10);
  await page.mouse.down();
  await page.mouse.move(build.x - 4.5 * dayWidth, build.y + 10, { steps: 5 });
  await page.mouse.up();
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByLabel('Task', { exact: true }).fill('Fresh');
  await page.keyboard.press('Enter');
  await expect(bar(page, 'Fresh')).toHaveText('Fresh, 4 May 2030 – 5 May 2030');
  await panel.getByRole('button', { name: 'Close record' }).click();
  await page.getByRole('button', { name: 'No date' }).click();
  await expect(page.getByRole('region', { name: 'Without From' }).getByRole('button', { name: 'Later' })).toBeVisible();
  // The theme follows the system, also when the window gets another size at the same moment and everything is drawn again.
  const size = page.viewportSize() as { width: number; height: number };
  const follows = async (colorScheme: 'light' | 'dark', width: number): Promise<void> => {
    await page.setViewportSize({ ...size, width });
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  };
  await follows('dark', 390);
  await follows('light', 768);
  await follows('dark', 1_440);
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: null });
  found.push(...(await inspect(page, 'timeline')));
  expect(found).toEqual([]);

  const views = await api.get(`/table/${table.tableId}/view`);
  const { id } = views.find(({ type }: { type: string }) => type === 'gantt');
  const { shareId } = await api.post(`/table/${table.tableId}/view/${id}/enable-share`, {});
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/share/${shareId}/view`);
  await choose(visitor, 'Zoom', 'Days');
  await expect(bar(visitor, 'Launch')).toHaveText('Launch, 16 May 2030 – 17 May 2030, critical');
  await drag(visitor, 'Launch', (width) => width / 2, dayWidth);
  await api.delete(`/table/${table.tableId}/field/${table.fieldId('Until')}`);
  await expect(page.getByText('The field for when records end is deleted')).toBeVisible();
  await expect(bar(visitor, 'Launch')).toHaveText('Launch, 16 May 2030, critical');
  await visitor.context().close();
});
