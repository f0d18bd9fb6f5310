// What people of a base hear of each other: comments, notifications, and who is where.
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable, selectFirstCell } from '../support/browser-table.ts';
import { expect, newPerson, test } from '../support/browser.ts';

test('two people talk about a record: mentions, answers, reactions, images, edits, and the number in the grid', async ({
  person,
  browser,
}) => {
  const table = await newTable(
    person.api,
    [{ name: 'Name', type: 'singleLineText' }],
    [{ Name: 'Alpha' }, { Name: 'Beta' }],
  );
  const [space] = await person.api.get('/space');
  const guest = await newPerson(browser, 'kim');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'commenter' });
  const picture = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="teal"/></svg>',
  );
  const shown = await guest.page.context().request.patch('/api/user/avatar', {
    multipart: { file: { name: 'me.svg', mimeType: 'image/svg+xml', buffer: picture } },
  });
  expect(shown.status()).toBe(200);
  const { records } = await person.api.get(`/table/${table.tableId}/record`);
  const url = `${table.url}?record=${records[0].id}`;
  const partsOf = (page: typeof person.page) => {
    const panel = page.getByRole('complementary', { name: 'Record' });
    return {
      panel,
      list: panel.getByRole('list', { name: 'Comments' }),
      write: panel.getByRole('textbox', { name: 'New comment' }),
      send: panel.getByRole('button', { name: 'Comment', exact: true }),
    };
  };

  // The owner mentions the guest, who reads it where the notification leads.
  const mine = partsOf(person.page);
  await person.page.goto(url);
  await mine.panel.getByRole('tab', { name: 'Comments' }).click();
  await mine.write.fill(`Please look @${guest.name.slice(0, 3)}`);
  await mine.panel.getByRole('option', { name: guest.name }).click();
  await expect(mine.write).toHaveValue(`Please look @${guest.name} `);
  await mine.send.click();
  await expect(mine.list.getByRole('listitem')).toHaveCount(1);
  await expect(mine.panel.getByRole('button', { name: 'Following' })).toBeVisible();
  const link = async (): Promise<string | undefined> =>
    (await guest.api.get('/notifications?notifyStates=unread')).notifications.find(
      ({ notifyType }: { notifyType: string }) => notifyType === 'comment',
    )?.url;
  await expect.poll(link).toContain(records[0].id);
  const theirs = partsOf(guest.page);
  const told = new URL((await link()) as string);
  await guest.page.goto(told.pathname + told.search);
  const first = theirs.list.getByRole('listitem').first();
  await expect(first).toContainText(`@${guest.name}`);

  // They answer with an image and react; the owner sees it without doing anything.
  await first.getByRole('button', { name: 'Reply' }).click();
  await expect(theirs.panel.getByText(`Reply to ${person.name}`)).toBeVisible();
  await theirs.write.fill('Done');
  await theirs.panel.locator('input[type=file]').setInputFiles({
    name: 'a.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>'),
  });
  await expect(theirs.panel.getByRole('img', { name: 'Attached 1' })).toBeVisible();
  await theirs.send.click();
  await first.getByRole('button', { name: 'React', exact: true }).click();
  await guest.page.getByRole('button', { name: 'React with 🎉' }).click();
  const answer = mine.list.getByRole('listitem').nth(1);
  await expect(answer).toContainText('Done');
  await expect(answer.getByRole('blockquote')).toContainText('Please look');
  // With the picture of its author; the one who has none is shown by initials.
  await expect(answer.locator('img[src*="/avatar/"]')).toBeVisible();
  await expect(mine.list.getByRole('listitem').first().locator('img[src*="/avatar/"]')).toHaveCount(0);
  await expect(answer.getByRole('img', { name: 'In the comment' })).toBeVisible();
  await expect(mine.list.getByRole('button', { name: /🎉 1/ })).toBeVisible();
  await expect(mine.panel.getByRole('tab', { name: 'Comments 2' })).toBeVisible();
  await expect(person.page.locator('[data-comments="2"]')).toBeAttached();
  expect(await inspect(person.page, 'comments')).toEqual([]);

  // An author edits; the one who manages the table deletes what others wrote.
  await theirs.list.getByRole('listitem').nth(1).getByRole('button', { name: 'More about this comment' }).click();
  await guest.page.getByRole('menuitem', { name: 'Edit' }).click();
  await theirs.panel.getByRole('textbox', { name: 'Edit the comment' }).fill('Really done');
  await theirs.panel.getByRole('button', { name: 'Save' }).click();
  await expect(answer).toContainText('(edited)');
  await expect(answer).toContainText('Really done');
  await answer.getByRole('button', { name: 'More about this comment' }).click();
  await expect(person.page.getByRole('menuitem', { name: 'Edit' })).toBeHidden();
  await person.page.getByRole('menuitem', { name: 'Delete' }).click();
  await person.page
    .getByRole('alertdialog')
    .or(person.page.getByRole('dialog'))
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(theirs.list.getByRole('listitem')).toHaveCount(1);
  await expect(cell(person.page, 0, 0)).toHaveText('Alpha');
  await guest.leave();
});

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
