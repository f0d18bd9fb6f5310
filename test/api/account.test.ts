// What people do with their account as a whole: a picture, a token for ten minutes, its end. And queries that they save.
import { listAccessTokens } from '@rowhouse/contract/access-token.ts';
import { deleteUser, getTempToken, getUser, getUserMe, signIn } from '@rowhouse/contract/auth.ts';
import { addSpaceCollaborators, listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { createOauthClient } from '@rowhouse/contract/oauth.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { saveQuery } from '@rowhouse/contract/saved-query.ts';
import { getPublicSetting } from '@rowhouse/contract/setting.ts';
import { createSpace, deleteSpace, destroySpace, listSpaces } from '@rowhouse/contract/space.ts';
import { listSearchIndexes, repairSearchIndex, toggleSearchIndex } from '@rowhouse/contract/table.ts';
import { deleteAvatar } from '@rowhouse/contract/user.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type Person, person } from '../support/people.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let table: TestTable;
beforeAll(async () => {
  table = await tableWith(await ground(world()));
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

const send = (who: Person, path: string, content: string, type: string): Promise<Response> => {
  const form = new FormData();
  form.append('file', new Blob([content], { type }), 'picture.svg');
  return fetch(world().baseUrl + path, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  });
};

const read = async (address: string): Promise<[number, string | null, string]> => {
  const answer = await fetch(world().origin + address);
  return [answer.status, answer.headers.get('content-type'), await answer.text()];
};

test('people show a picture; cells always name where it is', async () => {
  const { owner, tableId } = table;
  const cell = (
    await owner.call(createRecords, {
      params: { tableId },
      body: { records: [{ fields: { Person: { id: owner.userId, title: '' } } }] },
    })
  ).body.records[0]?.fields.Person;
  const address = `/api/attachments/read/public/avatar/${owner.userId}`;
  expect(cell).toEqual({ id: owner.userId, title: owner.name, email: owner.email, avatarUrl: address });
  // Nobody in particular, and nothing that tells whether there is such a user.
  const nobody = await read(address);
  expect(nobody.slice(0, 2)).toEqual([200, 'image/svg+xml']);
  expect((await read('/api/attachments/read/public/avatar/usr0000000000000000'))[0]).toBe(200);
  expect((await read('/api/attachments/read/public/avatar/other'))[0]).toBe(404);
  expect((await owner.call(getUser, {})).body.avatar).toBeNull();

  for (const [content, type] of [
    ['text', 'text/plain'],
    ['no picture', 'image/png'],
    [svg + ' '.repeat(3 * 1_048_576), 'image/svg+xml'],
  ] as const)
    expect((await send(owner, '/user/avatar', content, type)).status, type).toBe(400);
  expect((await send(owner, '/user/avatar', svg, 'image/svg+xml')).status).toBe(200);
  const { avatar } = (await owner.call(getUserMe, {})).body;
  expect(avatar).toContain(address);
  expect([await read(address), await read(avatar as string)]).toEqual([
    [200, 'image/svg+xml', svg],
    [200, 'image/svg+xml', svg],
  ]);
  // What the pictures are kept by, and what removes them.
  expect((await owner.call(deleteAvatar, {})).status).toBe(200);
  expect([await read(address), (await owner.call(getUser, {})).body.avatar]).toEqual([nobody, null]);
});

test('the instance has a logo', async () => {
  const admin = await person(world(), { admin: true });
  expect((await send(table.owner, '/admin/setting/logo', svg, 'image/svg+xml')).status).toBe(403);
  const answer = await send(admin, '/admin/setting/logo', svg, 'image/svg+xml');
  const { url } = (await answer.json()) as { url: string };
  expect([answer.status, (await table.owner.call(getPublicSetting, {})).body.brandLogo, await read(url)]).toEqual([
    200,
    url,
    [200, 'image/svg+xml', svg],
  ]);
});

test('a token for ten minutes does all its user may, and is not listed', async () => {
  const someone = await person(world());
  const before = (await someone.call(listAccessTokens, {})).body.length;
  const { accessToken, expiresTime } = (await someone.call(getTempToken, {})).body;
  expect(Date.parse(expiresTime) - Date.now()).toBeLessThanOrEqual(600_000);
  expect(
    (await fetch(`${world().baseUrl}/auth/user/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status,
  ).toBe(200);
  expect((await someone.call(listAccessTokens, {})).body).toHaveLength(before);
  const limited = await someone.withToken({ hasFullAccess: true, scopes: ['user|email_read'] });
  expect(
    (await fetch(`${world().baseUrl}/auth/temp-token`, { headers: { authorization: `Bearer ${limited.token}` } }))
      .status,
  ).toBe(403);
  await world().db.query(
    sql`update rowhouse.access_tokens set expired_time = now() - interval '1 minute' where is_temporary`,
  );
  await someone.call(getTempToken, {});
  expect(
    await world().db.query(
      sql`select id from rowhouse.access_tokens where is_temporary and user_id = ${someone.userId}`,
    ),
  ).toHaveLength(1);
});

test('an account is deleted by its password; what it wrote stays, without its name', async () => {
  const { owner, spaceId, tableId } = table;
  const leaver = await member(world(), owner, spaceId, 'editor');
  await leaver.call(createOauthClient, {
    body: { name: 'App', homepage: 'https://app.example.com', redirectUris: ['https://app.example.com/back'] },
  });
  const made = (
    await leaver.call(createRecords, {
      params: { tableId },
      body: { records: [{ fields: { Text: 'stays', Person: { id: leaver.userId, title: '' } } }] },
    })
  ).body.records[0];
  const leave = (body?: { password: string }) =>
    leaver.call(deleteUser, { query: { confirm: 'DELETE' }, ...(body === undefined ? {} : { body }) } as never);

  expect((await leaver.call(deleteUser, { query: { confirm: 'yes' } } as never)).status).toBe(400);
  expect((await leave()).error).toMatchObject({ status: 400, code: 'invalid_credentials' });
  expect((await leave({ password: 'not-the-password-1' })).error).toMatchObject({ code: 'invalid_credentials' });
  await leaver.call(createSpace, { body: { name: 'Own' } });
  // Spaces without another owner are in the way, also in the trash.
  const password = { password: leaver.password };
  const owned = (await leaver.call(listSpaces, {})).body.filter(({ role }) => role === 'owner');
  expect(owned).toHaveLength(1);
  for (const { id, name } of owned) {
    expect((await leave(password)).error).toMatchObject({
      status: 400,
      data: { spaces: [{ id, name, deletedTime: null }] },
    });
    await leaver.call(deleteSpace, { params: { spaceId: id } });
    expect((await leave(password)).error).toMatchObject({
      status: 400,
      data: { spaces: [{ id, name, deletedTime: expect.any(String) }] },
    });
    await leaver.call(destroySpace, { params: { spaceId: id } });
  }
  expect((await leave(password)).status).toBe(200);
  expect((await leaver.call(getUser, {})).status).toBe(401);
  expect((await leaver.call(signIn, { body: { email: leaver.email, password: leaver.password } })).status).toBe(400);
  const record = (await owner.call(listRecords, { params: { tableId }, query: { search: ['stays', '', 'true'] } })).body
    .records[0];
  expect(record).toMatchObject({ id: made?.id, createdBy: leaver.userId });
  const members = (await owner.call(listSpaceCollaborators, { params: { spaceId } })).body;
  expect(JSON.stringify(members)).not.toContain(leaver.userId);
  const [row] = await world().db.query<{ row: string }>(
    sql`select to_jsonb(u)::text as row from rowhouse.users u where id = ${leaver.userId}`,
  );
  expect(row?.row).toContain('Deleted user');
  expect(row?.row).not.toContain(leaver.email);
  expect(await world().db.query(sql`select from rowhouse.oauth_clients where created_by = ${leaver.userId}`)).toEqual(
    [],
  );
  // The address is free again; nobody can be added by the id.
  expect(
    (
      await owner.call(addSpaceCollaborators, {
        params: { spaceId },
        body: { collaborators: [{ principalId: leaver.userId, principalType: 'user' }], role: 'viewer' },
      })
    ).status,
  ).toBeGreaterThanOrEqual(400);
});

test('a query that is too long for an address is saved first, for the one who saved it', async () => {
  const { owner, tableId, fieldIds } = table;
  await owner.call(createRecords, {
    params: { tableId },
    body: { records: [{ fields: { Text: 'long one', Number: 5 } }, { fields: { Text: 'long two', Number: 6 } }] },
  });
  const filter = {
    conjunction: 'and',
    filterSet: [
      { fieldId: fieldIds.Number, operator: 'isGreater', value: 4 },
      {
        conjunction: 'or',
        filterSet: Array.from({ length: 10 }, () => ({
          fieldId: fieldIds.Text,
          operator: 'contains',
          value: 'long'.repeat(1),
        })),
      },
    ],
  };
  const { queryId } = (
    await owner.call(saveQuery, { body: { params: { filter, projection: ['Text'], take: 1, fieldKeyType: 'name' } } })
  ).body;
  expect(queryId).toMatch(/^qry/);
  const list = (who: Person, query: object) => who.call(listRecords, { params: { tableId }, query: query as never });
  expect((await list(owner, { queryId })).body.records.map(({ fields }) => fields)).toEqual([{ Text: 'long one' }]);
  expect((await list(owner, { queryId, take: 10 })).body.records.map(({ fields }) => fields.Text)).toEqual([
    'long one',
    'long two',
  ]);
  const other = await member(world(), owner, table.spaceId, 'viewer');
  for (const refused of [await list(other, { queryId }), await list(owner, { queryId: 'qryUnknown' })])
    expect(refused.error).toMatchObject({ status: 400, message: expect.stringContaining('saved query') });
});

test('searching is always ready', async () => {
  const params = { baseId: table.baseId, tableId: table.tableId };
  expect((await table.call(listSearchIndexes, { params })).body).toEqual(['search']);
  expect((await table.call(toggleSearchIndex, { params, body: { type: 'search' } })).status).toBe(201);
  expect((await table.call(repairSearchIndex, { params, query: { type: 'search' } })).status).toBe(200);
  expect((await table.call(listSearchIndexes, { params: { ...params, baseId: 'bseOther' } })).status).toBe(404);
});
