// Webhooks in the app, against a receiver of the test.
import { choose, escape, expect, newPerson, test } from '../support/browser.ts';
import { inspect } from '../support/browser-faults.ts';
import { newTable } from '../support/browser-table.ts';
import { isSignedWith, type Received, startReceiver } from '../support/receiver.ts';

const taskFields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
];

test('a webhook is made with a condition, shows its secret once, delivers, and is sent again', async ({
  person: { page, api },
}) => {
  const receiver = await startReceiver();
  const table = await newTable(api, taskFields, [{ Name: 'Alpha', Count: 1 }]);
  await page.goto(table.url);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  expect(await inspect(page, 'webhooks-empty')).toEqual([]);

  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Stock');
  await page.getByLabel('Address').fill('ftp://example.com/hook');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByRole('alert')).toContainText('ftp');
  await page.getByLabel('Address').fill(`${receiver.url}/stock`);
  for (const event of ['Record created', 'Record deleted']) await page.getByRole('checkbox', { name: event }).uncheck();
  await page.getByRole('combobox', { name: 'Tables' }).click();
  await page.getByRole('option', { name: 'Tasks' }).click();
  await escape(page);
  await page.getByRole('combobox', { name: 'Fields to watch' }).click();
  await page.getByRole('option', { name: 'Count' }).click();
  await escape(page);
  const after = page.getByRole('group', { name: 'The record after the change' });
  await after.getByRole('button', { name: 'Add a condition' }).click();
  await choose(after, 'Field of condition 1', 'Count');
  await choose(after, 'Operator of condition 1', '≥');
  await after.getByLabel('Value').fill('10');
  expect(await inspect(page, 'webhook-new')).toEqual([]);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const secret = (await page.getByTestId('secret').textContent()) as string;
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Stock' })).toBeVisible();
  expect(await page.locator('body').innerText()).not.toContain(secret);

  const [record] = (await api.get(`/table/${table.tableId}/record`)).records;
  const write = (fields: object) =>
    api.patch(`/table/${table.tableId}/record`, { records: [{ id: record.id, fields }] });
  await write({ Count: 5 });
  await write({ Name: 'Beta' });
  await write({ Count: 12 });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [first] = receiver.received as [Received];
  expect(isSignedWith(first, secret)).toBe(true);
  const told = JSON.parse(first.body);
  expect(told.data.fields).toMatchObject({ Name: 'Beta', Count: 12 });

  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await deliveries.getByRole('button', { name: 'Record updated' }).click();
  await expect(page.getByRole('region', { name: 'Request' })).toContainText('"Count": 12');
  await expect(page.getByRole('region', { name: 'Answer of attempt 1' })).toHaveText('thank you');
  expect(await inspect(page, 'webhook')).toEqual([]);
  await deliveries.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[1]?.headers['webhook-id']).toBe(first.headers['webhook-id']);
  await page.getByRole('button', { name: 'Send again since…' }).click();
  expect(await inspect(page, 'webhook-resend')).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('One delivery will be sent again.')).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(3);

  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(deliveries.getByRole('button', { name: 'Test' })).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(4);
  await page.getByLabel('Search').fill(record.id);
  await expect(deliveries.getByRole('button', { name: 'Test' })).toBeHidden();
  await expect(deliveries.getByRole('button', { name: 'Record updated' })).toBeVisible();
  await page.getByLabel('Search').fill('');
  await page.getByRole('radio', { name: 'Waiting' }).click();
  await expect(page.getByText('No matching deliveries.')).toBeVisible();

  await page.getByRole('button', { name: 'Make a new secret' }).click();
  const next = (await page.getByTestId('secret').textContent()) as string;
  expect(next).not.toBe(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('The previous secret also signs until')).toBeVisible();

  await page.getByRole('textbox', { name: 'Name' }).fill('Stock of the shop');
  await after.getByRole('button', { name: 'Remove condition 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Stock of the shop' })).toBeVisible();
  await write({ Count: 3 });
  await expect.poll(() => receiver.received.length).toBe(5);
  for (const one of [secret, next]) expect(isSignedWith(receiver.received[4] as Received, one)).toBe(true);

  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await receiver.stop();
});

test('a webhook that its receiver turned off says why, and is turned on again by a phone', async ({
  person: { page, api },
  browser,
}) => {
  const receiver = await startReceiver();
  receiver.answer(410);
  const table = await newTable(api, taskFields);
  const webhook = await api.post(`/base/${table.baseId}/webhook`, {
    name: 'Stock',
    url: receiver.url,
    events: ['record.created'],
  });
  await api.post(`/base/${table.baseId}/webhook/${webhook.id}/test`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/base/${table.baseId}/webhooks`);
  await expect(page.getByText('410')).toBeVisible();
  await page.getByRole('link', { name: 'Stock' }).click();
  await expect(page.getByRole('status').filter({ hasText: '410' })).toBeVisible();
  expect(await inspect(page, 'webhook-off')).toEqual([]);
  receiver.answer(500);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('Events are sent as they happen.')).toBeVisible();
  await api.post(`/table/${table.tableId}/record`, { records: [{ fields: { Name: 'Alpha' } }] });
  await page.getByRole('button', { name: 'Record created' }).click();
  await expect(page.getByText('Answer 500').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answer of attempt 1' })).toHaveText('out of paper');
  await expect(page.getByText(/The next attempt is at/)).toBeVisible();

  // Others of the base read of no addresses, which may hold secrets.
  const guest = await newPerson(browser, 'kim');
  await api.post(`/base/${table.baseId}/invitation/email`, { emails: [guest.email], role: 'editor' });
  await guest.page.goto(table.url);
  await expect(guest.page.getByRole('link', { name: 'People' })).toBeVisible();
  await expect(guest.page.getByRole('link', { name: 'Webhooks' })).toBeHidden();
  await guest.page.goto(`/base/${table.baseId}/webhooks`);
  await expect(guest.page.getByText('Owners and creators of the base manage its webhooks.')).toBeVisible();
  await guest.leave();
  await receiver.stop();
});
