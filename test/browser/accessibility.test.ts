// No screen has a serious fault for people who use a keyboard or a screen reader, in light and dark.
import { expect, newPerson, test } from '../support/browser.ts';
import { faults } from '../support/browser-faults.ts';
import { cell, newTable } from '../support/browser-table.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious in ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(90_000);
    const { page, api } = await newPerson(browser, 'ada', { colorScheme });
    const table = await newTable(api, [{ name: 'Name', type: 'singleLineText' }, { name: 'Status', type: 'singleSelect' }, { name: 'Notes', type: 'longText' }], [{ Name: 'Alpha', Notes: 'Long' }]);
    const [space] = await api.get('/space');
    const found: Record<string, string[]> = {};
    const visit = async (path: string, ready: () => Promise<unknown>): Promise<void> => {
      await page.goto(path);
      await ready();
      const list = await faults(page);
      if (list.length > 0) found[path] = list;
    };
    await visit('/', () => page.getByRole('link', { name: 'Projects' }).waitFor());
    await visit('/trash', () => page.getByText('The trash is empty').waitFor());
    await visit(`/space/${space.id}`, () => page.getByText('Invite people').waitFor());
    await visit('/account', () => page.getByLabel('Present password').waitFor());
    await visit('/account/tokens', async () => {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Valid for').waitFor();
    });
    await visit(`${table.url}/api`, () => page.getByLabel('List records as curl').waitFor());
    await visit(table.url, () => cell(page, 0, 0).waitFor({ state: 'attached' }));
    const { records } = await api.get(`/table/${table.tableId}/record`);
    await visit(`${table.url}?record=${records[0].id}`, () => page.getByRole('tab', { name: 'History' }).click());
    await api.post('/auth/signout');
    await visit('/login', () => page.getByLabel('Password').waitFor());
    expect(found).toEqual({});
    await page.context().close();
  });
}
