// View as: those who manage the rights of a base read it exactly as somebody else would, and can do nothing else meanwhile.
import { listAuditLog } from '@rowhouse/contract/audit.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { listAuthorityRoles } from '@rowhouse/contract/authority-matrix.ts';
import { listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../support/access-cells.ts';
import { inBatches, requestFor, send } from '../support/access-request.ts';
import { openTenant, type Tenant } from '../support/access-tenant.ts';
import type { Request } from '../support/access-walk.ts';
import { type Aviary, openAviary } from '../support/aviary.ts';
import { listen } from '../support/listen.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  {
    plans: plansWith({
      free: { userGroupEnable: true, automationEnable: true, advancedPermissionsEnable: true, auditLogEnable: true },
    }),
  },
);

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

let tenant: Tenant;
let aviary: Aviary;
let bound: Person;
let other: Person;

const some = [
  'record|read',
  'record|create',
  'record|update',
  'record|comment',
  'table|export',
  'view|create',
  'table_record_history|read',
];
const isMe = (fieldId: string) => ({ conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: 'me' }] });

beforeAll(async () => {
  tenant = await openTenant(world());
  const { owner, things } = tenant;
  bound = await member(world(), owner, things.baseId, 'creator');
  other = await member(world(), owner, things.baseId, 'viewer');
  aviary = await openAviary(world(), tenant);
});

const bind = (): Promise<void> =>
  setMatrix(world(), aviary.things.baseId, [
    {
      members: [{ userId: bound.userId }],
      tables: {
        [aviary.things.tableId]: {
          grants: [
            {
              actions: some,
              fields: [aviary.fields.title, aviary.fields.number, aviary.fields.people, aviary.fields.files],
            },
          ],
        },
      },
    },
    {
      members: [{ userId: other.userId }],
      tables: {
        [aviary.things.tableId]: {
          grants: [{ actions: ['record|read'], when: isMe(aviary.fields.people) }],
          viewIds: [aviary.things.viewId],
          hidesFacts: true,
        },
      },
    },
  ]);

/** Of the answer to one request, what may differ from that to another: when it was, and which it was. */
const own = new Set(['date', 'x-request-id', 'x-view-as', 'connection', 'keep-alive', 'transfer-encoding']);

const look = async (endpoint: Declaration, request: Request, headers: Record<string, string>) => {
  const { status, text, headers: given } = await send(world(), endpoint, request, headers);
  const id = given.get('x-request-id') ?? '';
  return {
    status,
    // Addresses of files are others every 20 minutes, also between two requests; for whom they were made stays.
    text: (id === '' ? text : text.replaceAll(id, '')).replaceAll(/(\?token=)[0-9a-z]+\.[\w-]+(?=\.)/g, '$1'),
    headers: [...given].filter(([name]) => !own.has(name) && !name.startsWith('ratelimit')),
    as: given.get('x-view-as'),
  };
};

const inBase = (endpoint: Declaration): boolean =>
  endpoint.method === 'GET' && (endpoint.access.on === 'base' || endpoint.access.on === 'table');

const requestsFor = (endpoint: Declaration): Request[] => {
  const { things, fields } = aviary;
  const plain = requestFor(endpoint, things);
  if (endpoint.name !== listRecords.name) return [plain];
  return [
    plain,
    { ...plain, query: { viewId: things.viewId } },
    { ...plain, query: { filter: JSON.stringify(isMe(fields.people)) } },
    { ...plain, query: { orderBy: JSON.stringify([{ fieldId: fields.number, order: 'desc' }]), cellFormat: 'text' } },
  ];
};

