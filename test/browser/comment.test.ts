// Comments in the app, with two people.
import { expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { cell, newTable } from '../support/browser-table.ts';

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
