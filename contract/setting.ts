// What administrators decide for the whole instance.
import { type Static, type TInteger, Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';
import { text } from './text.ts';

const tag = 'setting';

/** A name such as `example.com`, in lower case. */
const domain = Type.String({
  maxLength: 253,
  pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$',
});

/** Null: what the server was started with. */
const orStarted = (schema: TInteger) => Type.Union([schema, Type.Null()]);

const decisions = {
  disallowSignUp: Type.Boolean({ description: 'Nobody can create an account without an invitation' }),
  disallowSpaceCreation: Type.Boolean({ description: 'Only administrators can create spaces' }),
  disallowSpaceInvitation: Type.Boolean({ description: 'Only administrators can invite people or add them' }),
};

const shown = {
  instanceId: Type.String(),
  brandName: Type.Union([Type.String(), Type.Null()]),
  brandLogo: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the picture is that stands for the instance',
  }),
  ...decisions,
  enableEmailVerification: Type.Boolean({ description: 'True when a mail server is set' }),
  enableWaitlist: Type.Literal(false),
  createdTime: Type.String(),
  aiConfig: Type.Null({ description: 'There is no AI' }),
};

/** Of them only administrators know. */
const limits = {
  invitationsPerHour: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description:
      'How many people one account may invite or add within an hour. At first `ROWHOUSE_INVITATIONS_PER_HOUR`.',
  }),
  sessionIdleHours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    description:
      'Hours after which a sign-in that is not used ends. At first `ROWHOUSE_SESSION_IDLE_HOURS`. Sessions that are open are shortened, not prolonged.',
  }),
  sessionHours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    description: 'Hours after which a sign-in ends however much it is used. At first `ROWHOUSE_SESSION_HOURS`.',
  }),
  auditDays: Type.Integer({ minimum: 30, maximum: 3_650, description: 'Days that entries of audit logs are kept.' }),
  refusedEmailDomains: Type.Array(domain, {
    maxItems: 1_000,
    description: 'Addresses there, and below, cannot sign up and are not invited. Accounts that are there stay.',
  }),
};

export const Setting = Type.Object({ ...shown, ...limits });
export type Setting = Static<typeof Setting>;

const PublicSetting = Type.Object({
  ...shown,
  webSearchEnabled: Type.Literal(false),
  appGenerationEnabled: Type.Literal(false),
});
export type PublicSetting = Static<typeof PublicSetting>;

export const getSetting = endpoint({
  name: 'getSetting',
  method: 'GET',
  path: '/admin/setting',
  summary: 'Settings of the instance',
  tag,
  access: { on: 'admin' },
  status: 200,
  response: Setting,
});

export const getPublicSetting = endpoint({
  name: 'getPublicSetting',
  method: 'GET',
  path: '/admin/setting/public',
  summary: 'Settings of the instance that everybody may know',
  tag,
  access: { on: 'public' },
  status: 200,
  response: PublicSetting,
});

export const updateSetting = endpoint({
  name: 'updateSetting',
  method: 'PATCH',
  path: '/admin/setting',
  summary: 'Change settings of the instance',
  description: 'They hold in every server process with the next request. Null: as the server was started.',
  tag,
  access: { on: 'admin' },
  body: Type.Object({
    brandName: Type.Optional(
      Type.Union([text({ maxLength: 100 }), Type.Null()], {
        description: 'What the instance is called; nothing for Rowhouse',
      }),
    ),
    disallowSignUp: Type.Optional(decisions.disallowSignUp),
    disallowSpaceCreation: Type.Optional(decisions.disallowSpaceCreation),
    disallowSpaceInvitation: Type.Optional(decisions.disallowSpaceInvitation),
    invitationsPerHour: Type.Optional(orStarted(limits.invitationsPerHour)),
    sessionIdleHours: Type.Optional(orStarted(limits.sessionIdleHours)),
    sessionHours: Type.Optional(orStarted(limits.sessionHours)),
    auditDays: Type.Optional(limits.auditDays),
    refusedEmailDomains: Type.Optional(limits.refusedEmailDomains),
  }),
  status: 200,
});

export const updateLogo = endpoint({
  name: 'updateLogo',
  method: 'PATCH',
  path: '/admin/setting/logo',
  summary: 'Change the picture that stands for the instance',
  description: 'A form with the picture in the part `file`, of at most 3 MB.',
  tag,
  access: { on: 'admin' },
  body: stream('multipart/form-data', { maxBytes: 3 * 1_048_576 + 10_000 }),
  status: 200,
  response: Type.Object({ url: Type.String() }),
});
