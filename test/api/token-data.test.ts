// What a token sees is decided by the kind of data, and it reaches nothing beside what it was made for.
import { listBases } from '@rowhouse/contract/base.ts';
import {
  getAggregation,
  getGroupPoints,
  getRowCount,
  getSearchCount,
  getSearchIndex,
} from '@rowhouse/contract/aggregation.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import { acceptInvitation, createSpaceLink } from '@rowhouse/contract/invitation.ts';
import { getUnreadCount, listNotifications, readAllNotifications } from '@rowhouse/contract/notification.ts';
import {
  createRecords,
  deleteRecord,
  deleteRecords,
  duplicateRecord,
  getRecord,
  listRecords,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { createSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { application, tokensFor } from '../support/oauth.ts';
import { person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { newBase, newSpace } from '../support/workspace.ts';
import { caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

test('statistics, groups and searches show cells, so they take the scope to read records', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({});
  const params = { tableId: made.id };
  const fieldId = made.fields[0]?.id as string;
  const search = { search: ['a', fieldId, 'true'] };
  const ask = async (scopes: string[]): Promise<number[]> => {
    const { call } = await owner.withToken({ hasFullAccess: true, scopes });
    return [
      (await call(getAggregation, { params, query: { 'field[unique]': [fieldId] } })).status,
      (await call(getRowCount, { params })).status,
      (await call(getGroupPoints, { params, query: { groupBy: JSON.stringify([{ fieldId, order: 'asc' }]) } })).status,
      (await call(getSearchCount, { params, query: search })).status,
      (await call(getSearchIndex, { params, query: search })).status,
    ];
  };
  expect(await ask(['table|read', 'field|read', 'view|read'])).toEqual([403, 403, 403, 403, 403]);
  expect(await ask(['record|read'])).toEqual([200, 200, 200, 200, 200]);
});

test('the history of a record takes its own scope, and no more than to see the record of a person', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({});
  const params = { tableId: made.id };
  const recordId = (await owner.call(listRecords, { params })).body.records[0]?.id as string;
  const ask = async (scopes: string[]): Promise<number> =>
    (
      await (
        await owner.withToken({ hasFullAccess: true, scopes })
      ).call(listRecordHistory, { params: { ...params, recordId } })
    ).status;
  expect(await ask(['record|read'])).toBe(403);
  expect(await ask(['record|read', 'table_record_history|read'])).toBe(200);
});

test('a token for one base reads no notifications, accepts no invitation and makes no space', async () => {
  const { owner, baseId } = await openWorkshop(world());
  const host = await person(world());
  const { invitationId, invitationCode } = (
    await host.call(createSpaceLink, { params: { spaceId: await newSpace(host) }, body: { role: 'viewer' } })
  ).body;
  const { call } = await owner.withToken({ baseIds: [baseId] });
  const before = (await owner.call(listSpaces)).body;
  expect((await call(listNotifications, { query: { notifyStates: 'unread' } })).status).toBe(403);
  expect((await call(getUnreadCount)).status).toBe(403);
  expect((await call(readAllNotifications)).status).toBe(403);
  expect((await call(acceptInvitation, { body: { invitationId, invitationCode } })).status).toBe(403);
  expect((await call(createSpace)).status).toBe(403);
  expect((await owner.call(listSpaces)).body).toEqual(before);
});

test('a token that may write records and not read them sees of them what it sent', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Secret', type: 'singleLineText' },
    ],
    records: [{ fields: { Name: 'a', Secret: 'hidden' } }, { fields: { Name: 'b', Secret: 'hidden' } }],
  });
  const params = { tableId: made.id };
  /** Without what may be done with the records. */
  const shown = (body: unknown): unknown =>
    JSON.parse(
      JSON.stringify(body, (key, value: unknown) =>
        key === 'permissions' || key === 'undeletable' ? undefined : value,
      ),
    );
  const [one, two] = (await owner.call(listRecords, { params })).body.records.map(({ id }) => id) as [string, string];
  const withScope = async (scope: string) => (await owner.withToken({ hasFullAccess: true, scopes: [scope] })).call;
  const [create, update, remove, both] = [
    await withScope('record|create'),
    await withScope('record|update'),
    await withScope('record|delete'),
    (await owner.withToken({ hasFullAccess: true, scopes: ['record|update', 'record|read'] })).call,
  ];
  expect(
    shown(
      (await create(createRecords, { params, body: { records: [{ fields: { Name: 'c' } }, { fields: {} }] } })).body,
    ),
  ).toEqual({
    records: [
      { id: expect.any(String), fields: { Name: 'c' } },
      { id: expect.any(String), fields: {} },
    ],
    extra: { groupPoints: [] },
  });
  expect(
    shown(
      (
        await update(updateRecord, {
          params: { ...params, recordId: one },
          body: { record: { fields: { Name: 'd' } } },
        })
      ).body,
    ),
  ).toEqual({ id: one, fields: { Name: 'd' } });
  expect(
    shown(
      (
        await update(updateRecords, {
          params,
          body: {
            records: [
              { id: two, fields: { Name: 'e' } },
              { id: one, fields: {} },
            ],
          },
        })
      ).body,
    ),
  ).toEqual([
    { id: two, fields: { Name: 'e' } },
    { id: one, fields: {} },
  ]);
  expect(
    (await both(updateRecord, { params: { ...params, recordId: one }, body: { record: { fields: { Name: 'f' } } } }))
      .body,
  ).toMatchObject({ id: one, fields: { Name: 'f', Secret: 'hidden' } });
  expect(shown((await create(duplicateRecord, { params: { ...params, recordId: one } })).body)).toEqual({
    records: [{ id: expect.any(String), fields: {} }],
  });
  expect(shown((await remove(deleteRecord, { params: { ...params, recordId: one } })).body)).toEqual({
    id: one,
    fields: {},
  });
  expect(shown((await remove(deleteRecords, { params, query: { recordIds: [two] } })).body)).toEqual({
    records: [{ id: two, fields: {} }],
  });
});

