// What stands beside the cells of a base, for members whom rules bind, with roles that were set up by the operations of the matrix: files of a table, counts, comments and who is told of
// them, documents over /socket, what they made before they were bound, copies. None of it shows more than the cells do.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  getAggregation,
  getCalendarDays,
  getGroupPoints,
  getRecordIndex,
  getRowCount,
  getSearchCount,
  getSearchIndex,
} from '@rowhouse/contract/aggregation.ts';
import {
  getAuthorityMatrix,
  listAuthorityRoles,
  setAuthorityMatrixStatus,
} from '@rowhouse/contract/authority-matrix.ts';
import { activateAutomation, createAutomation, getAutomation } from '@rowhouse/contract/automation.ts';
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import { countCommentsByQuery, createComment, createSubscription, listComments } from '@rowhouse/contract/comment.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords, getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import {
  createRecordFromTemplate,
  createRecordTemplate,
  listRecordTemplates,
} from '@rowhouse/contract/record-template.ts';
import { enableShare, listShareRecords, disableShare, submitShareForm } from '@rowhouse/contract/share.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { createView, getView, setViewFilter, setViewOptions } from '@rowhouse/contract/view.ts';
import { createWebhook, getWebhook, listWebhookDeliveries } from '@rowhouse/contract/webhook.ts';
import type { Query } from 'sharedb/lib/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyAction, type RealGrant, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { connect } from '../support/socket.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { caller, useWorld } from '../support/world.ts';
import { member } from '../support/workspace.ts';

const world = useWorld(
  { webhookNetworks: ['127.0.0.0/8'] },
  { plans: plansWith({ free: { advancedPermissionsEnable: true, automationEnable: true, rowColoringEnable: true } }) },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

const mark = 'hushhush4711';
const none = 'recNoneNoneNoneNon1';

let shop: Workshop;
let bound: Person;
let table: FullTable;
const at: Record<string, string> = {};
const records: Record<string, string> = {};
let heard: string[] = [];
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    heard.push(Buffer.concat(parts).toString());
    response.writeHead(200).end('{}');
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  shop = await openWorkshop(world());
  bound = await member(world(), shop.owner, shop.baseId, 'creator');
  table = await shop.table({
    name: 'Orders',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Amount', type: 'number' },
      { name: 'Secret', type: 'singleLineText' },
      { name: 'Day', type: 'date' },
      { name: 'Who', type: 'user' },
    ] as never,
    records: [],
  });
  for (const { id, name } of table.fields) at[name] = id;
  for (const [Name, State, Amount] of [
    ['one', 'open', 1],
    ['two', 'open', 2],
    [`${mark} three`, 'shut', 3],
    [`${mark} four`, 'shut', 4],
  ] as const)
    records[Name.split(' ').at(-1) as string] = await make({
      Name,
      State,
      Amount,
      Secret: `${mark} of ${Name}`,
      Day: '2026-03-01T00:00:00.000Z',
    });
});
afterAll(() => void server.close());

const params = () => ({ tableId: table.id });
const make = async (cells: object, who: Person = shop.owner): Promise<string> =>
  must(
    await who.call(createRecords, {
      params: params(),
      body: { fieldKeyType: 'name', records: [{ fields: cells }] } as never,
    }),
  ).records[0]?.id as string;
const change = (who: Person, recordId: string, cells: object, headers: object = {}) =>
  who.call(updateRecord, {
    params: { ...params(), recordId },
    body: { fieldKeyType: 'name', record: { fields: cells } },
    headers,
  } as never);

/** All but the secret, of orders that are open. */
const rules = (given: Partial<RealGrant> = {}, besides: object = {}) =>
  setRoles(shop.owner, shop.baseId, [
    {
      members: [bound.userId],
      tables: {
        [table.id]: {
          grants: [
            {
              actions: everyAction,
              fields: ['Name', 'State', 'Amount', 'Day', 'Who'].map((name) => at[name] as string),
              when: when(at['State'], 'is', 'open'),
              ...given,
            },
          ],
          ...besides,
        },
      },
    },
  ]);

const said = ({ status, error }: { status: number; error: unknown }, ...ids: readonly string[]): string =>
  ids.reduce(
    (text, id) => text.replaceAll(id, '…'),
    JSON.stringify([status, error]).replaceAll(/"requestId":"[^"]*"|20\d\d-\d\d-\d\dT[\d:.]+Z/g, ''),
  );

