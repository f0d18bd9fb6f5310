// Every endpoint with tokens that may not see everything: none of its answers holds a canary that the token has no scope for. An endpoint without a request here or in
// the access walk is called by its path alone; what it needs besides has to be written down in one of the two, or the walk fails.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { sql } from '../../server/db/sql.ts';
import { endpoints, rowOf } from './access-cells.ts';
import { type Answer, requestFor, send } from './access-request.ts';
import type { Tenant } from './access-tenant.ts';
import { type Request, walks } from './access-walk.ts';
import { type Aviary, elsewhere, inCells, inDefinitions } from './aviary.ts';
import { type Outside, setUps } from './canary-setups.ts';
import type { World } from './world.ts';

type Requests = (aviary: Aviary) => Promise<Request[]> | Request[];

const onTable = ({ things: { tableId } }: Aviary): Record<string, string> => ({ tableId });
const onRecord = ({ things: { tableId, recordId } }: Aviary): Record<string, string> => ({ tableId, recordId });

const onAutomation = ({ things: { baseId, automationId } }: Aviary): Record<string, string> => ({
  baseId,
  automationId,
});
const onWorkflow = ({ things: { baseId, workflowId } }: Aviary): Record<string, string> => ({ baseId, workflowId });
const onRun = (it: Aviary): Record<string, string> => ({ ...onAutomation(it), runId: it.runId });

