// Takes the pictures of docs/guide/dashboards.md from the app as it is now: node --import tsx scripts/screenshots-dashboards.ts
// With DASHBOARD_LOOKS=<folder> it also shows the page at three widths, light and dark.
import { join } from 'node:path';
import { onStage } from './screenshot-stage.ts';

const looks = process.env['DASHBOARD_LOOKS'];
const stages = ['Lead', 'Offer', 'Won', 'Lost'];
const regions = ['North', 'South', 'West'];
const owners = ['Wood', 'Metal', 'Glass'];

/** The same numbers each time. */
const draw = (() => {
  let state = 7;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
})();

const deals = Array.from({ length: 240 }, (_none, at) => {
  const month = Math.floor(at / 20);
  return {
    Name: `Order ${1_001 + at}`,
    Stage: stages[[2, 2, 2, 0, 1, 3][draw(6)] as number],
    Region: regions[draw(3)],
    Line: owners[draw(3)],
    Amount: 400 + draw(60) * 50 + month * 120,
    Days: 2 + draw(40),
    Closed: new Date(Date.UTC(2026, month - 1, 1 + draw(27))).toISOString(),
  };
});

await onStage({}, async ({ newVisitor }) => {
  const { page, send, picture } = await newVisitor('Office', { width: 1_440, height: 1_000 });
  const [space] = await send('GET', '/space');
  const base = await send('POST', '/base', { spaceId: space.id, name: 'Orders' });
  const choices = (names: readonly string[]): object => ({ choices: names.map((name) => ({ name })) });
  const table = await send('POST', `/base/${base.id}/table`, {
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Stage', type: 'singleSelect', options: choices(stages) },
      { name: 'Region', type: 'singleSelect', options: choices(regions) },
      { name: 'Line', type: 'singleSelect', options: choices(owners) },
      {
        name: 'Amount',
        type: 'number',
        options: { formatting: { type: 'currency', precision: 0, symbol: '€' } },
      },
      { name: 'Days', type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
      { name: 'Closed', type: 'date' },
    ],
    records: deals.map((fields) => ({ fields })),
  });
  const idOf = (name: string): string => table.fields.find((field: { name: string }) => field.name === name).id;
  const sum = { statistic: 'sum', fieldId: idOf('Amount') };
  const count = { statistic: 'count' };
  const won = {
    conjunction: 'and',
    filterSet: [{ fieldId: idOf('Stage'), operator: 'is', value: 'Won' }],
  };
  const months = { fieldId: idOf('Closed'), by: 'month', fill: true };
  const trend = { fieldId: idOf('Closed'), by: 'month', periods: 12 };
  const source = { tableId: table.id };
  const items: [string, object, [number, number, number, number]][] = [
    ['Sales', { type: 'number', ...source, filter: won, measure: sum, trend }, [0, 0, 3, 4]],
    ['Orders won', { type: 'number', ...source, filter: won, measure: count, trend }, [3, 0, 3, 4]],
    [
      'Days to close',
      {
        type: 'number',
        ...source,
        measure: { statistic: 'average', fieldId: idOf('Days'), format: { suffix: ' days', decimals: 1 } },
        trend,
        look: { lowerIsBetter: true },
      },
      [6, 0, 3, 4],
    ],
    [
      'Goals',
      {
        type: 'text',
        text: '## Goals of this year\n- **€ 30,000** sales a month\n- Offers closed within **two weeks**',
      },
      [9, 0, 3, 4],
    ],
    [
      'Sales by month',
      {
        type: 'area',
        ...source,
        filter: won,
        group: months,
        measures: [sum],
        split: { fieldId: idOf('Region') },
        look: { percent: false },
      },
      [0, 4, 8, 7],
    ],
    [
      'Orders by line',
      { type: 'pie', ...source, group: { fieldId: idOf('Line') }, measure: count, look: { donut: true } },
      [8, 4, 4, 7],
    ],
    [
      'Stages by region',
      {
        type: 'stackedBar',
        ...source,
        group: { fieldId: idOf('Region') },
        measures: [count],
        split: { fieldId: idOf('Stage') },
      },
      [0, 11, 4, 7],
    ],
    [
      'Amount by stage',
      {
        type: 'bar',
        ...source,
        group: { fieldId: idOf('Stage'), sort: 'measure', order: 'desc' },
        measures: [sum],
        split: null,
        look: { horizontal: true, labels: true, color: 'blue' },
      },
      [4, 11, 4, 7],
    ],
    [
      'Largest orders',
      {
        type: 'records',
        ...source,
        fieldIds: ['Name', 'Stage', 'Amount'].map(idOf),
        sort: [{ fieldId: idOf('Amount'), order: 'desc' }],
        take: 20,
      },
      [8, 11, 4, 7],
    ],
    [
      'Orders by line and stage',
      {
        type: 'heatMap',
        ...source,
        rows: { fieldId: idOf('Line') },
        columns: { fieldId: idOf('Stage') },
        measure: count,
      },
      [0, 18, 6, 7],
    ],
    [
      'Sales by line and region',
      {
        type: 'pivot',
        ...source,
        filter: won,
        rows: [{ fieldId: idOf('Line') }],
        columns: [{ fieldId: idOf('Region') }],
        measures: [sum],
      },
      [6, 18, 6, 7],
    ],
    [
      'Amount against days',
      { type: 'scatter', ...source, x: idOf('Days'), y: idOf('Amount'), split: { fieldId: idOf('Region') } },
      [0, 25, 6, 7],
    ],
    [
      'Orders and sales by quarter',
      {
        type: 'line',
        ...source,
        group: { ...months, by: 'quarter' },
        measures: [sum],
        look: { lineStyle: 'normal', goal: { value: 60_000, label: 'Target' } },
      },
      [6, 25, 6, 7],
    ],
  ];
  const dashboard = await send('POST', `/base/${base.id}/dashboard`, { name: 'Sales 2026' });
  for (const [name, chart, [x, y, w, h]] of items)
    await send('POST', `/base/${base.id}/dashboard/${dashboard.id}/item`, { name, chart, x, y, w, h });
  await send('PUT', `/base/${base.id}/dashboard/${dashboard.id}/filters`, {
    filters: ['Region', 'Stage', 'Closed'].map((name) => ({
      id: name,
      name,
      fields: [{ tableId: table.id, fieldId: idOf(name) }],
    })),
  });
  const address = `/base/${base.id}/dashboard/${dashboard.id}`;
  const settled = async (): Promise<void> => {
    await page.getByRole('img', { name: /Area chart: Sales by month/ }).waitFor();
    await page.getByText('Order 10').first().waitFor();
    // Charts are drawn on.
    await page.waitForTimeout(1_500);
  };
  await page.goto(address);
  await settled();
  await picture('dashboard');

  await page
    .getByRole('region', { name: 'Sales by month', exact: true })
    .getByRole('button', { name: /^More/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('img').waitFor();
  await page.waitForTimeout(1_000);
  await picture('dashboard-editor');
  if (looks !== undefined) await page.screenshot({ path: join(looks, 'editor-light.png') });
  await page.keyboard.press('Escape');

  if (looks === undefined) return;
  const { shareId } = await send('PUT', `/base/${base.id}/dashboard/${dashboard.id}/share`, {});
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 768, 1_440]) {
      await page.setViewportSize({ width, height: 1_700 });
      await page.goto(address);
      await settled();
      await page.screenshot({ path: join(looks, `${width}-${colorScheme}.png`) });
    }
    await page.goto(`/share/${shareId}/dashboard`);
    await page.getByRole('img', { name: /Area chart: Sales by month/ }).waitFor();
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: join(looks, `share-${colorScheme}.png`) });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').getByRole('img').waitFor();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(looks, 'editor-390.png') });
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(address);
  await settled();
  await page.getByRole('button', { name: /Show Stages by region as a table/ }).click();
  await page
    .getByRole('region', { name: 'Stages by region', exact: true })
    .getByRole('cell')
    .first()
    .getByRole('button')
    .click();
  await page.getByRole('complementary', { name: /Records of/ }).waitFor();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(looks, 'records-dark.png') });
});
