// Fills an instance over its API with some of everything there is. Only what the first version knows is asked for:
// the fixtures of all versions are made with it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { ask, hear, type Voice } from './ask.ts';

export interface Filled {
  /** Name → token. */
  tokens: Record<string, string>;
  spaceId: string;
  baseId: string;
  tableId: string;
}

const difficult = [
  'plain',
  'tab\there',
  'line\nline\r\nline',
  'back\\slash \\N \\.',
  '\\.',
  '"quotes" \'and\' `ticks`',
  'ünïcödé 🙂 ‮',
  '=1+1',
  '{a,b}',
  ' spaces ',
  'NULL',
  'x'.repeat(5_000),
];

const choices = ['red', 'green', 'blue, navy', 'with "quotes"'];

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Notes', type: 'longText' },
  { name: 'Amount', type: 'number', options: { formatting: { type: 'decimal', precision: 2 } } },
  { name: 'Stars', type: 'rating', options: { max: 5 } },
  { name: 'Done', type: 'checkbox' },
  {
    name: 'Due',
    type: 'date',
    options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' } },
  },
  { name: 'State', type: 'singleSelect', options: { choices: choices.map((name) => ({ name })) } },
  { name: 'Tags', type: 'multipleSelect', options: { choices: choices.map((name) => ({ name })) } },
  { name: 'Person', type: 'user', options: { shouldNotify: true } },
  { name: 'People', type: 'user', options: { isMultiple: true } },
  { name: 'Key', type: 'singleLineText', unique: true },
  { name: 'Number', type: 'autoNumber' },
  { name: 'Made', type: 'createdTime' },
  { name: 'Changed', type: 'lastModifiedTime' },
  { name: 'Maker', type: 'createdBy' },
  { name: 'Changer', type: 'lastModifiedBy' },
  { name: 'Old', type: 'singleLineText' },
];

const century = '2120-01-01T00:00:00.000Z';
const password = 'correct horse 1';

interface Member extends Voice {
  id: string;
  name: string;
  email: string;
  cookie: string;
}

const join = async (origin: string, name: string): Promise<Member> => {
  const email = `${name.toLowerCase()}@example.com`;
  const signed = await hear({ origin }, 'POST', '/auth/signup', { email, password });
  if (signed.status >= 400) throw new Error(`nobody could sign up: ${JSON.stringify(signed.body)}`);
  const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0] as string;
  await ask({ origin, cookie }, 'PATCH', '/user/name', { name });
  return { origin, cookie, email, name, id: (await ask({ origin, cookie }, 'GET', '/auth/user')).id as string };
};

const tokenOf = async (member: Member, input: object): Promise<string> =>
  (
    await ask(member, 'POST', '/access-token', {
      name: `Token of ${member.name}`,
      scopes: [
        'space|read',
        'base|read',
        'table|read',
        'record|read',
        'view|read',
        'field|read',
        'table_record_history|read',
        'table|delete',
        'base|delete',
        'space|delete',
        'space|update',
      ],
      expiredTime: century,
      ...input,
    })
  ).token as string;

const recordOf = (random: Random, at: number, people: readonly Member[]): Record<string, unknown> => {
  const someone = random.pick(people);
  return {
    Name: at < difficult.length ? difficult[at] : `record ${at}`,
    Notes: random.pick(difficult),
    Amount: random.pick([0, 0.1 + 0.2, -1e300, 1e-300, 123456789.125, at]),
    Stars: 1 + random.below(5),
    Done: random.once(2) ? true : null,
    Due: random.pick(['2024-02-29T23:59:59.999Z', '1969-12-31T23:00:00.000Z', '2038-01-19T03:14:08.000Z']),
    State: random.pick(choices),
    Tags: random.shuffled(choices).slice(0, 1 + random.below(3)),
    Person: { id: someone.id, title: someone.name },
    People: people.slice(0, 1 + random.below(people.length)).map(({ id, name }) => ({ id, title: name })),
    Key: `key ${at}`,
    Old: 'goes away',
  };
};

interface Table {
  tableId: string;
  viewId: string;
  fieldIds: Record<string, string>;
  recordIds: string[];
}

const fillTable = async (
  owner: Voice,
  baseId: string,
  random: Random,
  count: number,
  people: readonly Member[],
): Promise<Table> => {
  const made = await ask(owner, 'POST', `/base/${baseId}/table`, {
    name: 'Everything',
    icon: '📦',
    description: 'One field of every type',
    fields,
    records: [],
  });
  const table: Table = {
    tableId: made.id,
    viewId: made.defaultViewId,
    fieldIds: Object.fromEntries((made.fields as { name: string; id: string }[]).map(({ name, id }) => [name, id])),
    recordIds: [],
  };
  for (let at = 0; at < count; at += 500) {
    const records = Array.from({ length: Math.min(500, count - at) }, (_, more) => ({
      fields: recordOf(random, at + more, people),
    }));
    table.recordIds.push(
      ...((await ask(owner, 'POST', `/table/${table.tableId}/record`, { records })).records as { id: string }[]).map(
        ({ id }) => id,
      ),
    );
  }
  return table;
};

