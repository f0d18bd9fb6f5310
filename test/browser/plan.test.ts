import { expect, newPerson, test } from '../support/browser.ts';
import { newTable } from '../support/browser-table.ts';

test('an owner sees what is used, how it went, what else there is, and says whom bills go to', async ({ person: { page, api, email } }) => {
  await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Alpha' }, { Name: 'Beta' }, { Name: 'Gamma' }]);
  const [space] = await api.get('/space');
  await page.goto(`/space/${space.id}`);
  await page.getByRole('link', { name: 'Plan and usage' }).click();
  await expect(page.getByRole('meter', { name: 'Records' })).toHaveAttribute('aria-valuenow', '3');
  await expect(page.getByRole('meter')).toHaveCount(3);
  await expect(page.getByText('1, no limit')).toBeVisible();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();

  const plot = page.getByRole('figure');
  await expect(plot.locator('.uplot canvas')).toBeVisible();
  await expect(plot.getByRole('table', { name: 'Records by day' }).getByRole('row').last()).toContainText('3');
  await page.getByRole('radio', { name: 'People' }).click();
  await expect(plot.getByRole('table', { name: 'People by day' }).getByRole('row').last()).toContainText('1');
  await page.getByRole('radio', { name: 'A year' }).click();
  await expect(plot).toContainText('People today');
  // What is used now is in the picture at once.
  await page.getByRole('radio', { name: 'Records' }).click();
  await newTable(api, [{ name: 'Name', type: 'singleLineText' }], [{ Name: 'Delta' }]);
  await page.reload();
  await expect(plot).toContainText('4Records today');

  await expect(page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'free' }) })).toContainText('Your plan');
  const plus = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'plus' }) });
  await expect(plus).toContainText('US$12 a month');
  await page.getByRole('radio', { name: 'Yearly' }).click();
  await expect(plus).toContainText('US$120 a year');
  await plus.getByRole('button', { name: 'Choose plus' }).click();
  await expect(page.getByRole('alert')).toContainText('Payments are not set up on this server');

  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByLabel('Name').fill('Accounts department');
  await page.getByLabel('E-mail').fill('accounts@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The billing contact was changed.')).toBeVisible();
  expect((await api.get(`/space/${space.id}/billing`)).detail).toEqual({ name: 'Accounts department', email: 'accounts@example.com' });
});

test('the plan of a space is for its owners', async ({ person, browser }) => {
  const guest = await newPerson(browser, 'kim');
  const [space] = await person.api.get('/space');
  await person.api.post(`/space/${space.id}/invitation/email`, { emails: [guest.email], role: 'creator' });
  await guest.page.goto(`/space/${space.id}`);
  await expect(guest.page.getByRole('heading', { name: 'People', exact: true })).toBeVisible();
  await expect(guest.page.getByRole('link', { name: 'Plan and usage' })).toBeHidden();
  await guest.page.goto(`/space/${space.id}/plan`);
  await expect(guest.page.getByRole('alert')).toContainText('only owners are');
  await guest.page.context().close();
});
