// Shares of views by the official client of Teable, unmodified: its functions for shares, and its own schemas for the answers.
import { listAuditLog } from '@rowhouse/contract/audit.ts';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createField, deleteField, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import {
  copyShare,
  copyShareToBase,
  createShareSignature,
  disableShare,
  enableShare,
  endSpaceShare,
  getShareCalendar,
  listenToShare,
  listShareRecords,
  listSpaceShares,
  notifyShareFile,
  setShareMeta,
  submitShareForm,
} from '@rowhouse/contract/share.ts';
import { hiddenPassword, type ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { createView, deleteView, getView, listViews, setViewColumns, setViewFilter } from '@rowhouse/contract/view.ts';
import * as teable from '@teable/openapi';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { selectEpochs } from '../../server/catalog/access.sql.ts';
import { openDb } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { removeWaitingFiles } from '../../server/domain/file/remove-files.ts';
import { keyOf } from '../../server/domain/user/limit-attempts.ts';
import { selectNumRows } from '../../server/domain/plan/quota.sql.ts';
import { copyJob, type CopyPayload } from '../../server/domain/share/copy-job.ts';
import { caller, type Caller } from '../support/caller.ts';
import { cases, onlyInProof } from '../support/cases.ts';
import { person } from '../support/people.ts';
import { member } from '../support/workspace.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { openWorld, useWorld } from '../support/world.ts';

let passed = 0;
const world = useWorld({}, { now: () => new Date(Date.now() + passed) });
let shop: Workshop;
let visitor: Caller;
beforeAll(async () => {
  shop = await openWorkshop(world());
  teable.configApi({ endpoint: world().origin, token: shop.owner.token });
  visitor = caller({ baseUrl: world().baseUrl });
});

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

type Fields = Record<'Name' | 'Cost' | 'Due' | 'Who' | 'Secret' | 'Group', string>;

/** Roof and Fence are shown; Vault is filtered out by a field that is hidden, and Secret is hidden, too. */
const shared = async (type: 'grid' | 'kanban' | 'form' = 'grid', meta?: ShareMeta) => {
  const { owner } = shop;
  const user = { id: owner.userId, title: owner.name };
  const table = await shop.table({
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Cost', type: 'number' },
      { name: 'Due', type: 'date' },
      { name: 'Who', type: 'user' },
      { name: 'Secret', type: 'singleLineText' },
      { name: 'Group', type: 'singleSelect', options: { choices: [{ name: 'open' }, { name: 'closed' }] } },
    ],
    records: [
      {
        fields: {
          Name: 'Roof',
          Cost: 5,
          Due: '2026-03-02T10:00:00.000Z',
          Who: user,
          Secret: 'HUSH roof',
          Group: 'open',
        },
      },
      { fields: { Name: 'Fence', Cost: 7, Due: '2026-03-03T10:00:00.000Z', Secret: 'HUSH fence', Group: 'open' } },
      {
        fields: {
          Name: 'HUSH Vault',
          Cost: 900,
          Due: '2026-03-03T10:00:00.000Z',
          Who: user,
          Secret: 'HUSH vault',
          Group: 'closed',
        },
      },
    ],
  });
  const fieldIds = Object.fromEntries(table.fields.map(({ name, id }) => [name, id])) as Fields;
  const hidden = type === 'grid' ? { hidden: true } : { visible: false };
  const shownHere = type === 'grid' ? {} : { visible: true };
  const view = must(
    await owner.call(createView, {
      params: { tableId: table.id },
      body: {
        type,
        ...(type === 'form'
          ? {}
          : {
              filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Group, operator: 'is', value: 'open' }] },
              sort: { sortObjs: [{ fieldId: fieldIds.Secret, order: 'desc' }] },
            }),
        columnMeta: Object.fromEntries(
          Object.entries(fieldIds).map(([name, id]) => [
            id,
            name === 'Secret' || name === 'Group' ? hidden : shownHere,
          ]),
        ),
      },
    }),
  );
  const path = { tableId: table.id, viewId: view.id };
  const { shareId } = (await teable.enableShareView(path)).data;
  if (meta !== undefined) await teable.updateViewShareMeta(path.tableId, path.viewId, meta as never);
  return { path, tableId: table.id, viewId: view.id, shareId, fieldIds, recordIds: table.records.map(({ id }) => id) };
};

const denied = (status: number, code?: string) =>
  expect.objectContaining({ status, ...(code === undefined ? {} : { code }) });

test('a view is shared, gets another address, and is shared no more', async () => {
  const { owner, spaceId } = shop;
  const { path, shareId } = await shared();
  const vo = must(await owner.call(getView, { params: path }));
  expect(vo).toMatchObject({ shareId, enableShare: true, shareMeta: { includeRecords: true } });
  await expect(teable.enableShareView(path)).rejects.toEqual(denied(400));
  expect(teable.shareViewGetVoSchema.parse((await teable.getShareView(shareId)).data).shareId).toBe(shareId);
  const again = ((await teable.refreshViewShareId(path.tableId, path.viewId)).data as unknown as { shareId: string })
    .shareId;
  expect(again).not.toBe(shareId);
  await expect(teable.getShareView(shareId)).rejects.toEqual(denied(400));
  expect((await teable.getShareView(again)).status).toBe(200);
  expect((await teable.disableShareView(path)).status).toBe(201);
  await expect(teable.getShareView(again)).rejects.toEqual(denied(400));
  await expect(teable.disableShareView(path)).rejects.toEqual(denied(400));
  await expect(teable.refreshViewShareId(path.tableId, path.viewId)).rejects.toEqual(denied(400));
  const { entries } = must(await owner.call(listAuditLog, { params: { spaceId }, query: { take: 3 } }));
  expect(entries.map(({ action }) => action)).toEqual(['view.shareEnded', 'view.shared', 'view.shared']);
});

describe('a shared view that was deleted', () => {
  const trashIdOf = (viewId: string): string => `tra${viewId.slice(3)}`;
  const isShared = async (path: { tableId: string; viewId: string }): Promise<boolean | undefined> =>
    must(await shop.owner.call(getView, { params: path })).enableShare;

  test('is shared as before when it comes back, with its password and those who have answered', async () => {
    const { path, shareId, viewId } = await shared('form', { submit: { allow: true, requireLogin: true } });
    await teable.updateViewShareMeta(path.tableId, viewId, {
      submit: { allow: true, requireLogin: true },
      password: 'a secret word',
    } as never);
    const before = await world().db.query(sql`select * from rowhouse.shares where view_id = ${viewId}`);
    await world().db.query(sql`insert into rowhouse.share_answers (view_id, person) values (${viewId}, '\\x0102')`);
    must(await shop.owner.call(deleteView, { params: path }));
    await expect(teable.getShareView(shareId)).rejects.toEqual(denied(400));
    must(await shop.owner.call(restoreTrash, { params: { trashId: trashIdOf(viewId) } }));
    expect(await world().db.query(sql`select * from rowhouse.shares where view_id = ${viewId}`)).toEqual(before);
    expect(await world().db.query(sql`select from rowhouse.share_answers where view_id = ${viewId}`)).toHaveLength(1);
    await expect(teable.getShareView(shareId)).rejects.toEqual(denied(401));
    expect(
      must(await shop.owner.call(listAuditLog, { params: { spaceId: shop.spaceId }, query: { take: 2 } }))
        .entries.map(({ action }) => action)
        .toSorted(),
    ).toEqual(['view.restored', 'view.shared']);
  });

  test('comes back by undoing, and shows nothing when what it rests on is gone', async () => {
    const { path, shareId, fieldIds, tableId } = await shared();
    const headers = { 'x-window-id': 'deleted-view' };
    must(await shop.owner.call(deleteView, { params: path, headers }));
    must(await shop.owner.call(undo, { params: { tableId }, headers } as never));
    expect([await isShared(path), (await teable.getShareView(shareId)).data.records.length]).toEqual([true, 2]);
    must(await shop.owner.call(deleteView, { params: path }));
    must(await shop.owner.call(deleteField, { params: { tableId, fieldId: fieldIds.Group } }));
    must(await shop.owner.call(restoreTrash, { params: { trashId: trashIdOf(path.viewId) } }));
    expect([await isShared(path), (await teable.getShareView(shareId)).data.records]).toEqual([true, []]);
  });

  test('shows no field that came meanwhile, and is not shared again where it shows hidden ones, too', async () => {
    const [seen, whole] = [await shared(), await shared('grid', { includeRecords: true, includeHiddenField: true })];
    for (const { path, tableId } of [seen, whole]) {
      must(await shop.owner.call(deleteView, { params: path }));
      must(
        await shop.owner.call(createField, { params: { tableId }, body: { name: 'Later', type: 'singleLineText' } }),
      );
      must(await shop.owner.call(restoreTrash, { params: { trashId: trashIdOf(path.viewId) } }));
    }
    const { fields } = (await teable.getShareView(seen.shareId)).data;
    expect(fields.map(({ name }) => name)).toEqual(['Name', 'Cost', 'Due', 'Who']);
    expect(await isShared(whole.path)).toBe(false);
  });

  test('comes back unshared when its share had ended, or by a token that may not share', async () => {
    const [ended, other] = [await shared(), await shared()];
    must(await shop.owner.call(disableShare, { params: ended.path }));
    const token = await shop.owner.withToken({
      scopes: ['view|create', 'table|trash_update', 'record|read'],
      spaceIds: [shop.spaceId],
    });
    for (const { path } of [ended, other]) {
      must(await shop.owner.call(deleteView, { params: path }));
      must(await token.call(restoreTrash, { params: { trashId: trashIdOf(path.viewId) } }));
      expect(await isShared(path)).toBe(false);
    }
    await expect(teable.getShareView(other.shareId)).rejects.toEqual(denied(400));
  });
});

