// Requests that name every parameter there is, where the access walk names the necessary ones.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { fieldTypes } from '@rowhouse/contract/field.ts';
import { requestFor } from '../test/support/access-request.ts';
import { tomorrow } from '../test/support/access-tenant.ts';
import type { Request } from '../test/support/access-walk.ts';
import { callback } from '../test/support/oauth.ts';
import type { Holdings } from './estate.ts';
import { programRequests } from './program-requests.ts';

type More = (things: Holdings) => Request[];

const filterOf = ({
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

const sortOf = ({ fieldId, selectFieldId }: Holdings) => [
  { fieldId, order: 'desc' },
  { fieldId: selectFieldId, order: 'asc' },
];

const finding = (things: Holdings): Record<string, unknown> => ({
  viewId: things.viewId,
  ignoreViewQuery: false,
  filter: JSON.stringify(filterOf(things)),
  search: ['text', things.textFieldId, 'true'],
  selectedRecordIds: [things.recordId, things.siblingRecordId],
  fieldKeyType: 'id',
});

const grouped = (things: Holdings) => ({ groupBy: JSON.stringify([{ fieldId: things.selectFieldId, order: 'asc' }]) });
const sorted = (things: Holdings) => ({ orderBy: JSON.stringify(sortOf(things)) });

const cells = (things: Holdings): Record<string, unknown> => ({
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

const order = ({ viewId, siblingRecordId }: Holdings) => ({ viewId, anchorId: siblingRecordId, position: 'before' });

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

const viewsOf = (things: Holdings) => [
  view(things, 'grid', { rowHeight: 'tall', fieldNameDisplayLines: 2, frozenColumnCount: 1 }),
  view(things, 'kanban', { stackFieldId: things.selectFieldId, coverFieldId: null, isCoverFit: true }),
  view(things, 'calendar', {
    startDateFieldId: things.dateFieldId,
    endDateFieldId: things.dateFieldId,
    titleFieldId: things.textFieldId,
    colorConfig: { type: 'field', fieldId: things.selectFieldId },
  }),
  view(things, 'form', { coverUrl: 'https://example.com/a.png', submitLabel: 'Send' }),
];

const newTables = (things: Holdings): Request[] => [
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
const definitions: More = (things) => [
  ...fieldTypes.map((type) => ({ body: { ...definition(type), order: { viewId: things.viewId, orderIndex: 1.5 } } })),
  ...through(things).map((body) => ({ body })),
];
const conversions: More = (things) => [
  ...fieldTypes.map((type) => ({ body: definition(type) })),
  ...through(things).map((body) => ({ body })),
];
const triedOn = ({ recordId }: Holdings, requests: ReturnType<More>): ReturnType<More> =>
  requests.map((request) => ({ ...request, query: { recordId } }));

const history = ({ fieldId, ownerId, operationId, historyCursor }: Holdings): Record<string, unknown> => ({
  startDate: '2020-01-01T00:00:00.000Z',
  endDate: '2100-01-01T00:00:00.000Z',
  cursor: historyCursor,
  fieldIds: [fieldId],
  createdByIds: [ownerId],
  operationId,
  take: 5,
});

const collaborators = {
  includeBase: true,
  includeSystem: false,
  skip: 0,
  take: 10,
  search: 'a',
  type: 'user',
  orderBy: 'asc',
};

const token = ({ spaceId, baseId }: Holdings) => ({
  name: 'Token',
  description: 'A token',
  scopes: ['user|email_read'],
  spaceIds: [spaceId],
  baseIds: [baseId],
  hasFullAccess: false,
});

const client = {
  name: 'Application',
  description: 'An application',
  homepage: 'https://app.example.com',
  logo: 'https://app.example.com/logo.png',
  redirectUris: [callback],
  scopes: ['record|read'],
};

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
const ofShare = (things: Holdings): Record<string, unknown> => {
  const { viewId: _view, ignoreViewQuery: _query, ...rest } = finding(things);
  return rest;
};

const more: Record<string, More> = {
  setShareMeta: ({ textFieldId }) => [
    {
      body: {
        allowCopy: true,
        includeHiddenField: true,
        includeRecords: true,
        submit: { allow: true, requireLogin: false, maxAnswers: 5, onePerPerson: true, confirmFieldId: textFieldId },
        frameAncestors: ['https://example.com'],
      },
    },
  ],
  listShareRecords: (things) => [
    {
      query: {
        ...ofShare(things),
        ...sorted(things),
        ...grouped(things),
        collapsedGroupIds: ['group'],
        projection: [things.fieldId],
        take: 10,
        skip: 0,
      },
    },
  ],
  getShareAggregations: (things) => [
    { query: { ...ofShare(things), ...grouped(things), 'field[sum]': [things.fieldId] } },
  ],
  getShareRowCount: (things) => [{ query: ofShare(things) }],
  getShareGroupPoints: (things) => [
    { query: { ...ofShare(things), ...grouped(things), collapsedGroupIds: ['group'] } },
  ],
  getShareSearchCount: (things) => [{ query: ofShare(things) }],
  getShareSearchIndex: (things) => [
    { query: { ...ofShare(things), ...sorted(things), ...grouped(things), take: 10, projection: [things.fieldId] } },
  ],
  getShareCalendar: (things) => [
    {
      query: {
        ...ofShare(things),
        startDate: '2024-01-01T00:00:00Z',
        endDate: '2024-02-01T00:00:00Z',
        startDateFieldId: things.dateFieldId,
        endDateFieldId: things.dateFieldId,
        search: ['text', things.textFieldId, 'true'],
      },
    },
  ],
  getShareViewSnapshots: ({ viewId }) => [{ query: { ids: [viewId] } }],
  getShareFieldSnapshots: ({ fieldId }) => [{ query: { ids: [fieldId] } }],
  getShareRecordDocIds: (things) => [
    {
      query: {
        ...ofShare(things),
        ...sorted(things),
        ...grouped(things),
        collapsedGroupIds: ['group'],
        take: 10,
        skip: 0,
      },
    },
  ],
  getShareRecordSnapshots: ({ recordId, fieldId }) => [{ query: { ids: [recordId], projection: [fieldId] } }],
  copyShare: (things) => [
    {
      query: {
        ...ofShare(things),
        ...sorted(things),
        ...grouped(things),
        collapsedGroupIds: ['group'],
        type: 'rows',
        ranges: '[[0,900]]',
      },
    },
  ],
  copyShareToBase: ({ baseId }) => [{ body: { baseId, name: 'Copy' } }],
  listShareLinkRecords: ({ fieldId }) => [{ query: { fieldId, search: 'text', take: 5, skip: 0, type: 'candidate' } }],
  listShareCollaborators: ({ userFieldId }) => [
    { query: { fieldId: userFieldId, search: 'a', take: 5, skip: 0, type: 'user' } },
  ],
  submitShareForm: (things) => [{ body: { fields: cells(things), typecast: true } }],
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
  listDepartments: () => [{ query: { parentId: 'dep', search: 'a' } }],
  listDepartmentUsers: () => [{ query: { departmentId: 'dep' } }],
  listPublishedPlugins: () => [{ query: { ids: ['plg'] } }],
  getRowCount: (things) => [{ query: finding(things) }],
  deleteSelection: selected,
  deleteSelectionStream: selected,
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
  noteVisit: ({ baseId, tableId, viewId }) => [
    { body: { resourceType: 'table', resourceId: tableId, parentResourceId: baseId, childResourceId: viewId } },
  ],
  createFileSignature: ({ baseId }) => [{ body: { contentType: 'text/plain', contentLength: 1, type: 1, baseId } }],
  exportCsv: ({ viewId }) => [{ query: { viewId } }],
  getGroupPoints: (things) => [{ query: { ...finding(things), ...grouped(things), collapsedGroupIds: ['group'] } }],
  getSearchCount: (things) => [{ query: finding(things) }],
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
  createNode: (things) => [
    { body: { resourceType: 'folder', name: 'Folder', parentId: `bno${things.folderId.slice(3)}` } },
    ...newTables(things).map(({ body }) => ({ body: { name: 'Table', ...(body as object), resourceType: 'table' } })),
  ],
  moveNode: ({ nodeId, folderId }) => [
    { body: { parentId: `bno${folderId.slice(3)}` } },
    { body: { anchorId: nodeId, position: 'before' } },
  ],
  createGroup: ({ groupId }) => [{ body: { name: 'Group', parentId: groupId } }],
  updateGroup: ({ groupId }) => [{ body: { name: 'Group', parentId: groupId } }],
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
  createBase: ({ spaceId }) => [{ body: { spaceId, name: 'Base', icon: '🏠' } }],
  updateBase: () => [{ body: { name: 'Renamed', icon: '🏠' } }],
  listSpaceCollaborators: () => [{ query: collaborators }],
  listBaseCollaborators: () => [{ query: { ...collaborators, includeBase: undefined } }],
  listBaseUsers: () => [{ query: { skip: 0, take: 10, search: 'a', orderBy: 'desc', includeSystem: true } }],
  updateSpaceCollaborator: ({ memberId }) => [{ body: { userId: memberId, role: 'viewer' } }],
  updateBaseCollaborator: ({ baseMemberId }) => [{ body: { userId: baseMemberId, role: 'viewer' } }],
  removeSpaceCollaborator: ({ memberId }) => [{ query: { userId: memberId } }],
  removeBaseCollaborator: ({ baseMemberId }) => [{ query: { userId: baseMemberId } }],
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
  createWebhook: (things) => [
    {
      body: {
        name: 'Whole',
        url: 'https://receiver.invalid/path?query=1',
        events: ['record.updated', 'view.entered', 'view.left'],
        tableIds: [things.tableId],
        fieldIds: [things.fieldId],
        viewId: things.viewId,
        filter: { before: filterOf(things), after: filterOf(things) },
        withValues: false,
        fieldKeyType: 'name',
      },
    },
  ],
  updateWebhook: (things) => [
    {
      body: {
        name: 'Changed',
        url: 'http://receiver.invalid/',
        events: ['record.created'],
        tableIds: [things.tableId],
        fieldIds: null,
        viewId: null,
        filter: { after: filterOf(things) },
        withValues: true,
        fieldKeyType: 'id',
        isOn: true,
      },
    },
  ],
  listWebhookDeliveries: () => [{ query: { take: 5, cursor: '1000000', state: 'waiting', search: 'webhook.test' } }],
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
  createSpace: () => [{ body: { name: 'Space' } }],
  exportBase: () => [{ query: { history: false } }],
  listOtherBases: ({ spaceId }) => [
    { body: { spaceId, source: { type: 'teable', url: 'http://127.0.0.1:1', token: 'none' } } },
  ],
  importFrom: ({ spaceId, baseId }) => [
    {
      body: { spaceId, name: 'Other', source: { type: 'airtable', apiKey: 'none', baseId, url: 'http://127.0.0.1:1' } },
    },
    { body: { spaceId, source: { type: 'teable', url: 'http://127.0.0.1:1', token: 'none', baseId } } },
  ],
  importBase: ({ spaceId }) => [{ body: { notify: { token: 'att000000000000000000000' }, spaceId } }],
  undoJob: () => [{ body: { force: true } }],
  duplicateBase: ({ baseId, spaceId }) => [{ body: { fromBaseId: baseId, spaceId, withRecords: true, name: 'Copy' } }],
  createBaseFromTemplate: ({ baseId, spaceId }) => [
    { body: { spaceId, templateId: 'tplProjectTracker00', withRecords: true, baseId } },
  ],
  createTemplate: ({ baseId }) => [
    { body: { name: 'Template', description: 'A template', category: 'tpcOperations000000', baseId } },
  ],
  updateTemplate: ({ baseId }) => [
    {
      body: {
        baseId,
        categoryId: 'tpcOperations000000',
        cover: { id: 'act', name: 'cover.png', token: 'att000000000000000000000' },
      },
    },
  ],
  listTrash: () => [{ query: { resourceType: 'space', cursor: 'x' } }],
  listTrashItems: ({ tableId, recordTrashId }) => [
    { query: { resourceType: 'table', resourceId: tableId } },
    { query: { resourceType: 'table', resourceId: tableId, cursor: recordTrashId } },
  ],
  restoreTrash: ({ recordTrashId, fieldTrashId, viewTrashId }) =>
    [recordTrashId, fieldTrashId, viewTrashId].map((trashId) => ({ params: { trashId } })),
  resetTrashItems: ({ tableId }) => [{ query: { resourceType: 'table', resourceId: tableId } }],
  createAccessToken: (things) => [{ body: { ...token(things), expiredTime: tomorrow().toISOString() } }],
  updateAccessToken: (things) => [{ body: token(things) }],
  refreshAccessToken: () => [{ body: { expiredTime: tomorrow().toISOString() } }],
  signUp: ({ email, password, openInvitationId, openInvitationCode }) => [
    {
      body: {
        email,
        password,
        defaultSpaceName: 'Space',
        refMeta: {},
        inviteCode: 'x',
        invitationId: openInvitationId,
        invitationCode: openInvitationCode,
      },
    },
  ],
  listAuditLog: ({ memberId }) => [{ query: { userId: memberId } }],
  exportAuditLog: ({ memberId }) => [{ query: { userId: memberId, format: 'csv' } }],
  createOauthClient: () => [{ body: client }],
  updateOauthClient: ({ clientId }) => [{ body: { ...client, clientId, secrets: [] } }],
  authorizeOauthClient: ({ clientId }) => [
    {
      query: {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callback,
        scope: 'record|read',
        state: 'state',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      },
    },
  ],
  decideOauthRequest: ({ transactionId }) => [{ body: { transaction_id: transactionId, cancel: 'true' } }],
  issueOauthToken: ({ clientId, clientSecret }) => [
    {
      body: {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        scope: 'record|read',
        client_id: clientId,
        client_secret: clientSecret,
        code_verifier: 'a'.repeat(43),
      },
    },
  ],
  revokeIssuedToken: ({ clientId, clientSecret }) => [
    { body: { token: 'x', token_type_hint: 'refresh_token', client_id: clientId, client_secret: clientSecret } },
  ],
  updateBillingDetail: () => [{ body: { name: 'Accounts', email: 'accounts@example.com' } }],
  getUsageHistory: () => [{ query: { days: 30 } }],
  createCheckout: () => [
    {
      body: {
        priceId: 'price_pro_month',
        quantity: 2,
        successUrl: 'https://app.example.com',
        cancelUrl: 'https://app.example.com',
        isTrial: true,
      },
    },
  ],
  setSpacePlan: () => [
    {
      body: {
        level: 'pro',
        interval: 'year',
        quantity: 3,
        status: 'active',
        currentPeriodStart: '2024-01-01T00:00:00.000Z',
        currentPeriodEnd: '2100-01-01T00:00:00.000Z',
        trialEnd: '2100-01-01T00:00:00.000Z',
        cancelAt: null,
      },
    },
  ],
  changeSpaceCredit: () => [{ body: { kind: 'spend', amount: 1, reason: 'Work', reference: 'ref' } }],
  listNotifications: () => [{ query: { notifyStates: 'read', cursor: 'x' } }],
  listenToTable: () => [{ query: { values: true, lastEventId: '1' } }],
  listenToNotifications: () => [{ query: { lastEventId: '1' } }],
  listenToShare: () => [{ query: { lastEventId: '1' } }],
  ...programRequests,
};

/** The request of the access walk, then the fuller ones. */
export const requestsFor = (endpoint: Declaration, things: Holdings): Request[] => {
  const first = requestFor(endpoint, things);
  const others = more[endpoint.name]?.(things) ?? [];
  return [first, ...others.map(({ params, ...rest }) => ({ ...rest, params: { ...first.params, ...params } }))];
};