const fileOf = async (query: Record<string, string>): Promise<{ status: number; text: string }> => {
  const address = new URL(`${world().baseUrl}/export/${table.id}`);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const answer = await fetch(address, { headers: { authorization: `Bearer ${bound.token}` } });
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
};

test('files of a table, copied ranges apart: rows and columns that are seen', async () => {
  const calendar = must(
    await shop.owner.call(createView, {
      params: params(),
      body: {
        type: 'calendar',
        name: 'Days',
        options: { startDateFieldId: at['Day'], endDateFieldId: at['Day'], titleFieldId: at['Name'] },
      } as never,
    }),
  ).id;
  // What waits is read with the records; what a hidden field says is not, and that it is missing is told.
  const gantt = must(
    await shop.owner.call(createView, {
      params: params(),
      body: {
        type: 'gantt',
        name: 'Plan',
        options: { startDateFieldId: at['Day'], laneFieldId: at['Secret'] },
      } as never,
    }),
  ).id;
  await rules();
  expect(must(await bound.call(getView, { params: { ...params(), viewId: gantt } })).options).toEqual({
    startDateFieldId: at['Day'],
    lostOptions: ['laneFieldId'],
  });
  for (const query of [
    { format: 'csv' },
    { format: 'jsonl' },
    { format: 'ics', viewId: calendar },
    { format: 'ics', viewId: gantt },
    { format: 'xlsx' },
  ]) {
    const { status, text } = await fileOf(query);
    expect([status, text.includes(mark), text.includes('Secret')], query.format).toEqual([200, false, false]);
    if (query.format !== 'xlsx')
      expect([text.includes('one'), text.includes('three')], query.format).toEqual([true, false]);
  }
  // Records, and no field of them: a file without columns.
  await rules({ actions: everyAction, fields: [] });
  for (const format of ['csv', 'jsonl', 'xlsx'] as const) {
    const { status, text } = await fileOf({ format });
    expect([status, /open|shut|one|three/.test(text)], format).toEqual([200, false]);
  }
  await rules({ actions: everyAction.filter((one) => one !== 'table|export') });
  expect((await bound.call(exportCsv, { params: params(), query: {} })).status).toBe(403);
});

