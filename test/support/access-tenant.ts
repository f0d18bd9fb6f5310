// A tenant of the access walk: a person with a space and one of everything in it, all of which carry a name that must
// never show up in the answer to somebody who may not see it.
import { setTimeout } from 'node:timers/promises';
import { createBase } from '@rowhouse/contract/base.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { newId, randomText } from '@rowhouse/contract/id.ts';
import { createBaseLink, createSpaceLink } from '@rowhouse/contract/invitation.ts';
import { createAuthorityRole } from '@rowhouse/contract/authority-matrix.ts';
import { createGroup } from '@rowhouse/contract/group.ts';
import { createDashboard, createDashboardItem } from '@rowhouse/contract/dashboard.ts';
import { createFolder } from '@rowhouse/contract/node.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { updateRecord } from '@rowhouse/contract/record.ts';
import { createRecordTemplate } from '@rowhouse/contract/record-template.ts';
import { createTable, deleteTable } from '@rowhouse/contract/table.ts';
import { activateAutomation, createAutomation } from '@rowhouse/contract/automation.ts';
import { createWebhook, testWebhook } from '@rowhouse/contract/webhook.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { addJob, requestCancel } from '../../server/work/job.sql.ts';
import { application, authorizeUrl, callback, tokensFor, visit } from './oauth.ts';
import { type Person, person } from './people.ts';
import { give, member, newBase, newSpace } from './workspace.ts';
import type { World } from './world.ts';

export const canary = 'Canary';

/** Where things stand. A path may name several of them, so they are swapped apart from what stands in them. */
interface Containers {
  spaceId: string;
  baseId: string;
  tableId: string;
}

/** An automation as Teable's clients name it. */
export const nodesOf = (automationId: string): { workflowId: string; triggerId: string } => ({
  workflowId: automationId,
  triggerId: `wtr${automationId.slice(3)}`,
});

/** What stands in them, or belongs to the tenant. */
interface Belongings {
  otherSpaceId: string;
  siblingBaseId: string;
  siblingTableId: string;
  nodeId: string;
  folderId: string;
  dashboardId: string;
  itemId: string;
  fieldId: string;
  siblingFieldId: string;
  viewId: string;
  siblingViewId: string;
  recordId: string;
  siblingRecordId: string;
  operationId: string;
  commentId: string;
  recordTemplateId: string;
  webhookId: string;
  deliveryId: string;
  automationId: string;
  /** The same, and its nodes, as Teable's clients name them. */
  workflowId: string;
  triggerId: string;
  actionId: string;
  logicId: string;
  testedNodeId: string;
  trashId: string;
  memberId: string;
  groupId: string;
  authorityMatrixRoleId: string;
  baseMemberId: string;
  invitationId: string;
  baseInvitationId: string;
  accessTokenId: string;
  clientId: string;
  secretId: string;
  transactionId: string;
  /** Of a device that nobody has. */
  userCode: string;
  notificationId: string;
  jobId: string;
}

/** What anyone may name: a user without a role, an address, a link that was handed out, the secret of an application. */
interface Handouts {
  personId: string;
  email: string;
  password: string;
  newPassword: string;
  openInvitationId: string;
  openInvitationCode: string;
  clientSecret: string;
  code: string;
  /** Whatever it shows, it shows to everyone. */
  shareId: string;
}

export interface Things extends Containers, Belongings, Handouts {}

export interface Tenant {
  owner: Person;
  things: Things;
}

const aDayFromNow = Date.now() + 86_400_000;

/** The same whenever it is asked for: requests that are compared must not differ by a millisecond. */
export const tomorrow = (): Date => new Date(aDayFromNow);

/** Gives everything of a tenant a name that carries its mark. */
type Naming = (what: string) => string;

const naming =
  (mark: string): Naming =>
  (what) =>
    `${mark} ${what}`;

const must = <T>(outcome: { status: number; body: T; error: unknown }): T => {
  if (outcome.status >= 400) throw new Error(`set-up failed: ${JSON.stringify(outcome.error)}`);
  return outcome.body;
};

/** A token of the tenant that no other token would exceed. */
export const smallToken = async (owner: Person, name = naming(canary)): Promise<string> =>
  (await owner.withToken({ name: name('token'), scopes: ['user|email_read'], expiredTime: tomorrow() })).id;

/** A request of an application that waits for the decision of the user. */
export const pendingTransaction = async (world: World, user: Person, clientId: string): Promise<string> => {
  const url = authorizeUrl(world, { response_type: 'code', client_id: clientId, redirect_uri: callback, state: 'x' });
  const hop = await visit(world, url, await user.cookie());
  return hop.location.searchParams.get('transaction_id') ?? '';
};

