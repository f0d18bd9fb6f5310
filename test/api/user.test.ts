import { getUser, getUserMe } from '@rowhouse/contract/auth.ts';
import { renameUser, setLanguage, updateNotifyMeta } from '@rowhouse/contract/user.ts';
import { expect, test } from 'vitest';
import { listUsers } from '../../server/domain/user/read-users.ts';
import { person } from '../support/people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('anybody with a credential learns who they are; the address needs its scope', async () => {
  const ann = await person(world(), { name: 'Ann' });
  const info = { id: ann.userId, name: 'Ann', avatar: null };
  expect((await ann.call(getUser)).body).toEqual({ ...info, email: ann.email });
  expect((await (await ann.withSession())(getUser)).body).toEqual({ ...info, email: ann.email });
  const blind = await ann.withToken({ scopes: ['record|read'] });
  expect((await blind.call(getUser)).body).toEqual(info);
  expect((await blind.call(getUserMe)).status).toBe(403);
  const sighted = await ann.withToken({ scopes: ['user|email_read'], clientId: 'cltapplication00001' });
  expect((await sighted.call(getUser)).body).toEqual({ ...info, email: ann.email });
});

test('people change their name', async () => {
  const ben = await person(world());
  expect((await ben.call(renameUser, { body: { name: 'Benjamin 🦉' } })).status).toBe(200);
  expect((await ben.call(getUserMe)).body.name).toBe('Benjamin 🦉');
});

test.each([[''], ['x'.repeat(201)], ['a\0b'], ['a\udc00b'], [null], [7], [undefined]])(
  '%j is no name',
  async (name) => {
    const cat = await person(world(), { name: 'Cat' });
    const refused = await cat.call(renameUser, { body: { name } as never });
    expect([refused.status, refused.error.code]).toEqual([400, 'validation_error']);
    expect((await cat.call(getUserMe)).body.name).toBe('Cat');
  },
);

test('people choose whether they get e-mail; what is left out or unknown changes nothing', async () => {
  const dan = await person(world());
  expect((await dan.call(updateNotifyMeta, { body: { email: false } })).status).toBe(200);
  expect((await dan.call(updateNotifyMeta, { body: { isAdmin: true, push: true } as never })).status).toBe(200);
  const me = (await dan.call(getUserMe)).body;
  expect([me.notifyMeta, me.isAdmin]).toEqual([{ email: false }, false]);
  expect((await dan.call(updateNotifyMeta, { body: { email: 'no' } as never })).status).toBe(400);
});

test('people choose a language, which their account tells', async () => {
  const fay = await person(world());
  expect((await fay.call(getUserMe)).body.lang).toBeNull();
  expect((await fay.call(setLanguage, { body: { lang: 'pt-BR' } })).status).toBe(200);
  for (const lang of ['', 'e', 'en_US', 'en-', '<b>'])
    expect((await fay.call(setLanguage, { body: { lang } })).status).toBe(400);
  expect((await fay.call(getUserMe)).body.lang).toBe('pt-BR');
});

test('limited tokens and those of applications do not change the account', async () => {
  const eva = await person(world());
  const limited = await eva.withToken({ hasFullAccess: true, scopes: ['record|read', 'user|email_read'] });
  const narrow = await eva.withToken({ spaceIds: ['spc0000000000000000'] });
  const application = await eva.withToken({ hasFullAccess: true, clientId: 'cltapplication00001' });
  for (const { call } of [limited, narrow, application]) {
    expect((await call(renameUser, { body: { name: 'Mallory' } })).status).toBe(403);
    expect((await call(updateNotifyMeta, { body: { email: false } })).status).toBe(403);
    expect((await call(setLanguage, { body: { lang: 'de' } })).status).toBe(403);
  }
});

test('the operator sees everybody, oldest first', async () => {
  const last = await person(world(), { name: 'Zed', admin: true });
  const users = await listUsers(world().db);
  expect(users.at(-1)).toMatchObject({
    id: last.userId,
    email: last.email,
    name: 'Zed',
    isAdmin: true,
    lastSignInTime: null,
    deactivatedTime: null,
  });
  expect(users.length).toBeGreaterThan(1);
});
