// What every browser test needs: a person with an account who is signed in, and ways to make things quickly
// through the API where the test is not about making them.
import { randomBytes } from 'node:crypto';
import { test as plain, type APIRequestContext, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import { findChromium } from './browser-chromium.ts';

export { expect } from '@playwright/test';

export interface Person {
  email: string;
  password: string;
  name: string;
  page: Page;
  api: Api;
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

/** To another screen as a link leads there: the app stays loaded. */
export const follow = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
};

export const password = 'correct-horse-1';

export const newEmail = (name: string): string => `${name}-${randomBytes(4).toString('hex')}@example.com`;

/** A new account, signed in, in a browser window of its own. */
export const newPerson = async (browser: Browser, name: string, options: BrowserContextOptions = {}): Promise<Person> => {
  const context = await browser.newContext({ ...(plain.info().project.use as BrowserContextOptions), ...options });
  const email = newEmail(name);
  const api = apiOf(context.request);
  await api.post('/auth/signup', { email, password });
  return { email, password, name: email.split('@')[0] as string, page: await context.newPage(), api };
};

export const test = plain.extend<{ person: Person; chromium: void }>({
  chromium: [
    async ({}, use) => {
      plain.skip(findChromium() === undefined, 'no Chromium for this machine');
      await use();
    },
    { auto: true },
  ],
  person: async ({ browser }, use) => {
    const person = await newPerson(browser, 'sam');
    await use(person);
    await person.page.context().close();
  },
});
