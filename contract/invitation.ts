// Invitations: links that anyone who has them can accept, and e-mail addresses that are let in.
import { Type } from 'typebox';
import { baseParams, baseRoleName, roleName, spaceParams } from './collaborator.ts';
import { endpoint } from './endpoint.ts';
import { email } from './user.ts';

const link = Type.Object({
  invitationId: Type.String(),
  inviteUrl: Type.String({ description: 'The address to hand out.' }),
  invitationCode: Type.String({
    description:
      'The secret of the link: 64 hexadecimal characters. Empty for one that was made with another key of the server.',
  }),
  createdBy: Type.String({ description: 'A user id.' }),
  createdTime: Type.String(),
  role: roleName,
});

const spaceLinkParams = Type.Object({ spaceId: Type.String(), invitationId: Type.String() });
const baseLinkParams = Type.Object({ baseId: Type.String(), invitationId: Type.String() });

export const createSpaceLink = endpoint({
  name: 'createSpaceLink',
  method: 'POST',
  path: '/space/:spaceId/invitation/link',
  summary: 'Make a link that gives a role on a space',
  description: 'No role above your own.',
  tag: 'invitation',
  access: { on: 'space', action: 'space|invite_link' },
  params: spaceParams,
  body: Type.Object({ role: roleName }),
  status: 201,
  response: link,
});

export const listSpaceLinks = endpoint({
  name: 'listSpaceLinks',
  method: 'GET',
  path: '/space/:spaceId/invitation/link',
  summary: 'List the links of a space',
  description: 'Only those that give no more than your own role: a link is a way to get its role.',
  tag: 'invitation',
  access: { on: 'space', action: 'space|invite_link' },
  params: spaceParams,
  status: 200,
  response: Type.Array(link),
});

export const updateSpaceLink = endpoint({
  name: 'updateSpaceLink',
  method: 'PATCH',
  path: '/space/:spaceId/invitation/link/:invitationId',
  summary: 'Change the role that a link gives',
  tag: 'invitation',
  access: { on: 'space', action: 'space|invite_link' },
  params: spaceLinkParams,
  body: Type.Object({ role: roleName }),
  status: 200,
  response: Type.Object({ invitationId: Type.String(), role: roleName }),
});

export const deleteSpaceLink = endpoint({
  name: 'deleteSpaceLink',
  method: 'DELETE',
  path: '/space/:spaceId/invitation/link/:invitationId',
  summary: 'Take an invitation back',
  description: 'A link, or an e-mail invitation that was not used yet.',
  tag: 'invitation',
  access: { on: 'space', action: 'space|invite_link' },
  params: spaceLinkParams,
  status: 200,
});

export const createBaseLink = endpoint({
  name: 'createBaseLink',
  method: 'POST',
  path: '/base/:baseId/invitation/link',
  summary: 'Make a link that gives a role on a base',
  description: 'No role above your own.',
  tag: 'invitation',
  access: { on: 'base', action: 'base|invite_link' },
  params: baseParams,
  body: Type.Object({ role: baseRoleName }),
  status: 201,
  response: link,
});

export const listBaseLinks = endpoint({
  name: 'listBaseLinks',
  method: 'GET',
  path: '/base/:baseId/invitation/link',
  summary: 'List the links of a base',
  description: 'Only those that give no more than your own role: a link is a way to get its role.',
  tag: 'invitation',
  access: { on: 'base', action: 'base|invite_link' },
  params: baseParams,
  status: 200,
  response: Type.Array(link),
});

export const updateBaseLink = endpoint({
  name: 'updateBaseLink',
  method: 'PATCH',
  path: '/base/:baseId/invitation/link/:invitationId',
  summary: 'Change the role that a link gives',
  tag: 'invitation',
  access: { on: 'base', action: 'base|invite_link' },
  params: baseLinkParams,
  body: Type.Object({ role: baseRoleName }),
  status: 200,
  response: Type.Object({ invitationId: Type.String(), role: baseRoleName }),
});

