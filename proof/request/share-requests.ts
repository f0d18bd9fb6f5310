// Requests of visitors of a share that name every parameter.
import type { Holdings } from '../estate.ts';
import { cells, finding, grouped, type More, sorted } from './request-parts.ts';

const ofShare = (things: Holdings): Record<string, unknown> => {
  const { viewId: _view, ignoreViewQuery: _query, ...rest } = finding(things);
  return rest;
};

export const shareRequests: Record<string, More> = {
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
  createBaseShare: ({ nodeId }) => [
    { body: { nodeId, allowCopy: true, allowSave: false, password: null } },
    { body: { allowSave: true } },
  ],
  updateBaseShare: () => [{ body: { allowCopy: true, allowSave: false, enabled: true, password: null } }],
  copySharedBase: ({ baseId, spaceId }) => [{ body: { spaceId, baseId, name: 'Copy', withRecords: true } }],
  copyShareToBase: ({ baseId }) => [{ body: { baseId, name: 'Copy' } }],
  listShareLinkRecords: ({ fieldId }) => [{ query: { fieldId, search: 'text', take: 5, skip: 0, type: 'candidate' } }],
  listShareCollaborators: ({ userFieldId }) => [
    { query: { fieldId: userFieldId, search: 'a', take: 5, skip: 0, type: 'user' } },
  ],
  submitShareForm: (things) => [{ body: { fields: cells(things), typecast: true } }],
  listenToShare: () => [{ query: { lastEventId: '1' } }],
};