test('visitors see the fields and records of the view, and no more, by every operation', async () => {
  const { shareId, fieldIds, recordIds, tableId } = await shared('grid', { includeRecords: true, allowCopy: true });
  const seen = (await teable.getShareView(shareId)).data;
  expect(teable.shareViewGetVoSchema.parse(seen).fields.map(({ name }) => name)).toEqual([
    'Name',
    'Cost',
    'Due',
    'Who',
  ]);
  expect(seen.records.map(({ id }) => id)).toEqual([recordIds[0], recordIds[1]]);
  expect(Object.keys(seen.records[0] ?? {})).toEqual(['id', 'name', 'fields']);
  expect(seen.view?.filter).toBeUndefined();
  expect((await teable.getShareViewRowCount(shareId, {})).data).toEqual({ rowCount: 2 });
  const sums = (await teable.getShareViewAggregations(shareId, { field: { sum: [fieldIds.Cost] } as never }))
    .data as unknown as { aggregations: { total: { value: number } }[] };
  expect(sums.aggregations[0]?.total.value).toBe(12);
  expect(
    (await teable.getShareViewGroupPoints(shareId, { groupBy: [{ fieldId: fieldIds.Name, order: 'asc' as never }] }))
      .data,
  ).toHaveLength(4);
  await expect(
    teable.getShareViewGroupPoints(shareId, { groupBy: [{ fieldId: fieldIds.Group, order: 'asc' as never }] }),
  ).rejects.toEqual(denied(403));
  expect((await teable.getShareViewSearchCount(shareId, { search: ['e', '', true] as never })).data).toMatchObject({
    count: 2,
  });
  expect((await teable.getShareViewSearchCount(shareId, { search: ['HUSH', '', true] as never })).data).toMatchObject({
    count: 0,
  });
  expect(
    (await teable.getShareViewSearchIndex(shareId, { search: ['Fence', '', true] as never } as never)).data,
  ).toMatchObject([{ recordId: recordIds[1] }]);
  const days = (
    await teable.getShareViewCalendarDailyCollection(shareId, {
      startDate: '2026-03-01T00:00:00Z',
      endDate: '2026-03-31T00:00:00Z',
      startDateFieldId: fieldIds.Due,
      endDateFieldId: fieldIds.Due,
    } as never)
  ).data;
  expect(days.countMap).toEqual({ '2026-03-02': 1, '2026-03-03': 1 });
  expect(days.records.map(({ id }) => id)).toEqual([recordIds[0], recordIds[1]]);
  const due = {
    startDate: '2026-03-01',
    endDate: '2026-03-31',
    startDateFieldId: fieldIds.Due,
    endDateFieldId: fieldIds.Due,
  };
  expect(
    must(await visitor(getShareCalendar, { params: { shareId }, query: { ...due, take: 1, skip: 1 } })),
  ).toMatchObject({ countMap: days.countMap, records: [{ id: recordIds[1] }], total: 2 });
  const copied = (
    await teable.shareViewCopy(shareId, {
      ranges: [
        [0, 0],
        [1, 1],
      ],
      viewId: 'viwnone',
    } as never)
  ).data;
  expect(copied.content).toBe('Roof\t5.00\nFence\t7.00');
  expect(copied.header.map(({ name }) => name)).toEqual(['Name', 'Cost']);
  expect((await teable.getShareViewCollaborators(shareId, { fieldId: fieldIds.Who })).data).toEqual([
    { userId: shop.owner.userId, userName: shop.owner.name, email: '', avatar: null },
  ]);
  await expect(teable.getShareViewCollaborators(shareId, {})).rejects.toEqual(denied(400));
  await expect(teable.getShareViewCollaborators(shareId, { fieldId: fieldIds.Name })).rejects.toEqual(denied(403));
  await expect(teable.getShareViewLinkRecords(shareId, { fieldId: fieldIds.Name } as never)).rejects.toEqual(
    denied(403),
  );
  await expect(teable.shareViewFormSubmit({ shareId, fields: {} })).rejects.toEqual(denied(403));
  const listed = await visitor(listShareRecords, { params: { shareId }, query: { fieldKeyType: 'id' } });
  expect(JSON.stringify([seen, listed.body, days, copied])).not.toMatch(
    new RegExp(`HUSH|${shop.owner.email}|${fieldIds.Secret}`),
  );
  // What a hidden field cannot be told from: one that does not exist.
  for (const query of [
    { orderBy: JSON.stringify([{ fieldId: fieldIds.Secret, order: 'asc' }]) },
    {
      filter: JSON.stringify({
        conjunction: 'and',
        filterSet: [{ fieldId: fieldIds.Secret, operator: 'contains', value: 'HUSH' }],
      }),
    },
    { projection: [fieldIds.Secret] },
    { search: ['HUSH', fieldIds.Secret, 'true'] },
  ]) {
    const known = await visitor(listShareRecords, { params: { shareId }, query });
    const unknown = await visitor(listShareRecords, {
      params: { shareId },
      query: JSON.parse(JSON.stringify(query).replaceAll(fieldIds.Secret, 'fldNONEnoneNONEnone')) as typeof query,
    });
    expect([known.status, known.error.message.replaceAll(fieldIds.Secret, 'fldNONEnoneNONEnone')]).toEqual([
      unknown.status,
      unknown.error.message,
    ]);
  }
  // Other views, and whatever needs an account.
  const elsewhere = await visitor(listShareRecords, {
    params: { shareId },
    query: { viewId: 'viw', ignoreViewQuery: true } as never,
  });
  expect(elsewhere.body.records).toHaveLength(2);
  await expect(fetch(`${world().baseUrl}/table/${tableId}/record`).then(({ status }) => status)).resolves.toBe(401);
});

test('pages lead on by cursors that tell nothing, and are good for their table alone', async () => {
  const page = async (shareId: string, cursor?: string) =>
    visitor(listShareRecords, { params: { shareId }, query: { take: 1, ...(cursor === undefined ? {} : { cursor }) } });
  const [{ shareId, tableId, path }, other] = [await shared(), await shared()];
  const {
    body: {
      records: [first],
      extra,
    },
  } = await page(shareId);
  const cursor = extra.nextCursor as string;
  const {
    body: {
      records: [second],
    },
  } = await page(shareId, cursor);
  expect([first?.name, second?.name]).toEqual(['Roof', 'Fence']);
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/"\d+"/);
  // Neither one of another table nor one that members have, which names the number of a record.
  const members = must(
    await shop.owner.call(listRecords, {
      params: { tableId },
      query: { viewId: path.viewId, take: 1, ignoreViewQuery: true },
    }),
  ).extra as { nextCursor: string };
  expect(Buffer.from(members.nextCursor, 'base64url').toString()).toMatch(/"1"\]$/);
  expect([(await page(other.shareId, cursor)).status, (await page(shareId, members.nextCursor)).status]).toEqual([
    400, 400,
  ]);
});

test('a share follows its view at once, and shows no records unless it says so', async () => {
  const { owner } = shop;
  const { path, shareId, fieldIds } = await shared();
  const names = async () => (await teable.getShareView(shareId)).data.fields.map(({ name }) => name);
  const count = async () => (await teable.getShareViewRowCount(shareId, {})).data.rowCount;
  must(
    await owner.call(setViewColumns, {
      params: path,
      body: [{ fieldId: fieldIds.Cost, columnMeta: { hidden: true } }],
    }),
  );
  expect(await names()).toEqual(['Name', 'Due', 'Who']);
  must(
    await owner.call(setViewFilter, {
      params: path,
      body: { filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Name, operator: 'is', value: 'Fence' }] } },
    }),
  );
  expect(await count()).toBe(1);
  must(await owner.call(setShareMeta, { params: path, body: { includeHiddenField: true } }));
  expect(await names()).toHaveLength(6);
  expect([
    await count(),
    (await teable.getShareView(shareId)).data.records,
    (await teable.getShareViewAggregations(shareId, {})).data,
  ]).toEqual([0, [], { aggregations: [] }]);
  await expect(
    teable.shareViewCopy(shareId, {
      ranges: [
        [0, 0],
        [1, 1],
      ],
    }),
  ).rejects.toEqual(denied(403));
});

test('which fields a view shows has one answer: its share and its list of fields agree, and nothing hidden is read through it', async () => {
  const { owner } = shop;
  for (const type of ['grid', 'kanban'] as const) {
    const { shareId, path, fieldIds, tableId } = await shared(type, { includeRecords: true });
    // A field that the view says nothing of: grids show it, boards do not. It can be read through both.
    must(
      await owner.call(createField, {
        params: { tableId },
        body: { name: 'New', type: 'formula', options: { expression: '1' } },
      }),
    );
    const names = (vos: readonly { name: string }[]): string[] => vos.map(({ name }) => name).toSorted();
    const named = (records: readonly { fields: object }[]): string[] =>
      [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))].toSorted();
    const shown = ['Cost', 'Due', 'Name', ...(type === 'grid' ? ['New'] : []), 'Who'];
    const listed = async () =>
      named(must(await owner.call(listRecords, { params: { tableId }, query: { viewId: path.viewId } })).records);
    const visited = async () =>
      named(must(await visitor(listShareRecords, { params: { shareId }, query: { fieldKeyType: 'name' } })).records);
    const query = { viewId: path.viewId, filterHidden: true };
    expect(names(must(await owner.call(listFields, { params: { tableId }, query })))).toEqual(shown);
    expect(names((await teable.getShareView(shareId)).data.fields)).toEqual(shown);
    const read = [...new Set([...shown, 'New'])].toSorted();
    expect([await listed(), await visited()]).toEqual([read, shown]);
    // With what the view hides: visitors see it, those who look through the view do not.
    must(await owner.call(setShareMeta, { params: path, body: { includeRecords: true, includeHiddenField: true } }));
    const all = [...Object.keys(fieldIds), 'New'].toSorted();
    expect(names((await teable.getShareView(shareId)).data.fields)).toEqual(all);
    expect([await listed(), await visited()]).toEqual([read, all]);
  }
});

