// Takes the pictures of the documentation (docs/images) from the app as it is now: node --import tsx scripts/screenshots.ts
import { cell, selectFirstCell } from '../test/support/browser-table.ts';
import { onStage } from './screenshot-stage.ts';

const fields = [
  { name: 'Name', type: 'singleLineText' },
  {
    name: 'Status',
    type: 'singleSelect',
    options: {
      choices: ['Planned', 'Under way', 'Done'].map((name, index) => ({
        name,
        color: ['blueLight2', 'yellowLight1', 'greenLight2'][index],
      })),
    },
  },
  {
    name: 'Trades',
    type: 'multipleSelect',
    options: {
      choices: ['Roofing', 'Masonry', 'Painting', 'Wiring'].map((name, index) => ({
        name,
        color: ['purpleLight2', 'orangeLight2', 'tealLight2', 'pinkLight2'][index],
      })),
    },
  },
  { name: 'Budget', type: 'number', options: { formatting: { type: 'currency', symbol: '€', precision: 0 } } },
  { name: 'Priority', type: 'rating', options: { icon: 'star', color: 'yellowBright', max: 5 } },
  { name: 'Due', type: 'date' },
  { name: 'Paid', type: 'checkbox' },
];
const rows: [string, string, string[], number, number, string, boolean][] = [
  ['Mend the roof', 'Under way', ['Roofing'], 8_900, 5, '2026-03-20', true],
  ['Repoint the chimney', 'Planned', ['Masonry', 'Roofing'], 2_400, 4, '2026-04-14', true],
  ['Paint the stairwell', 'Done', ['Painting'], 1_150, 2, '2026-02-06', true],
  ['New lamps in the hall', 'Done', ['Wiring'], 620, 3, '2026-02-19', true],
  ['Dry out the cellar', 'Under way', ['Masonry', 'Painting'], 5_300, 4, '2026-05-02', true],
  ['Bells and door opener', 'Planned', ['Wiring'], 1_780, 2, '2026-05-28', false],
  ['Front windows, ground floor', 'Planned', ['Painting'], 3_950, 3, '2026-06-11', false],
  ['Garden wall', 'Planned', ['Masonry'], 2_100, 1, '2026-07-03', false],
  ['Solar panels', 'Planned', ['Roofing', 'Wiring'], 14_200, 3, '2026-09-15', false],
];

/** As if the space had been there for two months and had grown by some records every working day. */
const history = `
  insert into rowhouse.usage_samples (space_id, day, num_rows, attachment_size, num_database_connections, num_collaborators)
  select $1, current_date - back, 690 - 8.5 * back + 12 * sin(back * 1.3) - case when back > 22 then 110 else 0 end, 0, 0, case when back > 30 then 1 else 2 end
  from generate_series(1, 60) back`;

const window = { width: 1_280, height: 620 };

