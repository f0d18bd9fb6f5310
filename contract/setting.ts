// What administrators decide for the whole instance.
import { type Static, Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';
import { text } from './text.ts';

const tag = 'setting';

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

export const Setting = Type.Object(shown);
export type Setting = Static<typeof Setting>;

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
  response: Type.Object({ ...shown, webSearchEnabled: Type.Literal(false), appGenerationEnabled: Type.Literal(false) }),
});

export const updateSetting = endpoint({
  name: 'updateSetting',
  method: 'PATCH',
  path: '/admin/setting',
  summary: 'Change settings of the instance',
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