describe('a password', () => {
  const open = async (shareId: string, cookie?: string): Promise<Response> =>
    fetch(`${world().baseUrl}/share/${shareId}/view`, cookie === undefined ? {} : { headers: { cookie } });

  test('is kept as a hash, asked for, and opens that share alone until it is changed', async () => {
    const { owner } = shop;
    const [{ path, shareId }, other] = [
      await shared('grid', { includeRecords: true, password: 'opensesame' }),
      await shared('grid', { includeRecords: true, password: 'opensesame' }),
    ];
    expect(must(await owner.call(getView, { params: path })).shareMeta).toEqual({
      includeRecords: true,
      password: hiddenPassword,
    });
    const refused = await open(shareId);
    expect([refused.status, await refused.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'unauthorized_share' }),
    ]);
    await expect(teable.shareViewAuth({ shareId, password: 'wrong' })).rejects.toEqual(denied(400));
    const let_in = await teable.shareViewAuth({ shareId, password: 'opensesame' });
    expect([let_in.status, let_in.data]).toEqual([200, { token: expect.any(String) }]);
    const [set] = let_in.headers['set-cookie'] as string[];
    expect(set).toMatch(new RegExp(`^${shareId}=.*; Path=/api/share/${shareId}; HttpOnly; SameSite=Lax`));
    const cookie = set?.split(';')[0] as string;
    const inside = await open(shareId, cookie);
    expect([inside.status, JSON.stringify(await inside.json()).includes('opensesame')]).toEqual([200, false]);
    expect((await open(other.shareId, cookie.replace(shareId, other.shareId))).status).toBe(401);
    // The mask stands for the one that is set.
    must(
      await owner.call(setShareMeta, {
        params: path,
        body: { includeRecords: true, allowCopy: true, password: hiddenPassword },
      }),
    );
    expect((await open(shareId, cookie)).status).toBe(200);
    must(await owner.call(setShareMeta, { params: path, body: { includeRecords: true, password: 'another one' } }));
    expect((await open(shareId, cookie)).status).toBe(401);
    must(await owner.call(setShareMeta, { params: path, body: { includeRecords: true } }));
    expect((await open(shareId)).status).toBe(200);
    await expect(teable.shareViewAuth({ shareId, password: 'another one' })).rejects.toEqual(denied(400));
  });

  test('that is right does not count as a guess: those who know it do not shut out the others', async () => {
    const { shareId } = await shared('grid', { includeRecords: true, password: 'opensesame' });
    await expect(teable.shareViewAuth({ shareId, password: 'wrong' })).rejects.toEqual(denied(400));
    await world().db.query(
      sql`update rowhouse.sign_in_attempts set count = 498 where key = ${keyOf('share', shareId)}`,
    );
    for (let times = 0; times < 3; times += 1)
      expect((await teable.shareViewAuth({ shareId, password: 'opensesame' })).status).toBe(200);
    for (const status of [400, 400, 429])
      await expect(teable.shareViewAuth({ shareId, password: 'wrong' })).rejects.toEqual(denied(status));
  });

  test('cannot be guessed for long, and needs a plan that has it', async () => {
    const { shareId, path } = await shared('grid', { includeRecords: true, password: 'opensesame' });
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        teable.shareViewAuth({ shareId, password: `guess ${at}` }).catch((error: { status: number }) => error.status),
      ),
    );
    expect(tries.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
    await expect(teable.shareViewAuth({ shareId, password: 'opensesame' })).rejects.toEqual(denied(429));
    const { services } = world();
    const { plans } = services;
    services.plans = plansWith({});
    try {
      await expect(
        shop.owner.call(setShareMeta, { params: path, body: { password: 'opensesame' } }),
      ).resolves.toMatchObject({ status: 402 });
      await expect(
        shop.owner.call(setShareMeta, { params: path, body: { password: hiddenPassword } }),
      ).resolves.toMatchObject({ status: 200 });
    } finally {
      services.plans = plans;
    }
  });
});

test('a link ends when it expires; owners see all links of a space, how often they were opened, and end them', async () => {
  const { owner, spaceId } = shop;
  const { shareId, path } = await shared('grid', { includeRecords: true, expiresTime: '2020-01-01T00:00:00Z' });
  await expect(teable.getShareView(shareId)).rejects.toEqual(denied(400));
  await expect(owner.call(setShareMeta, { params: path, body: { expiresTime: 'soon' } })).resolves.toMatchObject({
    status: 400,
  });
  must(
    await owner.call(setShareMeta, {
      params: path,
      body: { includeRecords: true, expiresTime: '2999-01-01T00:00:00Z' },
    }),
  );
  await teable.getShareView(shareId);
  // Somebody holds the row that is counted in: nobody who reads waits for it, and what was counted meanwhile is there afterwards.
  const holder = await world().db.dedicated();
  await holder.query('begin');
  await holder.query('select from rowhouse.shares where view_id = $1 for update', [path.viewId]);
  await teable.getShareView(shareId);
  expect(
    must(await owner.call(listSpaceShares, { params: { spaceId } })).find((one) => one.shareId === shareId),
  ).toMatchObject({ openedCount: expect.toSatisfy((count: number) => count < 2) });
  await holder.query('rollback');
  await holder.end();
  const mine = async () =>
    must(await owner.call(listSpaceShares, { params: { spaceId } })).find((one) => one.shareId === shareId);
  expect(await mine()).toMatchObject({
    ...path,
    url: `${world().services.publicUrl()}/share/${shareId}/view`,
    openedCount: 2,
    visitorCount: 1,
    hasPassword: false,
    expiresTime: '2999-01-01T00:00:00.000Z',
    lastOpenedTime: expect.any(String),
    createdBy: owner.userId,
  });
  must(await owner.call(endSpaceShare, { params: { spaceId, shareId } }));
  expect(await mine()).toBeUndefined();
  await expect(teable.getShareView(shareId)).rejects.toEqual(denied(400));
  await expect(owner.call(endSpaceShare, { params: { spaceId, shareId } })).resolves.toMatchObject({ status: 404 });
});

describe('conditions that a view loses with their field', () => {
  const rowsOf = async (shareId: string): Promise<number> =>
    (await teable.getShareViewRowCount(shareId, {})).data.rowCount;
  const isHeld = async (path: { tableId: string; viewId: string }): Promise<boolean> =>
    must(await shop.owner.call(getView, { params: path })).isShareHeld === true;
  const losses: [what: string, lose: (tableId: string, fieldId: string) => Promise<unknown>][] = [
    ['it is deleted', (tableId, fieldId) => teable.deleteField(tableId, fieldId)],
    [
      'it gets a type that has no such condition',
      (tableId, fieldId) =>
        teable.convertField(tableId, fieldId, {
          type: 'multipleSelect' as never,
          options: { choices: [{ name: 'open' }, { name: 'closed' }] } as never,
        }),
    ],
  ];

  // One that is deleted is in the test of groups.
  test.each(cases(losses, losses.slice(1)))(
    'show visitors nothing more when %s, until somebody decides',
    async (_what, lose) => {
      const { path, shareId, tableId, fieldIds } = await shared('grid', { includeRecords: true, allowCopy: true });
      expect([await rowsOf(shareId), await isHeld(path)]).toEqual([2, false]);
      await lose(tableId, fieldIds.Group);
      expect([await rowsOf(shareId), await isHeld(path), (await teable.getShareView(shareId)).data.records]).toEqual([
        0,
        true,
        [],
      ]);
      await teable.updateViewFilter(tableId, path.viewId, {
        filter: {
          conjunction: 'and',
          filterSet: [{ fieldId: fieldIds.Cost, operator: 'isGreater', value: 6 }],
        } as never,
      });
      expect([await rowsOf(shareId), await isHeld(path)]).toEqual([2, false]);
    },
  );

  test('in a group of them, and come back when the change is undone; settings that are saved are a decision, too', async () => {
    const { path, shareId, tableId, fieldIds } = await shared();
    const filter = {
      conjunction: 'and',
      filterSet: [
        { conjunction: 'or', filterSet: [{ fieldId: fieldIds.Group, operator: 'is', value: 'open' }] },
        { fieldId: fieldIds.Due, operator: 'isNotEmpty', value: null },
      ],
    };
    await teable.updateViewFilter(tableId, path.viewId, { filter } as never);
    const window = { 'x-window-id': 'shares' };
    const goes = async (fieldId: string): Promise<void> => {
      expect((await shop.owner.call(deleteField, { params: { tableId, fieldId }, headers: window })).status).toBe(200);
    };
    const comesBack = () => shop.owner.call(undo, { params: { tableId }, headers: window } as never);
    await goes(fieldIds.Group);
    await goes(fieldIds.Due);
    expect([await rowsOf(shareId), await isHeld(path)]).toEqual([0, true]);
    await comesBack();
    expect([await rowsOf(shareId), await isHeld(path)]).toEqual([0, true]);
    await comesBack();
    expect([await rowsOf(shareId), await isHeld(path)]).toEqual([2, false]);
    // A choice of another name is no loss.
    await teable.convertField(tableId, fieldIds.Group, {
      type: 'singleSelect' as never,
      options: {
        choices: [
          {
            id: ((await teable.getField(tableId, fieldIds.Group)).data.options as { choices: { id: string }[] })
              .choices[0]?.id,
            name: 'begun',
          },
          { name: 'closed' },
        ],
      } as never,
    });
    expect([await rowsOf(shareId), await isHeld(path)]).toEqual([2, false]);
    await goes(fieldIds.Group);
    expect(await rowsOf(shareId)).toBe(0);
    await teable.updateViewShareMeta(tableId, path.viewId, { includeRecords: true });
    expect([await rowsOf(shareId), await isHeld(path)]).toEqual([3, false]);
  });
});

