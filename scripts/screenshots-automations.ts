// Takes the pictures of docs/guide/automations.md from the app as it is now: node --import tsx scripts/screenshots-automations.ts
import { onStage } from './screenshot-stage.ts';

await onStage({}, async ({ newVisitor }) => {
  const { page, send, picture } = await newVisitor('Office', { width: 1_100, height: 1_100 });
  const [space] = await send('GET', '/space');
  const base = await send('POST', '/base', { spaceId: space.id, name: 'Orders' });
  const table = await send('POST', `/base/${base.id}/table`, {
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Pieces', type: 'number' },
      {
        name: 'Status',
        type: 'singleSelect',
        options: { choices: [{ name: 'Open' }, { name: 'Approved' }] },
      },
      { name: 'Approve', type: 'button', options: { label: 'Approve', maxCount: 1 } },
    ],
    records: ['Two tables', 'Six chairs', 'A bench'].map((Name, at) => ({
      fields: { Name, Pieces: 2 * at + 1, Status: 'Open' },
    })),
  });
  const idOf = (name: string): string => table.fields.find((field: { name: string }) => field.name === name).id;
  const make = async (name: string, trigger: object, steps: object[]): Promise<string> => {
    const made = await send('POST', `/base/${base.id}/automation`, { name, trigger, steps });
    await send('POST', `/base/${base.id}/automation/${made.id}/activate`);
    return made.id;
  };

  // An approval by a button.
  const approval = await make(
    'Approve orders',
    { type: 'buttonPressed', tableId: table.id, fieldIds: [idOf('Approve')] },
    [
      {
        type: 'updateRecord',
        id: 'step1',
        tableId: table.id,
        recordId: { formula: '{trigger.recordId}' },
        fields: { Status: 'Approved' },
      },
      {
        type: 'comment',
        id: 'step2',
        tableId: table.id,
        recordId: { formula: '{trigger.recordId}' },
        text: { template: 'Approved by {trigger.by}' },
      },
    ],
  );
  await page.goto(`/base/${base.id}/automations/${approval}`);
  await page.getByRole('heading', { name: 'Approve orders' }).waitFor();
  await page.getByText('Try it').first().waitFor();
  await picture('automation-approval');

  // A report at a time.
  const open = { conjunction: 'and', filterSet: [{ fieldId: idOf('Status'), operator: 'is', value: 'Open' }] };
  const report = await make('Weekly report', { type: 'schedule', cron: '0 8 * * MON', timeZone: 'Europe/Berlin' }, [
    { type: 'findRecords', id: 'step1', tableId: table.id, filter: open },
    {
      type: 'sendEmail',
      id: 'step2',
      to: 'office@example.com',
      subject: { template: 'Open orders: {step1.count}' },
      body: 'Please look at them today.',
    },
  ]);
  await page.goto(`/base/${base.id}/automations/${report}`);
  await page.getByRole('heading', { name: 'Weekly report' }).waitFor();
  await page.getByText('Try it').first().waitFor();
  await picture('automation-report');

  // Its runs, after two presses.
  for (const { id } of table.records.slice(0, 2))
    await send('POST', `/table/${table.id}/record/${id}/${idOf('Approve')}/button-click`);
  for (let ended = 0; ended < 2; ) {
    const { runs } = await send('GET', `/base/${base.id}/automation/${approval}/run`);
    ended = runs.filter(({ state }: { state: string }) => state === 'success').length;
  }
  await page.setViewportSize({ width: 1_100, height: 620 });
  await page.goto(`/base/${base.id}/automations/${approval}`);
  await page
    .getByRole('radio', { name: 'Runs' })
    .or(page.getByRole('button', { name: 'Runs' }))
    .first()
    .click();
  await page.getByText('Two tables').first().waitFor();
  await picture('automation-runs');
});
