// Shares: a view by its address, for people without an account. What is seen there is the sight of the view: its fields, its filter.
import { type Static, Type } from 'typebox';
import {
  getAggregation,
  getCalendarDays,
  getGroupPoints,
  getRowCount,
  getSearchCount,
  getSearchIndex,
} from './aggregation.ts';
import { createFileSignature, notifyFile, readAttachment } from './attachment.ts';
import { spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { listenToTable } from './event.ts';
import { Field } from './field.ts';
import { arranging, finding } from './query.ts';
import { GroupPoint, RecordVo } from './record.ts';
import { ShareMeta } from './share-meta.ts';
import { shownEmail } from './user.ts';
import { View, ViewType } from './view.ts';

const ofView = Type.Object({
  tableId: Type.String({ maxLength: 100, description: 'Id of the table.' }),
  viewId: Type.String({ maxLength: 100, description: 'Id of the view.' }),
});
const ShareId = Type.Object({ shareId: Type.String() });

export const enableShare = endpoint({
  name: 'enableShare',
  method: 'POST',
  path: '/table/:tableId/view/:viewId/enable-share',
  summary: 'Share a view',
  description:
    'Everyone who has the address sees what the view shows, and nothing else. 400 when it is shared already.',
  tag: 'view',
  access: { on: 'table', action: 'view|share' },
  params: ofView,
  status: 201,
  response: ShareId,
});

export const disableShare = endpoint({
  name: 'disableShare',
  method: 'POST',
  path: '/table/:tableId/view/:viewId/disable-share',
  summary: 'End the share of a view',
  description: 'Its settings stay for the next time. 400 when it is not shared.',
  tag: 'view',
  access: { on: 'table', action: 'view|share' },
  params: ofView,
  status: 201,
});

export const refreshShareId = endpoint({
  name: 'refreshShareId',
  method: 'POST',
  path: '/table/:tableId/view/:viewId/refresh-share-id',
  summary: 'Give the share of a view a new address',
  description: 'The old one ends.',
  tag: 'view',
  access: { on: 'table', action: 'view|share' },
  params: ofView,
  status: 201,
  response: ShareId,
});

export const setShareMeta = endpoint({
  name: 'setShareMeta',
  method: 'PUT',
  path: '/table/:tableId/view/:viewId/share-meta',
  summary: 'Set what the share of a view shows and allows',
  description:
    'Replaces all settings. A password needs a plan with `passwordRestrictedSharesEnable` (402); a new one ends what visitors had entered.',
  tag: 'view',
  access: { on: 'table', action: 'view|share' },
  params: ofView,
  body: ShareMeta,
  status: 200,
});

const tag = 'share';
const access = { on: 'public' } as const;
const params = Type.Object({ shareId: Type.String({ maxLength: 100, description: 'Of the address.' }) });

type Foreign = 'viewId' | 'ignoreViewQuery' | 'filterLinkCellCandidate' | 'filterLinkCellSelected';

/** Without what would lead out of the view: to another one, or to links of other tables. */
const within = <T extends object>(properties: T): Omit<T, Foreign> => {
  const {
    viewId: _view,
    ignoreViewQuery: _query,
    filterLinkCellCandidate: _candidate,
    filterLinkCellSelected: _selected,
    ...rest
  } = properties as T & Partial<Record<Foreign, unknown>>;
  return rest as Omit<T, Foreign>;
};
const found = within(finding);

export const authShare = endpoint({
  name: 'authShare',
  method: 'POST',
  path: '/share/:shareId/view/auth',
  summary: 'Enter the password of a share',
  description:
    'Sets a cookie that holds for this share alone, for a week at most. Wrong: 400; after some wrong ones answers come slower, then 429.',
  tag,
  access,
  params,
  body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 128 }) }),
  status: 200,
  response: Type.Object({ token: Type.String({ description: 'What the cookie holds.' }) }),
});

