// Timelines and Gantt charts: what their options take, and what becomes of them when fields go, change, or are hidden.
import { exportCsv } from '@rowhouse/contract/export.ts';
import { convertField, createField, deleteField, updateField, type Field } from '@rowhouse/contract/field.ts';
import { enableShare, getShare } from '@rowhouse/contract/share.ts';
import * as api from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let tableId: string;
const field: Record<string, string> = {};

beforeAll(async () => {
  shop = await openWorkshop(world());
  const table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'name' },
      { type: 'date', name: 'from' },
      { type: 'date', name: 'until' },
      { type: 'number', name: 'days' },
      { type: 'singleSelect', name: 'team', options: { choices: [{ name: 'a' }] } },
      { type: 'checkbox', name: 'done' },
    ],
    records: [
      { fields: { name: 'Dig; then, rest', from: '2024-02-29T00:00:00.000Z', days: 2 } },
      { fields: { name: 'Some day', days: 9 } },
    ],
  });
  tableId = table.id;
  table.fields.forEach(({ name, id }: Field) => {
    field[name] = id;
  });
  const other = await shop.table({ fields: [{ type: 'singleLineText', name: 'name' }] });
  for (const [name, foreignTableId] of [
    ['waits for', tableId],
    ['project', other.id],
  ] as const) {
    const made = await shop.owner.call(createField, {
      params: { tableId },
      body: { name, type: 'link', options: { relationship: 'manyMany', foreignTableId } },
    });
    field[name] = made.body.id;
  }
});

const create = (body: object) => shop.owner.call(api.createView, { params: { tableId }, body: body as never });
const read = async (id: string) => (await shop.owner.call(api.getView, { params: { tableId, viewId: id } })).body;
const setOptions = (viewId: string, options: object) =>
  shop.owner.call(api.setViewOptions, { params: { tableId, viewId }, body: { options } as never });

test('they take fields that fit, and say what is wrong with others', async () => {
  const options = {
    startDateFieldId: field.from,
    endDateFieldId: null,
    durationFieldId: field.days,
    laneFieldId: field.team,
    workingDays: [1, 2, 3, 4, 5],
    holidays: ['2026-12-25'],
  };
  const timeline = await create({ type: 'timeline', options });
  expect([timeline.status, timeline.body.name, timeline.body.options]).toEqual([201, 'Timeline view', options]);
  const more = {
    dependencyFieldId: field['waits for'],
    lag: -1.5,
    lagFieldId: field.days,
    milestoneFieldId: field.done,
  };
  const gantt = await create({ type: 'gantt', options: { ...options, ...more, isCriticalShown: true } });
  expect([gantt.status, gantt.body.options]).toEqual([201, { ...options, ...more, isCriticalShown: true }]);
  for (const [type, wrong, at] of [
    ['timeline', { startDateFieldId: field.days }, 'options.startDateFieldId'],
    ['timeline', { durationFieldId: field.from }, 'options.durationFieldId'],
    ['timeline', { dependencyFieldId: field['waits for'] }, 'options.dependencyFieldId'],
    ['timeline', { workingDays: [0] }, 'options.workingDays[0]'],
    ['timeline', { workingDays: [1, 1] }, 'options.workingDays'],
    ['timeline', { holidays: ['Christmas'] }, 'options.holidays[0]'],
    ['gantt', { dependencyFieldId: field.project }, 'options.dependencyFieldId'],
    ['gantt', { milestoneFieldId: field.days }, 'options.milestoneFieldId'],
    ['gantt', { lag: 'soon' }, 'options.lag'],
  ] as const) {
    const refused = await create({ type, options: wrong });
    expect([refused.status, refused.error.data.issues[0].path], JSON.stringify(wrong)).toEqual([400, at]);
    expect(refused.error.data.issues[0].expected ?? refused.error.data.issues[0].message).toBeTruthy();
  }
});

test('a field that goes or no longer fits is noted, so that the view can say what is missing', async () => {
  const make = async (name: string, type: string): Promise<string> =>
    (await shop.owner.call(createField, { params: { tableId }, body: { name, type } as never })).body.id;
  const [begin, end, milestone] = [await make('b', 'date'), await make('e', 'date'), await make('m', 'checkbox')];
  const { id } = (
    await create({
      type: 'gantt',
      options: { startDateFieldId: begin, endDateFieldId: end, milestoneFieldId: milestone, lag: 2 },
    })
  ).body;
  await shop.owner.call(updateField, { params: { tableId, fieldId: begin }, body: { name: 'Begins' } });
  expect((await read(id)).options).toMatchObject({ startDateFieldId: begin });
  await shop.owner.call(deleteField, { params: { tableId, fieldId: begin } });
  await shop.owner.call(convertField, { params: { tableId, fieldId: end }, body: { type: 'singleLineText' } as never });
  expect((await read(id)).options).toEqual({
    milestoneFieldId: milestone,
    lag: 2,
    lostOptions: ['startDateFieldId', 'endDateFieldId'],
  });
  await setOptions(id, { startDateFieldId: field.from });
  expect((await read(id)).options).toMatchObject({ startDateFieldId: field.from, milestoneFieldId: milestone });
});

test('a share shows what the bars need, also where columns are hidden, and nothing else', async () => {
  const { id } = (
    await create({ type: 'timeline', options: { startDateFieldId: field.from, laneFieldId: field.team } })
  ).body;
  const { shareId } = (await shop.owner.call(enableShare, { params: { tableId, viewId: id } })).body;
  const shared = (await shop.owner.call(getShare, { params: { shareId } })).body;
  expect(shared.fields.map(({ name }: Field) => name).toSorted()).toEqual(['from', 'name', 'team']);
  expect(shared.view.options).toEqual({ startDateFieldId: field.from, laneFieldId: field.team });
});

test('its calendar file has the bars, with ends behind the working days that they last', async () => {
  const options = { startDateFieldId: field.from, durationFieldId: field.days, workingDays: [1, 2, 3, 4, 5] };
  const { id } = (await create({ type: 'timeline', options })).body;
  const file = await shop.owner.call(exportCsv, { params: { tableId }, query: { format: 'ics', viewId: id } });
  const lines = String(file.body).replaceAll('\r\n ', '').split('\r\n');
  expect(lines.filter((line: string) => /^(DTSTART|DTEND|SUMMARY)/.test(line))).toEqual([
    'DTSTART;VALUE=DATE:20240229',
    'DTEND;VALUE=DATE:20240302',
    'SUMMARY:Dig\\; then\\, rest',
  ]);
  // No other date is taken in place of one that is not chosen.
  const { id: bare } = (await create({ type: 'gantt' })).body;
  const refused = await shop.owner.call(exportCsv, { params: { tableId }, query: { format: 'ics', viewId: bare } });
  expect([refused.status, refused.error.data.issues[0].path]).toEqual([400, 'query.viewId']);
});
