// The official client of Teable, unmodified: its calls for accounts and access tokens, and its own schemas for the answers.
import * as teable from '@teable/openapi';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { person } from '../support/people.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const { axios } = teable;
const account = { email: 'teable@example.com', password: 'compatible 1' };
const scopes = ['record|read', 'user|email_read'];

const forgetCredentials = (): void => {
  delete axios.defaults.headers.common.Cookie;
  delete axios.defaults.headers.common.Authorization;
};

beforeEach(() => {
  // Anyone who used the client before, in another file too, has left a token in it.
  forgetCredentials();
  axios.defaults.baseURL = world().baseUrl;
});

afterEach(forgetCredentials);

const keepCookie = (headers: unknown): void => {
  const [cookie] = (headers as { 'set-cookie': string[] })['set-cookie'];
  axios.defaults.headers.common.Cookie = (cookie as string).split(';')[0] as string;
};

test('signup, signin, userMe, userInfo, updateUserName, updateUserNotifyMeta, changePassword and signout work', async () => {
  const made = await teable.signup({ ...account, defaultSpaceName: 'Mine', refMeta: { query: 'q' } });
  expect(made.status).toBe(201);
  keepCookie(made.headers);
  const me = teable.userMeVoSchema.parse(made.data);
  expect(teable.userMeVoSchema.parse((await teable.userMe()).data)).toEqual(me);
  expect(teable.userInfoVoSchema.parse((await teable.userInfo()).data)).toEqual({
    id: me.id,
    name: 'teable',
    avatar: null,
    email: account.email,
  });
  await teable.updateUserName({ name: 'Compatible' });
  await teable.updateUserNotifyMeta({ email: false });
  expect((await teable.userMe()).data).toMatchObject({ name: 'Compatible', notifyMeta: { email: false } });
  await teable.changePassword({ password: account.password, newPassword: 'compatible 2' });
  await expect(teable.userMe()).rejects.toMatchObject({ status: 401, code: 'unauthorized', message: 'Unauthorized' });

  const again = await teable.signin({ ...account, password: 'compatible 2' });
  expect(again.status).toBe(200);
  expect(teable.userMeVoSchema.parse(again.data).id).toBe(me.id);
  keepCookie(again.headers);
  expect((await teable.signout()).status).toBe(200);
  await expect(teable.userMe()).rejects.toMatchObject({ status: 401 });
  await expect(teable.signin(account)).rejects.toMatchObject({ status: 400, code: 'invalid_credentials' });
});

test('createAccessToken, listAccessToken, getAccessToken, updateAccessToken, refreshAccessToken and deleteAccessToken work', async () => {
  const someone = await person(world());
  teable.configApi({ endpoint: world().origin, token: someone.token });

  const made = await teable.createAccessToken({
    name: 'made',
    description: 'd',
    scopes,
    hasFullAccess: true,
    spaceIds: null,
    expiredTime: '2099-03-25',
  });
  expect(made.status).toBe(201);
  const token = teable.createAccessTokenVoSchema.parse(made.data);
  const list = teable.listAccessTokenVoSchema.parse((await teable.listAccessToken()).data);
  expect(list.map(({ id }) => id)).toContain(token.id);
  expect(teable.getAccessTokenVoSchema.parse((await teable.getAccessToken(token.id)).data)).toMatchObject({
    name: 'made',
    description: 'd',
    scopes,
  });
  const changed = await teable.updateAccessToken(token.id, { name: 'changed', scopes, baseIds: null });
  expect(teable.updateAccessTokenVoSchema.parse(changed.data)).toEqual({
    id: token.id,
    name: 'changed',
    description: 'd',
    scopes,
    hasFullAccess: true,
  });

  // Without a body the client still names a content type for it.
  const refreshed = teable.refreshAccessTokenVoSchema.parse((await teable.refreshAccessToken(token.id)).data);
  expect(refreshed.expiredTime).toBe('2099-03-25T00:00:00.000Z');
  const later = teable.refreshAccessTokenVoSchema.parse(
    (await teable.refreshAccessToken(token.id, { expiredTime: '2099-04-01' })).data,
  );
  expect(later.expiredTime).toBe('2099-04-01T00:00:00.000Z');

  teable.configApi({ endpoint: world().origin, token: later.token });
  expect(teable.userInfoVoSchema.parse((await teable.userInfo()).data).email).toBe(someone.email);
  expect((await teable.deleteAccessToken(token.id)).status).toBe(200);
  await expect(teable.userInfo()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
});
