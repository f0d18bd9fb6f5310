// What a token has no scope for is in no answer. This walks what shows cells or people; `npm run proof -- scopes` walks every endpoint with every scope alone, with
// every scope but one, and with tokens for one base.
import { updateAccessToken } from '@rowhouse/contract/access-token.ts';
import { removeBaseCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { convertField, createField, getField } from '@rowhouse/contract/field.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { createRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '../support/access-cells.ts';
import { inBatches, send } from '../support/access-request.ts';
import { openTenant, type Tenant } from '../support/access-tenant.ts';
import { type Aviary, inCells, inDefinitions, openAviary } from '../support/aviary.ts';
import {
  addressesIn,
  allBut,
  callHidden,
  type Hidden,
  hiddenFrom,
  isDefining,
  telling,
  visits,
} from '../support/canary-walk.ts';
import { cases } from '../support/cases.ts';
import { listen } from '../support/listen.ts';
import { plansWith } from '../support/plans.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  {
    plans: plansWith({
      free: {
        userGroupEnable: true,
        automationEnable: true,
        advancedPermissionsEnable: true,
        auditLogEnable: true,
        adminPanelEnable: true,
      },
    }),
  },
);

let tenant: Tenant;
let aviary: Aviary;
let addresses: string[];
beforeAll(async () => {
  tenant = await openTenant(world());
  aviary = await openAviary(world(), tenant);
  addresses = await addressesIn(world());
});

const walk = async (token: string, label: string, hidden: Hidden, through = telling): Promise<string[]> => {
  const slips: string[] = [];
  await inBatches(through, async (endpoint) => {
    slips.push(...(await callHidden(world(), tenant, aviary, endpoint, { token, label, hidden })).slips);
  });
  return slips;
};

const withScopes = (...scopes: Parameters<typeof allBut>) => tenant.owner.withToken({ hasFullAccess: true, scopes });

test('without record|read and user|email_read no answer shows a cell or an address; with all scopes there is something to see', async () => {
  const scopes = allBut('record|read', 'user|email_read');
  const { token } = await withScopes(...scopes);
  expect(await walk(token, 'all but both', hiddenFrom(scopes, aviary, addresses))).toEqual([]);
  const seen = await walk(tenant.owner.token, 'all', hiddenFrom([], aviary, addresses));
  for (const what of ['cell', 'address', 'share link']) {
    const shown = new Set(seen.filter((slip) => slip.includes(`hidden ${what}`)).map((slip) => slip.split(' ')[0]));
    expect(shown.size, what).toBeGreaterThan(what === 'share link' ? 1 : 15);
    if (what === 'cell')
      for (const name of ['getAutomationRun', 'testAutomation', 'getWebhookDelivery']) expect(shown).toContain(name);
  }
});

test('without user|email_read cells show people without their addresses', async () => {
  const scopes = allBut('user|email_read');
  const { token } = await withScopes(...scopes);
  // The walk above hides addresses at every endpoint; here cells are shown, so that those that show cells are enough.
  const some = cases(
    telling,
    telling.filter(({ access }, at) => JSON.stringify(access).includes('record|') || at % 3 === 0),
  );
  expect(await walk(token, 'all but addresses', hiddenFrom(scopes, aviary, addresses), some)).toEqual([]);
});

test('without a scope for tables, fields and views no answer shows a choice that no cell has, nor a description', async () => {
  const scopes = actions.filter((scope) => !isDefining(scope));
  const { token } = await withScopes(...scopes);
  expect(await walk(token, 'records alone', hiddenFrom(scopes, aviary, addresses))).toEqual([]);
  const reading = telling.filter(({ method }) => method === 'GET');
  const seen = await walk(tenant.owner.token, 'all', { definition: [inDefinitions] }, reading);
  expect(new Set(seen.map((slip) => slip.split(' ')[0])).size).toBeGreaterThan(5);
});

test('visitors of a share see no address, in a field called "fields" as little as in headers of groups', async () => {
  const slips: string[] = [];
  let seen = 0;
  for (const [name, request] of visits(aviary)) {
    const answer = await send(
      world(),
      endpoints.find((endpoint) => endpoint.name === name) as (typeof endpoints)[number],
      request,
      {},
    );
    expect(answer.status, `${name} ${answer.text}`).toBe(200);
    if (answer.text.includes(tenant.owner.name)) seen += 1;
    if (addresses.some((address) => answer.text.includes(address))) slips.push(`${name}: ${answer.text.slice(0, 300)}`);
  }
  expect(slips).toEqual([]);
  expect(seen).toBeGreaterThan(2);
});

