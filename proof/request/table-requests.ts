// Requests about a table that name every parameter: its records, views, fields, history and comments.
import type { Holdings } from '../estate.ts';
import { cells, filterOf, finding, grouped, history, type More, order, sorted, sortOf } from './request-parts.ts';
import { conversions, definitions, newTables, triedOn, viewsOf } from './table-definitions.ts';

const selected: More = (things) => [
  { body: { selection: { recordIds: [things.recordId] } } },
  {
    body: {
      ...finding(things),
      ...sorted(things),
      ...grouped(things),
      collapsedGroupIds: ['group'],
      selection: { excludeRecordIds: [things.recordId] },
    },
  },
];

const inRanges = (things: Holdings): Record<string, unknown> => ({
  ...finding(things),
  ...sorted(things),
  ...grouped(things),
  collapsedGroupIds: ['group'],
  type: 'rows',
});
const columns = ({ fieldId, textFieldId, dateFieldId }: Holdings): Record<string, unknown> => ({
  projection: [fieldId, textFieldId],
  excludeFieldIds: [dateFieldId],
});
export const tableRequests: Record<string, More> = {
  getAggregation: (things) => [
    {
      query: {
        ...finding(things),
        ...grouped(things),
        'field[sum]': [things.fieldId],
        'field[unique]': [things.selectFieldId],
        'field[earliestDate]': [things.dateFieldId],
      },
    },
  ],
  queryBase: (things) => [
    {
      query: {
        query: JSON.stringify({
          from: things.tableId,
          select: [{ column: things.textFieldId, type: 'field' }],
          where: {
            conjunction: 'and',
            filterSet: [{ column: things.fieldId, type: 'field', operator: 'isGreater', value: 1 }],
          },
        }),
        cellFormat: 'json',
      },
    },
  ],
  getCalendarDays: (things) => [
    {
      query: {
        ...finding(things),
        startDate: '2024-01-01',
        endDate: '2024-01-31',
        startDateFieldId: things.dateFieldId,
        endDateFieldId: things.dateFieldId,
      },
    },
  ],
  insertAttachments: () => [{ body: { attachments: [{ token: 'att000000000000000000000' }], anchorId: 'act1' } }],
  getRowCount: (things) => [{ query: finding(things) }],
  deleteSelection: selected,
  deleteSelectionStream: selected,
  patchSelectionStream: selected,
  deleteRanges: (things) => [{ query: { ...inRanges(things), ranges: '[[900,900]]' } }],
  getIdsOfRanges: (things) => [
    { query: { ...inRanges(things), ...columns(things), ranges: '[[0,5]]', returnType: 'all' } },
  ],
  copyRanges: (things) => [{ query: { ...inRanges(things), ...columns(things), ranges: '[[0,5]]' } }],
  clearRanges: (things) => [{ body: { ...inRanges(things), ...columns(things), ranges: [[0, 5]] } }],
  pasteIntoRanges: (things) => [
    {
      body: {
        ...inRanges(things),
        ...columns(things),
        ranges: [[0, 0]],
        content: [['text']],
        header: [{ id: things.textFieldId, name: 'Text', type: 'singleLineText' }],
      },
    },
  ],
  previewPaste: (things) => [
    {
      body: {
        viewId: things.viewId,
        ...columns(things),
        ranges: [
          [0, 0],
          [1, 1],
        ],
        content: 'text',
      },
    },
  ],
  exportCsv: ({ viewId }) => [{ query: { viewId } }],
  getGroupPoints: (things) => [{ query: { ...finding(things), ...grouped(things), collapsedGroupIds: ['group'] } }],
  getSearchCount: (things) => [{ query: finding(things) }],
  getRecordIndex: (things) => [
    { query: { ...finding(things), ...sorted(things), ...grouped(things), recordId: things.recordId } },
  ],
  getSearchIndex: (things) => [
    {
      query: {
        ...finding(things),
        ...sorted(things),
        ...grouped(things),
        take: 10,
        skip: 0,
        projection: [things.fieldId],
      },
    },
  ],
  listRecords: (things) => [
    {
      query: {
        ...finding(things),
        ...sorted(things),
        ...grouped(things),
        collapsedGroupIds: ['group'],
        projection: [things.fieldId],
        cellFormat: 'text',
        take: 10,
        skip: 0,
      },
    },
    { query: { cursor: things.recordCursor, take: 1 } },
    { query: { filterLinkCellCandidate: [things.fieldId, things.recordId] } },
    { query: { filterLinkCellSelected: [things.fieldId, things.recordId] } },
    { query: { viewId: things.kanbanViewId, fieldKeyType: 'dbFieldName' } },
  ],
  createView: (things) => viewsOf(things).map((body) => ({ body })),
  setViewFilter: (things) => [{ body: { filter: filterOf(things) } }],
  setViewSort: (things) => [{ body: { sort: { sortObjs: sortOf(things), manualSort: true } } }],
  setViewGroup: (things) => [{ body: { group: sortOf(things) } }],
  setViewColumns: ({ fieldId, selectFieldId }) => [
    {
      body: [
        { fieldId, columnMeta: { order: 1, width: 120, hidden: false, statisticFunc: 'sum' } },
        { fieldId: selectFieldId, columnMeta: { hidden: true } },
      ],
    },
  ],
  setViewOptions: (things) => [
    {
      params: { viewId: things.kanbanViewId },
      body: { options: { stackFieldId: things.selectFieldId, coverFieldId: null } },
    },
    { body: { options: { rowHeight: 'short', frozenColumnCount: 2 } } },
  ],
  createTable: newTables,
  importRecords: ({ fieldId }) => [
    {
      body: {
        attachmentUrl: 'none',
        fileType: 'csv',
        insertConfig: {
          sourceWorkSheetKey: 'none',
          excludeFirstRow: true,
          sourceColumnMap: { [fieldId]: 0 },
          matchFieldIds: [fieldId],
        },
      },
    },
  ],
  createField: definitions,
  planFieldCreate: (things) => triedOn(things, definitions(things)),
  convertField: conversions,
  planFieldConvert: (things) => triedOn(things, conversions(things)),
  checkIntegrity: ({ tableId }) => [{ query: { tableId } }],
  fixIntegrity: ({ tableId }) => [{ query: { tableId } }],
  listFields: ({ viewId, fieldId }) => [{ query: { viewId, filterHidden: true, projection: [fieldId] } }],
  updateField: () => [{ body: { name: 'Renamed', description: 'Described', dbFieldName: 'renamed' } }],
  listTableHistory: (things) => [
    { query: { ...history(things), recordIds: [things.recordId] } },
    { query: { cursor: things.historyCursor } },
  ],
  listRecordHistory: (things) => [
    { query: { ...history(things), includeCreated: true } },
    { query: { includeCreated: true } },
  ],
  restoreHistory: ({ historyId, recordId, deletionId }) => [
    { body: { operationId: deletionId } },
    { body: { historyIds: [historyId], force: true } },
    { body: { recordId, at: '2100-01-01T00:00:00.000Z', force: false } },
  ],
  createRecords: (things) => [
    {
      body: {
        fieldKeyType: 'id',
        typecast: true,
        order: order(things),
        records: [{ fields: cells(things) }, { fields: {} }],
      },
    },
    { body: { fieldKeyType: 'id', records: [{ fields: cells(things) }] } },
  ],
  updateRecords: (things) => [
    {
      body: {
        fieldKeyType: 'id',
        typecast: true,
        order: order(things),
        records: [
          { id: things.recordId, fields: cells(things) },
          { id: things.siblingRecordId, fields: {} },
        ],
      },
    },
  ],
  createRecordTemplate: (things) => [
    { body: { name: 'Template', recordId: things.recordId, fieldKeyType: 'id', fields: cells(things) } },
  ],
  createRecordFromTemplate: (things) => [{ body: { fieldKeyType: 'id', fields: cells(things), order: order(things) } }],
  updateRecord: (things) => [
    { body: { fieldKeyType: 'id', typecast: false, order: order(things), record: { fields: cells(things) } } },
  ],
  createComment: ({ commentId, baseMemberId, fieldId, recordId }) => [
    {
      body: {
        quoteId: commentId,
        content: [
          {
            type: 'p',
            children: [
              { type: 'span', value: 'text' },
              ...[baseMemberId, fieldId, recordId].map((value) => ({ type: 'mention', value })),
              { type: 'a', url: 'https://example.com', title: 'Link' },
            ],
          },
        ],
      },
    },
    { body: { content: [{ type: 'img', path: 'table/att000000000000000000000', width: 100 }] } },
  ],
  listComments: ({ commentId }) => [
    { query: { cursor: commentId, take: 5, direction: 'backward', includeCursor: false } },
  ],
  countCommentsByQuery: (things) => [
    {
      query: {
        ...finding(things),
        ...sorted(things),
        ...grouped(things),
        collapsedGroupIds: ['group'],
        take: 10,
        skip: 0,
      },
    },
  ],
  getRecordStatus: (things) => [{ query: finding(things) }],
  getRecord: ({ fieldId }) => [{ query: { projection: [fieldId], cellFormat: 'text', fieldKeyType: 'id' } }],
  listenToTable: () => [{ query: { values: true, lastEventId: '1' } }],
  listenToBase: () => [{ query: { lastEventId: '1' } }],
};