/** Besides what the access walk sends: what makes an operation say the most. Each goes through with all scopes, unless a refusal is what shows a value. */
const more: Record<string, Requests> = {
  createRecords: (it) => [
    {
      params: onTable(it),
      body: { fieldKeyType: 'id', records: [{ fields: { [it.fields.link]: [{ id: it.linkedId }] } }] },
    },
    {
      params: onTable(it),
      body: {
        fieldKeyType: 'id',
        typecast: true,
        records: [{ fields: { [it.fields.people]: it.things.memberId } }],
        order: { viewId: it.things.viewId, anchorId: it.things.recordId, position: 'after' },
      },
    },
  ],
  updateRecord: (it) => [
    {
      params: onRecord(it),
      body: { fieldKeyType: 'id', record: { fields: { [it.fields.number]: 8 }, before: { [it.fields.number]: 1 } } },
    },
    {
      params: onRecord(it),
      body: {
        fieldKeyType: 'id',
        record: { fields: { [it.fields.title]: 'x' }, before: { [it.fields.title]: 'wrong' } },
      },
    },
    { params: onRecord(it), body: { fieldKeyType: 'id', record: { fields: { [it.fields.number]: 9 } } } },
    // Refused, without the choices that there are.
    { params: onRecord(it), body: { fieldKeyType: 'id', record: { fields: { [it.fields.select]: 'none of them' } } } },
  ],
  updateRecords: (it) => [
    {
      params: onTable(it),
      body: {
        fieldKeyType: 'id',
        records: [
          { id: it.things.recordId, fields: { [it.fields.number]: 10 } },
          { id: it.things.siblingRecordId, fields: { [it.fields.people]: null }, before: { [it.fields.people]: null } },
        ],
      },
    },
  ],
  upsertRecords: (it) => [
    {
      params: onTable(it),
      body: {
        fieldKeyType: 'id',
        matchFields: [it.fields.number],
        records: [{ fields: { [it.fields.number]: 424_242 } }],
      },
    },
  ],
  duplicateRecord: (it) => [{ params: onRecord(it) }],
  deleteRecord: async (it) => [{ params: { ...onTable(it), recordId: await it.bird() } }],
  deleteRecords: async (it) => [{ params: onTable(it), query: { recordIds: [await it.bird()] } }],
  deleteSelection: async (it) => [{ params: onTable(it), body: { selection: { recordIds: [await it.bird()] } } }],
  restoreHistory: (it) => [
    { params: onTable(it), body: { operationId: it.conflictId } },
    { params: onTable(it), body: { recordId: it.things.recordId, at: new Date(0).toISOString() } },
  ],
  updateRecordTemplate: (it) => [
    { params: { ...onTable(it), recordTemplateId: it.things.recordTemplateId }, body: { name: 'Renamed' } },
  ],
  listTrashItems: (it) => [{ query: { resourceType: 'table', resourceId: it.things.tableId } }],
  planFieldCreate: (it) => [
    {
      params: onTable(it),
      query: { recordId: it.things.recordId },
      body: { type: 'formula', options: { expression: `{${it.fields.title}} & "!"` } },
    },
  ],
  planFieldConvert: (it) => [
    { params: { ...onTable(it), fieldId: it.fields.title }, body: { type: 'number' } },
    { params: { ...onTable(it), fieldId: it.fields.title }, body: { type: 'date' } },
    { params: { ...onTable(it), fieldId: it.fields.link }, body: { type: 'number' } },
    { params: { ...onTable(it), fieldId: it.fields.people }, body: { type: 'number' } },
    {
      params: { ...onTable(it), fieldId: it.fields.sum },
      query: { recordId: it.things.recordId },
      body: { type: 'formula', options: { expression: `{${it.fields.title}} & "?"` } },
    },
  ],
  queryBase: ({ things: { baseId, tableId }, fields }) =>
    ['text', 'json'].flatMap((cellFormat) => [
      {
        params: { baseId },
        query: {
          cellFormat,
          query: JSON.stringify({ from: tableId, select: [{ column: fields.people, alias: 'fields' }] }),
        },
      },
      {
        params: { baseId },
        query: {
          cellFormat,
          query: JSON.stringify({ from: tableId, groupBy: [{ column: fields.people, type: 'field' }] }),
        },
      },
    ]),
  previewChart: (it) => {
    const { tableId, baseId } = it.things;
    const measure = { statistic: 'count' };
    const group = { fieldId: it.fields.people };
    return [
      { type: 'records', tableId },
      { type: 'bar', tableId, group, measures: [measure] },
      { type: 'pivot', tableId, rows: [group, { fieldId: it.fields.title }], measures: [measure] },
      { type: 'scatter', tableId, x: it.fields.number, y: it.fields.number, split: { fieldId: it.fields.title } },
    ].map((chart) => ({ params: { baseId }, body: { chart } }));
  },
  exportCsv: (it) => ['csv', 'jsonl'].map((format) => ({ params: onTable(it), query: { format } })),
  listRecords: (it) =>
    [{}, { viewId: it.things.viewId }, { cellFormat: 'text' }, { search: [inCells, '', 'true'] }].map((query) => ({
      params: onTable(it),
      query,
    })),
  listTableHistory: (it) => [{ params: onTable(it), query: { take: 100 } }],
  listRecordHistory: (it) => [{ params: onRecord(it), query: { take: 100, includeCreated: true } }],
  getGroupPoints: (it) => [
    { params: onTable(it), query: { viewId: it.things.viewId } },
    { params: onTable(it), query: { groupBy: JSON.stringify([{ fieldId: it.fields.people, order: 'asc' }]) } },
  ],
  listComments: (it) => [{ params: onRecord(it) }],
  createComment: (it) => [
    {
      params: onRecord(it),
      body: { content: [{ type: 'p', children: [{ type: 'mention', value: it.things.recordId }] }] },
    },
  ],
  getAutomationRun: (it) => [{ params: onRun(it) }],
  resumeAutomationRun: (it) => [{ params: onRun(it) }],
  cancelAutomationRun: (it) => [{ params: onRun(it) }],
  testAutomation: (it) => [{ params: onAutomation(it), body: { recordId: it.things.recordId } }],
  getWorkflowRun: (it) => [{ params: { ...onWorkflow(it), runId: it.runId } }],
  listWorkflowRuns: (it) => [{ params: onWorkflow(it) }],
  testWorkflow: (it) => [{ params: onWorkflow(it), body: { recordId: it.things.recordId } }],
  testWorkflowNode: (it) => [
    { params: { ...onWorkflow(it), testedNodeId: it.things.triggerId }, body: { recordId: it.things.recordId } },
  ],
  updateBillingDetail: (it) => [{ params: { spaceId: it.things.spaceId }, body: {} }],
  listSpaceCollaborators: (it) => [{ params: { spaceId: it.things.spaceId }, query: { includeBase: true } }],
  listNotifications: () => [{ query: { notifyStates: 'unread' } }, { query: { notifyStates: 'read' } }],
  getOauthDecision: ({ things: { transactionId } }) => [{ params: { transactionId } }],
  listBaseJobs: (it) => [{ params: { baseId: it.things.baseId } }],
  downloadAttachments: (it) => [{ params: { ...onRecord(it), fieldId: it.fields.files } }],
  notifyFile: async (it) => [{ params: { token: await it.arrivedFile() }, query: { filename: 'a.txt' } }],
  signAttachments: async (it) => [{ body: { attachments: [{ token: await it.arrivedFile() }] } }],
  analyzeImport: (it) => [{ query: { attachmentUrl: it.rowsUrl, fileType: 'csv' } }],
  importTables: (it) => [
    {
      params: { baseId: it.things.baseId },
      body: {
        attachmentUrl: it.rowsUrl,
        fileType: 'csv',
        tz: 'UTC',
        worksheets: {
          'Import Table': {
            name: 'Rows',
            columns: [{ name: 'Number', type: 'number', sourceColumnIndex: 0 }],
            useFirstRowAsHeader: true,
            importData: true,
          },
        },
      },
    },
  ],
  importRecords: (it) => [
    {
      params: { ...onTable(it), baseId: it.things.baseId },
      body: {
        attachmentUrl: it.rowsUrl,
        fileType: 'csv',
        insertConfig: {
          sourceWorkSheetKey: 'Import Table',
          excludeFirstRow: true,
          sourceColumnMap: { [it.fields.number]: 0 },
        },
      },
    },
  ],
  duplicateField: (it) => [{ params: { ...onTable(it), fieldId: it.fields.select }, body: { name: 'Copy' } }],
};