await onStage({ ROWHOUSE_PLANS: 'default' }, async ({ services, client, newVisitor }) => {
  const { page, send, picture } = await newVisitor('Warden', window);
  const guest = await newVisitor('Neighbour', window);
  const [space] = await send('GET', '/space');
  await send('PATCH', `/space/${space.id}`, { name: 'Mill Lane' });
  await send('POST', `/space/${space.id}/invitation/email`, {
    emails: [guest.email],
    role: 'editor',
  });
  const base = await send('POST', '/base', { spaceId: space.id, name: 'Number 12' });
  const records = rows.map(([Name, Status, Trades, Budget, Priority, day, Paid]) => ({
    fields: { Name, Status, Trades, Budget, Priority, Due: `${day}T00:00:00.000Z`, ...(Paid ? { Paid } : {}) },
  }));
  const table = await send('POST', `/base/${base.id}/table`, { name: 'Repairs', fields, records });
  await send('POST', `/base/${base.id}/table`, {
    name: 'Meter readings',
    fields: fields.slice(0, 1),
    records: Array.from({ length: 690 }, () => ({ fields: {} })),
  });
  const fieldId = (name: string): string => table.fields.find((field: { name: string }) => field.name === name).id;
  const board = await send('POST', `/table/${table.id}/view`, {
    name: 'Board',
    type: 'kanban',
    options: { stackFieldId: fieldId('Status') },
  });
  await send('PUT', `/table/${table.id}/view/${board.id}/column-meta`, [
    { fieldId: fieldId('Trades'), columnMeta: { visible: true } },
  ]);
  // Free has no colours, and its page is one of the pictures.
  const { plans } = services;
  const withColors = <T extends object>(limit: T): T => ({ ...limit, rowColoringEnable: true });
  services.plans = {
    ...plans,
    fallback: { ...plans.fallback, limit: withColors(plans.fallback.limit) },
    limitOf: (level) => withColors(plans.limitOf(level)),
  };
  const colored = await send('POST', `/table/${table.id}/view`, {
    name: 'In colour',
    type: 'grid',
    options: {
      colorRules: [
        { on: 'row', by: 'choice', fieldId: fieldId('Status') },
        { on: 'cells', by: 'scale', fieldId: fieldId('Budget'), color: 'orange', min: 0, max: 10_000 },
      ],
    },
  });
  services.plans = plans;
  const form = await send('POST', `/table/${table.id}/view`, {
    name: 'Report a repair',
    type: 'form',
    description: 'Tell us what is broken. We look at it on Mondays.',
    options: { title: 'Report a repair', coverColor: 'teal', submitLabel: 'Send' },
    columnMeta: {
      [fieldId('Name')]: { required: true, help: 'In a few words' },
      [fieldId('Trades')]: {
        condition: {
          conjunction: 'and',
          filterSet: [{ fieldId: fieldId('Status'), operator: 'is', value: 'Planned' }],
        },
      },
      [fieldId('Paid')]: { visible: false },
    },
  });
  const first = table.records[0].id as string;
  for (const change of [{ Status: 'Planned' }, { Budget: 9_400 }, { Status: 'Under way' }])
    await send('PATCH', `/table/${table.id}/record/${first}`, { record: { fields: change } });
  await client.query(history, [space.id]);

  const size = page.viewportSize() ?? { width: 1_280, height: 760 };
  await page.setViewportSize({ width: 1_280, height: 500 });
  await page.goto(`/base/${base.id}/${table.id}?view=${colored.id}`);
  await cell(page, rows.length - 1, 0).waitFor({ state: 'attached' });
  await picture('colours');
  await page.setViewportSize(size);

  const alsoHere = page.getByRole('list', { name: 'Also here' });
  await guest.page.goto(`/base/${base.id}/${table.id}`);
  await page.goto(`/base/${base.id}/${table.id}`);
  await cell(page, rows.length - 1, 0).waitFor({ state: 'attached' });
  await alsoHere.waitFor();
  await selectFirstCell(page);
  await selectFirstCell(guest.page);
  for (let row = 0; row < 4; row += 1) await guest.page.keyboard.press('ArrowDown');
  await page.getByRole('list', { name: 'Cells that others are in' }).getByText('Dry out the cellar').waitFor();
  await picture('grid');

  await page.keyboard.press('Space');
  const panel = page.getByRole('complementary', { name: 'Record' });
  await panel.getByRole('tab', { name: 'History' }).click();
  await panel
    .getByRole('button', { name: /^Restore / })
    .first()
    .waitFor();
  await picture('record-history');

  await page.setViewportSize({ width: 1_280, height: 760 });
  await page.goto(`/base/${base.id}/${table.id}?view=${board.id}`);
  await page.getByText('Dry out the cellar').waitFor();
  await alsoHere.waitFor();
  await picture('kanban');

  await page.setViewportSize({ width: 1_280, height: 860 });
  await page.goto(`/base/${base.id}/${table.id}?view=${form.id}`);
  await page.getByRole('list', { name: 'Fields of the form' }).getByRole('button', { name: 'Trades' }).first().click();
  await page.getByText('Show this field').waitFor();
  await picture('form');

  // As high as the page is, so that no part of it is cut off.
  await page.setViewportSize({ width: 1_280, height: 1_320 });
  await page.goto(`/space/${space.id}/plan`);
  await page.locator('.uplot canvas').waitFor();
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  await page.getByRole('radio', { name: '90 days' }).click();
  await page.getByRole('row').nth(60).waitFor({ state: 'attached' });
  const height = (await page.evaluate(
    "document.querySelector('main').scrollHeight + document.querySelector('header').offsetHeight",
  )) as number;
  await page.setViewportSize({ width: 1_280, height });
  await picture('plan');
});