describe('conditions on a field that has an error', () => {
  const losses: [what: string, lose: (rooms: { id: string; openId: string }) => Promise<unknown>][] = [
    ['the field that it looks up is deleted', ({ id, openId }) => teable.deleteField(id, openId)],
    ['the table that it looks into is deleted', ({ id }) => teable.deleteTable(shop.baseId, id)],
  ];

  test.each(cases(losses, losses.slice(1)))('let nothing through when %s', async (_what, lose) => {
    const rooms = await shop.table({
      fields: [
        { name: 'Room', type: 'singleLineText' },
        { name: 'Open', type: 'singleLineText' },
      ],
      records: [{ fields: { Room: 'Attic', Open: 'yes' } }, { fields: { Room: 'Cellar', Open: 'no' } }],
    });
    const openId = rooms.fields[1]?.id as string;
    const { tableId, recordIds } = await shared();
    const made = async (field: object): Promise<string> => (await teable.createField(tableId, field as never)).data.id;
    const linkFieldId = await made({
      name: 'Room',
      type: 'link',
      options: { relationship: 'manyOne', foreignTableId: rooms.id, isOneWay: true },
    });
    const lookupId = await made({
      name: 'Open',
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: { foreignTableId: rooms.id, linkFieldId, lookupFieldId: openId },
    });
    const formulaId = await made({ name: 'Formula', type: 'formula', options: { expression: `{${lookupId}} & ''` } });
    await teable.updateRecords(tableId, {
      fieldKeyType: 'id' as never,
      records: [{ id: recordIds[2] as string, fields: { [linkFieldId]: { id: rooms.records[1]?.id } } }],
    });
    const shares = await Promise.all(
      [lookupId, formulaId].map(async (fieldId) => {
        const view = must(
          await shop.owner.call(createView, {
            params: { tableId },
            body: {
              type: 'grid',
              filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'isNot', value: 'no' }] },
            },
          }),
        );
        return (await teable.enableShareView({ tableId, viewId: view.id })).data.shareId;
      }),
    );
    const rows = () =>
      Promise.all(shares.map(async (shareId) => (await teable.getShareViewRowCount(shareId, {})).data.rowCount));
    expect(await rows()).toEqual([2, 2]);
    await lose({ id: rooms.id, openId });
    expect(await rows()).toEqual([0, 0]);
  });
});

describe('fields that nobody made in the shared table itself', () => {
  const fieldsOf = async (shareId: string): Promise<string[]> =>
    (await teable.getShareView(shareId)).data.fields.map(({ name }) => name);
  const shownAtFirst = ['Name', 'Cost', 'Due', 'Who'];

  test('the other side of a link from another table is not shown until somebody shows it', async () => {
    const { path, shareId, tableId } = await shared();
    const secrets = await shop.table({
      name: 'Customers',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'HUSH', type: 'link', options: { relationship: 'manyMany', foreignTableId: tableId } },
      ],
      records: [],
    });
    const later = (
      await teable.createField(secrets.id, {
        name: 'Again',
        type: 'link' as never,
        options: { relationship: 'manyOne', foreignTableId: tableId } as never,
      })
    ).data;
    const oneWay = (
      await teable.createField(secrets.id, {
        name: 'One way',
        type: 'link' as never,
        options: { relationship: 'manyOne', foreignTableId: tableId, isOneWay: true } as never,
      })
    ).data;
    await teable.convertField(secrets.id, oneWay.id, {
      type: 'link' as never,
      options: { relationship: 'manyOne', foreignTableId: tableId, isOneWay: false } as never,
    });
    expect(await fieldsOf(shareId)).toEqual(shownAtFirst);
    // Views that are not shared show them all, as always.
    const [first] = must(await shop.owner.call(listViews, { params: { tableId } }));
    expect(
      Object.values((first as { columnMeta: Record<string, { hidden?: boolean }> }).columnMeta).filter(
        ({ hidden }) => hidden === true,
      ),
    ).toEqual([]);
    must(
      await shop.owner.call(setViewColumns, {
        params: path,
        body: [
          {
            fieldId: (later.options as unknown as { symmetricFieldId: string }).symmetricFieldId,
            columnMeta: { hidden: false },
          },
        ],
      }),
    );
    expect(await fieldsOf(shareId)).toHaveLength(5);
  });

  test('the copy of a hidden field is hidden', async () => {
    const { shareId, tableId, fieldIds } = await shared();
    await teable.duplicateField(tableId, fieldIds.Secret, { name: 'Copy of it' });
    await teable.duplicateField(tableId, fieldIds.Cost, { name: 'Copied cost' });
    expect(await fieldsOf(shareId)).toEqual([...shownAtFirst, 'Copied cost']);
  });

  test('a field that comes back from the trash is not shown in views that are younger', async () => {
    const { tableId, fieldIds } = await shared();
    await teable.deleteField(tableId, fieldIds.Secret);
    const view = must(await shop.owner.call(createView, { params: { tableId }, body: { type: 'grid' } }));
    const { shareId } = (await teable.enableShareView({ tableId, viewId: view.id })).data;
    const { trashItems } = (await teable.getTrashItems({ resourceId: tableId, resourceType: 'table' as never })).data;
    await teable.restoreTrash(trashItems[0]?.id as string);
    expect((await teable.getField(tableId, fieldIds.Secret)).data.name).toBe('Secret');
    expect(await fieldsOf(shareId)).toEqual([...shownAtFirst, 'Group']);
  });
});

test('a filter without conditions hides nothing', async () => {
  const { path, shareId, tableId } = await shared();
  await teable.updateViewFilter(tableId, path.viewId, { filter: { conjunction: 'and', filterSet: [] } });
  expect((await teable.getShareViewRowCount(shareId, {})).data.rowCount).toBe(3);
});

test('a field tells how its cells look, and not what they are computed from or lead to', async () => {
  const { owner } = shop;
  const { path, shareId, tableId, fieldIds } = await shared('grid', { includeRecords: true, allowCopy: true });
  const rooms = await shop.table({
    fields: [
      { name: 'Room', type: 'singleLineText' },
      { name: 'Free', type: 'checkbox' },
    ],
    records: [],
  });
  const formula = (
    await teable.createField(tableId, {
      name: 'Length',
      type: 'formula' as never,
      options: { expression: `LEN({${fieldIds.Secret}})` } as never,
    })
  ).data;
  const link = (
    await teable.createField(tableId, {
      name: 'Room',
      type: 'link' as never,
      options: {
        relationship: 'manyOne',
        foreignTableId: rooms.id,
        filter: { conjunction: 'and', filterSet: [{ fieldId: rooms.fields[1]?.id, operator: 'is', value: true }] },
      } as never,
    })
  ).data;
  const lookup = (
    await teable.createField(tableId, {
      name: 'Is free',
      type: 'checkbox' as never,
      isLookup: true,
      lookupOptions: { foreignTableId: rooms.id, linkFieldId: link.id, lookupFieldId: rooms.fields[1]?.id } as never,
    })
  ).data;
  const seen = teable.shareViewGetVoSchema.parse((await teable.getShareView(shareId)).data);
  const copied = (
    await teable.shareViewCopy(shareId, {
      ranges: [
        [0, 0],
        [9, 1],
      ],
    } as never)
  ).data;
  expect(seen.fields.map(({ id }) => id)).toEqual(expect.arrayContaining([formula.id, link.id, lookup.id]));
  const symmetric = (link.options as unknown as { symmetricFieldId: string }).symmetricFieldId;
  for (const answer of [seen, copied])
    expect(JSON.stringify(answer)).not.toMatch(
      new RegExp([fieldIds.Secret, rooms.id, symmetric, ...rooms.fields.map(({ id }) => id)].join('|')),
    );
  // Nor does what the view says of a field that it shows.
  must(
    await owner.call(setViewFilter, {
      params: path,
      body: {
        filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Secret, operator: 'contains', value: 'HUSH' }] },
      },
    }),
  );
  expect(JSON.stringify((await teable.getShareView(shareId)).data)).not.toContain('contains');
});