/** They end what the walk goes on with, or change it for all that come after: the access walk makes new things for these. */
const usesUp = (name: string): boolean => walks[name]?.fresh !== undefined;

/** What a caller must not be told, by what it is. */
export type Hidden = Readonly<Record<string, readonly string[]>>;

export const addressesIn = async ({ db }: World): Promise<string[]> =>
  (await db.query<{ email: string }>(sql`select email from rowhouse.users`)).map(({ email }) => email);

/** Scopes that read or change fields, choices and descriptions. */
export const isDefining = (scope: Action): boolean => /^(base|table|field|view)\|/.test(scope);

/** The file of a whole base is for those who could have it written. */
const exporting: Action[] = [
  'base|update',
  'table|export',
  'record|read',
  'table_record_history|read',
  'user|email_read',
];

/** Of a token with these scopes, everywhere or in one base. */
export const hiddenFrom = (
  scopes: readonly Action[],
  aviary: Aviary,
  addresses: readonly string[],
  isForOneBase = false,
): Hidden => ({
  ...(scopes.includes('record|read') ? {} : { cell: [inCells], 'share link': [aviary.shareId] }),
  ...(scopes.includes('user|email_read') ? {} : { address: addresses }),
  ...(scopes.some(isDefining) ? {} : { definition: [inDefinitions] }),
  ...(isForOneBase ? { 'other base': [elsewhere] } : {}),
  ...(exporting.every((scope) => scopes.includes(scope)) ? {} : { export: aviary.exportedFiles }),
});

const leakIn = (text: string, asked: string, hidden: Hidden): string | undefined =>
  Object.entries(hidden).find(([, marks]) => marks.some((mark) => text.includes(mark) && !asked.includes(mark)))?.[0];

interface Called {
  slips: string[];
  /** Whether one of the requests got through. */
  isReached: boolean;
  answers: { name: string; status: number }[];
}

