import * as tokens from '@rowhouse/contract/access-token.ts';
import { getUser } from '@rowhouse/contract/auth.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { listAccessTokens } from '../../server/domain/access-token/list-access-tokens.ts';
import { revokeAccessToken } from '../../server/domain/access-token/delete-access-token.ts';
import { createSpaceFor } from '../../server/domain/space/create-space.ts';
import { type Person, person } from '../support/people.ts';
import { caller, openWorld, useWorld } from '../support/world.ts';

const world = useWorld();
const expiredTime = '2099-01-31T00:00:00.000Z';
const body = { name: 'CI', scopes: ['record|read'], hasFullAccess: true, expiredTime };

const spaceOf = async ({ userId }: Person): Promise<string> =>
  (await world().db.transaction((tx) => createSpaceFor(tx, { userId, name: 'Place', newId }))).id;

const baseIn = async (spaceId: string): Promise<string> => {
  const id = newId('bse');
  await world().db.query(
    sql`insert into rowhouse.bases (id, space_id, name, position, created_by) values (${id}, ${spaceId}, 'Base', 1, 'usr0')`,
  );
  return id;
};

const using = (token: string) => caller({ baseUrl: world().baseUrl, token });

describe('making a token', () => {
  test('its text is shown once and works; the database holds only a hash', async () => {
    const ann = await person(world());
    const made = await ann.call(tokens.createAccessToken, { body: { ...body, description: 'for the build' } });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^acc[0-9A-Za-z]{16}$/),
      name: 'CI',
      description: 'for the build',
      scopes: ['record|read'],
      hasFullAccess: true,
      expiredTime,
      createdTime: expect.any(String),
      lastUsedTime: made.body.createdTime,
      token: expect.stringMatching(new RegExp(`^teable_${made.body.id}_[0-9A-Za-z]{43}$`)),
    });
    expect((await using(made.body.token)(getUser)).body.id).toBe(ann.userId);
    // As they began once.
    expect((await using(made.body.token.replace('teable_', 'rowhouse_'))(getUser)).body.id).toBe(ann.userId);
    const [row] = await world().db.query<{ all: string }>(
      sql`select t::text as all from rowhouse.access_tokens t where id = ${made.body.id}`,
    );
    expect(row?.all).not.toContain(made.body.token.split('_')[2]);
    const { token: _token, lastUsedTime: _used, ...shown } = made.body;
    expect((await ann.call(tokens.getAccessToken, { params: { accessTokenId: made.body.id } })).body).toEqual(shown);
  });

  test('it can be limited to spaces and bases the user has a role in', async () => {
    const ben = await person(world());
    const spaceId = await spaceOf(ben);
    const baseId = await baseIn(spaceId);
    const made = await ben.call(tokens.createAccessToken, {
      body: { name: 'x', scopes: ['base|read'], spaceIds: [spaceId], baseIds: [baseId], expiredTime: '2030-01-31' },
    });
    expect(made.body).toMatchObject({
      spaceIds: [spaceId],
      baseIds: [baseId],
      hasFullAccess: false,
      expiredTime: '2030-01-31T00:00:00.000Z',
    });
  });

  test('spaces and bases of others, in the trash or unknown are a 400 that names each', async () => {
    const [cat, dan] = [await person(world()), await person(world())];
    const own = await spaceOf(cat);
    const theirs = await spaceOf(dan);
    const theirBase = await baseIn(theirs);
    const trashed = await spaceOf(cat);
    await world().db.query(sql`update rowhouse.spaces set deleted_time = now() where id = ${trashed}`);
    const refused = await cat.call(tokens.createAccessToken, {
      body: { ...body, spaceIds: [own, theirs, trashed, 'nonsense'], baseIds: [theirBase, await baseIn(own)] },
    });
    expect(refused.status).toBe(400);
    expect(refused.error.data.issues.map((issue: { path: string }) => issue.path)).toEqual([
      'spaceIds[1]',
      'spaceIds[2]',
      'spaceIds[3]',
      'baseIds[0]',
    ]);
  });

  test('a scope that does not exist is a 400 that names it', async () => {
    const eva = await person(world());
    const refused = await eva.call(tokens.createAccessToken, {
      body: { ...body, scopes: ['record|read', 'record|fly', '__proto__'] },
    });
    expect(refused.status).toBe(400);
    expect(refused.error.data.issues.map((issue: { message: string }) => issue.message)).toEqual([
      'Unknown scope "record|fly"',
      'Unknown scope "__proto__"',
    ]);
  });

  test('a moment in the past is allowed, and such a token does not work', async () => {
    const fay = await person(world());
    const made = await fay.call(tokens.createAccessToken, { body: { ...body, expiredTime: '2001-01-01' } });
    expect(made.status).toBe(201);
    expect((await using(made.body.token)(getUser)).status).toBe(401);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\0' }, 'name'],
    [{ description: '\ud83d' }, 'description'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: 'record|read' }, 'scopes'],
    [{ scopes: ['a\0'] }, 'scopes[0]'],
    [{ spaceIds: [] }, 'spaceIds'],
    [{ spaceIds: ['\0'] }, 'spaceIds[0]'],
    [{ baseIds: ['\ud800'] }, 'baseIds[0]'],
    [{ expiredTime: 'soon' }, 'expiredTime'],
    [{ expiredTime: '+123456-01-01T00:00:00Z' }, 'expiredTime'],
    [{ expiredTime: '9999-12-31' }, 'expiredTime'],
    [{ expiredTime: '0001-01-01' }, 'expiredTime'],
    [{ expiredTime: 5 }, 'expiredTime'],
    [{ hasFullAccess: 'yes' }, 'hasFullAccess'],
  ])('%j is a 400 that names the place', async (part, path) => {
    const gus = await person(world());
    const refused = await gus.call(tokens.createAccessToken, { body: { ...body, ...part } as never });
    expect([refused.status, refused.error.code]).toEqual([400, 'validation_error']);
    expect(refused.error.data?.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });
});

