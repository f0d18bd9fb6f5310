/// <reference lib="dom" />
// Work in a large table: scrolling through it, and pasting many rows.
import type { Page } from '@playwright/test';
import { firstCell, open, type Visit } from './visit.ts';

/** Milliseconds from one frame to the next while the grid scrolls. */
type Frames = number[];

const openGrid = async (visit: Visit): Promise<Page> => {
  const page = await open(visit);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: visit.origin });
  await page.goto(visit.origin + visit.path);
  await page.locator(firstCell).waitFor({ state: 'attached' });
  return page;
};

/** Down through the table and to the right, a little with every frame, as a hand on a wheel does. */
export const scroll = async (visit: Visit, seconds: number): Promise<Frames> => {
  const page = await openGrid(visit);
  const frames = await page.evaluate(async (length) => {
    const scroller = document.querySelector('.dvn-scroller') as HTMLElement;
    const times: number[] = [];
    do {
      times.push(await new Promise<number>((drawn) => requestAnimationFrame(drawn)));
      scroller.scrollTop += 120;
      scroller.scrollLeft += times.length % 120 < 60 ? 8 : -8;
    } while ((times.at(-1) as number) - (times[0] as number) < length);
    return times.slice(1).map((at, index) => at - (times[index] as number));
  }, seconds * 1_000);
  await page.context().close();
  return frames;
};

/** Milliseconds from the key until the app says that everything is saved. */
export const paste = async (visit: Visit, rows: number, columns: number): Promise<number> => {
  const page = await openGrid(visit);
  const text = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_item, column) => `pasted ${row}-${column}`).join('\t'),
  ).join('\n');
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  // The first cell lies below the header, right of the row numbers.
  const box = await page.locator('[data-testid="data-grid-canvas"]').boundingBox();
  if (box === null) throw new Error('the grid is not on the screen');
  await page.mouse.click(box.x + 160, box.y + 56);
  await page.locator('#glide-cell-1-0[aria-selected="true"]').waitFor({ state: 'attached' });
  const said = page.getByText(/ cells pasted\./).waitFor();
  const begun = performance.now();
  await page.keyboard.press('Control+v');
  await said;
  const taken = performance.now() - begun;
  await page.context().close();
  return taken;
};
