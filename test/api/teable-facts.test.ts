// Small facts that Teable's own tests and clients rest on, one row each: what is asked, and what has to come back.
import { beforeAll, expect, test } from 'vitest';
import { ground, type TestTable, tableWith } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let table: TestTable;

interface Reply {
  status: number;
  body: any;
}

const ask = async (method: string, path: string, body?: unknown): Promise<Reply> => {
  const answer = await fetch(world().baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${table.owner.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
};

let records = '';
let recordId = '';
let standard: { id: string; fields: { id: string; name: string }[]; records: { id: string }[] };

beforeAll(async () => {
  table = await tableWith(await ground(world()));
  records = `/table/${table.tableId}/record`;
  recordId = (
    await ask('POST', records, {
      records: [
        {
          fields: {
            Text: 'first',
            Number: 1234.5,
            Rating: 3,
            Check: true,
            Date: '2024-01-02T03:04:00.000Z',
            Tags: ['red', 'blue, navy'],
          },
        },
      ],
    })
  ).body.records[0].id as string;
  standard = (await ask('POST', `/base/${table.baseId}/table`, { name: 'Standard' })).body;
});

const query = (values: Record<string, unknown>): string =>
  `?${new URLSearchParams(Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])).toString()}`;

/** The cell that a value becomes with typecast; undefined when it becomes none. */
const cast = async (field: string, value: unknown): Promise<unknown> =>
  (await ask('POST', records, { typecast: true, records: [{ fields: { [field]: value } }] })).body.records[0].fields[
    field
  ];

type Fact = [what: string, asked: () => Promise<unknown>, answer: unknown];

const status = async (reply: Promise<Reply>): Promise<number> => (await reply).status;

const facts: Fact[] = [
  // Records
  [
    'a new table has three records, Name, Count and Status',
    async () => [standard.records.length, standard.fields.map(({ name }) => name)],
    [3, ['Name', 'Count', 'Status']],
  ],
  [
    'Count of a new table is shown with two decimal places',
    async () => {
      await ask('PATCH', `/table/${standard.id}/record/${standard.records[0]?.id}`, {
        record: { fields: { Count: 123 } },
      });
      return (await ask('GET', `/table/${standard.id}/record/${standard.records[0]?.id}?cellFormat=text`)).body.fields
        .Count;
    },
    '123.00',
  ],
  [
    'text format: number, rating, checkbox, date in the zone of the field, choices with a comma quoted',
    async () => (await ask('GET', `${records}/${recordId}?cellFormat=text`)).body.fields,
    {
      Text: 'first',
      Number: '1234.50',
      Rating: '3',
      Check: 'true',
      Date: '2024-01-02 04:04',
      Tags: 'red, "blue, navy"',
    },
  ],
  [
    'the name of a record without one is an empty text, and absent in text format',
    async () => {
      const { id } = (await ask('POST', records, { records: [{ fields: {} }] })).body.records[0];
      return [
        (await ask('GET', `${records}/${id}`)).body.name,
        'name' in (await ask('GET', `${records}/${id}?cellFormat=text`)).body,
      ];
    },
    ['', false],
  ],
  [
    'a record that was never changed does not say when',
    async () => 'lastModifiedTime' in (await ask('GET', `${records}/${recordId}`)).body,
    false,
  ],
  [
    'an update of several answers a bare list in the order of the request',
    async () => Array.isArray((await ask('PATCH', records, { records: [{ id: recordId, fields: {} }] })).body),
    true,
  ],
  [
    'creating none is possible',
    async () => {
      const { status: code, body } = await ask('POST', records, { records: [] });
      return [code, body.records];
    },
    [201, []],
  ],
  ['changing none is possible', async () => ask('PATCH', records, { records: [] }), { status: 200, body: [] }],
  [
    'an empty list clears a multiple select, and a link',
    async () => {
      const field = (
        await ask('POST', `/table/${table.tableId}/field`, {
          type: 'link',
          name: 'Emptied',
          options: { relationship: 'manyMany', foreignTableId: standard.id },
        })
      ).body;
      const made = (
        await ask('POST', records, {
          fieldKeyType: 'id',
          records: [{ fields: { [field.id]: [{ id: standard.records[0]?.id }] } }],
        })
      ).body.records[0];
      await ask('PATCH', `${records}/${made.id}`, { record: { fields: { Tags: ['red'] } } });
      const cleared = await ask('PATCH', `${records}/${made.id}`, { record: { fields: { Tags: [], Emptied: [] } } });
      const left = (await ask('GET', `${records}/${made.id}`)).body.fields;
      await ask('DELETE', `/table/${table.tableId}/field/${field.id}`);
      await ask('DELETE', `${records}/${made.id}`);
      return [cleared.status, left];
    },
    [200, {}],
  ],
  [
    'a checkbox that is null is not ticked',
    async () => {
      const check = (await ask('GET', `/table/${table.tableId}/field`)).body.find(
        ({ name }: { name: string }) => name === 'Check',
      ).id;
      const filter = { conjunction: 'and', filterSet: [{ fieldId: check, operator: 'is', value: null }] };
      const found = (await ask('GET', `${records}${query({ filter })}`)).body.records;
      return found.every(({ fields }: { fields: object }) => !('Check' in fields)) && found.length > 0;
    },
    true,
  ],
  [
    'a currency without a symbol; a wrong one is told in one sentence',
    async () => {
      const money = (symbol: unknown) =>
        ask('POST', `/table/${standard.id}/field`, {
          type: 'number',
          name: `Money ${JSON.stringify(symbol)}`,
          options: { formatting: { type: 'currency', precision: 2, symbol } },
        });
      const refused = (await money('far too long a symbol')).body;
      return [
        (await money('')).body.options.formatting,
        refused.data.issues.map(({ path }: { path: string }) => path),
        refused.message,
      ];
    },
    [
      { type: 'currency', precision: 2, symbol: '' },
      ['options.formatting.symbol'],
      expect.stringContaining('at most 10 character(s)'),
    ],
  ],
  [
    'a field that is renamed is answered',
    async () => {
      const { id } = standard.fields[1] as { id: string };
      const { body } = await ask('PATCH', `/table/${standard.id}/field/${id}`, {
        name: 'Counted',
        description: 'How many',
      });
      await ask('PATCH', `/table/${standard.id}/field/${id}`, { name: 'Count', description: null });
      return [body.id === id, body.name, body.description, body.type];
    },
    [true, 'Counted', 'How many', 'number'],
  ],
  [
    'a file may be announced for any of the fourteen purposes',
    async () =>
      Promise.all(
        Array.from({ length: 14 }, (_, index) =>
          status(
            ask('POST', '/attachments/signature', { contentType: 'text/plain', contentLength: 1, type: index + 1 }),
          ),
        ),
      ),
    Array.from({ length: 14 }, () => 201),
  ],
  [
    'false unchecks a checkbox without typecast',
    async () => (await ask('POST', records, { records: [{ fields: { Check: false } }] })).body.records[0].fields,
    {},
  ],
  [
    'null clears',
    async () =>
      (
        await ask(
          'PATCH',
          `${records}/${(await ask('POST', records, { records: [{ fields: { Text: 'x' } }] })).body.records[0].id}`,
          { record: { fields: { Text: null } } },
        )
      ).body.fields,
    {},
  ],
  [
    'an unknown key beside `records` is left out, and an id of one’s own too',
    async () => (await ask('POST', records, { other: 1, records: [{ id: 'recMine', fields: {} }] })).status,
    201,
  ],
  [
    'an unknown choice is refused without typecast',
    () => status(ask('POST', records, { records: [{ fields: { Select: 'none' } }] })),
    400,
  ],
  ['an unknown record is a 404', () => status(ask('GET', `${records}/recUnknown`)), 404],
  ['an unknown table is a 404', () => status(ask('GET', '/table/tblUnknown/record')), 404],
  ['an unknown view is a 404', () => status(ask('GET', `${records}?viewId=viwUnknown`)), 404],
  [
    'an unknown anchor is a 404',
    () =>
      status(
        ask('POST', records, {
          records: [{ fields: {} }],
          order: { viewId: table.viewId, anchorId: 'recUnknown', position: 'after' },
        }),
      ),
    404,
  ],
  [
    'an unknown field is a 404 that names all of them',
    async () => {
      const { status: code, body } = await ask('POST', records, { records: [{ fields: { Nix: 1, Nothing: 2 } }] });
      return [code, body.message.includes('Nix') && body.message.includes('Nothing')];
    },
    [404, true],
  ],
  [
    'deleting one answers it, by field ids',
    async () => {
      const { id } = (await ask('POST', records, { records: [{ fields: { Text: 'gone' } }] })).body.records[0];
      const gone = await ask('DELETE', `${records}/${id}`);
      return [
        gone.status,
        gone.body.id === id,
        gone.body.fields[table.fieldIds.Text as string],
        await status(ask('DELETE', `${records}/${id}`)),
      ];
    },
    [200, true, 'gone', 404],
  ],
  [
    'deleting several: some unknown 400, all unknown 404',
    async () => [
      await status(ask('DELETE', `${records}?recordIds[]=${recordId}&recordIds[]=recUnknown`)),
      await status(ask('DELETE', `${records}?recordIds[]=recUnknown`)),
    ],
    [400, 404],
  ],
  [
    'a duplicate is 201 with its records',
    async () => {
      const copy = await ask('POST', `${records}/${recordId}/duplicate`, {
        viewId: table.viewId,
        anchorId: recordId,
        position: 'after',
      });
      return [copy.status, copy.body.records.length];
    },
    [201, 1],
  ],
  [
    'a list has extra.groupPoints only when it is grouped',
    async () =>
      (
        await ask(
          'GET',
          `${records}${query({ take: '1', groupBy: [{ fieldId: table.fieldIds.Select, order: 'asc' }], fieldKeyType: 'id' })}`,
        )
      ).body.extra.groupPoints.length > 0,
    true,
  ],
  [
    'empty cells come first ascending and last descending',
    async () => {
      const first = async (order: string) =>
        'Rating' in
        (await ask('GET', `${records}${query({ take: '1', orderBy: [{ fieldId: 'Rating', order }] })}`)).body.records[0]
          .fields;
      return [await first('asc'), await first('desc')];
    },
    [false, true],
  ],
  [
    'an operator that the field does not have is a 400',
    () =>
      status(
        ask(
          'GET',
          `${records}${query({ filter: { conjunction: 'and', filterSet: [{ fieldId: 'Check', operator: 'contains', value: 'x' }] } })}`,
        ),
      ),
    400,
  ],
  [
    'a projection limits the cells',
    async () => Object.keys((await ask('GET', `${records}/${recordId}?projection[]=Text`)).body.fields),
    ['Text'],
  ],
  [
    'search filters with a third element',
    async () => (await ask('GET', `${records}?search[]=first&search[]=Text&search[]=true&take=1`)).body.records[0].id,
    '',
  ],
  // Typecast
  [
    'text of anything',
    async () => [
      await cast('Text', 1),
      await cast('Text', true),
      await cast('Text', ' a\nb\tc '),
      await cast('Text', [1, 'b']),
    ],
    ['1', 'true', 'a b c', '1,b'],
  ],
  [
    'numbers out of texts',
    async () => [
      await cast('Number', '1,234.5'),
      await cast('Number', '$5'),
      await cast('Number', 'abc'),
      await cast('Number', ''),
      await cast('Number', true),
    ],
    [1234.5, 5, undefined, undefined, undefined],
  ],
  [
    'ratings are rounded and capped',
    async () => [await cast('Rating', 2.6), await cast('Rating', '99'), await cast('Rating', 'x')],
    [3, 5, undefined],
  ],
  [
    'checkboxes',
    async () => [
      await cast('Check', 'TRUE'),
      await cast('Check', 'false'),
      await cast('Check', ''),
      await cast('Check', 0),
      await cast('Check', 'yes'),
    ],
    [true, undefined, undefined, undefined, true],
  ],
  [
    'dates',
    async () => [
      typeof (await cast('Date', 'now')),
      await cast('Date', 1_704_164_640_000),
      await cast('Date', '2024-01-02 04:04'),
      await cast('Date', 'nonsense'),
    ],
    ['string', '2024-01-02T03:04:00.000Z', '2024-01-02T03:04:00.000Z', undefined],
  ],
  [
    'a missing choice is made',
    async () => [await cast('Select', ' new '), await cast('Tags', 'red, other'), await cast('Tags', ['red', 'third'])],
    ['new', ['red', 'other'], ['red', 'third']],
  ],
  [
    'people by id, name and address',
    async () => {
      const { userId, name, email } = table.owner;
      const found = await Promise.all([
        cast('Person', userId),
        cast('Person', name),
        cast('Person', email),
        cast('Person', { id: userId }),
        cast('Person', 'nobody'),
      ]);
      return found.map(
        (cell) =>
          (cell as { id: string; avatarUrl: string } | undefined)?.id === userId &&
          typeof (cell as { avatarUrl: string }).avatarUrl === 'string',
      );
    },
    [true, true, true, true, false],
  ],
  // Defaults
  [
    'defaults fill what is absent or null, and only when a record is made; me is the caller, with avatarUrl',
    async () => {
      const made = (
        await ask('POST', `/base/${table.baseId}/table`, {
          name: 'Defaults',
          records: [],
          fields: [
            { name: 'Name', type: 'singleLineText', options: { defaultValue: 'none' } },
            { name: 'N', type: 'number', options: { defaultValue: 7 } },
            { name: 'S', type: 'singleSelect', options: { choices: [{ name: 'a' }], defaultValue: 'a' } },
            { name: 'C', type: 'checkbox', options: { defaultValue: true } },
            { name: 'U', type: 'user', options: { defaultValue: 'me' } },
          ],
        })
      ).body;
      const [one, two] = (
        await ask('POST', `/table/${made.id}/record`, { records: [{ fields: {} }, { fields: { Name: null, N: 1 } }] })
      ).body.records;
      const cleared = (await ask('PATCH', `/table/${made.id}/record/${two.id}`, { record: { fields: { Name: null } } }))
        .body.fields;
      return [{ ...one.fields, U: Object.keys(one.fields.U) }, two.fields.Name, two.fields.N, 'Name' in cleared];
    },
    [{ Name: 'none', N: 7, S: 'a', C: true, U: ['id', 'title', 'email', 'avatarUrl'] }, 'none', 1, false],
  ],
  // Platform
  [
    'an unknown route says so',
    async () => {
      const { status: code, body } = await ask('GET', '/nowhere');
      return [code, body.message, body.code];
    },
    [404, 'Cannot GET /api/nowhere', 'not_found'],
  ],
  [
    'what is wrong with a body begins with "Validation error:"',
    async () => (await ask('POST', records, { records: 1 })).body.message.startsWith('Validation error:'),
    true,
  ],
  [
    'spaces and bases have default names, and spaces different ones',
    async () => {
      const [one, two] = [await ask('POST', '/space', {}), await ask('POST', '/space', {})];
      return [
        one.status,
        one.body.name.startsWith('Space'),
        one.body.name !== two.body.name,
        (await ask('POST', '/base', { spaceId: one.body.id })).body.name,
      ];
    },
    [201, true, true, 'Untitled Base'],
  ],
  [
    'a refreshed token is a 200',
    async () => {
      const made = (
        await ask('POST', '/access-token', {
          name: 'T',
          scopes: ['record|read'],
          expiredTime: new Date(Date.now() + 1e8).toISOString(),
        })
      ).body;
      return status(ask('POST', `/access-token/${made.id}/refresh`, {}));
    },
    200,
  ],
  [
    'a deleted token leaves an empty answer',
    async () => {
      const made = (
        await ask('POST', '/access-token', {
          name: 'T',
          scopes: ['record|read'],
          expiredTime: new Date(Date.now() + 1e8).toISOString(),
        })
      ).body;
      return ask('DELETE', `/access-token/${made.id}`);
    },
    { status: 200, body: '' },
  ],
  ['notifications need to know which', () => status(ask('GET', '/notifications')), 400],
  [
    'names of tables, fields and views that are taken get a number',
    async () => {
      const field = await ask('POST', `/table/${standard.id}/field`, { type: 'number', name: 'Count' });
      const view = await ask('POST', `/table/${standard.id}/view`, { type: 'grid', name: 'Grid view' });
      return [
        (await ask('POST', `/base/${table.baseId}/table`, { name: 'Standard', records: [] })).body.name,
        field.body.name,
        view.body.name,
      ];
    },
    ['Standard 2', 'Count 2', 'Grid view 2'],
  ],
  [
    'default names of fields',
    async () => {
      const names: string[] = [];
      for (const type of [
        'singleLineText',
        'longText',
        'number',
        'rating',
        'date',
        'checkbox',
        'attachment',
        'autoNumber',
        'createdTime',
        'createdBy',
      ])
        names.push((await ask('POST', `/table/${standard.id}/field`, { type })).body.name as string);
      return names;
    },
    ['Label', 'Notes', 'Number', 'Rating', 'Date', 'Done', 'Attachments', 'ID', 'Created Time', 'Created by'],
  ],
  [
    'the primary field is neither deleted nor hidden',
    async () => {
      const fieldId = standard.fields[0]?.id as string;
      const [view] = (await ask('GET', `/table/${standard.id}/view`)).body;
      return [
        await status(ask('DELETE', `/table/${standard.id}/field/${fieldId}`)),
        await status(
          ask('PUT', `/table/${standard.id}/view/${view.id}/column-meta`, [{ fieldId, columnMeta: { hidden: true } }]),
        ),
      ];
    },
    [403, 403],
  ],
  [
    'two choices of one name are refused',
    () =>
      status(
        ask('POST', `/table/${standard.id}/field`, {
          type: 'singleSelect',
          options: { choices: [{ name: 'a' }, { name: 'a' }] },
        }),
      ),
    400,
  ],
  [
    'unknown options of a view are refused',
    () => status(ask('POST', `/table/${standard.id}/view`, { type: 'grid', options: { unknown: 1 } })),
    400,
  ],
  [
    'the last owner cannot leave',
    async () =>
      status(
        ask('DELETE', `/space/${table.spaceId}/collaborators?principalId=${table.owner.userId}&principalType=user`),
      ),
    400,
  ],
  [
    'no subscription is an empty answer',
    () => ask('GET', `/comment/${table.tableId}/${recordId}/subscribe`),
    { status: 200, body: '' },
  ],
  [
    'groups are none without groupBy',
    () => ask('GET', `/table/${table.tableId}/aggregation/group-points`),
    { status: 200, body: [] },
  ],
];

test.each(facts.map(([what, asked, answer]) => ({ what, asked, answer })))('$what', async ({ what, asked, answer }) => {
  expect(await asked()).toEqual(what === 'search filters with a third element' ? recordId : answer);
});
