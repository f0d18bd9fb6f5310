// Takes the pictures of docs/guide/rights.md from the app as it is now: node --import tsx scripts/screenshots-rights.ts
import { onStage } from './screenshot-stage.ts';

const person = { name: 'Lead', type: 'user' };
const state = (...names: string[]) => ({
  name: 'Status',
  type: 'singleSelect',
  options: {
    choices: names.map((name, index) => ({ name, color: ['blueLight2', 'yellowLight1', 'greenLight2'][index] })),
  },
});
const money = (name: string) => ({
  name,
  type: 'number',
  options: { formatting: { type: 'currency', symbol: '€', precision: 0 } },
});
const jobs = [
  'Mend the roof',
  'Repoint the chimney',
  'Paint the stairwell',
  'New lamps in the hall',
  'Dry out the cellar',
  'Garden wall',
];

const window = { width: 1_280, height: 640 };

await onStage({}, async ({ newVisitor }) => {
  const { page, send, picture } = await newVisitor('Office', window);
  const [kim, ada] = [await newVisitor('Kim', window), await newVisitor('Ada', window)];
  const [space] = await send('GET', '/space');
  const newBase = async (name: string, tables: { name: string; fields: object[]; records: object[] }[]) => {
    const base = await send('POST', '/base', { spaceId: space.id, name });
    await send('POST', `/base/${base.id}/invitation/email`, {
      emails: [kim.email, ada.email],
      role: 'editor',
    });
    const made = [];
    for (const table of tables)
      made.push(
        await send('POST', `/base/${base.id}/table`, {
          ...table,
          records: table.records.map((fields) => ({ fields })),
        }),
      );
    return { id: base.id as string, tables: made };
  };
  const people = [kim.id, ada.id];
  const led = jobs.map((Name, at) => ({
    Name,
    Lead: { id: people[at % 2], title: '' },
    Status: ['Planned', 'Under way', 'Done'][at % 3],
    Budget: 1_200 + 650 * at,
  }));
  const newRole = async (baseId: string, template: string, name: string) => {
    await page.goto(`/base/${baseId}/rights`);
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('radio', { name: template }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('columnheader', { name }).waitFor();
    const roles = await send('GET', `/base/${baseId}/authority-matrix-role`);
    return roles.find((role: { name: string }) => role.name === name).id as string;
  };
  const give = (baseId: string, roleId: string, userIds: string[]) =>
    send('PATCH', `/base/${baseId}/authority-matrix-role/${roleId}/user`, { userIds });

  // A department: the preview of hidden budgets.
  const workshop = await newBase('Workshop', [
    {
      name: 'Repairs',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        person,
        state('Planned', 'Under way', 'Done'),
        money('Budget'),
      ],
      records: led,
    },
    { name: 'Suppliers', fields: [{ name: 'Name', type: 'singleLineText' }], records: [{ Name: 'Slate & Sons' }] },
  ]);
  await send('POST', `/table/${workshop.tables[0].id}/field`, {
    name: 'With tax',
    type: 'formula',
    options: { expression: '{Budget} * 1.19' },
  });
  const crew = await newRole(workshop.id, 'Department', 'Crew');
  await give(workshop.id, crew, people);
  await newRole(workshop.id, 'Approval', 'Planning');
  await page.setViewportSize({ width: 1_280, height: 980 });
  await page.getByRole('button', { name: /^Crew in Repairs/ }).click();
  const dialog = page.getByRole('dialog');
  for (const at of [0, 1]) {
    await dialog.getByRole('radio', { name: 'Only some' }).nth(at).click();
    await dialog.getByRole('combobox', { name: 'Budget' }).nth(at).click();
    await page.getByRole('option', { name: 'Hidden' }).click();
  }
  await dialog.getByText('No longer see Budget').waitFor();
  await dialog.getByRole('region', { name: 'Preview' }).scrollIntoViewIfNeeded();
  await picture('rights-department');

  // A client portal, viewed as a client.
  const shop = await newBase('Orders', [
    {
      name: 'Orders',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { ...person, name: 'Client' },
        state('New', 'In work', 'Sent'),
      ],
      records: ['Two tables', 'Six chairs', 'A bench', 'Shelves', 'A door'].map((Name, at) => ({
        Name,
        Client: { id: people[at % 2], title: '' },
        Status: ['New', 'In work', 'Sent'][at % 3],
      })),
    },
    { name: 'Costs', fields: [{ name: 'Name', type: 'singleLineText' }], records: [{ Name: 'Oak' }] },
  ]);
  const clients = await newRole(shop.id, 'Client portal', 'Clients');
  await give(shop.id, clients, people);
  await send('PATCH', `/base/${shop.id}/authority-matrix/status`, { enabled: true });
  await page.setViewportSize({ width: 1_280, height: 480 });
  await page.goto(`/base/${shop.id}/rights`);
  await page.getByRole('button', { name: 'View as…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Kim/ }).click();
  await page.getByText('You view this base as').waitFor();
  await page.goto(`/base/${shop.id}/${shop.tables[0].id}`);
  await page.getByText('A bench').first().waitFor({ state: 'attached' });
  await picture('rights-client');
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('heading', { name: 'Rights of Orders' }).waitFor();

  // An approval: the condition before, and the one afterwards.
  const expenses = await newBase('Expenses', [
    {
      name: 'Expenses',
      fields: [{ name: 'Name', type: 'singleLineText' }, money('Amount'), state('Filed', 'Checked', 'Approved')],
      records: [
        { Name: 'Train to Lyon', Amount: 140, Status: 'Filed' },
        { Name: 'Paper', Amount: 32, Status: 'Approved' },
      ],
    },
  ]);
  await newRole(expenses.id, 'Approval', 'Staff');
  await page.setViewportSize({ width: 1_280, height: 1_100 });
  await page.getByRole('button', { name: /^Staff in Expenses/ }).click();
  await page.getByText('Allowed, 2').first().scrollIntoViewIfNeeded();
  await page.getByRole('dialog').getByRole('region', { name: 'Preview' }).waitFor();
  await page.getByLabel('Message when a change is refused').last().scrollIntoViewIfNeeded();
  await picture('rights-approval');
});
