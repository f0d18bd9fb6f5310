// Where an account is signed in. Each sign-in is a session, which can be ended from any other one.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const tag = 'auth';
const own = { on: 'user', own: true } as const;
const Time = Type.String({ description: 'ISO 8601, UTC' });

export const Session = Type.Object({
  id: Type.String({ description: 'Begins with `ses`.' }),
  device: Type.String({ description: 'Such as `Firefox on Windows`; empty when it is not known.' }),
  ip: Type.Union([Type.String(), Type.Null()], { description: 'The address that signed in.' }),
  createdTime: Time,
  lastSeenTime: Type.String({ description: 'ISO 8601, UTC; up to a quarter of a minute late.' }),
  expiresTime: Type.String({ description: 'ISO 8601, UTC. It moves on while the session is used.' }),
  isCurrent: Type.Boolean({ description: 'The one that asks.' }),
});
export type Session = Static<typeof Session>;

const Ended = Type.Object({ ended: Type.Integer({ description: 'How many sessions that were.' }) });

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/user/sessions',
  summary: 'Where your account is signed in',
  description: 'The one used last comes first.',
  tag,
  access: own,
  status: 200,
  response: Type.Object({ sessions: Type.Array(Session) }),
});

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/user/sessions/:sessionId',
  summary: 'Sign out one of your sessions',
  description: 'It ends at once, with every page and stream that it has open. Access tokens stay valid.',
  tag,
  access: own,
  params: Type.Object({ sessionId: Type.String({ maxLength: 100 }) }),
  status: 200,
});

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/user/sessions',
  summary: 'Sign out everywhere else',
  description: 'Ends all your sessions but the one that asks. Only a session can ask.',
  tag,
  access: own,
  status: 200,
  response: Ended,
});

export const endSessionsOfUser = endpoint({
  name: 'endSessionsOfUser',
  method: 'DELETE',
  path: '/admin/user/:userId/sessions',
  summary: 'Sign somebody out everywhere',
  description: 'For administrators of the instance. Access tokens stay valid.',
  tag,
  access: { on: 'admin' },
  params: Type.Object({ userId: Type.String({ maxLength: 100 }) }),
  status: 200,
  response: Ended,
});
