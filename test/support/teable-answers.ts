// A server that answers as Teable's public API does, in the shapes of its documentation: one base with two tables.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface TeableAnswers {
  url: string;
  token: string;
  baseId: string;
  close(): void;
}

const at = '2024-05-06T07:08:09.000Z';
const made = {
  createdBy: 'usrAAAAAAAAAAAAAAAA',
  createdTime: at,
  lastModifiedBy: 'usrAAAAAAAAAAAAAAAA',
  lastModifiedTime: at,
};
const [baseId, people, visits] = ['bseTeableAnswers001', 'tblPeople0000000001', 'tblVisits0000000001'];
const id = (name: string): string => `fld${name.padEnd(16, '0')}`;

const field = (
  name: string,
  type: string,
  cellValueType: string,
  dbFieldType: string,
  options: object,
  more: object = {},
) => ({
  id: id(name),
  dbFieldName: `${name}_${id(name)}`,
  name,
  type,
  options,
  cellValueType,
  dbFieldType,
  columnMeta: {},
  ...more,
});

const peopleFields = [
  field('Name', 'singleLineText', 'string', 'TEXT', {}, { isPrimary: true, notNull: false, unique: false }),
  field('Notes', 'longText', 'string', 'TEXT', {}, { description: 'Anything', aiConfig: null }),
  field('Age', 'number', 'number', 'REAL', {
    formatting: { type: 'decimal', precision: 1 },
    showAs: { type: 'bar', color: 'teal', showValue: true, maxValue: 100 },
    defaultValue: 7,
  }),
  field('State', 'singleSelect', 'string', 'TEXT', {
    choices: [
      { id: 'choA', name: 'new', color: 'cyanLight2' },
      { id: 'choB', name: 'gone', color: 'redBright' },
    ],
    defaultValue: 'new',
    preventAutoNewOptions: false,
  }),
  field(
    'Tags',
    'multipleSelect',
    'string',
    'JSON',
    {
      choices: [
        { id: 'choC', name: 'a', color: 'blue' },
        { id: 'choD', name: 'b, c', color: 'green' },
      ],
    },
    { isMultipleCellValue: true },
  ),
  field('Born', 'date', 'dateTime', 'DATETIME', {
    formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'Europe/Berlin' },
  }),
  field('Ok', 'checkbox', 'boolean', 'BOOLEAN', {}),
  field('Stars', 'rating', 'number', 'REAL', { icon: 'star', color: 'yellowBright', max: 5 }),
  field('Owner', 'user', 'string', 'JSON', { isMultiple: false, shouldNotify: true }),
  field('Files', 'attachment', 'string', 'JSON', {}, { isMultipleCellValue: true }),
  field(
    'Since',
    'createdTime',
    'dateTime',
    'DATETIME',
    { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'utc' }, expression: 'CREATED_TIME()' },
    { isComputed: true },
  ),
  field('No', 'autoNumber', 'number', 'INTEGER', { expression: 'AUTO_NUMBER()' }, { isComputed: true }),
  field(
    'Twice',
    'formula',
    'number',
    'REAL',
    { expression: `{${id('Age')}} * 2`, formatting: { type: 'decimal', precision: 2 }, timeZone: 'Europe/Berlin' },
    { isComputed: true },
  ),
  field('Press', 'button', 'string', 'JSON', { label: 'Press', color: 'teal' }),
  field(
    'Visits',
    'link',
    'string',
    'JSON',
    {
      relationship: 'oneMany',
      foreignTableId: visits,
      lookupFieldId: id('Place'),
      fkHostTableName: 'bse.x',
      selfKeyName: '__fk_x',
      foreignKeyName: '__id',
      symmetricFieldId: id('Person'),
      isOneWay: false,
      filterByViewId: null,
      visibleFieldIds: null,
    },
    { isMultipleCellValue: true },
  ),
  field(
    'Places',
    'singleLineText',
    'string',
    'JSON',
    {},
    {
      isLookup: true,
      isComputed: true,
      isMultipleCellValue: true,
      lookupOptions: {
        foreignTableId: visits,
        lookupFieldId: id('Place'),
        linkFieldId: id('Visits'),
        relationship: 'oneMany',
        fkHostTableName: 'bse.x',
        selfKeyName: '__fk_x',
        foreignKeyName: '__id',
      },
    },
  ),
  field(
    'Visitors',
    'rollup',
    'number',
    'REAL',
    { expression: 'countall({values})', formatting: { type: 'decimal', precision: 0 } },
    {
      isComputed: true,
      lookupOptions: {
        foreignTableId: visits,
        lookupFieldId: id('Place'),
        linkFieldId: id('Visits'),
        relationship: 'oneMany',
        fkHostTableName: 'bse.x',
        selfKeyName: '__fk_x',
        foreignKeyName: '__id',
      },
    },
  ),
  field('Abroad', 'link', 'string', 'JSON', {
    baseId: 'bseElsewhere0000001',
    relationship: 'manyOne',
    foreignTableId: 'tblElsewhere0000001',
    lookupFieldId: 'fldElsewhere0000001',
    isOneWay: true,
  }),
];

