// Changes of a table as they happen, over Server-Sent Events.
import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { deleteAccessToken } from '@rowhouse/contract/access-token.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type Ear, listen } from '../support/listen.ts';
import { openWorkshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
const eventsOf = (tableId: string, query = ''): string => `${world().baseUrl}/table/${tableId}/events${query}`;
const ready = (ear: Ear) => ear.until((event) => event.name === 'ready');

test('created, updated and deleted records, schema and view changes are heard in order', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const [name, count] = made.fields as unknown as [{ id: string }, { id: string }];
  const params = { tableId: made.id };
  const ear = await listen(eventsOf(made.id, '?values=true'), { token: owner.token });
  const plain = await listen(eventsOf(made.id), { token: owner.token });
  expect(ear.status).toBe(200);
  await Promise.all([ready(ear), ready(plain)]);

  const created = await owner.call(createRecords, {
    params,
    body: { records: [{ fields: { Name: 'a', Count: 1 } }, { fields: { Name: 'b' } }] },
  });
  const [a, b] = created.body.records as unknown as [{ id: string }, { id: string }];
  await owner.call(updateRecords, {
    params,
    body: {
      records: [
        { id: a.id, fields: { Count: 2 } },
        { id: b.id, fields: { Name: null } },
      ],
    },
  });
  await owner.call(deleteRecord, { params: { tableId: made.id, recordId: a.id } });
  await owner.call(createField, { params, body: { type: 'checkbox', name: 'Done' } });
  await owner.call(createView, { params, body: { type: 'grid', name: 'Mine' } });
  await Promise.all([ear, plain].map((one) => one.until((event) => event.name === 'view.changed')));

  for (const one of [ear, plain]) {
    expect(one.heard.map((event) => event.name)).toEqual([
      'ready',
      'records.created',
      'records.updated',
      'records.deleted',
      'schema.changed',
      'view.changed',
    ]);
    const ids = one.heard.map((event) => event.id as number);
    expect(ids).toEqual(ids.toSorted((x, y) => x - y));
  }
  expect(ear.heard[1]?.data).toMatchObject({
    tableId: made.id,
    by: owner.userId,
    recordIds: [a.id, b.id],
    operationId: created.headers.get('x-operation-id'),
  });
  expect(ear.heard[2]?.data).toMatchObject({
    recordIds: [a.id, b.id],
    fieldIds: expect.arrayContaining([name.id, count.id]),
  });
  expect(ear.heard[2]?.data.records).toEqual(
    expect.arrayContaining([
      { id: a.id, fields: { [count.id]: 2 } },
      { id: b.id, fields: { [name.id]: null } },
    ]),
  );
  expect(plain.heard[2]?.data.records).toBeUndefined();
  expect(ear.heard[3]?.data.recordIds).toEqual([a.id]);
  ear.close();
  plain.close();
});

test('records that change because another one did are told with their cause, and with their values as they are', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const [source, made] = [await table({ records: [] }), await table({ records: [] })];
  const [name, count] = made.fields as unknown as [{ id: string }, { id: string }];
  const { body } = await owner.call(createRecords, {
    params: { tableId: made.id },
    body: { records: [{ fields: { Name: 'a', Count: 1 } }, { fields: { Name: 'b' } }] },
  });
  const [a, b] = body.records as unknown as [{ id: string }, { id: string }];
  const [ear, plain] = [
    await listen(eventsOf(made.id, '?values=true'), { token: owner.token }),
    await listen(eventsOf(made.id), { token: owner.token }),
  ];
  await Promise.all([ready(ear), ready(plain)]);
  const write = await owner.call(createRecords, {
    params: { tableId: source.id },
    body: { records: [{ fields: { Name: 'cause' } }] },
  });
  const cause = write.headers.get('x-operation-id') as string;
  // What a link or a rollup leaves: one operation for each table that the change reaches.
  const caused = (publicId: string, recordIds: string[]) =>
    world().db.query(
      sql`insert into ${sql.id(baseId, '__operation')} (public_id, table_id, kind, actor, record_ids, field_ids, cause)
          select ${publicId}, ${made.id}, 'computed', ${owner.userId}, ${recordIds}::text[], ${[name.id, count.id]}::text[], id from ${sql.id(baseId, '__operation')} where public_id = ${cause}`,
    );
  await caused('oprComputed0000001', [a.id, b.id]);
  await caused('oprComputed0000002', []);
  const told = { tableId: made.id, by: owner.userId, cause, fieldIds: [name.id, count.id] };
  for (const one of [ear, plain]) {
    await one.until((event) => event.data.operationId === 'oprComputed0000002');
    expect(one.heard.map((event) => event.name)).toEqual(['ready', 'records.updated', 'records.updated']);
    expect(one.heard[1]?.data).toMatchObject({ ...told, operationId: 'oprComputed0000001', recordIds: [a.id, b.id] });
    expect(one.heard[2]?.data).toMatchObject({ ...told, recordIds: [], recordsOmitted: true });
  }
  expect(ear.heard[1]?.data.records).toEqual([
    { id: a.id, fields: { [name.id]: 'a', [count.id]: 1 } },
    { id: b.id, fields: { [name.id]: 'b', [count.id]: null } },
  ]);
  expect(plain.heard[1]?.data.records).toBeUndefined();
  ear.close();
  plain.close();
});

