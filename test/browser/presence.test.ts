import { expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable, selectFirstCell } from '../support/browser-table.ts';

test('two people in one table see each other, and see when the other has left or lost access', async ({
  person,
  browser,
}) => {
  const table = await newTable(person.api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }]);
  const [space] = await person.api.get('/space');
  const guest = await newPerson(browser, 'kim');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'editor' });
  const alsoHere = (page: typeof person.page) => page.getByRole('list', { name: 'Also here' });

  await person.page.goto(table.url);
  await cell(person.page, 0, 0).waitFor({ state: 'attached' });
  await expect(alsoHere(person.page)).toBeHidden();
  await guest.page.goto(table.url);
  await expect(alsoHere(guest.page)).toContainText(person.name);
  await expect(alsoHere(person.page)).toContainText(guest.name);
  await expect(alsoHere(person.page).getByRole('listitem')).toHaveCount(1);
  expect(await inspect(person.page, 'presence')).toEqual([]);

  // The cell that the other is in has a border in their colour, and their name.
  const elsewhere = person.page.getByRole('list', { name: 'Cells that others are in' });
  const tag = () =>
    person.page.evaluate(`(() => {
    const canvas = document.querySelector('canvas[data-testid="data-grid-canvas"]');
    const scale = canvas.width / canvas.getBoundingClientRect().width;
    return [...canvas.getContext('2d').getImageData(Math.round(269 * scale), Math.round(39 * scale), 1, 1).data].join();
  })()`);
  const plain = await tag();
  await selectFirstCell(guest.page);
  await expect(elsewhere).toHaveText(`${guest.name}: Name of Alpha`);
  await expect.poll(tag).not.toBe(plain);
  await person.page.reload();
  await expect(elsewhere).toHaveText(`${guest.name}: Name of Alpha`);
  await guest.page.keyboard.press('Escape');

  await guest.page.goto('/');
  await expect(alsoHere(person.page)).toBeHidden();
  await guest.page.goto(table.url);
  await expect(alsoHere(person.page)).toContainText(guest.name);
  const me = await guest.api.get('/auth/user/me');
  await person.api.delete(`/space/${space.id}/collaborators?principalId=${me.id}&principalType=user`);
  await expect(alsoHere(person.page)).toBeHidden();
  await guest.leave();
});