const visitFields = [
  field('Place', 'singleLineText', 'string', 'TEXT', {}, { isPrimary: true }),
  field('Person', 'link', 'string', 'JSON', {
    relationship: 'manyOne',
    foreignTableId: people,
    lookupFieldId: id('Name'),
    symmetricFieldId: id('Visits'),
  }),
];

const columns = (fields: readonly { id: string }[]) =>
  Object.fromEntries(fields.map((one, order) => [one.id, { order }]));

const view = (name: string, type: string, more: object) => ({
  id: `viw${name.padEnd(16, '0')}`,
  name,
  type,
  order: 0,
  options: {},
  ...made,
  shareId: null,
  enableShare: false,
  shareMeta: null,
  isLocked: null,
  pluginId: null,
  ...more,
});

const peopleViews = [
  view('All', 'grid', { columnMeta: columns(peopleFields), filter: null, sort: null, group: null }),
  view('Old', 'grid', {
    options: { rowHeight: 'medium', frozenColumnCount: 1 },
    columnMeta: {
      ...columns(peopleFields),
      [id('Notes')]: { order: 1, hidden: true, width: 200 },
      [id('Age')]: { order: 2, statisticFunc: 'sum' },
    },
    filter: { conjunction: 'and', filterSet: [{ fieldId: id('Age'), operator: 'isGreater', value: 36 }] },
    sort: { sortObjs: [{ fieldId: id('Age'), order: 'desc' }], manualSort: false },
    group: [{ fieldId: id('State'), order: 'asc' }],
  }),
  view('Board', 'kanban', {
    options: { stackFieldId: id('State'), coverFieldId: id('Files') },
    columnMeta: { [id('Name')]: { order: 0, visible: true } },
  }),
  view('Sheet', 'plugin', {
    options: { pluginId: 'plgsheetform', pluginInstallId: 'pli1', pluginLogo: '' },
    columnMeta: {},
  }),
];

