// Tables, views and fields of every type, as requests of the proof define them.
import { fieldTypes } from '@rowhouse/contract/field.ts';
import type { Request } from '../../test/support/access-walk.ts';
import type { Holdings } from '../estate.ts';
import { filterOf, type More, sortOf } from './request-parts.ts';

const view = (things: Holdings, type: string, options: Record<string, unknown>) => ({
  type,
  name: 'View',
  description: 'A view',
  order: 3,
  options,
  filter: filterOf(things),
  sort: { sortObjs: sortOf(things), manualSort: false },
  group: [{ fieldId: things.selectFieldId, order: 'asc' }],
  isLocked: false,
  columnMeta: { [things.fieldId]: { order: 2 } },
});

export const viewsOf = (things: Holdings) => [
  view(things, 'grid', { rowHeight: 'tall', fieldNameDisplayLines: 2, frozenColumnCount: 1 }),
  view(things, 'kanban', { stackFieldId: things.selectFieldId, coverFieldId: null, isCoverFit: true }),
  view(things, 'calendar', {
    startDateFieldId: things.dateFieldId,
    endDateFieldId: things.dateFieldId,
    titleFieldId: things.textFieldId,
    colorConfig: { type: 'field', fieldId: things.selectFieldId },
  }),
  view(things, 'gantt', {
    startDateFieldId: things.dateFieldId,
    durationFieldId: null,
    laneFieldId: things.selectFieldId,
    workingDays: [1, 2, 3, 4, 5],
    holidays: ['2026-12-25'],
    lag: 1.5,
    isCriticalShown: true,
  }),
  view(things, 'form', { coverUrl: 'https://example.com/a.png', submitLabel: 'Send' }),
];

export const newTables = (things: Holdings): Request[] => [
  {
    body: {
      name: 'Table',
      description: 'A table',
      icon: '🏠',
      order: 2,
      fieldKeyType: 'name',
      fields: fieldTypes.map((type) => ({ ...definition(type), name: type })),
      views: [
        { type: 'grid', name: 'Grid' },
        { type: 'form', options: { submitLabel: 'Send' } },
      ],
      records: [
        { fields: { singleLineText: 'text', number: 5, singleSelect: 'One', date: '2024-01-31T12:00:00.000Z' } },
      ],
    },
  },
  { body: { name: 'Linked', fields: [{ type: 'singleLineText', name: 'A' }, ...through(things)] } },
  {
    body: {
      dbTableName: 'a_table',
      fields: [
        {
          type: 'singleLineText',
          name: 'A',
          dbFieldName: 'a_column',
          order: { viewId: things.viewId, orderIndex: 1 },
        },
      ],
      views: viewsOf(things),
    },
  },
];

const optionsOf: Record<string, Record<string, unknown>> = {
  number: {
    formatting: { type: 'currency', precision: 2, symbol: '€' },
    defaultValue: 1,
    showAs: { type: 'bar', color: 'red', showValue: true, maxValue: 10 },
  },
  rating: { icon: 'star', color: 'redBright', max: 5 },
  checkbox: { defaultValue: true },
  date: { formatting: { date: 'DD/MM/YYYY', time: 'hh:mm A', timeZone: 'Asia/Tokyo' }, defaultValue: 'now' },
  singleSelect: {
    choices: [{ id: 'choAAAAAAAA', name: 'One', color: 'red' }, { name: 'Two' }],
    defaultValue: 'One',
    preventAutoNewOptions: true,
  },
  multipleSelect: { choices: [{ name: 'One' }, { name: 'Two' }], defaultValue: ['One'] },
  user: { isMultiple: true, shouldNotify: false, defaultValue: ['me'] },
};

const definition = (type: string) => ({
  type,
  name: 'Field',
  description: 'A field',
  options: optionsOf[type] ?? {},
  unique: false,
  notNull: false,
});
/** Of another table: what a link leads to, and what is looked up through it. */
const through = ({ tableId, fieldId, selectFieldId }: Holdings) => [
  {
    type: 'link',
    name: 'Link',
    options: { relationship: 'manyMany', foreignTableId: tableId, lookupFieldId: fieldId, isOneWay: true },
  },
  {
    type: 'rollup',
    name: 'Sum',
    options: { expression: 'sum({values})' },
    lookupOptions: { foreignTableId: tableId, linkFieldId: selectFieldId, lookupFieldId: fieldId },
  },
  {
    type: 'number',
    name: 'Looked up',
    isLookup: true,
    lookupOptions: { foreignTableId: tableId, linkFieldId: selectFieldId, lookupFieldId: fieldId },
  },
  {
    type: 'number',
    name: 'Found',
    isLookup: true,
    isConditionalLookup: true,
    lookupOptions: { foreignTableId: tableId, lookupFieldId: fieldId, sort: { fieldId, order: 'asc' }, limit: 5 },
  },
  {
    type: 'conditionalRollup',
    name: 'Found sum',
    options: {
      expression: 'sum({values})',
      foreignTableId: tableId,
      lookupFieldId: fieldId,
      filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: { type: 'field', fieldId } }] },
    },
  },
];
export const definitions: More = (things) => [
  ...fieldTypes.map((type) => ({ body: { ...definition(type), order: { viewId: things.viewId, orderIndex: 1.5 } } })),
  ...through(things).map((body) => ({ body })),
];
export const conversions: More = (things) => [
  ...fieldTypes.map((type) => ({ body: definition(type) })),
  ...through(things).map((body) => ({ body })),
];
export const triedOn = ({ recordId }: Holdings, requests: ReturnType<More>): ReturnType<More> =>
  requests.map((request) => ({ ...request, query: { recordId } }));