test('conditions on hidden fields are in no refusal of a change of a view, and a colour that they decide is not shown', async () => {
  const hidden = when(at['Secret'], 'contains', mark);
  const colours = [hidden, when(at['State'], 'is', 'open')].map((filter) => ({
    on: 'row',
    by: 'condition',
    color: 'red',
    filter,
  }));
  const newView = async (more: object) =>
    must(
      await shop.owner.call(createView, { params: params(), body: { type: 'grid', name: 'Marked', ...more } as never }),
    );
  const filtered = await newView({ filter: hidden });
  const coloured = await newView({ options: { colorRules: colours } });
  await rules();
  const told = (answer: { status: number; error: unknown }): unknown => {
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${mark}|${at['Secret']}`));
    return [answer.status, (answer.error as { data?: { present?: unknown } })?.data?.present];
  };
  const of = ({ id: viewId }: { id: string }) => ({ ...params(), viewId });
  const other = { conjunction: 'or', filterSet: [] };
  expect(
    told(await bound.call(setViewFilter, { params: of(filtered), body: { filter: null, before: other } as never })),
  ).toEqual([409, null]);
  expect(
    told(await bound.call(setViewFilter, { params: of(filtered), body: { filter: null, before: null } as never })),
  ).toEqual([403, undefined]);
  const setColours = (colorRules: unknown, before: unknown) =>
    bound.call(setViewOptions, {
      params: of(coloured),
      body: { options: { colorRules }, before: { colorRules: before } } as never,
    });
  expect(told(await setColours(null, null))).toEqual([409, { colorRules: [colours[1]] }]);
  expect(told(await setColours(null, [colours[1]]))).toEqual([403, undefined]);
  expect(must(await bound.call(getView, { params: of(coloured) })).options).toEqual({ colorRules: [colours[1]] });
  expect(
    told(await bound.call(setViewOptions, { params: of(coloured), body: { options: { rowHeight: 'tall' } } as never })),
  ).toEqual([200, undefined]);
  expect(must(await shop.owner.call(getView, { params: of(coloured) })).options).toEqual({
    colorRules: colours,
    rowHeight: 'tall',
  });
});

test('counts, sums, groups, places, searches and days are those of what is seen; base queries are not for them', async () => {
  await rules();
  const id = { fieldKeyType: 'id' };
  const ask = async (endpoint: typeof getRowCount, query: object) =>
    must(await bound.call(endpoint, { params: params(), query: { ...id, ...query } as never })) as any;
  expect(await ask(getRowCount, {})).toEqual({ rowCount: 2 });
  const sums = await ask(getAggregation as never, { 'field[sum]': [at['Amount']] });
  expect(sums.aggregations[0].total.value).toBe(3);
  const groups = await ask(getGroupPoints as never, {
    groupBy: JSON.stringify([{ fieldId: at['State'], order: 'asc' }]),
  });
  expect(JSON.stringify(groups)).not.toContain('shut');
  expect(await ask(getSearchCount as never, { search: [mark, '', 'true'] })).toEqual({ count: 0 });
  expect(
    JSON.stringify(
      (await bound.call(getSearchIndex, { params: params(), query: { take: 10, search: [mark, '', 'true'] } as never }))
        .body ?? null,
    ),
  ).not.toContain('rec');
  const places = [records['three'] as string, none].map((recordId) =>
    bound.call(getRecordIndex, { params: params(), query: { recordId } as never }),
  );
  const [unseen, absent] = await Promise.all(places);
  expect(JSON.stringify([unseen?.status, unseen?.body ?? null])).toBe(
    JSON.stringify([absent?.status, absent?.body ?? null]),
  );
  const days = await ask(getCalendarDays as never, {
    startDate: '2026-02-01T00:00:00.000Z',
    endDate: '2026-04-01T00:00:00.000Z',
    startDateFieldId: at['Day'],
    endDateFieldId: at['Day'],
  });
  expect([JSON.stringify(days).includes(mark), JSON.stringify(days).includes('":2')]).toEqual([false, true]);
  const unknown = (fieldId: string) => [
    bound.call(getAggregation, { params: params(), query: { ...id, 'field[max]': [fieldId] } as never }),
    bound.call(listRecords, {
      params: params(),
      query: { ...id, orderBy: JSON.stringify([{ fieldId, order: 'asc' }]) } as never,
    }),
    bound.call(listRecords, {
      params: params(),
      query: { ...id, filter: JSON.stringify(when(fieldId, 'contains', 'h')) } as never,
    }),
    bound.call(listRecords, { params: params(), query: { ...id, search: ['h', fieldId, 'true'] } as never }),
    bound.call(listRecords, { params: params(), query: { ...id, projection: [fieldId] } as never }),
    bound.call(getGroupPoints, {
      params: params(),
      query: { ...id, groupBy: JSON.stringify([{ fieldId, order: 'asc' }]) } as never,
    }),
  ];
  const [hidden, invented] = [
    await Promise.all(unknown(at['Secret'] as string)),
    await Promise.all(unknown('fldNoneNoneNoneNon1')),
  ];
  expect(hidden.map((one) => said(one, at['Secret'] as string))).toEqual(
    invented.map((one) => said(one, 'fldNoneNoneNoneNon1')),
  );
  const query = JSON.stringify({ from: table.id });
  expect((await bound.call(queryBase, { params: { baseId: shop.baseId }, query: { query } })).status).toBe(403);
});

test('comments are there with their record and the grant to comment; who is mentioned is told only of what they see', async () => {
  await rules();
  const text = (value: string, ...mentions: string[]) => ({
    content: [
      { type: 'p', children: [{ type: 'span', value }, ...mentions.map((one) => ({ type: 'mention', value: one }))] },
    ],
  });
  const say = (who: Person, recordId: string, body: object) =>
    who.call(createComment, { params: { ...params(), recordId }, body: body as never });
  const [one, three] = [records['one'] as string, records['three'] as string];
  // Followed while it was seen.
  must(await change(shop.owner, three, { State: 'open' }));
  must(await bound.call(createSubscription, { params: { ...params(), recordId: three } }));
  must(await change(shop.owner, three, { State: 'shut' }));
  must(await say(shop.owner, three, text(`${mark} about it`, bound.userId)));
  must(await say(shop.owner, one, text('about one', bound.userId, three)));
  // Named in a cell of a record that they do not see, and of one that they see.
  must(await change(shop.owner, three, { Who: { id: bound.userId } }));
  must(await change(shop.owner, one, { Who: { id: bound.userId } }));
  let told = '';
  const read = async () =>
    JSON.stringify(must(await bound.call(listNotifications, { query: { notifyStates: 'unread' } as never })));
  while (!(told = await read()).includes('collaboratorCellTag') || !told.includes('commentId')) await sleep(50);
  expect(told).not.toContain(mark);
  expect(told).not.toContain(three);
  // It names a record that is not seen, and so does not say how that is called.
  const comments = must(await bound.call(listComments, { params: { ...params(), recordId: one }, query: {} }));
  expect(JSON.stringify(comments)).toContain(three);
  expect(JSON.stringify(comments)).not.toContain(mark);
  expect(said(await bound.call(listComments, { params: { ...params(), recordId: three }, query: {} }), three)).toBe(
    said(await bound.call(listComments, { params: { ...params(), recordId: none }, query: {} }), none),
  );
  const counts = must(await bound.call(countCommentsByQuery, { params: params(), query: {} as never }));
  expect(JSON.stringify(counts)).not.toContain(three);
  expect(said(await say(bound, one, text('x', three)), three)).toBe(said(await say(bound, one, text('x', none)), none));
  await rules({ actions: everyAction.filter((action) => action !== 'record|comment') });
  expect((await say(bound, one, text('not mine to say'))).status).toBe(403);
});

test('documents over /socket are those of the API, and go when they leave what is seen', async () => {
  await rules();
  const client = await connect(world().origin, { token: bound.token });
  try {
    const found = await client.query(`rec_${table.id}`, {});
    const names = ({ results }: Query): unknown[] =>
      (results ?? []).map(
        ({ data }) => (data as { fields?: Record<string, unknown> } | undefined)?.fields?.[at['Name'] as string],
      );
    await expect.poll(() => names(found), { timeout: 10_000 }).toEqual(['one', 'two']);
    const hidden = await client.subscribe(`rec_${table.id}`, records['four'] as string);
    expect(hidden.type).toBeNull();
    must(await change(shop.owner, records['four'] as string, { Name: `${mark} again` }));
    must(await change(shop.owner, records['two'] as string, { Secret: `${mark} still` }));
    must(await change(shop.owner, records['two'] as string, { State: 'shut' }));
    await expect.poll(() => names(found), { timeout: 10_000 }).toEqual(['one']);
    must(await change(shop.owner, records['two'] as string, { State: 'open' }));
    await expect.poll(() => names(found), { timeout: 10_000 }).toEqual(['one', 'two']);
    const fields = await client.query(`fld_${table.id}`, {});
    expect(fields.results.map(({ id }) => id)).not.toContain(at['Secret']);
    await rules({ when: when(at['Name'], 'is', 'two') });
    await expect.poll(() => names(found), { timeout: 10_000 }).toEqual(['two']);
    expect(JSON.stringify(client.heard)).not.toContain(mark);
  } finally {
    client.close();
  }
});

test('what a creator made before rules bound them ends or keeps its own sight, and is not theirs to change', async () => {
  await setRoles(shop.owner, shop.baseId, [
    { members: [], isDefault: true, tables: { [table.id]: { grants: [{ actions: everyAction }] } } },
  ]);
  const { baseId } = shop;
  must(await shop.owner.call(setAuthorityMatrixStatus, { params: { baseId }, body: { enabled: false } }));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const webhook = must(
    await bound.call(createWebhook, {
      params: { baseId },
      body: { name: 'Hook', url, events: ['record.created', 'record.updated'], withValues: true } as never,
    }),
  );
  const automation = must(
    await bound.call(createAutomation, {
      params: { baseId },
      body: {
        name: 'Copy',
        trigger: { type: 'recordUpdated', tableId: table.id },
        steps: [
          {
            type: 'createRecord',
            id: 'log',
            tableId: table.id,
            fields: { Name: { template: 'by automation {trigger.Secret}' }, State: { template: 'open' } },
          },
        ],
      } as never,
    }),
  );
  must(await bound.call(activateAutomation, { params: { baseId, automationId: automation.id } }));
  const view = must(
    await bound.call(createView, { params: params(), body: { type: 'grid', name: 'Theirs' } as never }),
  );
  const { shareId } = must(await bound.call(enableShare, { params: { ...params(), viewId: view.id } })) as {
    shareId: string;
  };
  const form = must(await bound.call(createView, { params: params(), body: { type: 'form', name: 'Form' } as never }));
  const shared = must(await bound.call(enableShare, { params: { ...params(), viewId: form.id } })) as {
    shareId: string;
  };
  const template = must(
    await bound.call(createRecordTemplate, {
      params: params(),
      body: { name: 'Kept', fields: { Name: 'from template', Secret: `${mark} kept` } } as never,
    }),
  );
  await make({ Name: 'before', State: 'shut', Secret: mark });
  while (!heard.some((text) => text.includes('before'))) await sleep(20);
  expect(heard.join('')).toContain(mark);

  await rules();
  heard = [];
  must(await change(shop.owner, records['three'] as string, { Secret: `${mark} after` }));
  const state = async () =>
    (must(await shop.owner.call(getWebhook, { params: { baseId, webhookId: webhook.id } })) as { state?: string })
      .state;
  while ((await state()) === 'on') await sleep(50);
  expect(heard.join('')).not.toContain(`${mark} after`);
  const run = async () =>
    JSON.stringify(must(await shop.owner.call(getAutomation, { params: { baseId, automationId: automation.id } })));
  while (!(await run()).includes('may not')) await sleep(50);
  const all = must(await shop.owner.call(listRecords, { params: params(), query: { take: 1000 } as never })).records;
  expect(all.some(({ name }) => String(name).includes(`${mark} after`))).toBe(false);
  for (const answer of [
    await bound.call(getWebhook, { params: { baseId, webhookId: webhook.id } }),
    await bound.call(listWebhookDeliveries, { params: { baseId, webhookId: webhook.id }, query: {} }),
    await bound.call(getAutomation, { params: { baseId, automationId: automation.id } }),
    await bound.call(disableShare, { params: { ...params(), viewId: view.id } }),
  ])
    expect([answer.status, JSON.stringify(answer.error)]).toEqual([403, expect.not.stringContaining(mark)]);
  // A share shows what it showed: those whom no rules bind decide about it.
  const visitor = caller({ baseUrl: world().baseUrl });
  const shown = must(await visitor(listShareRecords, { params: { shareId }, query: {} as never }));
  expect(shown.records.length).toBe(all.length);
  must(
    await shop.owner.call(setViewFilter, {
      params: { ...params(), viewId: view.id },
      body: { filter: when(at['Secret'], 'is', mark) },
    }),
  );
  expect(
    (await bound.call(setViewFilter, { params: { ...params(), viewId: view.id }, body: { filter: null } })).status,
  ).toBe(403);
  expect(
    (
      await visitor(submitShareForm, {
        params: shared,
        body: { fields: { [at['Name'] as string]: 'by a visitor' } } as never,
      })
    ).status,
  ).toBe(201);
  // Of a template they see what they see of records, and fill in what they may.
  const templates = must(await bound.call(listRecordTemplates, { params: params() }));
  expect(JSON.stringify(templates)).not.toContain(mark);
  expect(JSON.stringify(templates)).toContain('from template');
  const made = must(
    await bound.call(createRecordFromTemplate, {
      params: { ...params(), recordTemplateId: template.id },
      body: {} as never,
    }),
  ).records[0] as { id: string };
  const filled = must(
    await shop.owner.call(getRecord, { params: { ...params(), recordId: made.id }, query: { fieldKeyType: 'name' } }),
  );
  expect(filled.fields).toMatchObject({ Name: 'from template', State: 'open' });
  expect(filled.fields).not.toHaveProperty('Secret');
});

test('a request that is sent again under other rules is answered with what is seen by now, and nothing is written twice', async () => {
  await rules();
  const body = { fieldKeyType: 'name', records: [{ fields: { Name: 'once', State: 'open', Amount: 4711 } }] } as never;
  const send = () =>
    bound.call(createRecords, { params: params(), body, headers: { 'idempotency-key': 'bound-once' } } as never);
  const first = must(await send());
  expect(must(await send())).toEqual(first);
  const id = first.records[0]?.id;
  const again = async () => {
    const answer = await send();
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    return answer.body.records as unknown as { id: string; fields: object }[];
  };
  await rules({ fields: [at['Name'] as string, at['State'] as string] });
  expect(await again()).toMatchObject([{ id, fields: { Name: 'once', State: 'open' } }]);
  expect(JSON.stringify(await again())).not.toContain('4711');
  await rules();
  await change(shop.owner, id as string, { Amount: 4712 });
  expect(await again()).toMatchObject([{ id, fields: { Name: 'once', State: 'open', Amount: 4712 } }]);
  // Out of sight and gone are the same: they made it, so they know its id.
  await rules({ when: when(at['State'], 'is', 'nowhere') });
  const [unseen] = await again();
  expect(unseen).toMatchObject({ id, fields: {} });
  expect(JSON.stringify(unseen)).not.toContain('once');
  await rules();
  expect(
    (
      await bound.call(createRecords, {
        params: params(),
        body: { fieldKeyType: 'name', records: [{ fields: { Name: 'other' } }] },
        headers: { 'idempotency-key': 'bound-once' },
      } as never)
    ).status,
  ).toBe(409);
  const all = must(await shop.owner.call(listRecords, { params: params(), query: { take: 1000 } as never })).records;
  expect(all.filter(({ name }) => name === 'once')).toHaveLength(1);
});

test('copies of a base are for those whom no rules bind, and have no roles: who may copy all sees all of the copy', async () => {
  await rules();
  const { spaceId, baseId } = shop;
  expect(
    (await bound.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } as never })).status,
  ).toBe(403);
  const copy = must(
    await shop.owner.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } as never }),
  );
  expect(must(await shop.owner.call(listAuthorityRoles, { params: { baseId: copy.id } }))).toEqual([]);
  expect(must(await shop.owner.call(getAuthorityMatrix, { params: { baseId: copy.id } }))).toEqual([]);
  expect((await bound.call(listAuthorityRoles, { params: { baseId: copy.id } })).status).toBe(404);
});

test('a token, a narrow one, and a session of the same person see the same', async () => {
  await rules();
  const only = await bound.withToken({
    scopes: ['record|read', 'user|email_read'],
    hasFullAccess: true,
  });
  const inBase = await bound.withToken({ baseIds: [shop.baseId] });
  const list = async ({ call }: Pick<Person, 'call'>) =>
    must(await call(listRecords, { params: params(), query: {} })).records;
  const own = await list(bound);
  expect(own.length).toBeGreaterThan(0);
  expect(await list(only)).toEqual(own);
  expect(await list(inBase)).toEqual(own);
  const session = await bound.withSession();
  expect(await list({ call: session } as never)).toEqual(own);
  expect(
    (
      await only.call(createField, {
        params: params(),
        body: { type: 'formula', options: { expression: `{${at['Secret']}}` } } as never,
      })
    ).status,
  ).toBe(403);
  expect(
    (
      await bound.call(createField, {
        params: params(),
        body: { type: 'formula', options: { expression: `{${at['Secret']}}` } } as never,
      })
    ).status,
  ).toBe(403);
});

test('an ETag does not tell of changes that are not seen to somebody who is not told when records change', async () => {
  const recordId = await make({ Name: 'tagged', State: 'open', Amount: 1 });
  const tag = async (): Promise<string> => {
    const answer = await bound.call(getRecord, { params: { ...params(), recordId }, query: {} });
    expect(answer.status).toBe(200);
    return answer.headers.get('etag') ?? '';
  };
  const at412 = async (ifMatch: string) => {
    const { status, error, headers } = await change(bound, recordId, { Amount: 2 }, { 'if-match': ifMatch });
    return { status, error: JSON.stringify(error ?? null), etag: headers.get('etag') };
  };
  await rules({}, { recordFacts: false });
  const first = await tag();
  must(await change(shop.owner, recordId, { Secret: `${mark} changed` }));
  expect(await tag()).toBe(first);
  // Numbers of versions say how often it was changed, also when they are guessed.
  const guessed = [];
  for (let version = 1; version <= 4; version += 1)
    guessed.push(said(await change(bound, recordId, { Amount: 9 }, { 'if-match': `"${version}"` })));
  expect(new Set(guessed).size).toBe(1);
  expect(guessed[0]).toContain('[412');
  must(await change(shop.owner, recordId, { Secret: `${mark} again` }));
  expect(await at412(first)).toMatchObject({ status: 200, etag: null });
  expect(await tag()).not.toBe(first);
  expect((await at412(first)).status).toBe(412);
  // Of a record that is not seen it is as of none.
  const three = records['three'] as string;
  const unseen = await change(bound, three, { Amount: 2 }, { 'if-match': first });
  expect(said(unseen, three)).toBe(said(await change(bound, none, { Amount: 2 }, { 'if-match': first }), none));
  // Who is told facts has numbers.
  await rules();
  expect(await tag()).toMatch(/^"\d+"$/);
  expect((await at412(await tag())).status).toBe(200);
  expect((await at412('"1"')).status).toBe(412);
});