const changeRecords = async (owner: Voice, { tableId, viewId, recordIds }: Table, random: Random): Promise<void> => {
  const [first, second, third, last] = [recordIds[0], recordIds[1], recordIds[2], recordIds.at(-1)];
  for (const recordId of recordIds.slice(0, 30))
    await ask(owner, 'PATCH', `/table/${tableId}/record/${recordId}`, {
      record: { fields: { Amount: random.below(1_000), Done: null, Tags: ['red'] } },
    });
  const undone = await hear(owner, 'PATCH', `/table/${tableId}/record`, {
    records: recordIds.slice(0, 10).map((id) => ({ id, fields: { Notes: 'changed together' } })),
  });
  await ask(owner, 'POST', `/table/${tableId}/record/history/restore`, {
    operationId: undone.headers.get('x-operation-id'),
  });
  await ask(owner, 'DELETE', `/table/${tableId}/record/${last}`);
  await ask(owner, 'POST', `/table/${tableId}/record/${first}/duplicate`, {
    viewId,
    anchorId: second,
    position: 'after',
  });
  await ask(owner, 'PUT', `/table/${tableId}/view/${viewId}/record-order`, {
    anchorId: first,
    position: 'before',
    recordIds: [third],
  });
};

const changeFields = async (owner: Voice, { tableId, fieldIds }: Table): Promise<void> => {
  await ask(owner, 'DELETE', `/table/${tableId}/field/${fieldIds['Old']}`);
  const unwanted = await ask(owner, 'POST', `/table/${tableId}/view`, { type: 'grid', name: 'Unwanted' });
  await ask(owner, 'DELETE', `/table/${tableId}/view/${unwanted.id}`);
  await ask(owner, 'PUT', `/table/${tableId}/field/${fieldIds['Notes']}/convert`, { type: 'singleLineText' });
  await ask(owner, 'PATCH', `/table/${tableId}/field/${fieldIds['Amount']}`, { name: 'Sum', description: 'in euros' });
  await ask(owner, 'POST', `/table/${tableId}/field/${fieldIds['State']}/duplicate`, { name: 'State again' });
};

const makeViews = async (owner: Voice, { tableId, fieldIds }: Table): Promise<void> => {
  const view = async (type: string, name: string): Promise<string> =>
    (await ask(owner, 'POST', `/table/${tableId}/view`, { type, name })).id as string;
  const sorted = await view('grid', 'Sorted');
  await ask(owner, 'PUT', `/table/${tableId}/view/${sorted}/sort`, {
    sort: {
      sortObjs: [
        { fieldId: fieldIds['Amount'], order: 'desc' },
        { fieldId: fieldIds['Name'], order: 'asc' },
      ],
    },
  });
  const filtered = await view('grid', 'Filtered');
  await ask(owner, 'PUT', `/table/${tableId}/view/${filtered}/filter`, {
    filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds['Stars'], operator: 'isGreater', value: 2 }] },
  });
  await ask(owner, 'PUT', `/table/${tableId}/view/${filtered}/group`, {
    group: [{ fieldId: fieldIds['State'], order: 'asc' }],
  });
  await view('kanban', 'Board');
  await view('calendar', 'Days');
  for (const viewId of [sorted, filtered]) await ask(owner, 'GET', `/table/${tableId}/record?viewId=${viewId}`);
};

const makeApplication = async (owner: Member): Promise<string> => {
  const { origin } = owner;
  const callback = 'https://app.example.com/callback';
  const { clientId } = await ask(owner, 'POST', '/oauth/client', {
    name: 'Sheet Sync',
    homepage: 'https://app.example.com',
    scopes: ['table|read', 'record|read'],
    redirectUris: [callback],
  });
  const { secret } = await ask(owner, 'POST', `/oauth/client/${clientId}/secret`);
  const asked = await hear(
    owner,
    'GET',
    `/oauth/authorize?response_type=code&client_id=${clientId}&redirect_uri=${encodeURIComponent(callback)}`,
  );
  const transaction = new URL(asked.headers.get('location') ?? '', origin).searchParams.get('transaction_id') ?? '';
  const decided = await hear(owner, 'POST', '/oauth/decision', new URLSearchParams({ transaction_id: transaction }));
  const code = new URL(decided.headers.get('location') ?? '', origin).searchParams.get('code') ?? '';
  const tokens = await ask(
    { origin },
    'POST',
    '/oauth/access_token',
    new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: clientId,
      client_secret: secret,
    }),
  );
  return tokens.access_token as string;
};