const filledTable = async (owner: Person, baseId: string, name: Naming) =>
  must(
    await owner.call(createTable, {
      params: { baseId },
      body: {
        name: name('table'),
        fields: [
          { type: 'singleLineText', name: name('field') },
          { type: 'number', name: name('number') },
        ],
        records: [{ fields: { [name('field')]: name('cell') } }, { fields: {} }],
      },
    }),
  );

/** One that nobody works on. */
export const endedImport = async (
  { services: { db } }: World,
  { baseId, tableId }: { baseId: string; tableId: string },
): Promise<string> => {
  const id = await addJob(db, {
    kind: 'import-records',
    baseId,
    payload: { baseId, tableId, token: 'none', actions: ['table|import', 'record|create'] },
    delay: 3_600,
  });
  await requestCancel(db, id);
  return id;
};

export const waitingJob = ({ services }: World, baseId: string): Promise<string> =>
  addJob(services.db, { kind: 'none', baseId, delay: 3_600 });

/** A table with records, two views, history, and a sibling. */
export const standingTable = async (owner: Person, baseId: string, name = naming(canary)) => {
  const { call } = owner;
  const table = await filledTable(owner, baseId, name);
  const tableId = table.id;
  const sibling = must(await call(createTable, { params: { baseId }, body: { name: name('sibling') } }));
  const view = must(await call(createView, { params: { tableId }, body: { type: 'grid', name: name('view') } }));
  const [first, second] = table.records;
  const recordId = first?.id ?? '';
  const updated = await call(updateRecord, {
    params: { tableId, recordId },
    body: { record: { fields: { [name('number')]: 7 } } },
  });
  must(updated);
  const comment = must(
    await call(createComment, {
      params: { tableId, recordId },
      body: { content: [{ type: 'p', children: [{ type: 'span', value: name('comment') }] }] },
    }),
  );
  const template = must(
    await call(createRecordTemplate, {
      params: { tableId },
      body: { name: name('template'), recordId, fields: { [name('number')]: 8 } },
    }),
  );
  const webhook = must(
    await call(createWebhook, {
      params: { baseId },
      body: { name: name('webhook'), url: 'https://receiver.invalid/', events: ['table.changed'] },
    }),
  );
  const delivery = must(await call(testWebhook, { params: { baseId, webhookId: webhook.id } }));
  const [actionId, logicId] = [newId('wac'), newId('wde')];
  const automation = must(
    await call(createAutomation, {
      params: { baseId },
      body: {
        name: name('automation'),
        trigger: { type: 'schedule', cron: '0 0 1 1 *', timeZone: 'UTC' },
        steps: [
          { type: 'notify', id: actionId, userIds: 'usrNobody', message: name('message') },
          { type: 'if', id: logicId, condition: { formula: '1 = 1' }, then: [] },
        ],
      },
    }),
  );
  must(await call(activateAutomation, { params: { baseId, automationId: automation.id } }));
  const dashboard = must(await call(createDashboard, { params: { baseId }, body: { name: name('dashboard') } }));
  const item = must(
    await call(createDashboardItem, {
      params: { baseId, dashboardId: dashboard.id },
      body: { name: name('chart'), chart: { type: 'records', tableId } },
    }),
  );
  return {
    automationId: automation.id,
    ...nodesOf(automation.id),
    actionId,
    logicId,
    dashboardId: dashboard.id,
    itemId: item.id,
    testedNodeId: actionId,
    tableId,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    siblingTableId: sibling.id,
    nodeId: `bno${tableId.slice(3)}`,
    folderId: must(await call(createFolder, { params: { baseId }, body: { name: name('folder') } })).id,
    fieldId: table.fields[1]?.id ?? '',
    siblingFieldId: table.fields[0]?.id ?? '',
    viewId: view.id,
    siblingViewId: table.defaultViewId ?? '',
    recordId,
    siblingRecordId: second?.id ?? '',
    operationId: updated.headers.get('x-operation-id') ?? '',
    commentId: comment.id,
    recordTemplateId: template.id,
  };
};

/** Waits until the tenant has been told something. */
const firstNotification = async ({ call }: Person): Promise<string> => {
  for (;;) {
    const { notifications } = must(await call(listNotifications, { query: { notifyStates: 'unread' } }));
    if (notifications[0] !== undefined) return notifications[0].id;
    await setTimeout(50);
  }
};

