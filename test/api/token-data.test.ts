// What a token sees is decided by the kind of data, and it reaches nothing beside what it was made for.
import { getAggregation, getGroupPoints, getRowCount, getSearchCount, getSearchIndex } from '@rowhouse/contract/aggregation.ts';
import { listRecordHistory } from '@rowhouse/contract/history.ts';
import { acceptInvitation, createSpaceLink } from '@rowhouse/contract/invitation.ts';
import { getUnreadCount, listNotifications, readAllNotifications } from '@rowhouse/contract/notification.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { createSpace, listSpaces } from '@rowhouse/contract/space.ts';
import { expect, test } from 'vitest';
import { person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { newSpace } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

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
  const ask = async (scopes: string[]): Promise<number> => (await (await owner.withToken({ hasFullAccess: true, scopes })).call(listRecordHistory, { params: { ...params, recordId } })).status;
  expect(await ask(['record|read'])).toBe(403);
  expect(await ask(['record|read', 'table_record_history|read'])).toBe(200);
});

test('a token for one base reads no notifications, accepts no invitation and makes no space', async () => {
  const { owner, baseId } = await openWorkshop(world());
  const host = await person(world());
  const { invitationId, invitationCode } = (await host.call(createSpaceLink, { params: { spaceId: await newSpace(host) }, body: { role: 'viewer' } })).body;
  const { call } = await owner.withToken({ baseIds: [baseId] });
  const before = (await owner.call(listSpaces)).body;
  expect((await call(listNotifications, { query: { notifyStates: 'unread' } })).status).toBe(403);
  expect((await call(getUnreadCount)).status).toBe(403);
  expect((await call(readAllNotifications)).status).toBe(403);
  expect((await call(acceptInvitation, { body: { invitationId, invitationCode } })).status).toBe(403);
  expect((await call(createSpace)).status).toBe(403);
  expect((await owner.call(listSpaces)).body).toEqual(before);
});