export const getShare = endpoint({
  name: 'getShare',
  method: 'GET',
  path: '/share/:shareId/view',
  summary: 'What is shared',
  description:
    'The view, the fields that it shows, and its first 50 records. 400 when there is no such share; 401 `unauthorized_share` when it wants a password first.',
  tag,
  access,
  params,
  status: 200,
  response: Type.Object({
    viewId: Type.String(),
    tableId: Type.String(),
    shareId: Type.String(),
    shareMeta: ShareMeta,
    view: View,
    fields: Type.Array(Field),
    records: Type.Array(RecordVo, { description: 'By field id.' }),
    extra: Type.Object({ groupPoints: Type.Optional(Type.Array(GroupPoint)) }),
  }),
});

export const listShareRecords = endpoint({
  name: 'listShareRecords',
  method: 'GET',
  path: '/share/:shareId/view/records',
  summary: 'List records of a share',
  tag,
  access,
  params,
  query: Type.Object({
    ...found,
    ...arranging,
    projection: Type.Optional(
      Type.Array(Type.String({ maxLength: 300 }), { maxItems: 2_000, description: 'Only these fields' }),
    ),
    cellFormat: Type.Optional(Type.Enum(['json', 'text'])),
    take: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'How many; 100 when absent' })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    cursor: Type.Optional(Type.String({ maxLength: 20_000, description: '`extra.nextCursor` of the page before' })),
  }),
  status: 200,
  response: Type.Object({ records: Type.Array(RecordVo), extra: Type.Record(Type.String(), Type.Unknown()) }),
});

const { response: aggregations } = getAggregation;

export const getShareAggregations = endpoint({
  name: 'getShareAggregations',
  method: 'GET',
  path: '/share/:shareId/view/aggregations',
  summary: 'Statistics over the records of a share',
  tag,
  access,
  params,
  query: Type.Object(within(getAggregation.query.properties)),
  status: 200,
  response: aggregations,
});

export const getShareRowCount = endpoint({
  name: 'getShareRowCount',
  method: 'GET',
  path: '/share/:shareId/view/row-count',
  summary: 'How many records a share has',
  tag,
  access,
  params,
  query: Type.Object(found),
  status: 200,
  response: getRowCount.response,
});

export const getShareGroupPoints = endpoint({
  name: 'getShareGroupPoints',
  method: 'GET',
  path: '/share/:shareId/view/group-points',
  summary: 'The groups of the records of a share',
  tag,
  access,
  params,
  query: Type.Object(within(getGroupPoints.query.properties)),
  status: 200,
  response: getGroupPoints.response,
});

export const getShareSearchCount = endpoint({
  name: 'getShareSearchCount',
  method: 'GET',
  path: '/share/:shareId/view/search-count',
  summary: 'In how many cells of a share the search finds something',
  tag,
  access,
  params,
  query: Type.Object(found),
  status: 200,
  response: getSearchCount.response,
});

export const getShareSearchIndex = endpoint({
  name: 'getShareSearchIndex',
  method: 'GET',
  path: '/share/:shareId/view/search-index',
  summary: 'Where the cells of a share are that the search finds',
  tag,
  access,
  params,
  query: Type.Object(within(getSearchIndex.query.properties)),
  status: 200,
  response: getSearchIndex.response,
});

export const getShareCalendar = endpoint({
  name: 'getShareCalendar',
  method: 'GET',
  path: '/share/:shareId/view/calendar-daily-collection',
  summary: 'What a calendar shows of a share, and how much on which day',
  description: getCalendarDays.description,
  tag,
  access,
  params,
  query: Type.Object(within(getCalendarDays.query.properties)),
  status: 200,
  response: getCalendarDays.response,
});

export const copyShare = endpoint({
  name: 'copyShare',
  method: 'GET',
  path: '/share/:shareId/view/copy',
  summary: 'Copy cells of a share as text',
  description:
    'Cells separated by tabs, rows by line breaks. 403 unless the share allows copying; at most 50,000 cells.',
  tag,
  access,
  params,
  query: Type.Object({
    ...found,
    ...arranging,
    type: Type.Optional(Type.Enum(['rows', 'columns'], { description: 'What `ranges` counts; cells when absent' })),
    ranges: Type.String({
      maxLength: 20_000,
      description:
        'JSON. Cells: `[[column, row], [column, row]]`, the corners. Rows or columns: a list of `[from, to]`. All inclusive, from 0',
    }),
  }),
  status: 200,
  response: Type.Object({ content: Type.String(), header: Type.Array(Field) }),
});

