// Takes the pictures of the guide to timelines and Gantt charts: node --import tsx scripts/screenshots-bars.ts
import { onStage } from './screenshot-stage.ts';

const crews = ['Roofers', 'Masons', 'Painters', 'Electricians'];
const colors = ['purpleLight1', 'orangeLight1', 'tealLight1', 'blueLight1'];

const fields = [
  { name: 'Work', type: 'singleLineText' },
  { name: 'From', type: 'date' },
  { name: 'Until', type: 'date' },
  {
    name: 'Crew',
    type: 'singleSelect',
    options: { choices: crews.map((name, index) => ({ name, color: colors[index] })) },
  },
  { name: 'Milestone', type: 'checkbox' },
];

/** What, from, until, who, and which of those above it waits for. */
const rows: [string, string, string, string | null, number[]][] = [
  ['Put up the scaffold', '2026-11-02', '2026-11-04', 'Roofers', []],
  ['Repoint the chimney', '2026-11-05', '2026-11-10', 'Masons', [0]],
  ['Mend the roof', '2026-11-05', '2026-11-13', 'Roofers', [0]],
  ['Solar panels', '2026-11-16', '2026-11-19', 'Electricians', [2]],
  ['Roof is dry', '2026-11-20', '2026-11-20', null, [1, 3]],
  ['Paint the front', '2026-11-11', '2026-11-17', 'Painters', [1]],
  ['Take down the scaffold', '2026-11-23', '2026-11-24', 'Roofers', [4, 5]],
  ['Garden wall', '2026-11-12', '2026-11-18', 'Masons', []],
  ['New lamps in the hall', '2026-11-09', '2026-11-12', 'Electricians', []],
  ['Paint the stairwell', '2026-11-19', '2026-11-27', 'Painters', [8]],
];

await onStage({}, async ({ newVisitor }) => {
  const { page, send, picture } = await newVisitor('Warden', { width: 1_280, height: 560 });
  await page.clock.setFixedTime('2026-11-12T10:00:00.000Z');
  const [space] = await send('GET', '/space');
  const base = await send('POST', '/base', { spaceId: space.id, name: 'Number 12' });
  const table = await send('POST', `/base/${base.id}/table`, {
    name: 'Works',
    fields,
    records: rows.map(([Work, from, until, Crew]) => ({
      fields: {
        Work,
        From: `${from}T00:00:00.000Z`,
        Until: `${until}T00:00:00.000Z`,
        ...(Crew === null ? { Milestone: true } : { Crew }),
      },
    })),
  });
  const link = await send('POST', `/table/${table.id}/field`, {
    name: 'Waits for',
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: table.id },
  });
  const ids = table.records.map(({ id }: { id: string }) => id) as string[];
  await send('PATCH', `/table/${table.id}/record`, {
    records: rows.flatMap(([, , , , waitsFor], index) =>
      waitsFor.length === 0
        ? []
        : [{ id: ids[index], fields: { 'Waits for': waitsFor.map((one) => ({ id: ids[one] })) } }],
    ),
  });
  const fieldId = (name: string): string => table.fields.find((field: { name: string }) => field.name === name).id;
  const options = {
    startDateFieldId: fieldId('From'),
    endDateFieldId: fieldId('Until'),
    workingDays: [1, 2, 3, 4, 5],
    colorRules: [{ on: 'row', by: 'choice', fieldId: fieldId('Crew') }],
  };
  for (const [type, name, more] of [
    ['timeline', 'Crews', { laneFieldId: fieldId('Crew') }],
    ['gantt', 'Plan', { dependencyFieldId: link.id, milestoneFieldId: fieldId('Milestone'), isCriticalShown: true }],
  ] as const) {
    const view = await send('POST', `/table/${table.id}/view`, { type, name, options: { ...options, ...more } });
    await page.goto(`/base/${base.id}/${table.id}?view=${view.id}`);
    await page.getByRole('button', { name: /^Mend the roof, / }).waitFor({ state: 'attached' });
    await page.getByRole('combobox', { name: 'Zoom' }).click();
    await page.getByRole('option', { name: 'Days' }).click();
    await page.getByRole('button', { name: 'Zoom out' }).waitFor();
    await page.getByRole('region', { name: / by From$/ }).evaluate((area) => {
      area.scrollBy(-60, 0);
    });
    await page.waitForTimeout(500);
    await picture(type);
  }
});
