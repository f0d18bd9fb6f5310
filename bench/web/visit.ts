/// <reference lib="dom" />
// Visits to a table by a person who is signed in.
import type { Browser, Page } from '@playwright/test';

export interface Visit {
  browser: Browser;
  origin: string;
  path: string;
  /** `name=value` */
  cookie: string;
  /** What the first cell says. */
  firstText: string;
}

/** Milliseconds since the address was entered. */
export interface Times {
  /** The frame after the first cell was painted. */
  seen: number;
  /** The grid is a canvas; what it shows is also in a table for screen readers, which follows when drawing has come to rest. */
  readable: number;
}

export interface FirstLoad {
  /** Bytes over the wire of everything that is needed before the grid's own chunk. */
  beforeGrid: number;
  withGrid: number;
}

export const firstCell = '#glide-cell-1-0:not(:empty)';

export const open = async ({ browser, origin, cookie }: Visit): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: origin }]);
  return context.newPage();
};

declare global {
  interface Window {
    benchSeen?: number;
    benchReadable?: number;
  }
}

// The page notes the times itself: asked from outside, it would be found out up to half a second late.
const noteTimes = ({ text, selector }: { text: string; selector: string }): void => {
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (...args) {
    fillText.apply(this, args);
    if (args[0] !== text) return;
    CanvasRenderingContext2D.prototype.fillText = fillText;
    requestAnimationFrame(() => (window.benchSeen = Date.now()));
  };
  const observer = new MutationObserver(() => {
    if (document.querySelector(selector) === null) return;
    observer.disconnect();
    window.benchReadable = Date.now();
  });
  observer.observe(document, { childList: true, subtree: true });
};

/** Visits one after another with the same cache. */
export const timeToData = async (visit: Visit, times: number): Promise<Times[]> => {
  const page = await open(visit);
  await page.addInitScript(noteTimes, { text: visit.firstText, selector: firstCell });
  const all: Times[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await page.goto('about:blank');
    const begun = Date.now();
    await page.goto(visit.origin + visit.path, { waitUntil: 'commit' });
    const noted = await page.waitForFunction(
      () =>
        window.benchSeen !== undefined &&
        window.benchReadable !== undefined && { seen: window.benchSeen, readable: window.benchReadable },
    );
    const { seen, readable } = (await noted.jsonValue()) as Times;
    all.push({ seen: seen - begun, readable: readable - begun });
  }
  await page.context().close();
  return all;
};

const isGrid = (url: string): boolean => /\/assets\/table-/.test(url);

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
  const files = [...urls]
    .filter(([, url]) => !url.includes('/api/'))
    .map(([id, url]) => ({ url, bytes: sizes.get(id) ?? 0 }));
  const sum = (list: readonly { bytes: number }[]): number => list.reduce((total, { bytes }) => total + bytes, 0);
  return { beforeGrid: sum(files.filter(({ url }) => !isGrid(url))), withGrid: sum(files) };
};