export const copyShareToBase = endpoint({
  name: 'copyShareToBase',
  method: 'POST',
  path: '/share/:shareId/view/copy-to-base',
  summary: 'Copy what a share shows into a base of your own',
  description:
    'For people who are signed in, or with a token: makes a table with the fields and records that the share shows. What is computed, linked or names people becomes plain cells. Needs `table|create` on the base (404 or 403 without), a share that allows copying (403), and room for all records in the plan (402). Up to 5,000 records are copied before the answer. More are copied by a job: the answer has its `jobId`, and the table is there once the job is done, with `tableId` and `name` in its result. A copy that fails or is cancelled leaves nothing.',
  tag,
  access,
  params,
  body: Type.Object({
    baseId: Type.String({ maxLength: 100, description: 'Where the table is made.' }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Of the table; that of the view when absent.' }),
    ),
  }),
  status: 201,
  response: Type.Object({
    baseId: Type.String(),
    recordCount: Type.Integer({ description: 'How many were copied; with `jobId`, how many there were to copy.' }),
    tableId: Type.Optional(Type.String({ description: 'Of the new table; absent while a job makes it.' })),
    name: Type.Optional(Type.String({ description: 'Of the new table.' })),
    jobId: Type.Optional(Type.String({ description: 'Of the job that copies, see `GET /job/{jobId}`.' })),
  }),
});

export const listShareLinkRecords = endpoint({
  name: 'listShareLinkRecords',
  method: 'GET',
  path: '/share/:shareId/view/link-records',
  summary: 'Records that a link of a share leads to',
  description: 'Of a form those that can be chosen; of other views those that are linked to by records of the share.',
  tag,
  access,
  params,
  query: Type.Object({
    fieldId: Type.String({ maxLength: 100, description: 'A link field that the view shows' }),
    search: Type.Optional(Type.String({ maxLength: 1_000, description: 'Part of the title' })),
    take: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'How many; 100 when absent' })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    type: Type.Optional(
      Type.Enum(['candidate', 'selected'], { description: 'Taken from clients that send it, and not used' }),
    ),
  }),
  status: 200,
  response: Type.Array(Type.Object({ id: Type.String(), title: Type.Optional(Type.String()) })),
});

export const listShareCollaborators = endpoint({
  name: 'listShareCollaborators',
  method: 'GET',
  path: '/share/:shareId/view/collaborators',
  summary: 'People that a share names',
  description:
    'Of forms and kanban views those of the base, if the view shows a field for people; of others those in the cells of `fieldId`. E-mail addresses are left empty.',
  tag,
  access,
  params,
  query: Type.Object({
    fieldId: Type.Optional(Type.String({ maxLength: 100 })),
    search: Type.Optional(Type.String({ maxLength: 1_000, description: 'Part of the name' })),
    take: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'How many; 100 when absent' })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    type: Type.Optional(Type.Enum(['user', 'department'])),
  }),
  status: 200,
  response: Type.Array(
    Type.Object({
      userId: Type.String(),
      userName: Type.String(),
      email: shownEmail,
      avatar: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

export const submitShareForm = endpoint({
  name: 'submitShareForm',
  method: 'POST',
  path: '/share/:shareId/view/form-submit',
  summary: 'Submit the form of a share',
  description:
    'Creates one record, by nobody unless the share wants a login. Fields that the form does not show are refused with 403, what does not fit with 400, with the fields in `data`. 403 when the form is closed, has enough answers, or has one of this person. At most 20 answers in 10 minutes from one address.',
  tag,
  access,
  params,
  body: Type.Object({
    fields: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Field id → cell value' }),
    typecast: Type.Optional(Type.Boolean({ description: 'Convert values that do not fit' })),
    website: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'People do not see this; what fills it in is a program, and its answer is dropped.',
      }),
    ),
  }),
  status: 201,
  response: RecordVo,
});