/** The id of a table in the trash, as restoring takes it. */
export const trashedTable = async (
  owner: Person,
  baseId: string,
  name = naming(canary),
): Promise<{ tableId: string; trashId: string }> => {
  const { id } = must(await owner.call(createTable, { params: { baseId }, body: { name: name('trashed') } }));
  must(await owner.call(deleteTable, { params: { baseId, tableId: id } }));
  return { tableId: id, trashId: `tra${id.slice(3)}` };
};

const credentials = async (world: World, owner: Person, name: Naming) => {
  const allowed = await application(owner);
  await tokensFor(world, owner, allowed);
  const asking = await application(owner);
  return {
    accessTokenId: await smallToken(owner, name),
    clientId: allowed.clientId,
    secretId: allowed.secretId,
    clientSecret: allowed.secret,
    userCode: 'BCDF-GHJK',
    transactionId: await pendingTransaction(world, owner, asking.clientId),
  };
};

export const openTenant = async (world: World, mark = canary): Promise<Tenant> => {
  const name = naming(mark);
  const owner = await person(world, { name: name('owner') });
  const { call } = owner;
  const spaceId = await newSpace(owner, name('space'));
  const baseId = must(await call(createBase, { body: { spaceId, name: name('base') } })).id;
  const lobby = await person(world);
  const lobbySpaceId = await newSpace(lobby);
  const open = must(await lobby.call(createSpaceLink, { params: { spaceId: lobbySpaceId }, body: { role: 'viewer' } }));
  await give(lobby, lobbySpaceId, owner, 'viewer');
  const standing = await standingTable(owner, baseId, name);
  const role = must(
    await call(createAuthorityRole, {
      params: { baseId },
      body: { name: name('role'), tables: [{ tableId: standing.tableId }] },
    }),
  );
  return {
    owner,
    things: {
      spaceId,
      baseId,
      otherSpaceId: await newSpace(owner, name('other space')),
      siblingBaseId: await newBase(owner, spaceId, name('sibling base')),
      ...standing,
      authorityMatrixRoleId: role.id,
      trashId: (await trashedTable(owner, baseId, name)).trashId,
      memberId: (await member(world, owner, spaceId, 'viewer')).userId,
      groupId: must(await call(createGroup, { params: { spaceId }, body: { name: name('group') } })).id,
      baseMemberId: (await member(world, owner, baseId, 'viewer')).userId,
      invitationId: must(await call(createSpaceLink, { params: { spaceId }, body: { role: 'viewer' } })).invitationId,
      baseInvitationId: must(await call(createBaseLink, { params: { baseId }, body: { role: 'viewer' } })).invitationId,
      ...(await credentials(world, owner, name)),
      notificationId: await firstNotification(owner),
      jobId: await waitingJob(world, baseId),
      personId: lobby.userId,
      email: owner.email,
      password: owner.password,
      newPassword: 'correct horse 2',
      openInvitationId: open.invitationId,
      openInvitationCode: open.invitationCode,
      code: 'none',
      shareId: 'none',
    },
  };
};

type Prefix = Parameters<typeof newId>[0];

/** The same form, but of nothing that exists. */
export const unknown = (id: string): string => {
  if (id.length === 32) return randomText(32);
  if (id.startsWith('msg_')) return `msg_${randomText(id.length - 'msg_'.length)}`;
  return id.startsWith('rtr') ? `rtr${randomText(16)}1` : newId(id.slice(0, 3) as Prefix);
};

const containerKeys = ['spaceId', 'baseId', 'tableId'] as const;
const handoutKeys = [
  'personId',
  'email',
  'password',
  'newPassword',
  'openInvitationId',
  'openInvitationCode',
  'clientSecret',
  'code',
  'shareId',
] as const satisfies (keyof Handouts)[];

const isBelonging = (key: string): boolean => ![...containerKeys, ...handoutKeys].includes(key as never);

const swap = (things: Things, change: (key: keyof Things, value: string) => string): Things =>
  Object.fromEntries(
    Object.entries(things).map(([key, value]) => [key, change(key as keyof Things, value as string)]),
  ) as unknown as Things;

export const nowhere = (things: Things): Things =>
  swap(things, (key, value) => (handoutKeys.includes(key as never) ? value : unknown(value)));

/** One tenant's containers with the belongings of another, or of nobody. */
export const mixed = (mine: Things, theirs: Things | null): Things =>
  swap(mine, (key, value) => (isBelonging(key) ? (theirs === null ? unknown(value) : theirs[key]) : value));
