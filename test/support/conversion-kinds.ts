// Each kind of cells once, as a field that can be converted from and to, with a condition that only this kind has where there is one.

const choices = { choices: [{ name: 'a' }, { name: '1' }] };

export interface Kind {
  field: { type: string; options?: Record<string, unknown> };
  operator: string;
  value: unknown;
  /** What a lookup's condition compares with, where that may not depend on who asks or when. */
  fixedValue?: unknown;
  cell: unknown;
  /** Cells of it have no order, and cannot be looked up. */
  isOpaque?: true;
  /** Views whose options name the field, and as what. */
  views: readonly { type: string; option: string }[];
}

/** What stands for the person who asks, and for the records of the table that links lead to. */
interface Around {
  userId: string;
  linkedTableId: string;
  linkedRecordId: string;
}

const stacked = { type: 'kanban', option: 'stackFieldId' };
const coloured = { type: 'gallery', option: 'colorFieldId' };
const titled = { type: 'calendar', option: 'titleFieldId' };

export const kindsFor = ({ userId, linkedTableId, linkedRecordId }: Around): Record<string, Kind> => {
  const date = { mode: 'exactDate', exactDate: '2024-01-01T00:00:00.000Z', timeZone: 'UTC' };
  return {
    text: { field: { type: 'singleLineText' }, operator: 'contains', value: 'a', cell: 'a', views: [titled] },
    number: { field: { type: 'number' }, operator: 'isGreater', value: 0, cell: 1, views: [titled] },
    boolean: { field: { type: 'checkbox' }, operator: 'is', value: true, cell: true, views: [] },
    date: {
      field: { type: 'date' },
      operator: 'isOnOrBefore',
      value: { mode: 'today', timeZone: 'UTC' },
      fixedValue: date,
      cell: date.exactDate,
      views: [{ type: 'calendar', option: 'startDateFieldId' }],
    },
    choice: {
      field: { type: 'singleSelect', options: choices },
      operator: 'isAnyOf',
      value: ['a'],
      cell: 'a',
      views: [stacked, coloured],
    },
    choices: {
      field: { type: 'multipleSelect', options: choices },
      operator: 'hasAllOf',
      value: ['a'],
      cell: ['a'],
      views: [],
    },
    person: {
      field: { type: 'user', options: { isMultiple: false } },
      operator: 'is',
      value: 'me',
      fixedValue: userId,
      cell: { id: userId },
      views: [stacked],
    },
    people: {
      field: { type: 'user', options: { isMultiple: true } },
      operator: 'hasAnyOf',
      value: ['me'],
      fixedValue: [userId],
      cell: [{ id: userId }],
      views: [],
    },
    file: {
      field: { type: 'attachment' },
      operator: 'isEmpty',
      value: null,
      cell: null,
      isOpaque: true,
      views: [{ type: 'gallery', option: 'coverFieldId' }],
    },
    link: {
      field: { type: 'link', options: { relationship: 'manyOne', foreignTableId: linkedTableId, isOneWay: true } },
      operator: 'isAnyOf',
      value: [linkedRecordId],
      cell: { id: linkedRecordId },
      views: [],
    },
    links: {
      field: { type: 'link', options: { relationship: 'manyMany', foreignTableId: linkedTableId, isOneWay: true } },
      operator: 'hasAnyOf',
      value: [linkedRecordId],
      cell: [{ id: linkedRecordId }],
      views: [],
    },
    formula: {
      field: { type: 'formula', options: { expression: "'a'" } },
      operator: 'doesNotContain',
      value: 'b',
      cell: null,
      views: [titled],
    },
    rating: { field: { type: 'rating' }, operator: 'isLess', value: 4, cell: 2, views: [] },
  };
};

export type Pair = readonly [from: string, to: string];

const names = Object.keys(kindsFor({ userId: '', linkedTableId: '', linkedRecordId: '' }));

export const allPairs: Pair[] = names.flatMap((from) =>
  names.filter((to) => to !== from).map((to): Pair => [from, to]),
);
