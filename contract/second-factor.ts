// The second factor: an authenticator app (TOTP), recovery codes, and spaces that demand it of their members.
import { Type } from 'typebox';
import { spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { userMe } from './user.ts';

const password = Type.String({ minLength: 1, maxLength: 256 });
const code = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Six digits of the authenticator app, or a recovery code.',
});
const recoveryCodes = Type.Array(Type.String(), {
  description: 'Each lets you in once without the app. They are shown this once.',
});
const own = { on: 'user', own: true } as const;
const tag = 'second factor';

export const getSecondFactor = endpoint({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/user/second-factor',
  summary: 'Whether signing in to your account takes a second factor',
  tag,
  access: own,
  status: 200,
  response: Type.Object({ isSet: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
});

export const beginSecondFactor = endpoint({
  name: 'beginSecondFactor',
  method: 'POST',
  path: '/user/second-factor/begin',
  summary: 'Get a secret for an authenticator app',
  description:
    'Takes effect when a code of the app is sent to `/user/second-factor`, within half an hour. 409 when there is a second factor already.',
  tag,
  access: own,
  body: Type.Object({ password }),
  status: 201,
  response: Type.Object({
    secret: Type.String({ description: 'Base32, to be typed into the app.' }),
    uri: Type.String({ description: 'The same as `otpauth://` address, to be shown as QR code.' }),
  }),
});

export const confirmSecondFactor = endpoint({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/user/second-factor',
  summary: 'Turn the second factor on with a first code of the app',
  description: 'From now on signing in takes two steps. All other sessions end; access tokens stay valid.',
  tag,
  access: own,
  body: Type.Object({ code }),
  status: 201,
  response: Type.Object({ recoveryCodes }),
});

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/user/second-factor/recovery-codes',
  summary: 'Get new recovery codes; the old ones end',
  tag,
  access: own,
  body: Type.Object({ password, code }),
  status: 201,
  response: Type.Object({ recoveryCodes }),
});

export const removeSecondFactor = endpoint({
  name: 'removeSecondFactor',
  method: 'POST',
  path: '/user/second-factor/remove',
  summary: 'Turn the second factor off',
  description: 'Spaces that demand one are closed to you from then on.',
  tag,
  access: own,
  body: Type.Object({ password, code }),
  status: 201,
});

export const signInWithSecondFactor = endpoint({
  name: 'signInWithSecondFactor',
  method: 'POST',
  path: '/auth/signin/second-factor',
  summary: 'Sign in, second step',
  description:
    'With the token of the 422 that `/auth/signin` answered (`data.secondFactorToken`, good for ten minutes). Every code counts once. After 10 wrong ones in an hour 429 with Retry-After.',
  tag: 'auth',
  access: { on: 'public' },
  body: Type.Object({ token: Type.String({ maxLength: 200 }), code }),
  status: 200,
  response: userMe,
});

const demand = Type.Object({
  isDemanded: Type.Boolean(),
  membersWithout: Type.Integer({
    description: 'How many people with a role on the space or one of its bases have no second factor.',
  }),
});

export const getSpaceSecondFactor = endpoint({
  name: 'getSpaceSecondFactor',
  method: 'GET',
  path: '/space/:spaceId/second-factor',
  summary: 'Whether a space demands a second factor of its members',
  tag,
  access: { on: 'space', action: 'space|read' },
  params: spaceParams,
  status: 200,
  response: demand,
});

export const setSpaceSecondFactor = endpoint({
  name: 'setSpaceSecondFactor',
  method: 'PUT',
  path: '/space/:spaceId/second-factor',
  summary: 'Demand a second factor of the members of a space, or no longer',
  description:
    'For owners who have one themselves (409 otherwise). Members without one, also those of single bases, get 403 from everything in the space, by their access tokens too, until they set one up. They can leave.',
  tag,
  access: { on: 'space', action: 'space|update', ownersOnly: true },
  params: spaceParams,
  body: Type.Object({ isDemanded: Type.Boolean() }),
  status: 200,
  response: demand,
});
