// Steps on a table that several browser tests share. The grid is a canvas; what it shows is also in a table for
// screen readers, and that is what tests read.
import type { Locator, Page } from '@playwright/test';
import { type Api, drawn, layers } from './browser.ts';
import { expect } from './browser-expect.ts';

export interface TestTable {
  baseId: string;
  tableId: string;
  fieldId(name: string): string;
  url: string;
  /** Where its records are: schema, table, and column of a field. */
  place(fieldName: string): { schema: string; table: string; column: string };
  /** The records as the API has them, by field name. */
  records(): Promise<Record<string, unknown>[]>;
}

export const newTable = async (
  api: Api,
  fields: object[],
  records: Record<string, unknown>[] = [],
): Promise<TestTable> => {
  const [space] = await api.get('/space');
  const base = await api.post('/base', { spaceId: space.id, name: 'Projects' });
  const table = await api.post(`/base/${base.id}/table`, {
    name: 'Tasks',
    fields,
    records: records.map((cells) => ({ fields: cells })),
  });
  return {
    baseId: base.id,
    tableId: table.id,
    fieldId: (name) => table.fields.find((field: { name: string }) => field.name === name).id,
    url: `/base/${base.id}/${table.id}`,
    place: (name) => ({
      schema: base.id,
      table: table.dbTableName.split('.')[1],
      column: table.fields.find((field: { name: string }) => field.name === name).dbFieldName,
    }),
    records: async () =>
      (await api.get(`/table/${table.id}/record?take=1000`)).records.map(
        (record: { fields: Record<string, unknown> }) => record.fields,
      ),
  };
};

/** A cell as screen readers meet it; rows and columns from 0. */
export const cell = (page: Page, row: number, column: number): Locator =>
  page.locator(`#glide-cell-${column + 1}-${row}`);

/** A click on the grid, measured from its upper left corner: markers are 52 wide, the header 36 and rows 34 high. */
export const clickGrid = async (page: Page, x: number, y: number, button: 'left' | 'right' = 'left'): Promise<void> => {
  // A click of the mouse waits for nothing by itself: one above the grid would only close a menu that is on its way out.
  await expect(layers(page)).toHaveCount(0);
  const box = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  if (box === null) throw new Error('There is no grid on the page');
  await page.mouse.click(box.x + x, box.y + y, { button });
};

/** Drags on the grid from one place to another, both measured from its upper left corner; `before` it is dropped. */
export const dragGrid = async (
  page: Page,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
  before?: () => Promise<void>,
): Promise<void> => {
  const box = await page.locator('canvas[data-testid="data-grid-canvas"]').boundingBox();
  if (box === null) throw new Error('There is no grid on the page');
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await drawn(page);
  await page.mouse.down();
  await drawn(page);
  await page.mouse.move(box.x + (from[0] + to[0]) / 2, box.y + (from[1] + to[1]) / 2, { steps: 8 });
  await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 8 });
  await drawn(page);
  await before?.();
  await page.mouse.up();
};

/** Selects the first cell; from there the keyboard leads everywhere. */
export const selectFirstCell = async (page: Page): Promise<void> => {
  await expect(cell(page, 0, 0)).toBeAttached();
  await clickGrid(page, 120, 52);
  await expect(cell(page, 0, 0)).toHaveAttribute('aria-selected', 'true');
};

/** Presses keys as a quick person does: the grid has drawn before the next one comes. */
export const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await drawn(page);
  }
};

/** As if it had been copied in another program. */
export const copyText = async (page: Page, text: string): Promise<void> => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
};
