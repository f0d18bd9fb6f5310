// A server that answers as Airtable's public API does, in the shapes of its documentation: one base with two tables.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AirtableAnswers {
  url: string;
  key: string;
  close(): void;
}

const key = 'patSecret.0123456789';

const field = (id: string, name: string, type: string, options?: object) => ({
  id: `fld${id.padEnd(14, '0')}`,
  name,
  type,
  ...(options === undefined ? {} : { options }),
});
const [projects, tasks] = ['tblProjects000000', 'tblTasks000000000'];
export const airtableSchema = () => [
  {
    id: projects,
    name: 'Projects',
    primaryFieldId: 'fldName0000000000',
    fields: [
      field('Budget', 'Budget', 'currency', { precision: 2, symbol: '€' }),
      field('Name', 'Name', 'singleLineText'),
      field('State', 'State', 'singleSelect', {
        choices: [
          { id: 'sel1', name: 'Open', color: 'blueLight2' },
          { id: 'sel2', name: 'Done' },
        ],
      }),
      field('Tags', 'Tags', 'multipleSelects', { choices: [{ name: 'a, b' }, { name: 'c' }] }),
      field('Due', 'Due', 'date', { dateFormat: { name: 'iso' } }),
      field('Files', 'Files', 'multipleAttachments'),
      field('Tasks', 'Tasks', 'multipleRecordLinks', {
        linkedTableId: tasks,
        isReversed: false,
        prefersSingleRecordLink: false,
        inverseLinkFieldId: 'fldProject0000000',
      }),
      field('Owner', 'Owner', 'singleCollaborator'),
      field('Double', 'Double', 'formula', { result: { type: 'number', options: { precision: 0 } } }),
      field('Go', 'Go', 'button'),
    ],
    views: [
      { id: 'viw1', name: 'All', type: 'grid' },
      { id: 'viw2', name: 'Mine', type: 'grid' },
      { id: 'viw3', name: 'Board', type: 'kanban' },
    ],
  },
  {
    id: tasks,
    name: 'Tasks',
    primaryFieldId: 'fldTitle000000000',
    fields: [
      field('Title', 'Title', 'singleLineText'),
      field('Project', 'Project', 'multipleRecordLinks', {
        linkedTableId: projects,
        inverseLinkFieldId: 'fldTasks000000000',
      }),
      field('State2', 'State of project', 'multipleLookupValues', {
        recordLinkFieldId: 'fldProject0000000',
        fieldIdInLinkedTable: 'fldState000000000',
        isValid: true,
      }),
      field('Stars', 'Stars', 'rating', { max: 5 }),
      field('Ok', 'Ok', 'checkbox'),
    ],
    views: [{ id: 'viw4', name: 'Grid view', type: 'grid' }],
  },
];
const recordsAt = (url: string): Record<string, object[]> => ({
  [projects]: [
    {
      id: 'recP1',
      createdTime: '2024-01-01T00:00:00.000Z',
      commentCount: 2,
      fields: {
        fldName0000000000: 'House',
        fldBudget00000000: 12.5,
        fldState000000000: 'Open',
        fldTags0000000000: ['a, b', 'c'],
        fldDue00000000000: '2024-02-29',
        fldFiles000000000: [
          { id: 'att1', filename: 'plan.txt', url: `${url}/files/1`, type: 'text/plain', size: 4 },
          { id: 'att2', filename: 'gone.txt', url: `${url}/files/2` },
        ],
        fldTasks000000000: ['recT1', 'recT2'],
        fldOwner000000000: { id: 'usr1', email: 'ada@example.com', name: 'Ada' },
        fldDouble00000000: 25,
      },
    },
    { id: 'recP2', createdTime: '2024-01-01T00:00:00.000Z', commentCount: 0, fields: { fldName0000000000: 'Garden' } },
  ],
  [tasks]: [
    {
      id: 'recT1',
      fields: {
        fldTitle000000000: 'Roof',
        fldProject0000000: ['recP1'],
        fldStars000000000: 4,
        fldOk000000000000: true,
      },
    },
    { id: 'recT2', fields: { fldTitle000000000: 'Door', fldProject0000000: ['recP1'] } },
  ],
});

export const tasksTableId = tasks;

export const startAirtable = async (): Promise<AirtableAnswers> => {
  let busy = 1;
  const server: Server = createServer((request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/files/1') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('plan');
    if (request.headers.authorization !== `Bearer ${key}`)
      return void json(401, { error: { type: 'AUTHENTICATION_REQUIRED' } });
    if (pathname === '/v0/meta/bases')
      return void json(200, { bases: [{ id: 'appBase', name: 'Building', permissionLevel: 'create' }] });
    if (pathname === '/v0/meta/bases/appBase/tables') return void json(200, { tables: airtableSchema() });
    if (pathname === `/v0/appBase/${projects}/recP1/comments`) {
      const author = { id: 'usr1', email: 'ada@example.com', name: 'Ada' };
      const second = {
        id: 'com2',
        author,
        text: 'And the\ndoor, @[usr2]',
        mentioned: { usr2: { type: 'user', id: 'usr2', displayName: 'Ben', email: 'ben@example.com' } },
        createdTime: '2024-03-02T10:00:00.000Z',
        lastUpdatedTime: null,
        parentCommentId: 'com1',
      };
      return void json(
        200,
        searchParams.get('offset') === null
          ? { comments: [second], offset: 'next' }
          : {
              comments: [
                { id: 'com1', author, text: 'A roof', createdTime: '2024-03-01T10:00:00.000Z', lastUpdatedTime: null },
              ],
              offset: null,
            },
      );
    }
    const records = recordsAt(url)[pathname.replace('/v0/appBase/', '')];
    if (records === undefined) return void json(404, { error: 'NOT_FOUND' });
    // Sometimes there is a fault that passes.
    if ((busy -= 1) === 0) return void json(503, {});
    const at = Number(searchParams.get('offset') ?? 0);
    json(200, { records: records.slice(at, at + 1), ...(at + 1 < records.length ? { offset: String(at + 1) } : {}) });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, key, close: () => void server.close() };
};