export const startTeable = async (): Promise<TeableAnswers> => {
  const token = 'teable_accAnswers_secret0123456789';
  let url = '';
  const file = () => ({
    id: 'actAAAAAAAAAAAAAAAA',
    name: 'note.txt',
    token: 'tokAAAAAAAAA',
    path: 'table/tokAAAAAAAAA',
    size: 5,
    mimetype: 'text/plain',
    presignedUrl: `${url}/api/attachments/read/private/table/tokAAAAAAAAA?token=opaque`,
  });
  const record = (recordId: string, autoNumber: number, name: string, fields: object) => ({
    id: recordId,
    name,
    fields,
    autoNumber,
    ...made,
  });
  const records: Record<string, () => object[]> = {
    [people]: () => [
      record('recAda', 1, 'Ada', {
        [id('Name')]: 'Ada',
        [id('Notes')]: 'one\ntwo',
        [id('Age')]: 36.5,
        [id('Press')]: { count: 2 },
        [id('State')]: 'new',
        [id('Tags')]: ['a', 'b, c'],
        [id('Born')]: '1815-12-09T23:06:32.000Z',
        [id('Ok')]: true,
        [id('Stars')]: 4,
        [id('Owner')]: {
          id: 'usrAAAAAAAAAAAAAAAA',
          title: 'Olive',
          email: 'olive@example.com',
          avatarUrl: `${url}/a.png`,
        },
        [id('Files')]: [file()],
        [id('Since')]: at,
        [id('No')]: 1,
        [id('Twice')]: 73,
        [id('Visits')]: [
          { id: 'recParis', title: 'Paris' },
          { id: 'recRome', title: 'Rome' },
        ],
        [id('Places')]: ['Paris', 'Rome'],
        [id('Visitors')]: 2,
        [id('Abroad')]: { id: 'recFar', title: 'Far' },
      }),
      record('recAlan', 2, 'Alan', { [id('Name')]: 'Alan', [id('No')]: 2, [id('Since')]: at }),
    ],
    [visits]: () => [
      record('recParis', 1, 'Paris', { [id('Place')]: 'Paris', [id('Person')]: { id: 'recAda', title: 'Ada' } }),
      record('recRome', 2, 'Rome', { [id('Place')]: 'Rome', [id('Person')]: { id: 'recAda', title: 'Ada' } }),
    ],
  };
  const table = (tableId: string, name: string, order: number) => ({
    id: tableId,
    name,
    dbTableName: `${baseId}.${name}`,
    order,
    icon: '🙂',
    lastModifiedTime: at,
    defaultViewId: 'viwAll0000000000000',
  });
  const base = {
    id: baseId,
    name: 'Answers',
    spaceId: 'spcAAAAAAAAAAAAAAAA',
    icon: null,
    role: 'owner',
    collaboratorType: 'space',
  };
  const answers: Record<string, () => unknown> = {
    '/api/base/access/all': () => [base],
    [`/api/base/${baseId}`]: () => base,
    [`/api/base/${baseId}/table`]: () => [table(people, 'People', 1), table(visits, 'Visits', 2)],
    [`/api/table/${people}/field`]: () => peopleFields,
    [`/api/table/${visits}/field`]: () => visitFields,
    [`/api/table/${people}/view`]: () => peopleViews,
    [`/api/comment/${people}/count`]: () => [{ recordId: 'recAda', count: 2 }],
    [`/api/comment/${visits}/count`]: () => [],
    [`/api/table/${visits}/view`]: () => [view('Grid', 'grid', { columnMeta: columns(visitFields) })],
  };
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const json = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    if (pathname.startsWith('/api/attachments/read/'))
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('hello');
    if (request.headers.authorization !== `Bearer ${token}`)
      return json(401, { message: 'Unauthorized', status: 401, code: 'unauthorized' });
    const [, tableId = ''] = /^\/api\/table\/(\w+)\/record$/.exec(pathname) ?? [];
    if (records[tableId] !== undefined) {
      // As there: a take of more than 1,000 is refused, and keys are names unless asked otherwise.
      const [take, skip] = [Number(searchParams.get('take') ?? 100), Number(searchParams.get('skip') ?? 0)];
      if (take > 1_000 || searchParams.get('fieldKeyType') !== 'id')
        return json(400, { message: 'Validation error', status: 400, code: 'validation_error' });
      return json(200, { records: records[tableId]().slice(skip, skip + take) });
    }
    if (pathname === `/api/comment/${people}/recAda/list`) {
      // The newest page first, each beginning with the oldest; the cursor is in both.
      const comment = (commentId: string, createdTime: string, content: object[] | string, more: object = {}) => ({
        id: commentId,
        content,
        createdBy: { id: made.createdBy, name: 'Olive', avatar: null },
        createdTime,
        reaction: null,
        quoteId: null,
        ...more,
      });
      const first = comment('comFirst', '2024-05-06T08:00:00.000Z', [
        {
          type: 'p',
          children: [
            { type: 'span', value: 'Hello ' },
            { type: 'mention', value: made.createdBy, name: 'Olive' },
          ],
        },
      ]);
      const second = comment(
        'comSecond',
        '2024-05-06T09:00:00.000Z',
        [
          { type: 'p', children: [{ type: 'a', url: 'https://example.com', title: 'here' }] },
          { type: 'img', path: 'comment/x' },
        ],
        { quoteId: 'comFirst' },
      );
      const plain = comment('comPlain', '2024-05-06T07:00:00.000Z', 'no list of blocks');
      return json(
        200,
        searchParams.has('cursor')
          ? { comments: [plain, first, second], nextCursor: null }
          : { comments: [second], nextCursor: 'comSecond' },
      );
    }
    const answer = answers[pathname];
    return answer === undefined
      ? json(404, { message: `Cannot GET ${pathname}`, status: 404, code: 'not_found' })
      : json(200, answer());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, token, baseId, close: () => server.close() };
};
