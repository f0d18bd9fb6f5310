// Visits to a table by a person who is signed in.
import type { Browser, Page } from '@playwright/test';

export interface Visit {
  browser: Browser;
  origin: string;
  path: string;
  /** `name=value` */
  cookie: string;
}

export interface FirstLoad {
  /** Bytes over the wire of everything that is needed before the grid's own chunk. */
  beforeGrid: number;
  withGrid: number;
}

/** The grid is a canvas; what it shows is also in a table for screen readers. */
const firstCell = '#glide-cell-1-0:not(:empty)';

const open = async ({ browser, origin, cookie }: Visit): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: origin }]);
  return context.newPage();
};

/** Milliseconds until a cell shows its text, for visits one after another with the same cache. */
export const timeToData = async (visit: Visit, times: number): Promise<number[]> => {
  const page = await open(visit);
  const all: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await page.goto('about:blank');
    const begun = performance.now();
    await page.goto(visit.origin + visit.path, { waitUntil: 'commit' });
    await page.locator(firstCell).waitFor({ state: 'attached' });
    all.push(performance.now() - begun);
  }
  await page.context().close();
  return all;
};

const isGrid = (url: string): boolean => /\/table-page-|\/grid/.test(url);

export const firstLoad = async (visit: Visit): Promise<FirstLoad> => {
  const page = await open(visit);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const urls = new Map<string, string>();
  const sizes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto(visit.origin + visit.path);
  await page.locator(firstCell).waitFor({ state: 'attached' });
  await page.context().close();
  // The page, its scripts and styles; not the data.
  const files = [...urls].filter(([, url]) => !url.includes('/api/')).map(([id, url]) => ({ url, bytes: sizes.get(id) ?? 0 }));
  const sum = (list: readonly { bytes: number }[]): number => list.reduce((total, { bytes }) => total + bytes, 0);
  return { beforeGrid: sum(files.filter(({ url }) => !isGrid(url))), withGrid: sum(files) };
};
