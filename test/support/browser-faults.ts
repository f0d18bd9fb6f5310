// What keeps people from using a page: what axe finds for those with a keyboard or a screen reader, in light and dark,
// and what does not fit on a narrow phone.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './browser-expect.ts';
import { cases, withAllCases } from './cases.ts';

const source = readFileSync(join(dirname(createRequire(import.meta.url).resolve('axe-core')), 'axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** What depends on colours: all that can differ in the dark from what was looked at in the light, and what takes most of the time. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * The parts of the page that were not there the last time, or are different. The rest has been looked at: behind a menu that is
 * hundreds of elements, again for each menu.
 */
const newParts = `(() => {
  const looked = (window.lookedAt ??= new WeakMap());
  // What a dialog hides from screen readers is no other than before.
  const lookOf = (element) => [...[...element.attributes].filter(({ name }) => !name.endsWith('aria-hidden')).map(({ name, value }) => name + '=' + value), ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)].join('|');
  const found = [];
  const walk = (element, isFound) => {
    const look = lookOf(element);
    const isNew = element !== document.body && looked.get(element) !== look;
    looked.set(element, look);
    if (isNew && !isFound) found.push(element);
    // What is inside a canvas is for screen readers, and has no colours: it counts as a part of it.
    if (element.localName !== 'canvas') for (const child of element.children) walk(child, isFound || isNew);
  };
  walk(document.body, false);
  return found;
})()`;

const run = async (page: Page, context: string, options: object): Promise<string[]> => {
  // Fetching style sheets and media beforehand serves rules about sound and about turning a phone, which are about nothing here.
  const given = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options });
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(${context}, ${given}).then(({ violations }) => ({ violations }))`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
};

/** When nothing has moved for two frames. */
const calm = `(async () => {
  const moving = () => document.getAnimations().some(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().iterations !== Infinity);
  for (let still = 0; still < 2; still = moving() ? 0 : still + 1) await new Promise(requestAnimationFrame);
})()`;

const themeOf = (page: Page): Promise<'light' | 'dark'> =>
  page.evaluate("document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'");

const themed = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  // Colours fade from one to the other, and menus appear.
  await page.evaluate(calm);
};

/** What axe finds in parts of a page that is none of the app. */
export const seriousFaults = async (page: Page, selector: string): Promise<string[]> => {
  await page.evaluate(source);
  return run(page, `{ include: [...document.querySelectorAll(${JSON.stringify(selector)})] }`, {});
};

const parts = '{ include: partsToLookAt.filter((part) => part.isConnected) }';

const opposite = (theme: 'light' | 'dark'): 'light' | 'dark' => (theme === 'light' ? 'dark' : 'light');

const looked = new WeakSet<Page>();

/** Colours in both themes in the proof; otherwise in turn, so that each theme is seen on every other screen. */
export const faultsInLightAndDark = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  // There are no frames in the app, so axe is run in the page itself. It stays there: reading it takes as long as running it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source);
  const before = await themeOf(page);
  const first = withAllCases || !looked.has(page) ? before : opposite(before);
  looked.add(page);
  await themed(page, first);
  const isFirst = !(await page.evaluate<boolean>("'lookedAt' in window"));
  const count = await page.evaluate<number>(`(window.partsToLookAt = ${newParts}).length`);
  const colourless = { rules: Object.fromEntries(colourRules.map((id) => [id, { enabled: false }])) };
  // Once as a whole, for what holds between its parts.
  if (isFirst) found.push(...(await run(page, 'document', colourless)));
  if (count === 0) return found;
  if (!isFirst) found.push(...(await run(page, parts, colourless)));
  // In the proof it ends in the other theme, and begins there the next time.
  for (const colorScheme of cases([first, opposite(first)], [first])) {
    await themed(page, colorScheme);
    found.push(...(await run(page, parts, { runOnly: colourRules })).map((fault) => `${colorScheme} ${fault}`));
  }
  return found;
};

const tooWide = `[...document.querySelectorAll('html, body, main, [role=dialog], [role=menu]')].filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => 'wider than 360 px: ' + element.outerHTML.slice(0, 120))`;

/** What is drawn by its size, such as a chart, hears of the new one a moment later. */
const staysTooWide = async (page: Page): Promise<string[]> => {
  let found: string[] = [];
  for (const deadline = Date.now() + 2_000; ; await page.waitForTimeout(50)) {
    found = await page.evaluate(tooWide);
    if (found.length === 0 || Date.now() > deadline) return found;
  }
};

const widths = [390, 768, 1_440] as const;

/** With ROWHOUSE_SCREENS, a folder: pictures on a phone, a tablet and a desk, in both themes. Someone has to look at them now and then. */
export const takePictures = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['ROWHOUSE_SCREENS'];
  if (folder === undefined) return;
  const [before, theme] = [page.viewportSize() as { width: number; height: number }, await themeOf(page)];
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await themed(page, colorScheme);
      await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}-${width}-${colorScheme}.png`) });
    }
  }
  await themed(page, theme);
  await page.setViewportSize(before);
};

export const inspect = async (page: Page, name: string): Promise<string[]> => {
  const wide = page.viewportSize() as { width: number; height: number };
  const found = await faultsInLightAndDark(page);
  await page.setViewportSize({ width: 360, height: 740 });
  found.push(...(await staysTooWide(page)));
  await page.setViewportSize(wide);
  await takePictures(page, name);
  return found.map((fault) => `${name}: ${fault}`);
};