export const createShareSignature = endpoint({
  name: 'createShareSignature',
  method: 'POST',
  path: '/share/:shareId/view/signature',
  summary: 'Ask where to upload a file for the form of a share',
  description:
    'For forms with a field for files: as `/attachments/signature`, of at most 20 MB and within the plan of the space. At most 60 files in 10 minutes from one address.',
  tag,
  access,
  params,
  body: Type.Object({
    contentType: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Type of the file. The upload has to name the same.',
    }),
    contentLength: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Size of the file in bytes. The upload has to have it.',
    }),
  }),
  status: 201,
  response: createFileSignature.response,
});

export const notifyShareFile = endpoint({
  name: 'notifyShareFile',
  method: 'POST',
  path: '/share/:shareId/view/notify/:token',
  summary: 'Tell that a file for the form of a share was uploaded',
  description: 'Answers what the cell needs.',
  tag,
  access,
  params: Type.Object({
    ...params.properties,
    token: Type.String({ maxLength: 100, description: 'What `signature` gave.' }),
  }),
  query: Type.Object({ filename: Type.Optional(Type.String({ maxLength: 1_000 })) }),
  status: 201,
  response: notifyFile.response,
});

export const readShareFile = endpoint({
  name: 'readShareFile',
  method: 'GET',
  path: '/share/:shareId/view/file/:file',
  summary: 'Read a file that a share shows',
  description:
    'For addresses that the share gave: `presignedUrl` of an attachment. They end with the share, with its password, and when it shows other fields or records; 404 then. A day at most.',
  tag,
  access,
  params: Type.Object({ ...params.properties, file: Type.String({ maxLength: 100 }) }),
  query: readAttachment.query,
  status: 200,
  response: readAttachment.response,
});

export const listenToShare = endpoint({
  name: 'listenToShare',
  method: 'GET',
  path: '/share/:shareId/view/events',
  summary: 'Listen to the changes of a share',
  description: 'As the events of a table, of what the share shows; without values, and without who made them.',
  tag,
  access,
  params,
  query: Type.Object({ lastEventId: listenToTable.query.properties.lastEventId }),
  headers: listenToTable.headers,
  status: 200,
  produces: 'text/event-stream',
  response: Type.String(),
});

export const SpaceShare = Type.Object({
  shareId: Type.String(),
  url: Type.String(),
  viewId: Type.String(),
  viewName: Type.String(),
  viewType: ViewType,
  tableId: Type.String(),
  tableName: Type.String(),
  baseId: Type.String(),
  baseName: Type.String(),
  hasPassword: Type.Boolean(),
  expiresTime: Type.Union([Type.String(), Type.Null()]),
  createdBy: Type.String({ description: 'Id of the user who shared it.' }),
  createdTime: Type.String(),
  openedCount: Type.Integer({ description: 'How often it was opened.' }),
  visitorCount: Type.Integer({
    description: 'From how many browsers, as far as that can be told, in the last 90 days.',
  }),
  lastOpenedTime: Type.Union([Type.String(), Type.Null()]),
  answerCount: Type.Integer({ description: 'How often its form was submitted.' }),
});
export type SpaceShare = Static<typeof SpaceShare>;

export const listSpaceShares = endpoint({
  name: 'listSpaceShares',
  method: 'GET',
  path: '/space/:spaceId/share',
  summary: 'All share links of a space',
  description: 'For owners, the newest first.',
  tag,
  access: { on: 'space', action: 'space|update' },
  params: spaceParams,
  status: 200,
  response: Type.Array(SpaceShare),
});

export const endSpaceShare = endpoint({
  name: 'endSpaceShare',
  method: 'DELETE',
  path: '/space/:spaceId/share/:shareId',
  summary: 'End a share link of a space',
  tag,
  access: { on: 'space', action: 'space|update' },
  params: Type.Object({ ...spaceParams.properties, shareId: Type.String({ maxLength: 100 }) }),
  status: 200,
});