/** What belongs to the space: people, invitations, plan, credit, and what is in the trash. */
const furnish = async (
  admin: Voice,
  owner: Member,
  spaceId: string,
  baseId: string,
  [editor, viewer]: readonly [Member, Member],
): Promise<void> => {
  const people = (member: Member): object[] => [{ principalId: member.id, principalType: 'user' }];
  await ask(owner, 'POST', `/space/${spaceId}/collaborator`, { collaborators: people(editor), role: 'editor' });
  await ask(owner, 'POST', `/base/${baseId}/collaborator`, { collaborators: people(viewer), role: 'viewer' });
  await ask(owner, 'POST', `/space/${spaceId}/invitation/link`, { role: 'commenter' });
  await ask(owner, 'POST', `/base/${baseId}/invitation/link`, { role: 'viewer' });
  await ask(owner, 'POST', `/space/${spaceId}/invitation/email`, { emails: ['later@example.com'], role: 'editor' });
  await ask(admin, 'PATCH', `/admin/space/${spaceId}/plan`, { level: 'pro', interval: 'year', quantity: 7 });
  await ask(admin, 'POST', `/admin/space/${spaceId}/credit`, { kind: 'grant', amount: 500, reason: 'welcome' });
  await ask(admin, 'POST', `/admin/space/${spaceId}/credit`, { kind: 'use', amount: 120, reason: 'work' });
  await ask(owner, 'PATCH', `/space/${spaceId}/billing/detail`, { name: 'Olive Owner', email: 'bills@example.com' });
  const trashedBase = (await ask(owner, 'POST', '/base', { spaceId, name: 'Thrown away' })).id as string;
  await ask(owner, 'POST', `/base/${trashedBase}/table`, { name: 'With records' });
  await ask(owner, 'DELETE', `/base/${trashedBase}`);
  const trashedTable = (await ask(owner, 'POST', `/base/${baseId}/table`, { name: 'Gone' })).id as string;
  await ask(owner, 'DELETE', `/base/${baseId}/table/${trashedTable}`);
  const trashedSpace = (await ask(owner, 'POST', '/space', { name: 'Over' })).id as string;
  await ask(owner, 'DELETE', `/space/${trashedSpace}`);
};

/** Until the people who were named in cells have been told, and nothing more comes. */
const untilTold = async (members: readonly Member[]): Promise<void> => {
  const counts = (): Promise<number[]> =>
    Promise.all(
      members.map(async (member) => (await ask(member, 'GET', '/notifications/unread-count')).unreadCount as number),
    );
  for (let [before, quiet] = [await counts(), 0]; quiet < 4; ) {
    await sleep(250);
    const now = await counts();
    quiet = now.join() === before.join() && now.every((count) => count > 0) ? quiet + 1 : 0;
    before = now;
  }
};

export const fill = async (origin: string, adminToken: string, random: Random, records: number): Promise<Filled> => {
  const admin: Voice = { origin, token: adminToken };
  const [owner, editor, viewer] = [
    await join(origin, 'Olive'),
    await join(origin, 'Edith'),
    await join(origin, 'Victor'),
  ];
  const spaceId = (await ask(owner, 'POST', '/space', { name: 'House' })).id as string;
  const baseId = (await ask(owner, 'POST', '/base', { spaceId, name: 'Rows', icon: '🏠' })).id as string;
  await furnish(admin, owner, spaceId, baseId, [editor, viewer]);
  const table = await fillTable(owner, baseId, random, records, [owner, editor, viewer]);
  await changeRecords(owner, table, random);
  await changeFields(owner, table);
  await makeViews(owner, table);
  await ask(owner, 'POST', `/base/${baseId}/table/${table.tableId}/duplicate`, {
    name: 'Everything again',
    includeRecords: true,
  });
  const emptyBase = (await ask(owner, 'POST', '/base', { spaceId, name: 'Empty' })).id as string;
  await ask(owner, 'POST', `/base/${emptyBase}/table`, { name: 'Three records' });
  const application = await makeApplication(owner);
  const tokens = {
    admin: adminToken,
    owner: await tokenOf(owner, { hasFullAccess: true }),
    editor: await tokenOf(editor, { hasFullAccess: true }),
    viewer: await tokenOf(viewer, { hasFullAccess: true }),
    limited: await tokenOf(owner, { baseIds: [baseId], spaceIds: null }),
    application,
  };
  await untilTold([editor, viewer]);
  return { tokens, spaceId, baseId, tableId: table.tableId };
};