test('a change of one share concerns the visitors of no other', async () => {
  const [one, other] = [await shared(), await shared()];
  const epochs = async () => selectEpochs(world().db, [one.viewId, other.viewId, 'anonymous']);
  const before = await epochs();
  must(await shop.owner.call(setShareMeta, { params: one.path, body: { includeRecords: true, allowCopy: true } }));
  await teable.disableShareView(one.path);
  const after = await epochs();
  expect([after.get(one.viewId), after.get(other.viewId), after.get('anonymous')]).toEqual([
    (before.get(one.viewId) ?? 0) + 2,
    before.get(other.viewId),
    before.get('anonymous'),
  ]);
});

describe('copies to a base', () => {
  const copy = (call: Caller, shareId: string, baseId: string, headers: Record<string, string> = {}) =>
    call(copyShareToBase, { params: { shareId }, body: { baseId }, headers });

  test('hold what the share shows, as plain cells, for people who may make tables there', async () => {
    const { owner } = shop;
    const mine = await openWorkshop(world());
    const { path, shareId, tableId, fieldIds, recordIds } = await shared('grid', { includeRecords: true });
    await teable.createField(tableId, {
      name: 'Twice',
      type: 'formula' as never,
      options: { expression: `{${fieldIds.Cost}} * 2` } as never,
    });
    const link = (
      await teable.createField(tableId, {
        name: 'Next',
        type: 'link' as never,
        options: { relationship: 'manyMany', foreignTableId: tableId, isOneWay: true } as never,
      })
    ).data;
    const files = (await teable.createField(tableId, { name: 'Plan', type: 'attachment' as never })).data;
    const { url, token, requestHeaders } = must(
      await owner.call(createFileSignature, {
        body: { contentType: 'text/plain', contentLength: 5, type: 1, baseId: shop.baseId },
      }),
    );
    await fetch(url, {
      method: 'PUT',
      body: 'hello',
      headers: { 'content-type': String(requestHeaders['Content-Type']) },
    });
    const file = must(await owner.call(notifyFile, { params: { token }, query: { filename: 'plan.txt' } }));
    must(
      await owner.call(updateRecord, {
        params: { tableId, recordId: recordIds[0] as string },
        body: {
          fieldKeyType: 'id',
          record: {
            fields: {
              [link.id]: [{ id: recordIds[1] }],
              [files.id]: [{ ...file, id: 'act0000000000000001', name: 'plan.txt' }],
            },
          },
        },
      }),
    );
    expect((await copy(mine.owner.call, shareId, mine.baseId)).error.message).toBe('This share does not allow copying');
    must(
      await owner.call(setShareMeta, {
        params: path,
        body: { includeRecords: true, allowCopy: true, password: 'opensesame' },
      }),
    );
    expect((await copy(mine.owner.call, shareId, mine.baseId)).error.code).toBe('unauthorized_share');
    const cookie = (
      (await teable.shareViewAuth({ shareId, password: 'opensesame' })).headers['set-cookie'] as string[]
    )[0]?.split(';')[0] as string;
    expect((await copy(visitor, shareId, mine.baseId, { cookie })).status).toBe(401);
    const session = (await mine.owner.cookie()) as string;
    expect(
      (await copy(visitor, shareId, mine.baseId, { cookie: `${cookie}; ${session}`, origin: 'https://evil.example' }))
        .status,
    ).toBe(403);
    const made = must(await copy(visitor, shareId, mine.baseId, { cookie: `${cookie}; ${session}` }));
    expect(made).toMatchObject({ baseId: mine.baseId, recordCount: 2 });
    const at = { params: { tableId: made.tableId as string } };
    const fields = must(await mine.owner.call(listFields, at));
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'singleLineText'],
      ['Cost', 'number'],
      ['Due', 'date'],
      ['Who', 'singleLineText'],
      ['Twice', 'number'],
      ['Next', 'longText'],
      ['Plan', 'attachment'],
    ]);
    const { records } = must(await mine.owner.call(listRecords, { ...at, query: {} }));
    expect(records.map((record) => record.fields)).toMatchObject([
      {
        Name: 'Roof',
        Cost: 5,
        Due: '2026-03-02T10:00:00.000Z',
        Who: owner.name,
        Twice: 10,
        Next: 'Fence',
        Plan: [{ token, name: 'plan.txt' }],
      },
      { Name: 'Fence', Cost: 7, Twice: 14 },
    ]);
    const [shown] = records[0]?.fields['Plan'] as { presignedUrl: string }[];
    expect(await (await fetch(shown?.presignedUrl as string)).text()).toBe('hello');
    expect(JSON.stringify([fields, records])).not.toMatch(new RegExp(`HUSH|${fieldIds.Secret}|${owner.email}`));
    // Where they may not, and where they may not even look.
    const guest = await member(world(), mine.owner, mine.baseId, 'editor');
    expect((await copy(guest.call, shareId, mine.baseId, { cookie })).status).toBe(403);
    expect((await copy(mine.owner.call, shareId, shop.baseId, { cookie })).status).toBe(404);
    expect(
      (
        await copy(
          (
            await mine.owner.withToken({ scopes: ['record|read'], hasFullAccess: true })
          ).call,
          shareId,
          mine.baseId,
          { cookie },
        )
      ).status,
    ).toBe(403);
    expect((await copy(mine.owner.call, (await shared('form', { allowCopy: true })).shareId, mine.baseId)).status).toBe(
      403,
    );
  });

  // That a job makes them is in the next test, and what an answer holds in long-text.
  onlyInProof(test)('of records that hold more together than an answer may are made by a job', async () => {
    const mine = await openWorkshop(world());
    const { shareId, tableId } = await shared('grid', { includeRecords: true, allowCopy: true });
    for (const part of ['a', 'b'])
      must(
        await shop.owner.call(createRecords, {
          params: { tableId },
          body: {
            records: Array.from({ length: 70 }, () => ({ fields: { Name: part.repeat(99_000), Group: 'open' } })),
          },
        }),
      );
    // One row may be named many times.
    const rows = (times: number) =>
      visitor(copyShare, {
        params: { shareId },
        query: { type: 'rows', ranges: JSON.stringify(Array<[number, number]>(times).fill([70, 70])) },
      });
    expect([(await rows(2)).status, (await rows(140)).status]).toEqual([200, 400]);
    const { jobId, recordCount } = must(await copy(mine.owner.call, shareId, mine.baseId));
    expect(recordCount).toBe(142);
    const job = await vi.waitFor(
      async () => {
        const { body } = await mine.owner.call(getJob, { params: { jobId: jobId as string } });
        if (body.state === 'waiting' || body.state === 'running') throw new Error(JSON.stringify(body));
        return body;
      },
      { timeout: 50_000, interval: 50 },
    );
    expect(job).toMatchObject({ state: 'done', result: { recordCount: 142 } });
    const { tableId: copied } = job.result as { tableId: string };
    const last = must(
      await mine.owner.call(listRecords, { params: { tableId: copied }, query: { skip: 71, take: 2 } }),
    ).records;
    expect(last.map(({ fields }) => (fields['Name'] as string)[0])).toEqual(['a', 'b']);
  });

  test('of very many records are made by a job: all of them or none, within the plan to the record', async () => {
    const mine = await openWorkshop(world());
    const { path, shareId, tableId } = await shared('grid', { includeRecords: true, allowCopy: true });
    const many = 6_000;
    must(
      await shop.owner.call(createRecords, {
        params: { tableId },
        body: {
          records: Array.from({ length: many }, (_, at) => ({
            fields: { Name: `Board ${at}`, Cost: at, Group: 'open' },
          })),
        },
      }),
    );
    const total = many + 2;
    const tables = async () => must(await mine.owner.call(listTables, { params: { baseId: mine.baseId } })).length;
    const used = () => selectNumRows(world().db, mine.spaceId);
    const [tablesBefore, usedBefore] = [await tables(), await used()];
    const { services } = world();
    const { plans } = services;
    const db = openDb(world().databaseUrl, { max: 4 });
    services.plans = plansWith({ free: { maxRows: usedBefore + total - 1 } });
    try {
      expect(await copy(mine.owner.call, shareId, mine.baseId)).toMatchObject({
        status: 402,
        error: { data: { asked: total, usage: usedBefore } },
      });
      // Room that somebody else takes meanwhile, a process that is killed, and a share that ends: nothing is left behind.
      const payload: CopyPayload = {
        shareId,
        passwordMark: '',
        baseId: mine.baseId,
        name: 'Copy',
        total,
        by: { userId: mine.owner.userId, tokenId: null, clientId: null },
      };
      const attempt = (onStep: () => Promise<void>) =>
        copyJob.run(
          { ...services, db },
          {
            id: 'job',
            payload,
            attempt: 1,
            cursor: null,
            result: null,
            signal: new AbortController().signal,
            step: onStep,
            finish: (work) => db.transaction(async (tx) => void (await work(tx))),
            giveWay: () => Promise.resolve(),
            isCrowded: () => false,
            mark: () => Promise.resolve(),
          },
        );
      await expect(attempt(() => Promise.resolve())).rejects.toThrow(
        `allows ${usedBefore + total - 1} records; it has ${usedBefore}, and ${total} more were asked for`,
      );
      await expect(attempt(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
      await expect(
        attempt(
          async () => void (await shop.owner.call(setShareMeta, { params: path, body: { includeRecords: true } })),
        ),
      ).rejects.toThrow('does not allow copying any more');
      expect([await tables(), await used()]).toEqual([tablesBefore, usedBefore]);
      must(await shop.owner.call(setShareMeta, { params: path, body: { includeRecords: true, allowCopy: true } }));
      services.plans = plansWith({ free: { maxRows: usedBefore + total } });
      const { jobId, recordCount } = must(await copy(mine.owner.call, shareId, mine.baseId));
      expect(recordCount).toBe(total);
      const job = await vi.waitFor(
        async () => {
          const { body } = await mine.owner.call(getJob, { params: { jobId: jobId as string } });
          if (body.state === 'waiting' || body.state === 'running') throw new Error(JSON.stringify(body));
          return body;
        },
        { timeout: 50_000, interval: 20 },
      );
      expect(job).toMatchObject({
        state: 'done',
        kind: 'copy-share',
        progress: { done: total, total },
        result: { recordCount: total },
      });
      const copied = must(
        await mine.owner.call(listRecords, {
          params: { tableId: (job.result as { tableId: string }).tableId },
          query: { skip: total - 1, take: 5 },
        }),
      ).records;
      expect(copied.map(({ fields }) => fields)).toEqual([{ Name: `Board ${many - 1}`, Cost: many - 1 }]);
      expect(await used()).toBe(usedBefore + total);
    } finally {
      services.plans = plans;
      await db.close();
    }
  });
});