describe('as another person', () => {
  test('every GET of the base answers what that person gets, byte for byte', { timeout: 300_000 }, async () => {
    await bind();
    const differences: string[] = [];
    let looks = 0;
    for (const who of [bound, other])
      await inBatches(endpoints.filter(inBase), async (endpoint) => {
        for (const request of requestsFor(endpoint)) {
          const theirs = await look(endpoint, request, { authorization: `Bearer ${who.token}` });
          const viewed = await look(endpoint, request, {
            authorization: `Bearer ${tenant.owner.token}`,
            'x-view-as': who.userId,
          });
          looks += 1;
          const [{ as: _own, ...expected }, { as, ...found }] = [theirs, viewed];
          if (JSON.stringify(found) !== JSON.stringify(expected) || (found.status < 300 && as !== who.userId))
            differences.push(
              `${endpoint.name} ${as}\n  ${JSON.stringify(expected).slice(0, 600)}\n  ${JSON.stringify(found).slice(0, 600)}`,
            );
        }
      });
    expect(differences).toEqual([]);
    expect(looks).toBeGreaterThan(90);
  });

  test('nothing but reading a base', { timeout: 120_000 }, async () => {
    await bind();
    const headers = { authorization: `Bearer ${tenant.owner.token}`, 'x-view-as': bound.userId };
    const passed: string[] = [];
    await inBatches(
      endpoints.filter((endpoint) => !inBase(endpoint)),
      async (endpoint) => {
        const { status } = await send(world(), endpoint, requestFor(endpoint, aviary.things), headers);
        if (status !== 403) passed.push(`${endpoint.name} ${status}`);
      },
    );
    expect(passed).toEqual([]);
  });

  test('only by those who manage the rights, and nobody above them', async () => {
    await bind();
    const endpoint = listTables;
    const { baseId, memberId } = aviary.things;
    const status = async (token: string, as: string): Promise<number> =>
      (await look(endpoint, { params: { baseId } }, { authorization: `Bearer ${token}`, 'x-view-as': as })).status;
    const { owner } = tenant;
    expect(await status(bound.token, other.userId)).toBe(403);
    expect(await status(other.token, bound.userId)).toBe(403);
    expect(await status(owner.token, 'usrAAAAAAAAAAAAAAAA')).toBe(404);
    expect(await status(owner.token, 'somebody')).toBe(400);
    expect(await status(owner.token, memberId)).toBe(200);
    const limited = await owner.withToken({ scopes: ['table|read', 'base|read'] });
    expect(await status(limited.token, bound.userId)).toBe(403);
    // An administrator of the rights is not bound, but not above owners.
    await setMatrix(world(), baseId, [], { adminIds: [bound.userId] });
    expect(await status(bound.token, other.userId)).toBe(200);
    expect(await status(bound.token, owner.userId)).toBe(403);
  });

  test('it is in the audit log, by whom and as whom; what was remembered for one is not for another', async () => {
    await bind();
    const { baseId, spaceId, tableId } = aviary.things;
    const { owner } = tenant;
    const count = async (as?: string): Promise<number> =>
      JSON.parse(
        (
          await look(
            listRecords,
            { params: { tableId } },
            { authorization: `Bearer ${owner.token}`, ...(as === undefined ? {} : { 'x-view-as': as }) },
          )
        ).text,
      ).records.length;
    const all = await count();
    expect(all).toBeGreaterThan(0);
    expect([await count(other.userId), await count(bound.userId), await count(), await count(other.userId)]).toEqual([
      0,
      all,
      all,
      0,
    ]);
    const log = must(
      await owner.call(listAuditLog, { params: { spaceId }, query: { action: 'base.viewed_as' } as never }),
    );
    const told = log.entries.filter(
      ({ target, actor }) => (target as { as: string }).as === other.userId && actor?.id === owner.userId,
    );
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ actor: { id: owner.userId }, target: { baseId, as: other.userId } });
  });
});

test('as a role, also before it is on: `me` is the one who looks', async () => {
  const { baseId, tableId } = aviary.things;
  const { owner } = tenant;
  await setMatrix(
    world(),
    baseId,
    [
      {
        members: [],
        tables: {
          [tableId]: {
            grants: [{ actions: ['record|read'], fields: [aviary.fields.people], when: isMe(aviary.fields.people) }],
          },
        },
      },
    ],
    { isOn: false },
  );
  const [role] = must(await owner.call(listAuthorityRoles, { params: { baseId } }));
  const headers = { authorization: `Bearer ${owner.token}`, 'x-view-as': role?.id as string };
  const tables = await look(listTables, { params: { baseId } }, headers);
  expect(JSON.parse(tables.text).map(({ id }: { id: string }) => id)).toEqual([tableId]);
  const records = async () =>
    JSON.parse((await look(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } }, headers)).text).records;
  expect(await records()).toEqual([]);
  const [record] = must(await owner.call(listRecords, { params: { tableId }, query: {} })).records;
  must(
    await owner.call(updateRecord, {
      params: { tableId, recordId: record?.id as string },
      body: {
        fieldKeyType: 'id',
        record: { fields: { [aviary.fields.people]: { id: owner.userId, title: '' } } },
      } as never,
    }),
  );
  expect(await records()).toMatchObject([{ id: record?.id, fields: { [aviary.fields.people]: { id: owner.userId } } }]);
});

test('a stream tells what the person would hear, and nobody sees them there', async () => {
  await bind();
  const { tableId, recordId } = aviary.things;
  const { owner } = tenant;
  const open = (query: object, token: string) =>
    listen(`${world().baseUrl}${addressOf(listenToTable, { params: { tableId }, query } as never)}`, { token });
  const watcher = await open({ presence: true }, owner.token);
  const ear = await open({ values: true, presence: true, viewAs: bound.userId }, owner.token);
  try {
    await watcher.until(({ name }) => name === 'ready');
    await ear.until(({ name }) => name === 'ready');
    const update = async (fields: object) =>
      must(
        await owner.call(updateRecord, {
          params: { tableId, recordId },
          body: { fieldKeyType: 'id', record: { fields } } as never,
        }),
      );
    await update({ [aviary.fields.select]: 'plain' });
    await update({ [aviary.fields.number]: 4_711 });
    await ear.until((event) => JSON.stringify(event).includes('4711'));
    expect(JSON.stringify(ear.heard)).not.toContain(aviary.fields.select);
    expect(JSON.stringify(watcher.heard)).not.toContain(bound.userId);
    await setMatrix(world(), aviary.things.baseId, []);
    await update({ [aviary.fields.number]: 4_712 });
    await ear.ended;
    expect(JSON.stringify(ear.heard)).not.toContain('4712');
  } finally {
    ear.close();
    watcher.close();
  }
});