export interface LimitedToken {
  token: string;
  label: string;
  kind?: 'application';
  /** Of a token for one base: another one for a base that is made for the call. */
  reissue?: (baseId: string) => Promise<string>;
  hidden: Hidden;
  /** Undefined: all. Without those that an endpoint needs nothing is made for the call, which is refused. */
  scopes?: readonly Action[];
}

/** Calls one endpoint with every request there is for it. */
export const callHidden = async (
  world: World,
  tenant: Tenant,
  aviary: Aviary,
  endpoint: Declaration,
  { token, label, hidden, scopes, kind, reissue }: LimitedToken,
  outside?: Outside,
): Promise<Called> => {
  const headers = { authorization: `Bearer ${token}` };
  const mayPass = scopes === undefined || rowOf(endpoint)[2].every((scope) => scopes.includes(scope));
  const { name } = endpoint;
  const caller = { name: 'fewest scopes' as const, label, headers: async () => headers, admit: async () => undefined };
  const { bearer, ...fresh } =
    (usesUp(name) && mayPass
      ? await walks[name]?.fresh?.({ owner: tenant.owner, things: aviary.things, world, caller })
      : undefined) ?? {};
  // An application gives up its own access: another one than that of the walk.
  if (kind === 'application' && bearer !== undefined) headers.authorization = `Bearer ${bearer}`;
  if (fresh.baseId !== undefined && reissue !== undefined)
    headers.authorization = `Bearer ${await reissue(fresh.baseId)}`;
  const scene = outside === undefined ? undefined : { world, owner: tenant.owner, aviary, outside };
  const requests = [
    requestFor(endpoint, { ...aviary.things, ...fresh }),
    ...((mayPass && scene !== undefined && (await setUps[name]?.(scene))) || []),
    ...((await more[name]?.(mayPass ? aviary : { ...aviary, bird: async () => aviary.things.siblingRecordId })) ?? []),
  ];
  const called: Called = { slips: [], answers: [], isReached: false };
  for (const request of requests) {
    const answer: Answer = await send(world, endpoint, request, headers);
    called.answers.push({ name, status: answer.status });
    called.isReached ||= answer.status < 400;
    const text = `${answer.text}\n${[...answer.headers].flat().join('\n')}`;
    const leak = leakIn(text, JSON.stringify(request), hidden);
    if (leak !== undefined)
      called.slips.push(
        `${name} with ${label} shows a hidden ${leak}: ${answer.status} ${JSON.stringify(request).slice(0, 200)} → ${answer.text.slice(0, 400)}`,
      );
    if (answer.status >= 500)
      called.slips.push(`${name} with ${label} answers ${answer.status}: ${answer.text.slice(0, 200)}`);
  }
  return called;
};

/** The endpoints that somebody is asked who they are for. */
export const walked: Declaration[] = endpoints.filter(
  (endpoint) => rowOf(endpoint)[0] !== 'anyone' && rowOf(endpoint)[0] !== 'admin',
);

/** Those of them that show cells or people by what is written down here, and all that read without making anything. */
export const telling: Declaration[] = walked.filter(
  ({ name, method }) => name in more || (method === 'GET' && !usesUp(name)),
);

/** What a template fills in is seen with its field, whatever records somebody sees. */
export const isOfTemplates = ({ name }: Declaration): boolean => /RecordTemplates?$/.test(name);

/** What a visitor of the share can read. */
export const visits = ({ shareId, fields, things }: Aviary): [name: string, Request][] => {
  const params = { shareId };
  return [
    ['getShare', { params }],
    ['listShareRecords', { params }],
    ['getShareGroupPoints', { params }],
    ['getShareAggregations', { params, query: { 'field[filled]': [fields.people] } }],
    ['listShareCollaborators', { params, query: { fieldId: fields.people } }],
    ['getShareRecordDocIds', { params }],
    ['getShareRecordSnapshots', { params, query: { ids: [things.recordId] } }],
    ['getShareSearchIndex', { params, query: { search: ['a', fields.people, 'true'] } }],
  ];
};

export const allBut = (...lacking: Action[]): Action[] => actions.filter((action) => !lacking.includes(action));