test('texts of cells become choices only for those who may read them', async () => {
  const params = { tableId: aviary.things.tableId };
  const made = await tenant.owner.call(createField, {
    params,
    body: { name: 'Becomes choices', type: 'singleLineText' },
  });
  const convert = { params: { ...params, fieldId: made.body.id }, body: { type: 'singleSelect' as const } };
  await tenant.owner.call(updateRecord, {
    params: { ...params, recordId: aviary.things.siblingRecordId },
    body: { record: { fields: { 'Becomes choices': `${inCells} choice` } } },
  });
  const { call } = await withScopes(...allBut('record|read'));
  expect((await call(convertField, convert)).status).toBe(403);
  expect(JSON.stringify((await call(getField, { params: convert.params })).body)).not.toContain(inCells);
  expect((await tenant.owner.call(convertField, convert)).status).toBe(200);
});

test('somebody who has lost the base is not told the titles of its records any more, nor by an e-mail that waits', async () => {
  const { owner } = tenant;
  const { baseId, tableId, recordId } = aviary.things;
  const leaver = await member(world(), owner, baseId, 'viewer');
  const told = async (): Promise<string[]> =>
    (await leaver.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications
      .filter(({ notifyType }) => notifyType === 'comment')
      .map(({ message }) => message);
  await owner.call(createComment, {
    params: { tableId, recordId },
    body: { content: [{ type: 'p', children: [{ type: 'mention', value: leaver.userId }] }] },
  });
  await expect.poll(told).toEqual([expect.stringContaining(inCells)]);
  await owner.call(removeBaseCollaborator, {
    params: { baseId },
    query: { principalId: leaver.userId, principalType: 'user' },
  });
  expect(await told()).toEqual([`${owner.name} wrote a comment for you`]);
  const ear = await listen(`${world().baseUrl}/notifications/events`, { token: leaver.token, lastEventId: 0 });
  await ear.until(({ name }) => name === 'notification.unread');
  expect(JSON.stringify(ear.heard)).not.toContain(inCells);
  ear.close();
});

test('events have no values for those who may not see addresses, and none any more when a token loses that scope', async () => {
  const { tableId, recordId } = aviary.things;
  const { token, id } = await withScopes('record|read', 'user|email_read');
  const ear = await listen(`${world().baseUrl}/table/${tableId}/events?values=true`, { token });
  const name = async (people: { id: string; title: string } | null): Promise<string> => {
    const updated = await tenant.owner.call(updateRecord, {
      params: { tableId, recordId },
      body: { record: { fields: { fields: people } } },
    });
    return JSON.stringify(await ear.until(({ data }) => data.operationId === updated.headers.get('x-operation-id')));
  };
  await name(null);
  expect(await name({ id: tenant.owner.userId, title: '' })).toContain(tenant.owner.email);
  await tenant.owner.call(updateAccessToken, {
    params: { accessTokenId: id },
    body: { name: 'less', scopes: ['record|read'] },
  });
  await name(null);
  expect(await name({ id: tenant.owner.userId, title: '' })).not.toContain(tenant.owner.email);
  ear.close();
});

test('the first answer to an Idempotency-Key is not given to the token when it sees less by then', async () => {
  const { tableId } = aviary.things;
  const { call, id } = await withScopes('record|create', 'record|read', 'user|email_read');
  const request = {
    params: { tableId },
    headers: { 'idempotency-key': 'canary' },
    body: { records: [{ fields: { Nest: [{ id: aviary.linkedId }] } }] },
  };
  const first = await call(createRecords, request);
  expect(JSON.stringify(first.body)).toContain(inCells);
  expect((await call(createRecords, request)).body).toEqual(first.body);
  await tenant.owner.call(updateAccessToken, {
    params: { accessTokenId: id },
    body: { name: 'less', scopes: ['record|create'] },
  });
  const again = await call(createRecords, request);
  expect(again.status).toBe(201);
  expect(again.body.records.map(({ id, fields }) => ({ id, fields }))).toEqual([
    { id: first.body.records[0]?.id, fields: {} },
  ]);
  expect(JSON.stringify([again.body, again.error])).not.toContain(inCells);
});