test('e-mail addresses in cells, histories and groups take user|email_read, and cells that are called so do not', async () => {
  const { owner, table } = await openWorkshop(world());
  const made = await table({
    fields: [
      { name: 'email', type: 'singleLineText' },
      { name: 'id', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
    ],
    records: [],
  });
  const params = { tableId: made.id };
  const field = made.fields.find(({ name }) => name === 'Owner')?.id as string;
  const fields = { email: 'somebody@example.org', id: owner.userId, Owner: { id: owner.userId, title: 'Owner' } };
  const recordId = (await owner.call(createRecords, { params, body: { records: [{ fields }] } })).body.records[0]
    ?.id as string;
  await owner.call(updateRecord, { params: { ...params, recordId }, body: { record: { fields: { Owner: null } } } });
  await owner.call(updateRecord, {
    params: { ...params, recordId },
    body: { record: { fields: { Owner: fields.Owner } } },
  });
  const ask = async (scopes: string[]): Promise<string[]> => {
    const { call } = await owner.withToken({ hasFullAccess: true, scopes });
    const answers = [
      await call(getRecord, { params: { ...params, recordId } }),
      await call(listRecords, { params }),
      await call(listRecordHistory, { params: { ...params, recordId } }),
      await call(getGroupPoints, { params, query: { groupBy: JSON.stringify([{ fieldId: field, order: 'asc' }]) } }),
      await call(updateRecord, {
        params: { ...params, recordId },
        body: { record: { fields: { email: 'somebody@example.org' } } },
      }),
    ];
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(answers[0]?.body).toMatchObject({
      fields: { email: 'somebody@example.org', id: owner.userId, Owner: { id: owner.userId } },
    });
    return answers.map(({ body }) => (JSON.stringify(body).includes(owner.email) ? 'shown' : 'hidden'));
  };
  const scopes = ['record|read', 'record|update', 'table_record_history|read'];
  expect(await ask(scopes)).toEqual(['hidden', 'hidden', 'hidden', 'hidden', 'hidden']);
  expect(await ask([...scopes, 'user|email_read'])).toEqual(['shown', 'shown', 'shown', 'shown', 'shown']);
});

test('an application that was allowed to list bases sees those of its user, and none without that', async () => {
  const owner = await person(world());
  const baseId = await newBase(owner, await newSpace(owner));
  const stranger = await person(world());
  await newBase(stranger, await newSpace(stranger));
  const ask = async (scopes: string[]) => {
    const { access_token: token } = (await tokensFor(world(), owner, await application(owner, { scopes }))) as {
      access_token: string;
    };
    return caller({ baseUrl: world().baseUrl, token })(listBases);
  };
  expect((await ask(['record|read'])).status).toBe(403);
  expect((await ask(['base|read_all'])).body.map(({ id }) => id)).toEqual([baseId]);
});
