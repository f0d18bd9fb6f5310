import { expect, newPerson, test } from '../support/browser.ts';
import { cell, newTable } from '../support/browser-table.ts';

test('who is let in and put into a record hears of it at once, follows it, and it counts as read', async ({
  person,
  browser,
}) => {
  const table = await newTable(
    person.api,
    [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
    ],
    [{ Name: 'Alpha' }],
  );
  const guest = await newPerson(browser, 'kim');
  const [space] = await person.api.get('/space');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'editor' });
  const me = await guest.api.get('/auth/user/me');
  await guest.page.goto('/');
  await expect(guest.page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();

  const { records } = await person.api.get(`/table/${table.tableId}/record`);
  await person.api.patch(`/table/${table.tableId}/record/${records[0].id}`, {
    record: { fields: { Owner: { id: me.id, title: me.name } } },
  });
  await guest.page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
  await guest.page.getByRole('button', { name: /assigned you a record in .* \(Owner\)/ }).click();
  await expect(
    guest.page.getByRole('complementary', { name: 'Record' }).getByRole('heading', { name: 'Alpha' }),
  ).toBeVisible();
  await guest.page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await guest.page.getByRole('button', { name: 'Mark all read' }).click();
  await expect(guest.page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(guest.page.getByText('No new notifications')).toBeVisible();
  await guest.page.getByRole('button', { name: 'Read', exact: true }).click();
  await guest.page.getByRole('button', { name: 'Mark as unread' }).first().click();
  await expect(guest.page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  // With another role, the page that is open has the tools of that role.
  await guest.page.keyboard.press('Escape');
  await expect(guest.page.getByRole('button', { name: 'New record' })).toBeVisible();
  await person.api.patch(`/space/${space.id}/collaborators`, {
    principalId: me.id,
    principalType: 'user',
    role: 'viewer',
  });
  await expect(guest.page.getByRole('button', { name: 'New record' })).toBeHidden();
  // Without any, it goes.
  await expect(cell(guest.page, 0, 0)).toHaveText('Alpha');
  await person.api.delete(`/space/${space.id}/collaborators?principalId=${me.id}&principalType=user`);
  await expect(cell(guest.page, 0, 0)).toHaveCount(0);
  await expect(
    guest.page.getByText(/^You no longer have access to this (base|table), or it was deleted\.$/).first(),
  ).toBeVisible();
  await guest.leave();
});