export const deleteBaseLink = endpoint({
  name: 'deleteBaseLink',
  method: 'DELETE',
  path: '/base/:baseId/invitation/link/:invitationId',
  summary: 'Take an invitation back',
  description: 'A link, or an e-mail invitation that was not used yet.',
  tag: 'invitation',
  access: { on: 'base', action: 'base|invite_link' },
  params: baseLinkParams,
  status: 200,
});

const emails = Type.Array(email, { minItems: 1, maxItems: 200 });
const invited = Type.Record(
  Type.String(),
  Type.Object({
    invitationId: Type.String(),
    inviteUrl: Type.Optional(
      Type.String({
        description:
          'For an address without an account, where the server sends no e-mails: the link that lets it in, to be handed to that person. It holds the secret of the invitation.',
      }),
    ),
  }),
  { description: 'By e-mail address.' },
);

export const inviteToSpace = endpoint({
  name: 'inviteToSpace',
  method: 'POST',
  path: '/space/:spaceId/invitation/email',
  summary: 'Let e-mail addresses into a space',
  description:
    'Someone with an account joins at once. Any other address gets the role with a link, within a month: where the server sends e-mails it is mailed, and an account whose address is not verified is such an address too; where it does not, the link is in the answer. Signing up with the address alone gives nothing. One account can invite and add 200 people an hour (a setting of the server), then 429 with Retry-After. ' +
    'All or none: 400 names the addresses that are already in. No role above your own.',
  tag: 'invitation',
  access: { on: 'space', action: 'space|invite_email' },
  params: spaceParams,
  body: Type.Object({ emails, role: roleName }),
  status: 201,
  response: invited,
});

export const inviteToBase = endpoint({
  name: 'inviteToBase',
  method: 'POST',
  path: '/base/:baseId/invitation/email',
  summary: 'Let e-mail addresses into a base',
  description:
    'Someone with an account joins at once. Any other address gets the role with a link, within a month: where the server sends e-mails it is mailed, and an account whose address is not verified is such an address too; where it does not, the link is in the answer. Signing up with the address alone gives nothing. One account can invite and add 200 people an hour (a setting of the server), then 429 with Retry-After. ' +
    'All or none: 400 names the addresses that already have as much. No role above your own.',
  tag: 'invitation',
  access: { on: 'base', action: 'base|invite_email' },
  params: baseParams,
  body: Type.Object({ emails, role: baseRoleName }),
  status: 201,
  response: invited,
});

const secretOfLink = Type.Object({
  invitationId: Type.String({ maxLength: 100 }),
  invitationCode: Type.String({ maxLength: 200 }),
});

export const describeInvitation = endpoint({
  name: 'describeInvitation',
  method: 'POST',
  path: '/invitation/link/describe',
  summary: 'Tell who invites to what',
  description:
    'For the pages on which somebody signs in, signs up and accepts an invitation. It needs the secret of the link and no credential, and answers as accepting would: 400 for a wrong code, 404 for an unknown link, 403 for an expired one. It changes nothing.',
  tag: 'invitation',
  access: { on: 'public' },
  body: secretOfLink,
  status: 200,
  response: Type.Object({
    invitedBy: Type.String({ description: 'The name of who made the invitation.' }),
    resourceType: Type.Enum(['space', 'base']),
    resourceName: Type.String(),
    role: roleName,
  }),
});

export const acceptInvitation = endpoint({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/invitation/link/accept',
  summary: 'Accept an invitation',
  description:
    'A link, or an invitation of an address by the link that came with it, which works once. Accepting twice is fine, and never lowers a role. A wrong code is 400, an unknown link 404, an expired one 403.',
  tag: 'invitation',
  access: { on: 'user', own: true, everywhere: true },
  body: secretOfLink,
  status: 201,
  response: Type.Object({
    spaceId: Type.Union([Type.String(), Type.Null()], { description: 'Set by a link to a space.' }),
    baseId: Type.Union([Type.String(), Type.Null()], { description: 'Set by a link to a base.' }),
  }),
});