test('addresses of files end with the share, with its password, and when it shows no such files any more', async () => {
  const { owner } = shop;
  const { path, shareId, tableId, recordIds, fieldIds } = await shared('grid', {
    includeRecords: true,
    password: 'opensesame',
  });
  const { id: fieldId } = (await teable.createField(tableId, { name: 'Plan', type: 'attachment' as never })).data;
  const { url, token } = must(
    await owner.call(createFileSignature, {
      body: { contentType: 'text/plain', contentLength: 5, type: 1, baseId: shop.baseId },
    }),
  );
  await fetch(url, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } });
  const file = must(await owner.call(notifyFile, { params: { token }, query: { filename: 'plan.txt' } }));
  must(
    await owner.call(updateRecord, {
      params: { tableId, recordId: recordIds[0] as string },
      body: {
        fieldKeyType: 'id',
        record: { fields: { [fieldId]: [{ ...file, id: 'act0000000000000001', name: 'plan.txt' }] } },
      },
    }),
  );
  const cookieFor = async (password: string): Promise<string> =>
    ((await teable.shareViewAuth({ shareId, password })).headers['set-cookie'] as string[])[0]?.split(';')[0] as string;
  /** As visitors get it. */
  const shown = async (id: string, cookie = ''): Promise<string> => {
    const { records } = must(
      await visitor(listShareRecords, { params: { shareId: id }, query: { fieldKeyType: 'id' }, headers: { cookie } }),
    );
    return (records[0]?.fields[fieldId] as { presignedUrl: string }[])[0]?.presignedUrl as string;
  };
  const get = async (address: string): Promise<string> => {
    const answer = await fetch(address);
    return `${answer.status} ${answer.status < 300 ? `${await answer.text()} ${answer.headers.get('cache-control')}` : ((await answer.json()) as { code: string }).code}`;
  };
  const [good, gone] = ['200 hello private, max-age=300', '404 not_found'];
  const set = async (meta: ShareMeta) =>
    must(await owner.call(setShareMeta, { params: path, body: { includeRecords: true, ...meta } }));
  const first = await shown(shareId, await cookieFor('opensesame'));
  expect(new URL(first).pathname).toBe(`/api/share/${shareId}/view/file/${token}`);
  expect(await get(first)).toBe(good);
  // A record that leaves the share by a change of its cells does not end it: it ends soon.
  passed = 19 * 60_000;
  expect(await get(first)).toBe(good);
  passed = 41 * 60_000;
  expect(await get(first)).toBe(gone);
  expect(await get(await shown(shareId, await cookieFor('opensesame')))).toBe(good);
  passed = 0;
  // It is good for this file, at this share.
  expect(await get(first.replace(token, 'att000000000000000000000'))).toBe(gone);
  expect(await get(first.replace(shareId, (await shared()).shareId))).toBe(gone);
  expect(await get(first.replace(/\?.*/, ''))).toBe(gone);
  expect(await get(`${world().baseUrl}/attachments/read/private/table/${token}${new URL(first).search}`)).toBe(
    '400 validation_error',
  );
  await set({ allowCopy: true, password: hiddenPassword });
  expect(await get(first)).toBe(good);
  await set({ password: 'another one' });
  expect(await get(first)).toBe(gone);
  const second = await shown(shareId, await cookieFor('another one'));
  expect(await get(second)).toBe(good);
  const there = await openWorld(world().databaseUrl);
  const elsewhere = second.replace(world().origin, there.origin);
  expect(await get(elsewhere)).toBe(good);
  // Neither a hidden field nor another filter leaves them.
  must(await owner.call(setViewColumns, { params: path, body: [{ fieldId, columnMeta: { hidden: true } }] }));
  expect([await get(second), await get(elsewhere)]).toEqual([gone, gone]);
  await there.close();
  must(await owner.call(setViewColumns, { params: path, body: [{ fieldId, columnMeta: { hidden: false } }] }));
  expect(await get(second)).toBe(good);
  must(
    await owner.call(setViewFilter, {
      params: path,
      body: { filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Name, operator: 'is', value: 'Fence' }] } },
    }),
  );
  expect(await get(second)).toBe(gone);
  must(await owner.call(setViewFilter, { params: path, body: { filter: null } }));
  await set({});
  const third = await shown(shareId);
  expect(await get(third)).toBe(good);
  await set({ expiresTime: '2020-01-01T00:00:00Z' });
  expect(await get(third)).toBe(gone);
  await set({});
  const again = ((await teable.refreshViewShareId(path.tableId, path.viewId)).data as unknown as { shareId: string })
    .shareId;
  expect(await get(third)).toBe(gone);
  const fourth = await shown(again);
  expect(await get(fourth)).toBe(good);
  await teable.disableShareView(path);
  expect(await get(fourth)).toBe(gone);
  // Members read it all the while.
  expect(await get(file.presignedUrl)).toContain('200 hello');
});

test('a share is read as documents, too: its view, its fields and its records, and no others', async () => {
  const { owner } = shop;
  const { path, shareId, viewId, fieldIds, recordIds } = await shared();
  const get = async (what: string, ids: readonly string[] = []) => {
    const answer = await fetch(
      `${world().baseUrl}/share/${shareId}/socket/${what}${ids.map((id, at) => `${at === 0 ? '?' : '&'}ids[]=${id}`).join('')}`,
    );
    return { status: answer.status, body: (await answer.json()) as any };
  };
  expect((await get('view/doc-ids')).body).toEqual({ ids: [viewId] });
  expect((await get('field/doc-ids')).body).toEqual({
    ids: [fieldIds.Name, fieldIds.Cost, fieldIds.Due, fieldIds.Who],
  });
  expect((await get('record/doc-ids')).body).toEqual({ ids: [recordIds[0], recordIds[1]], extra: { groupPoints: [] } });
  const seen = (await teable.getShareView(shareId)).data;
  expect((await get('view/snapshot-bulk', [viewId])).body).toEqual([
    { id: viewId, v: 1, type: 'json0', data: seen.view },
  ]);
  expect((await get('field/snapshot-bulk', [fieldIds.Cost, fieldIds.Name])).body).toEqual(
    [seen.fields[1], seen.fields[0]].map((data) => ({ id: data?.id, v: 1, type: 'json0', data })),
  );
  expect((await get('record/snapshot-bulk', [recordIds[1] as string, recordIds[0] as string])).body).toEqual(
    [seen.records[1], seen.records[0]].map((data) => ({ id: data?.id, v: 1, type: 'json0', data })),
  );
  for (const [what, ids] of [
    ['view', [viewId, 'viwNONEnoneNONEnone']],
    ['field', [fieldIds.Name, fieldIds.Secret]],
    ['field', ['fldNONEnoneNONEnone']],
    ['record', recordIds],
    ['record', ['recNONEnoneNONEnone']],
  ] as const) {
    expect(await get(`${what}/snapshot-bulk`, ids)).toMatchObject({
      status: 403,
      body: { message: 'The share does not show all of what was asked for' },
    });
  }
  must(await owner.call(setShareMeta, { params: path, body: { includeRecords: false } }));
  expect([(await get('record/doc-ids')).body.ids, (await get('record/snapshot-bulk', recordIds)).body]).toEqual([
    [],
    [],
  ]);
});

test('links of one table begin and end at the same time, and none waits for another for ever', async () => {
  const { owner, spaceId } = shop;
  const table = await shop.table({ fields: [{ name: 'Name', type: 'singleLineText' }], records: [] });
  const viewIds = await Promise.all(
    Array.from(
      { length: 8 },
      async () => must(await owner.call(createView, { params: { tableId: table.id }, body: { type: 'grid' } })).id,
    ),
  );
  const statuses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(
      viewIds.map(async (viewId) => {
        const { status, body } = await owner.call(enableShare, { params: { tableId: table.id, viewId } });
        statuses.push(status, (await owner.call(endSpaceShare, { params: { spaceId, shareId: body.shareId } })).status);
      }),
    );
  }
  expect(new Set(statuses)).toEqual(new Set([201, 200]));
});

