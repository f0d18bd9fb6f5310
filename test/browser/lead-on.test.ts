// What takes time and then leads somewhere: anyone who has gone elsewhere meanwhile stays there.
import type { Page } from '@playwright/test';
import { drawn, expect, follow, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

/** Requests wait until `answer` lets them go, and is answered. */
const hold = async (
  page: Page,
  method: string,
  path: RegExp,
): Promise<{ asked(): Promise<void>; answer(): Promise<void> }> => {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => (begin = done));
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    begin();
    await released;
    return route.continue();
  });
  return {
    asked: () => begun,
    answer: async () => {
      const answered = page.waitForResponse(
        (response) => response.request().method() === method && path.test(response.url()),
      );
      release();
      await (await answered).finished();
      await page.unroute(path);
      // What follows from an answer is done before the next two frames.
      await drawn(page);
    },
  };
};

test('a view, a copy, a new table, a new record and a deletion lead on from where they were begun, and nobody who has gone on', async ({
  person: { page, api },
}) => {
  // It takes twelve seconds. A held request was seen to stay without an answer: that is said soon.
  test.setTimeout(60_000);
  const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  const other = await api.post(`/base/${table.baseId}/table`, {
    name: 'Other',
    fields: [{ name: 'Name', type: 'singleLineText' }],
  });
  const elsewhere = `/base/${table.baseId}/${other.id}`;
  // Behind a dialog it is no heading to screen readers.
  const heading = (name: string) => page.locator('h1').getByText(name, { exact: true });
  await page.goto(table.url);
  await expect(cell(page, 0, 0)).toHaveText('Alpha');

  const menu = async (of: string, item: string): Promise<void> => {
    await page
      .getByRole('button', { name: `More for ${of}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const menuOfGallery = async (item: string): Promise<void> => {
    await page.getByRole('link', { name: 'Gallery', exact: true }).click();
    await menu('Gallery', item);
  };
  const viewPath = /\/api\/table\/\w+\/view$/;
  const waits: [method: string, path: RegExp, begin: () => Promise<void>][] = [
    [
      'POST',
      viewPath,
      async () => {
        await page.getByRole('button', { name: 'New view' }).click();
        await page.getByRole('menuitem', { name: 'Gallery' }).click();
      },
    ],
    ['POST', viewPath, () => menuOfGallery('Duplicate')],
    ['DELETE', /\/api\/table\/\w+\/view\/\w+$/, () => menuOfGallery('Delete view')],
    ['POST', /\/api\/table\/\w+\/record$/, () => page.getByRole('button', { name: 'New record', exact: true }).click()],
    [
      'POST',
      /\/api\/base\/\w+\/table\/\w+\/duplicate$/,
      async () => {
        await menu('Tasks', 'Duplicate');
        await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
      },
    ],
    [
      'POST',
      /\/api\/base\/\w+\/table$/,
      async () => {
        await page.getByRole('button', { name: 'New table' }).click();
        await page.getByRole('button', { name: 'Create', exact: true }).click();
      },
    ],
    [
      'DELETE',
      /\/api\/base\/\w+\/table\/\w+$/,
      async () => {
        await menu('Tasks', 'Delete');
        await page.getByRole('button', { name: 'Delete table' }).click();
      },
    ],
  ];
  for (const [method, path, begin] of waits) {
    const held = await hold(page, method, path);
    await begin();
    await held.asked();
    await follow(page, elsewhere);
    await expect(heading('Other')).toBeVisible();
    await held.answer();
    // Somebody who is back where it began by the time that the app has the answer is led on.
    await page.waitForTimeout(1_000);
    await expect(heading('Other')).toBeVisible();
    expect(new URL(page.url()).pathname + new URL(page.url()).search, `${method} ${path}`).toBe(elsewhere);
    if (path !== waits.at(-1)?.[1]) {
      await page.getByRole('link', { name: 'Tasks', exact: true }).click();
      await expect(heading('Tasks')).toBeVisible();
    }
  }
  expect((await api.get(`/base/${table.baseId}/table`)).map(({ name }: { name: string }) => name).sort()).toEqual([
    'Other',
    'Table',
    'Tasks copy',
  ]);
});