test('a listener that comes back with the last id hears what it missed, once', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const params = { tableId: made.id };
  const first = await listen(eventsOf(made.id), { token: owner.token });
  await ready(first);
  first.close();
  for (const Name of ['a', 'b', 'c'])
    await owner.call(createRecords, { params, body: { records: [{ fields: { Name } }] } });
  const second = await listen(eventsOf(made.id, '?values=true'), { token: owner.token, lastEventId: first.lastId() });
  await second.until(
    (event) => event.name === 'records.created' && event.data.records[0].fields[made.fields[0]?.id as string] === 'c',
  );
  expect(second.heard.map((event) => event.name)).toEqual([
    'ready',
    'records.created',
    'records.created',
    'records.created',
  ]);
  const third = await listen(eventsOf(made.id, `?lastEventId=${second.heard[2]?.id}`), { token: owner.token });
  await third.until((event) => event.id === second.heard[3]?.id);
  expect(third.heard.map((event) => event.name)).toEqual(['ready', 'records.created']);
  second.close();
  third.close();
});

test('a position that was never given, or is too old, is answered with reload', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const made = await table();
  const ahead = await listen(eventsOf(made.id), { token: owner.token, lastEventId: 999_999 });
  await ahead.until((event) => event.name === 'reload');
  ahead.close();
  await owner.call(createRecords, { params: { tableId: made.id }, body: { records: [{ fields: {} }] } });
  const now = await listen(eventsOf(made.id), { token: owner.token });
  await ready(now);
  await world().db.query(sql`update ${sql.id(baseId, '__feed_entry')} set time = now() - interval '20 minutes'`);
  await owner.call(createRecords, { params: { tableId: made.id }, body: { records: [{ fields: {} }] } });
  await now.until((event) => event.name === 'records.created');
  now.close();
  const old = await listen(eventsOf(made.id), { token: owner.token, lastEventId: 0 });
  const reload = await old.until((event) => event.name === 'reload');
  expect(reload.id).toBe(now.lastId());
  old.close();
});

test('strangers are refused as everywhere else', async () => {
  const { owner, table } = await openWorkshop(world());
  const other = await openWorkshop(world());
  const made = await table();
  expect((await listen(eventsOf(made.id))).status).toBe(401);
  expect((await listen(eventsOf(made.id), { token: other.owner.token })).status).toBe(404);
  const limited = await owner.withToken({ scopes: ['table|read'], hasFullAccess: true });
  expect((await listen(eventsOf(made.id), { token: limited.token })).status).toBe(403);
  expect((await listen(eventsOf(made.id, '?values=perhaps'), { token: owner.token })).status).toBe(400);
  const session = await listen(eventsOf(made.id), { cookie: await owner.cookie() });
  await ready(session);
  session.close();
});

test('the stream ends with the role, the token or the table, and nothing is heard afterwards', async () => {
  const { owner, spaceId, baseId, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const reader = await member(world(), owner, spaceId, 'viewer');
  const extra = await reader.withToken({ hasFullAccess: true });
  const byToken = await listen(eventsOf(made.id), { token: extra.token });
  const byRole = await listen(eventsOf(made.id), { token: reader.token });
  const byTable = await listen(eventsOf(made.id), { token: owner.token });
  await Promise.all([byToken, byRole, byTable].map(ready));

  expect((await reader.call(deleteAccessToken, { params: { accessTokenId: extra.id } as never })).status).toBe(200);
  await byToken.ended;
  expect(byToken.heard.at(-1)?.name).toBe('end');

  expect(
    (
      await owner.call(updateSpaceCollaborator, {
        params: { spaceId },
        body: { principalId: reader.userId, principalType: 'user', role: 'editor' },
      })
    ).status,
  ).toBe(200);
  await owner.call(createRecords, { params: { tableId: made.id }, body: { records: [{ fields: { Name: 'seen' } }] } });
  await byRole.until((event) => event.name === 'records.created');
  expect(
    (
      await owner.call(removeSpaceCollaborator, {
        params: { spaceId },
        query: { principalId: reader.userId, principalType: 'user' },
      })
    ).status,
  ).toBe(200);
  await owner.call(createRecords, {
    params: { tableId: made.id },
    body: { records: [{ fields: { Name: 'secret' } }] },
  });
  await byRole.ended;
  expect(byRole.heard.map((event) => event.name)).toEqual(['ready', 'records.created', 'end']);

  await owner.call(deleteTable, { params: { baseId, tableId: made.id } });
  await byTable.ended;
  expect(byTable.heard.at(-1)).toMatchObject({ name: 'end' });
});

test('what is written through one process is heard through another', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const second = await openWorld(world().databaseUrl);
  try {
    const ear = await listen(`${second.baseUrl}/table/${made.id}/events`, { token: owner.token });
    await ready(ear);
    const created = await owner.call(createRecords, {
      params: { tableId: made.id },
      body: { records: [{ fields: { Name: 'x' } }] },
    });
    const heard = await ear.until((event) => event.name === 'records.created');
    expect(heard.data.recordIds).toEqual([created.body.records[0]?.id]);
    await second.close();
    await ear.ended;
  } finally {
    await second.close().catch(() => undefined);
  }
});

test('everything that is committed after the headers of a stream is heard', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const params = { tableId: made.id };
  const write = () => owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'x' } }] } });
  // Something that the feed has not taken up yet, and anyone who wants to has to wait.
  await write();
  const holder = await world().db.dedicated();
  await holder.query('begin');
  await holder.query(`select from "${baseId}".__feed for update`);
  const opening = listen(eventsOf(made.id), { token: owner.token });
  const early = await Promise.race([
    opening,
    new Promise<undefined>((passed) => setTimeout(() => passed(undefined), 500)),
  ]);
  if (early === undefined) await holder.query('commit');
  const ear = await opening;
  const { headers } = await write();
  if (early !== undefined) await holder.query('commit');
  await holder.end();
  await ear.until(({ data }) => data.operationId === headers.get('x-operation-id'));
  expect(ear.heard.map(({ name }) => name)).toEqual(['ready', 'records.created']);
  ear.close();
});
