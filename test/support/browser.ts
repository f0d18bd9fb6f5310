// What every browser test needs: a person with an account who is signed in, and ways to make things quickly
// through the API where the test is not about making them.
import { randomBytes } from 'node:crypto';
import {
  test as plain,
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { findChromium } from './browser-chromium.ts';
import { expect } from './browser-expect.ts';
import { type BrowserServer, startBrowserServer } from './browser-process.ts';
import { type MailServer, openMailServer } from './mail-server.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

export { expect };

export interface Person {
  email: string;
  password: string;
  name: string;
  page: Page;
  api: Api;
  /** Closes the window; the next person may get it, emptied. */
  leave(): Promise<void>;
}

export interface Api {
  get<T = any>(path: string): Promise<T>;
  post<T = any>(path: string, body?: unknown): Promise<T>;
  patch<T = any>(path: string, body?: unknown): Promise<T>;
  put<T = any>(path: string, body?: unknown): Promise<T>;
  delete<T = any>(path: string): Promise<T>;
}

const apiOf = (request: APIRequestContext): Api => {
  const send = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await request.fetch(`/api${path}`, { method, ...(body === undefined ? {} : { data: body }) });
    const text = await response.text();
    if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body = {}) => send('POST', path, body),
    delete: (path) => send('DELETE', path),
    patch: (path, body = {}) => send('PATCH', path, body),
    put: (path, body = {}) => send('PUT', path, body),
  };
};

/** Picks an option from the list behind a label. */
export const choose = async (scope: Page | Locator, label: string, option: string): Promise<void> => {
  const page = 'keyboard' in scope ? scope : scope.page();
  await scope.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** What lies above the page: menus, lists, popovers, dialogs. */
export const layers = (page: Page): Locator =>
  page.locator(
    '[data-radix-popper-content-wrapper], [role="dialog"][data-state="open"]:not([data-radix-popper-content-wrapper] *), [role="alertdialog"][data-state="open"]',
  );

/** Closes the topmost layer. The next step begins when it has gone and has given the focus back: otherwise what that step opens could be closed again. */
export const escape = async (page: Page): Promise<void> => {
  await expect(layers(page)).not.toHaveCount(0);
  const count = await layers(page).count();
  await page.keyboard.press('Escape');
  await expect(layers(page)).toHaveCount(count - 1);
  await drawn(page);
};

/** After two frames: what an event has set off has been drawn. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');

/** To another screen as a link leads there: the app stays loaded. */
export const follow = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
};

export const password = 'correct-horse-1';

export const newEmail = (name: string): string => `${name}-${randomBytes(4).toString('hex')}@example.com`;

interface Window {
  page: Page;
  leave(): Promise<void>;
}

/**
 * Windows that people have left, on an empty page, by the server that they were opened for. The app is still in their cache, and its scripts are compiled: it loads in a
 * fraction of the time. Nothing else is kept.
 */
const leftBehind = new WeakMap<Browser, Map<string, { context: BrowserContext; page: Page }[]>>();

const forget = async (context: BrowserContext, page: Page, origin: string): Promise<void> => {
  await context.clearCookies();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await devtools.detach();
};

/** As it was when it was opened. */
const clear = async (context: BrowserContext, page: Page): Promise<Page> => {
  for (const open of context.pages()) if (open !== page) await open.close();
  await context.setOffline(false);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  if (page.isClosed()) return context.newPage();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' });
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.setViewportSize(plain.info().project.use.viewport as { width: number; height: number });
  // Where nothing was opened there is none.
  await page.evaluate('try { sessionStorage.clear() } catch {}');
  await page.goto('about:blank');
  return page;
};

type WindowOptions = Pick<BrowserContextOptions, 'baseURL' | 'hasTouch' | 'isMobile' | 'viewport'>;

const openWindow = async (browser: Browser, options: WindowOptions, isNew: boolean): Promise<Window> => {
  const left = leftBehind.get(browser) ?? new Map<string, { context: BrowserContext; page: Page }[]>();
  leftBehind.set(browser, left);
  const origin = options.baseURL ?? (plain.info().project.use.baseURL as string);
  const idle = left.get(origin) ?? [];
  left.set(origin, idle);
  const used = isNew ? undefined : idle.pop();
  const context =
    used?.context ?? (await browser.newContext({ ...(plain.info().project.use as BrowserContextOptions), ...options }));
  const page = used?.page ?? (await context.newPage());
  if (used !== undefined) await forget(context, page, origin);
  return {
    page,
    async leave() {
      if (isNew) return context.close();
      idle.push({ context, page: await clear(context, page) });
    },
  };
};

/** A new account, signed in, in a browser window of its own; `isNew`: one that has never seen the app. */
export const newPerson = async (
  browser: Browser,
  name: string,
  options: WindowOptions = {},
  isNew = false,
): Promise<Person> => {
  const { page, leave } = await openWindow(browser, options, isNew);
  const email = newEmail(name);
  const api = apiOf(page.context().request);
  await api.post('/auth/signup', { email, password });
  return { email, password, name: email.split('@')[0] as string, page, api, leave };
};

interface Mailing {
  server: BrowserServer;
  mail: MailServer;
  bucket: S3Server;
}

interface OfSteps {
  _callbacks?: { onStepBegin?: unknown; onStepEnd?: unknown };
}

/**
 * Playwright tells another process when each call to a page begins and ends: for reports with steps, which nobody makes here. A failure names its
 * line without them. Where a version has no such functions, steps are told as before.
 */
const withoutSteps = (info: TestInfo): void => {
  const { _callbacks: told } = info as unknown as OfSteps;
  if (told?.onStepBegin === undefined || told.onStepEnd === undefined) return;
  told.onStepBegin = () => undefined;
  told.onStepEnd = () => undefined;
};

/**
 * Further servers are made for the first test that asks for one, and stay as long as its worker. They stand here and not in the file that needs them, because
 * Playwright gives tests with other things per worker a worker of their own: another process, another browser, and every script compiled again.
 */
export const test = plain.extend<
  { person: Person; chromium: void; isFirstVisit: boolean },
  { planning: BrowserServer; mailing: Mailing }
>({
  /** With the plans that come along; that of the other tests has none. */
  planning: [
    async ({}, use) => {
      const server = await startBrowserServer({ plansFile: 'default' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  /** Sends e-mails and keeps files in a bucket; that of the other tests does neither. */
  mailing: [
    async ({}, use) => {
      const mail = await openMailServer();
      const bucket = await startS3Server();
      const server = await startBrowserServer({
        smtpUrl: mail.url,
        s3Url: bucket.url,
        s3PublicUrl: new URL(bucket.url).origin,
      });
      bucket.allow(server.origin);
      await use({ server, mail, bucket });
      await server.stop();
      bucket.close();
      await mail.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  chromium: [
    async ({}, use) => {
      plain.skip(findChromium() === undefined, 'no Chromium for this machine');
      withoutSteps(plain.info());
      await use();
    },
    { auto: true },
  ],
  /** In files about what is loaded: `test.use({ isFirstVisit: true })`. */
  isFirstVisit: [false, { option: true }],
  person: async ({ browser, isFirstVisit }, use) => {
    const person = await newPerson(browser, 'sam', {}, isFirstVisit);
    await use(person);
    await person.leave();
  },
});