test('visitors hear of changes that they see, without who made them, until the share ends', async () => {
  const { owner } = shop;
  const { path, shareId, tableId, recordIds, fieldIds } = await shared();
  const answer = await fetch(`${world().baseUrl}${listenToShare.path.replace(':shareId', shareId)}`);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let heard = '';
  const hear = async (wanted: RegExp): Promise<void> => {
    while (!wanted.test(heard)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended: ${heard}`);
      heard += Buffer.from(value).toString();
    }
  };
  await hear(/event: ready/);
  must(
    await owner.call(createRecords, {
      params: { tableId },
      body: { records: [{ fields: { Name: 'HUSH more', Group: 'closed' } }] },
    }),
  );
  must(
    await owner.call(updateRecord, {
      params: { tableId, recordId: recordIds[2] as string },
      body: { record: { fields: { Secret: 'HUSH new' } } },
    }),
  );
  must(
    await owner.call(createComment, {
      params: { tableId, recordId: recordIds[0] as string },
      body: { content: [{ type: 'p', children: [{ type: 'span', value: 'HUSH' }] }] },
    }),
  );
  must(
    await owner.call(updateRecord, {
      params: { tableId, recordId: recordIds[0] as string },
      body: { record: { fields: { Cost: 6 } } },
    }),
  );
  await hear(new RegExp(`records.updated.*\\n?.*${recordIds[0]}`));
  expect(heard).not.toContain('comments.changed');
  expect(heard).not.toMatch(new RegExp(`${recordIds[2]}|${fieldIds.Secret}|${owner.userId}|HUSH`));
  await teable.disableShareView(path);
  await hear(/event: (end|view\.changed)/);
  expect((await reader.read()).done).toBe(true);
});

describe('a public form', () => {
  const cells = async ({ tableId }: { tableId: string }) =>
    (await teable.getRecords(tableId, { fieldKeyType: 'id' as never, orderBy: [] as never })).data.records;

  test('takes answers of people without an account', async () => {
    const it = await shared('form');
    const { shareId, fieldIds, tableId } = it;
    expect(must(await shop.owner.call(getView, { params: it.path })).shareMeta).toEqual({ submit: { allow: true } });
    const page = (await teable.getShareView(shareId)).data;
    expect([page.fields.map(({ name }) => name), page.records]).toEqual([['Name', 'Cost', 'Due', 'Who'], []]);
    const made = await teable.shareViewFormSubmit({ shareId, fields: { [fieldIds.Name]: 'Door', [fieldIds.Cost]: 3 } });
    expect([made.status, made.data.fields]).toEqual([201, { [fieldIds.Name]: 'Door', [fieldIds.Cost]: 3 }]);
    expect((await cells(it)).map(({ fields }) => fields[fieldIds.Name])).toContain('Door');
    const [asNobody] = (
      await teable.getRecords(tableId, {
        fieldKeyType: 'id' as never,
        filter: { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Name, operator: 'is', value: 'Door' }] } as never,
      })
    ).data.records;
    expect(asNobody).toMatchObject({ createdBy: 'anonymous' });
    await expect(teable.shareViewFormSubmit({ shareId, fields: { [fieldIds.Secret]: null } })).rejects.toEqual(
      denied(403),
    );
    const wrong = await visitor(submitShareForm, {
      params: { shareId },
      body: { fields: { [fieldIds.Cost]: 'many' } },
    });
    expect([wrong.status, wrong.error.data]).toMatchObject([400, { errors: [{ field: fieldIds.Cost }] }]);
    // A program that fills in what people do not see hears of success.
    const before = (await cells(it)).length;
    expect(
      (
        await visitor(submitShareForm, {
          params: { shareId },
          body: { fields: { [fieldIds.Name]: 'Spam' }, website: 'https://spam.example' },
        })
      ).status,
    ).toBe(201);
    expect(await cells(it)).toHaveLength(before);
  });

  test('ends by date, by number, and after one answer per person; it can want a login', async () => {
    const { owner } = shop;
    const it = await shared('form', { submit: { allow: true, maxAnswers: 2 } });
    const { shareId, path, fieldIds } = it;
    const submit = (call: Caller = visitor, headers: Record<string, string> = {}) =>
      call(submitShareForm, { params: { shareId }, body: { fields: { [fieldIds.Name]: 'Answer' } }, headers });
    const set = async (meta: ShareMeta['submit']) =>
      must(await owner.call(setShareMeta, { params: path, body: { submit: { allow: true, ...meta } } }));
    expect((await Promise.all([submit(), submit(), submit()])).map(({ status }) => status).toSorted()).toEqual([
      201, 201, 403,
    ]);
    await set({ closesTime: '2020-01-01T00:00:00Z' });
    expect((await submit()).status).toBe(403);
    await set({ onePerPerson: true });
    const first = await submit();
    const cookie = (first.headers.get('set-cookie') as string).split(';')[0] as string;
    expect([(await submit(visitor, { cookie })).status, (await submit()).status]).toEqual([403, 201]);
    await set({ onePerPerson: true, requireLogin: true });
    expect([(await submit()).status, (await submit(owner.call)).status, (await submit(owner.call)).status]).toEqual([
      401, 201, 403,
    ]);
    await set({ allow: false });
    expect((await submit()).status).toBe(403);
    await expect(
      owner.call(setShareMeta, { params: path, body: { submit: { redirectUrl: 'http://example.com' } } }),
    ).resolves.toMatchObject({ status: 400 });
    expect((await cells(it)).filter(({ fields }) => fields[fieldIds.Name] === 'Answer')).toHaveLength(5);
  });

  test('takes files of its own visitors, where it has a field for them', async () => {
    const { owner } = shop;
    const it = await shared('form');
    const { shareId, fieldIds } = it;
    const sign = () =>
      visitor(createShareSignature, { params: { shareId }, body: { contentType: 'text/plain', contentLength: 5 } });
    expect((await sign()).status).toBe(403);
    const field = (await teable.createField(it.tableId, { name: 'Plans', type: 'attachment' as never })).data;
    must(
      await owner.call(setViewColumns, {
        params: it.path,
        body: [{ fieldId: field.id, columnMeta: { visible: true } }],
      }),
    );
    // As Teable's client does it: at the endpoints of members, with the share in a header.
    teable.configApi({ endpoint: world().origin, token: 'none' });
    const theirs = await teable
      .getSignature({ contentType: 'text/plain', contentLength: 5, type: 1 as never }, shareId)
      .then(({ data }) => data)
      .finally(() => teable.configApi({ endpoint: world().origin, token: shop.owner.token }));
    await teable.uploadFile(theirs.token, Buffer.from('hello'), theirs.requestHeaders, shareId);
    expect((await fetch(`${world().baseUrl}/attachments/notify/${theirs.token}`, { method: 'POST' })).status).toBe(401);
    expect((await teable.notify(theirs.token, shareId, 'theirs.txt')).data).toMatchObject({
      token: theirs.token,
      size: 5,
    });
    // Neither another share nor the form of another base takes it: knowing its token is not enough.
    const elsewhere = await shared('form');
    const plans = (await teable.createField(elsewhere.tableId, { name: 'Plans', type: 'attachment' as never })).data;
    must(
      await owner.call(setViewColumns, {
        params: elsewhere.path,
        body: [{ fieldId: plans.id, columnMeta: { visible: true } }],
      }),
    );
    await expect(teable.notify(theirs.token, elsewhere.shareId)).rejects.toMatchObject({ status: 400 });
    expect(
      (
        await visitor(submitShareForm, {
          params: { shareId: elsewhere.shareId },
          body: { fields: { [plans.id]: [{ token: theirs.token, name: 'a' }] } },
        })
      ).status,
    ).toBe(400);
    expect(
      (await (await person(world())).call(notifyFile, { params: { token: theirs.token }, query: {} })).status,
    ).toBe(400);
    for (const contentType of ['text/plain; a=\u0001', 'text/plain; a=\u007f', 'text/plain; ü', 'text/plain;\u2028'])
      expect(
        (await visitor(createShareSignature, { params: { shareId }, body: { contentType, contentLength: 5 } })).status,
      ).toBe(400);
    const { url, token } = must(await sign());
    expect(
      (
        await visitor(createShareSignature, {
          params: { shareId },
          body: { contentType: 'text/plain', contentLength: 21 * 1_048_576 },
        })
      ).status,
    ).toBe(400);
    // Announcements take nothing. Bytes that are in no record are limited for the form, until they are too old.
    const twenty = () =>
      visitor(createShareSignature, {
        params: { shareId },
        body: { contentType: 'text/plain', contentLength: 20 * 1_048_576 },
      });
    const send = () => fetch(url, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } });
    const { viewId } = it.path;
    for (let count = 0; count < 12; count += 1) must(await twenty());
    await world().db.query(
      sql`update rowhouse.files set uploaded_time = now() where token in (select token from rowhouse.files where view_id = ${viewId} and size > 5 limit 10)`,
    );
    for (const refused of [await send(), await twenty()]) expect(refused.status).toBe(429);
    expect(await twenty()).toMatchObject({
      error: {
        code: 'too_many_requests',
        message: expect.stringContaining(
          'This form takes at most 200 MB of files that are in no record yet',
        ) as unknown,
      },
    });
    await world().db.query(
      sql`update rowhouse.files set created_time = now() - interval '61 minutes', uploaded_time = uploaded_time - interval '61 minutes' where view_id = ${viewId} and size > 5`,
    );
    await removeWaitingFiles(world().services, new AbortController().signal);
    // Those without a byte may still come.
    expect(await world().db.query(sql`select from rowhouse.files where view_id = ${viewId} and size > 5`)).toHaveLength(
      2,
    );
    expect((await send()).status).toBe(200);
    const file = must(await visitor(notifyShareFile, { params: { shareId, token }, query: { filename: 'plan.txt' } }));
    const made = (
      await teable.shareViewFormSubmit({
        shareId,
        fields: {
          [fieldIds.Name]: 'With a plan',
          [field.id]: [{ ...file, id: 'act0000000000000001', name: 'plan.txt' }],
        },
      })
    ).data;
    const [cell] = made.fields[field.id] as { presignedUrl: string }[];
    expect(await (await fetch(cell?.presignedUrl as string)).text()).toBe('hello');
    // In a cell, it is the base's: no visitor gets its address by the token.
    expect((await visitor(notifyShareFile, { params: { shareId, token }, query: {} })).status).toBe(400);
    expect(
      (
        await visitor(submitShareForm, {
          params: { shareId },
          body: { fields: { [field.id]: [{ token, name: 'again' }] } },
        })
      ).status,
    ).toBe(400);
  });

  test('takes so many answers from one address, people by id alone, and adds no choices', async () => {
    const { owner } = shop;
    const it = await shared('form');
    const { shareId, fieldIds, path } = it;
    const submit = (fields: Record<string, unknown>, typecast = false) =>
      visitor(submitShareForm, { params: { shareId }, body: { fields, typecast } });
    for (const who of [owner.email, owner.name, { id: owner.email }, [owner.email], { email: owner.email }]) {
      const refused = await submit({ [fieldIds.Who]: who }, true);
      expect([refused.status, JSON.stringify(refused.error)]).toEqual([400, expect.not.stringContaining(owner.userId)]);
    }
    expect(must(await submit({ [fieldIds.Who]: { id: owner.userId } }, true)).fields[fieldIds.Who]).toMatchObject({
      id: owner.userId,
      title: owner.name,
    });
    const filter = {
      conjunction: 'and',
      filterSet: [{ fieldId: fieldIds.Secret, operator: 'is', value: 'HUSH' }],
    } as const;
    must(
      await owner.call(setViewColumns, {
        params: path,
        body: [{ fieldId: fieldIds.Group, columnMeta: { visible: true, condition: filter } }],
      }),
    );
    expect(JSON.stringify((await teable.getShareView(shareId)).data)).not.toMatch(/HUSH/);
    const made = must(await submit({ [fieldIds.Name]: 'x', [fieldIds.Group]: 'brand new' }, true));
    expect(made.fields[fieldIds.Group]).toBeUndefined();
    const choices = (
      (await teable.getField(it.tableId, fieldIds.Group)).data.options as { choices: { name: string }[] }
    ).choices;
    expect(choices.map(({ name }) => name)).toEqual(['open', 'closed']);
    const statuses: number[] = [];
    for (let at = 0; at < 15; at += 1) statuses.push((await submit({ [fieldIds.Name]: `${at}` })).status);
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([13, 429]);
    // The form of somebody else takes answers all the same.
    expect(
      (await visitor(submitShareForm, { params: { shareId: (await shared('form')).shareId }, body: { fields: {} } }))
        .status,
    ).toBe(201);
  });

  const limits: [
    what: string,
    limit: (viewId: string, freeId: string) => object,
    lose: (roomsId: string, viewId: string, freeId: string) => Promise<unknown>,
  ][] = [
    [
      'its view is deleted',
      (viewId) => ({ filterByViewId: viewId }),
      (roomsId, viewId) => teable.deleteView(roomsId, viewId),
    ],
    [
      'its view loses a condition',
      (viewId) => ({ filterByViewId: viewId }),
      (roomsId, _viewId, freeId) => teable.deleteField(roomsId, freeId),
    ],
    [
      'a condition of its view says nothing any more',
      (viewId) => ({ filterByViewId: viewId }),
      (roomsId, _viewId, freeId) => teable.convertField(roomsId, freeId, { type: 'number' as never }),
    ],
    [
      'it loses a condition',
      (_viewId, fieldId) => ({
        filter: { conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: 'yes' }] },
      }),
      (roomsId, _viewId, freeId) => teable.deleteField(roomsId, freeId),
    ],
  ];

  // A condition that says nothing any more is the same of a view as of a link.
  test.each(
    cases(
      limits,
      [0, 3].flatMap((at) => limits.slice(at, at + 1)),
    ),
  )('offers no records for a link when %s, until its settings are saved', async (_what, limit, lose) => {
    const rooms = await shop.table({
      fields: [
        { name: 'Room', type: 'singleLineText' },
        { name: 'Free', type: 'singleSelect', options: { choices: [{ name: 'yes' }] } },
      ],
      records: [{ fields: { Room: 'Attic', Free: 'yes' } }, { fields: { Room: 'HUSH cellar' } }],
    });
    const freeId = rooms.fields[1]?.id as string;
    const view = must(
      await shop.owner.call(createView, {
        params: { tableId: rooms.id },
        body: {
          type: 'grid',
          filter: { conjunction: 'and', filterSet: [{ fieldId: freeId, operator: 'is', value: 'yes' }] },
        },
      }),
    );
    const { tableId, path, shareId, fieldIds } = await shared('form');
    const link = (
      await teable.createField(tableId, {
        name: 'Room',
        type: 'link' as never,
        options: {
          relationship: 'manyMany',
          isOneWay: true,
          foreignTableId: rooms.id,
          ...limit(view.id, freeId),
        } as never,
      })
    ).data;
    must(
      await shop.owner.call(setViewColumns, {
        params: path,
        body: [{ fieldId: link.id, columnMeta: { visible: true } }],
      }),
    );
    const offered = async (): Promise<unknown> =>
      (await teable.getShareViewLinkRecords(shareId, { fieldId: link.id } as never)).data.map(({ title }) => title);
    expect(await offered()).toEqual(['Attic']);
    await lose(rooms.id, view.id, freeId);
    expect(await offered()).toEqual([]);
    await expect(
      teable.shareViewFormSubmit({ shareId, fields: { [link.id]: [{ id: rooms.records[1]?.id }] } }),
    ).rejects.toEqual(denied(400));
    expect((await teable.shareViewFormSubmit({ shareId, fields: { [fieldIds.Name]: 'Without a room' } })).status).toBe(
      201,
    );
  });

  test('offers what a link leads to now once its settings are saved', async () => {
    const rooms = await shop.table({
      fields: [{ name: 'Room', type: 'singleLineText' }],
      records: [{ fields: { Room: 'Attic' } }],
    });
    const view = must(await shop.owner.call(createView, { params: { tableId: rooms.id }, body: { type: 'grid' } }));
    const { tableId, path, shareId } = await shared('form');
    const link = (
      await teable.createField(tableId, {
        name: 'Room',
        type: 'link' as never,
        options: {
          relationship: 'manyMany',
          isOneWay: true,
          foreignTableId: rooms.id,
          filterByViewId: view.id,
        } as never,
      })
    ).data;
    must(
      await shop.owner.call(setViewColumns, {
        params: path,
        body: [{ fieldId: link.id, columnMeta: { visible: true } }],
      }),
    );
    await teable.deleteView(rooms.id, view.id);
    expect(must(await shop.owner.call(getView, { params: path })).isShareHeld).toBe(true);
    await teable.updateViewShareMeta(tableId, path.viewId, { submit: { allow: true } });
    expect((await teable.getShareViewLinkRecords(shareId, { fieldId: link.id } as never)).data).toHaveLength(1);
  });

  test('offers the records that a link may lead to, and takes no others', async () => {
    const { owner } = shop;
    const rooms = await shop.table({
      fields: [
        { name: 'Room', type: 'singleLineText' },
        { name: 'Free', type: 'checkbox' },
      ],
      records: [{ fields: { Room: 'Attic', Free: true } }, { fields: { Room: 'HUSH cellar' } }],
    });
    const it = await shared('form');
    const link = (
      await teable.createField(it.tableId, {
        name: 'Room',
        type: 'link' as never,
        options: {
          relationship: 'manyOne',
          foreignTableId: rooms.id,
          filter: { conjunction: 'and', filterSet: [{ fieldId: rooms.fields[1]?.id, operator: 'is', value: true }] },
        } as never,
      })
    ).data;
    const { shareId, fieldIds } = it;
    await expect(teable.getShareViewLinkRecords(shareId, { fieldId: link.id } as never)).rejects.toEqual(denied(403));
    must(
      await owner.call(setViewColumns, {
        params: it.path,
        body: [{ fieldId: link.id, columnMeta: { visible: true } }],
      }),
    );
    const [attic, cellar] = rooms.records.map(({ id }) => id);
    expect((await teable.getShareViewLinkRecords(shareId, { fieldId: link.id } as never)).data).toEqual([
      { id: attic, title: 'Attic' },
    ]);
    expect((await teable.getShareViewLinkRecords(shareId, { fieldId: link.id, search: 'HUSH' } as never)).data).toEqual(
      [],
    );
    const made = (await teable.shareViewFormSubmit({ shareId, fields: { [link.id]: { id: attic } } })).data;
    expect(made.fields[link.id]).toMatchObject({ id: attic, title: 'Attic' });
    for (const value of [{ id: cellar }, 'HUSH cellar', [{ title: 'HUSH cellar' }], { id: 'recNONEnoneNONEnone' }]) {
      const refused = await visitor(submitShareForm, {
        params: { shareId },
        body: { fields: { [fieldIds.Name]: 'x', [link.id]: value }, typecast: true },
      });
      expect([refused.status, JSON.stringify(refused.error)]).toEqual([400, expect.not.stringContaining('Free')]);
    }
  });
});
