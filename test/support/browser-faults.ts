// What keeps people from using a page: what axe finds for those with a keyboard or a screen reader, in light and dark,
// and what does not fit on a narrow phone.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './browser-expect.ts';

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

const parts = '{ include: partsToLookAt.filter((part) => part.isConnected) }';

export const faultsInLightAndDark = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  // There are no frames in the app, so axe is run in the page itself. It stays there: reading it takes as long as running it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source);
  const first = await themeOf(page);
  await themed(page, first);
  const isFirst = !(await page.evaluate<boolean>("'lookedAt' in window"));
  const count = await page.evaluate<number>(`(window.partsToLookAt = ${newParts}).length`);
  const colourless = { rules: Object.fromEntries(colourRules.map((id) => [id, { enabled: false }])) };
  // Once as a whole, for what holds between its parts.
  if (isFirst) found.push(...(await run(page, 'document', colourless)));
  if (count === 0) return found;
  if (!isFirst) found.push(...(await run(page, parts, colourless)));
  // It ends in the other theme, and begins there the next time.
  for (const colorScheme of [first, first === 'light' ? 'dark' : 'light'] as const) {
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

/** With ROWHOUSE_SCREENS, a folder, it also takes pictures there: someone has to look at them now and then. */
export const inspect = async (page: Page, name: string): Promise<string[]> => {
  const wide = page.viewportSize() as { width: number; height: number };
  const found = await faultsInLightAndDark(page);
  await page.setViewportSize({ width: 360, height: 740 });
  found.push(...(await staysTooWide(page)));
  const folder = process.env['ROWHOUSE_SCREENS'];
  if (folder !== undefined) {
    await page.screenshot({ path: join(folder, `${name}-360.png`) });
    await page.setViewportSize(wide);
    for (const colorScheme of ['dark', 'light'] as const) {
      await themed(page, colorScheme);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(wide);
  return found.map((fault) => `${name}: ${fault}`);
};