describe('managing tokens', () => {
  test('people see their own, newest first, without those of applications', async () => {
    const hal = await person(world());
    await person(world());
    const application = await hal.withToken({ name: 'application', clientId: 'cltapplication00001' });
    await hal.call(tokens.createAccessToken, { body: { ...body, name: 'second' } });
    await hal.call(tokens.createAccessToken, { body: { ...body, name: 'third' } });
    const list = await hal.call(tokens.listAccessTokens);
    expect(list.body.map(({ name }) => name)).toEqual(['third', 'second', 'test']);
    expect(JSON.stringify(list.body)).not.toContain('"token"');
    expect((await hal.call(tokens.getAccessToken, { params: { accessTokenId: application.id } })).status).toBe(404);
    expect((await hal.call(tokens.deleteAccessToken, { params: { accessTokenId: application.id } })).status).toBe(404);
  });

  test('unknown, malformed and others’ ids are a 404, and nothing happens to them', async () => {
    const [ida, jon] = [await person(world()), await person(world())];
    const his = (await jon.call(tokens.createAccessToken, { body })).body;
    for (const accessTokenId of [his.id, 'acc0000000000000000', 'x', 'acc%00', "acc'; --", '../user']) {
      const params = { accessTokenId };
      const answers = [
        await ida.call(tokens.getAccessToken, { params }),
        await ida.call(tokens.updateAccessToken, { params, body: { name: 'mine', scopes: ['record|read'] } }),
        await ida.call(tokens.refreshAccessToken, { params }),
        await ida.call(tokens.deleteAccessToken, { params }),
      ];
      expect([accessTokenId, ...answers.map(({ status }) => status)]).toEqual([accessTokenId, 404, 404, 404, 404]);
    }
    expect((await using(his.token)(getUser)).status).toBe(200);
  });

  test('a change replaces name and scopes; a list left out stays, null clears it; it counts at once', async () => {
    const kim = await person(world());
    const [one, two] = [await spaceOf(kim), await spaceOf(kim)];
    const baseId = await baseIn(one);
    const made = (
      await kim.call(tokens.createAccessToken, {
        body: {
          name: 'x',
          description: 'd',
          scopes: ['user|email_read'],
          spaceIds: [one],
          baseIds: [baseId],
          expiredTime,
        },
      })
    ).body;
    const params = { accessTokenId: made.id };
    expect((await using(made.token)(getUser)).body.email).toBe(kim.email);
    const renamed = await kim.call(tokens.updateAccessToken, {
      params,
      body: { name: 'y', scopes: ['record|read', 'record|read'] },
    });
    expect(renamed.body).toEqual({
      id: made.id,
      name: 'y',
      description: 'd',
      scopes: ['record|read'],
      spaceIds: [one],
      baseIds: [baseId],
      hasFullAccess: false,
    });
    expect((await using(made.token)(getUser)).body.email).toBeUndefined();
    const cleared = await kim.call(tokens.updateAccessToken, {
      params,
      body: { name: 'y', scopes: ['record|read'], spaceIds: [two], baseIds: null, hasFullAccess: true },
    });
    expect(cleared.body).toEqual({
      id: made.id,
      name: 'y',
      description: 'd',
      scopes: ['record|read'],
      spaceIds: [two],
      hasFullAccess: true,
    });
    const shown = (await kim.call(tokens.getAccessToken, { params })).body;
    expect(shown).toMatchObject({ ...cleared.body, expiredTime });
  });

  test('a change is checked like a new token, but a place that was lost since may stay listed', async () => {
    const lea = await person(world());
    const spaceId = await spaceOf(lea);
    const made = (await lea.call(tokens.createAccessToken, { body: { ...body, spaceIds: [spaceId] } })).body;
    const params = { accessTokenId: made.id };
    await world().db.query(sql`delete from rowhouse.collaborators where resource_id = ${spaceId}`);
    const change = (part: object) =>
      lea.call(tokens.updateAccessToken, { params, body: { name: 'n', scopes: ['record|read'], ...part } as never });
    expect((await change({ spaceIds: [spaceId] })).status).toBe(200);
    expect((await change({ spaceIds: [spaceId, 'spc0000000000000000'] })).error.data.issues[0].path).toBe(
      'spaceIds[1]',
    );
    expect((await change({ scopes: ['nope'] })).status).toBe(400);
    expect((await change({ scopes: [] })).status).toBe(400);
    expect((await change({ name: '' })).status).toBe(400);
  });

  test('refreshing gives a new text, ends the old at once, and moves the expiry only when asked', async () => {
    const max = await person(world());
    const made = (await max.call(tokens.createAccessToken, { body })).body;
    const params = { accessTokenId: made.id };
    const fresh = await max.call(tokens.refreshAccessToken, { params });
    expect([fresh.status, fresh.body]).toEqual([
      200,
      { id: made.id, expiredTime, token: expect.stringMatching(/^teable_acc/) },
    ]);
    expect((await using(made.token)(getUser)).status).toBe(401);
    expect((await using(fresh.body.token)(getUser)).status).toBe(200);
    const later = await max.call(tokens.refreshAccessToken, { params, body: { expiredTime: '2098-05-05' } });
    expect(later.body.expiredTime).toBe('2098-05-05T00:00:00.000Z');
    expect((await max.call(tokens.refreshAccessToken, { params, body: { expiredTime: 'later' } })).status).toBe(400);
    expect((await using(later.body.token)(getUser)).status).toBe(200);
  });

  test('a deleted token is dead at once, and gone', async () => {
    const ned = await person(world());
    const made = (await ned.call(tokens.createAccessToken, { body })).body;
    const params = { accessTokenId: made.id };
    expect((await using(made.token)(getUser)).status).toBe(200);
    expect((await ned.call(tokens.deleteAccessToken, { params })).status).toBe(200);
    expect((await using(made.token)(getUser)).status).toBe(401);
    expect((await ned.call(tokens.deleteAccessToken, { params })).status).toBe(404);
  });

  test('what ends a remembered decision moves the epoch of its user; what gives something new does not', async () => {
    const oda = await person(world());
    const epoch = async () =>
      (
        await world().db.query<{ epoch: number }>(
          sql`select coalesce(sum(epoch), 0)::int as epoch from rowhouse.epochs where id = ${oda.userId}`,
        )
      )[0]?.epoch as number;
    const start = await epoch();
    const made = (await oda.call(tokens.createAccessToken, { body })).body;
    expect(await epoch()).toBe(start);
    const params = { accessTokenId: made.id };
    await oda.call(tokens.updateAccessToken, { params, body: { name: 'n', scopes: ['record|read'] } });
    await oda.call(tokens.refreshAccessToken, { params });
    await oda.call(tokens.deleteAccessToken, { params });
    expect(await epoch()).toBe(start + 3);
  });

  test('the operator lists and ends anybody’s', async () => {
    const pam = await person(world());
    const made = (await pam.call(tokens.createAccessToken, { body })).body;
    const listed = await listAccessTokens(world().db, { email: pam.email.toUpperCase() });
    expect(listed.map(({ id, email }) => [id, email])).toEqual([
      [made.id, pam.email],
      [expect.any(String), pam.email],
    ]);
    expect((await listAccessTokens(world().db)).length).toBeGreaterThan(2);
    await revokeAccessToken(world().db, made.id);
    expect((await using(made.token)(getUser)).status).toBe(401);
    await expect(revokeAccessToken(world().db, made.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a token that manages tokens', () => {
  const soon = new Date(Date.now() + 3_600_000);
  const before = new Date(soon.getTime() - 1_000).toISOString();

  test('of an application may not at all', async () => {
    const quin = await person(world());
    const application = await quin.withToken({ hasFullAccess: true, clientId: 'cltapplication00001' });
    const params = { accessTokenId: (await quin.withToken({})).id };
    const answers = [
      await application.call(tokens.listAccessTokens),
      await application.call(tokens.createAccessToken, { body }),
      await application.call(tokens.getAccessToken, { params }),
      await application.call(tokens.updateAccessToken, { params, body: { name: 'n', scopes: ['record|read'] } }),
      await application.call(tokens.refreshAccessToken, { params }),
      await application.call(tokens.deleteAccessToken, { params }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });

  test('with full access and all scopes gives whatever its user may', async () => {
    const ray = await person(world());
    expect((await ray.call(tokens.createAccessToken, { body: { ...body, scopes: actions } })).status).toBe(201);
  });

  test('gives no scope, no place and no life beyond its own', async () => {
    const sue = await person(world());
    const [here, there] = [await spaceOf(sue), await spaceOf(sue)];
    const [baseHere, baseThere, extra] = [await baseIn(here), await baseIn(there), await baseIn(there)];
    const limited = await sue.withToken({
      scopes: ['record|read', 'field|read'],
      spaceIds: [here],
      baseIds: [extra],
      expiredTime: soon,
    });
    const make = async (part: object) =>
      (
        await limited.call(tokens.createAccessToken, {
          body: { name: 'n', scopes: ['record|read'], expiredTime: before, ...part } as never,
        })
      ).status;
    expect(await make({})).toBe(201);
    expect(await make({ spaceIds: [here], baseIds: [baseHere, extra] })).toBe(201);
    expect(await make({ scopes: ['record|read', 'record|update'] })).toBe(403);
    expect(await make({ hasFullAccess: true })).toBe(403);
    expect(await make({ spaceIds: [there] })).toBe(403);
    expect(await make({ baseIds: [baseThere] })).toBe(403);
    expect(await make({ expiredTime })).toBe(403);
  });

  test('sees and changes those alone that may do no more than itself', async () => {
    const tom = await person(world());
    const here = await spaceOf(tom);
    const baseHere = await baseIn(here);
    const limited = await tom.withToken({
      name: 'limited',
      scopes: ['record|read', 'field|read'],
      spaceIds: [here],
      expiredTime: soon,
    });
    const less = await tom.withToken({ name: 'less', scopes: ['record|read'], baseIds: [baseHere], expiredTime: soon });
    const more = await tom.withToken({ name: 'more', scopes: ['record|update'], spaceIds: [here], expiredTime: soon });
    const longer = await tom.withToken({ name: 'longer', scopes: ['record|read'], spaceIds: [here] });
    expect((await limited.call(tokens.listAccessTokens)).body.map(({ name }) => name).sort()).toEqual([
      'less',
      'limited',
      'longer',
    ]);
    const params = { accessTokenId: more.id };
    const answers = [
      await limited.call(tokens.getAccessToken, { params }),
      await limited.call(tokens.updateAccessToken, { params, body: { name: 'n', scopes: ['record|read'] } }),
      await limited.call(tokens.refreshAccessToken, { params }),
      await limited.call(tokens.deleteAccessToken, { params }),
      // Its new text would be known to a token that ends before.
      await limited.call(tokens.refreshAccessToken, { params: { accessTokenId: longer.id } }),
      await limited.call(tokens.updateAccessToken, {
        params: { accessTokenId: less.id },
        body: { name: 'n', scopes: ['record|update'] },
      }),
      await limited.call(tokens.updateAccessToken, {
        params: { accessTokenId: less.id },
        body: { name: 'n', scopes: ['record|read'], hasFullAccess: true },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(403));
    expect(
      (
        await limited.call(tokens.updateAccessToken, {
          params: { accessTokenId: less.id },
          body: { name: 'n', scopes: ['field|read'] },
        })
      ).status,
    ).toBe(200);
    expect((await limited.call(tokens.refreshAccessToken, { params: { accessTokenId: limited.id } })).status).toBe(200);
  });
});

test('when a token was last used is written down after the fact, at the latest when the server stops', async () => {
  const uta = await person(world());
  const made = (await uta.call(tokens.createAccessToken, { body })).body;
  const shown = async () =>
    (await uta.call(tokens.getAccessToken, { params: { accessTokenId: made.id } })).body.lastUsedTime;
  expect(await shown()).toBeUndefined();
  const other = await openWorld(world().databaseUrl);
  const started = Date.now();
  await caller({ baseUrl: other.baseUrl, token: made.token })(getUser);
  await other.close();
  expect(Date.parse((await shown()) as string)).toBeGreaterThanOrEqual(started);
});
