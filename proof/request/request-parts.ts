// What requests of the proof name again and again: a filter of every kind, an order, cells.
import type { Request } from '../../test/support/access-walk.ts';
import type { Holdings } from '../estate.ts';

export type More = (things: Holdings) => Request[];

export const filterOf = ({
  fieldId,
  textFieldId,
  dateFieldId,
  selectFieldId,
  multiSelectFieldId,
  userFieldId,
  checkboxFieldId,
  baseMemberId,
}: Holdings) => ({
  conjunction: 'and',
  filterSet: [
    { fieldId, operator: 'isGreater', value: 1 },
    {
      conjunction: 'or',
      filterSet: [
        { fieldId: textFieldId, operator: 'contains', value: 'text' },
        {
          fieldId: dateFieldId,
          operator: 'isAfter',
          value: { mode: 'exactDate', exactDate: '2020-01-01T00:00:00.000Z', timeZone: 'UTC' },
        },
        {
          fieldId: dateFieldId,
          operator: 'isWithIn',
          value: { mode: 'pastNumberOfDays', numberOfDays: 3, timeZone: 'Europe/Berlin' },
        },
        { fieldId: selectFieldId, operator: 'isAnyOf', value: ['Other'] },
        { fieldId: multiSelectFieldId, operator: 'hasAllOf', value: ['Other'] },
        { fieldId: userFieldId, operator: 'hasAnyOf', value: [baseMemberId] },
        { fieldId: checkboxFieldId, operator: 'is', value: true },
      ],
    },
  ],
});

export const sortOf = ({ fieldId, selectFieldId }: Holdings) => [
  { fieldId, order: 'desc' },
  { fieldId: selectFieldId, order: 'asc' },
];

export const finding = (things: Holdings): Record<string, unknown> => ({
  viewId: things.viewId,
  ignoreViewQuery: false,
  filter: JSON.stringify(filterOf(things)),
  search: ['text', things.textFieldId, 'true'],
  selectedRecordIds: [things.recordId, things.siblingRecordId],
  fieldKeyType: 'id',
});

export const grouped = (things: Holdings) => ({
  groupBy: JSON.stringify([{ fieldId: things.selectFieldId, order: 'asc' }]),
});
export const sorted = (things: Holdings) => ({ orderBy: JSON.stringify(sortOf(things)) });

export const cells = (things: Holdings): Record<string, unknown> => ({
  [things.fieldId]: 5.25,
  [things.textFieldId]: 'text',
  [things.longTextFieldId]: 'long\ntext',
  [things.dateFieldId]: '2024-01-31T12:00:00.000Z',
  [things.selectFieldId]: 'Other',
  [things.multiSelectFieldId]: ['Other'],
  [things.checkboxFieldId]: true,
  [things.ratingFieldId]: 4,
  [things.userFieldId]: [{ id: things.baseMemberId, title: 'Somebody', email: 'somebody@example.com' }],
});

export const order = ({ viewId, siblingRecordId }: Holdings) => ({
  viewId,
  anchorId: siblingRecordId,
  position: 'before',
});

export const history = ({ fieldId, ownerId, operationId, historyCursor }: Holdings): Record<string, unknown> => ({
  startDate: '2020-01-01T00:00:00.000Z',
  endDate: '2100-01-01T00:00:00.000Z',
  cursor: historyCursor,
  fieldIds: [fieldId],
  createdByIds: [ownerId],
  operationId,
  take: 5,
});
