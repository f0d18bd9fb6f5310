import * as contract from '@rowhouse/contract/invitation.ts';
import { type Route, route } from '../../endpoint/route.ts';
import type { Place } from '../collaborator/collaborator.sql.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { createLink } from './create-link.ts';
import { deleteLink } from './delete-link.ts';
import { describeInvitation } from './describe-invitation.ts';
import { inviteEmails } from './invite-emails.ts';
import { listLinks } from './list-links.ts';
import { updateLink } from './update-link.ts';

const space = ({ spaceId }: { spaceId: string }): Place => ({ type: 'space', id: spaceId });
const base = ({ baseId }: { baseId: string }): Place => ({ type: 'base', id: baseId });

export const invitationRoutes: Route[] = [
  route(contract.createSpaceLink, (context, { params, body }) =>
    createLink(context, space(params), { role: body.role }),
  ),
  route(contract.listSpaceLinks, (context, { params }) => listLinks(context, space(params))),
  route(contract.updateSpaceLink, (context, { params, body }) =>
    updateLink(context, space(params), { invitationId: params.invitationId, role: body.role }),
  ),
  route(contract.deleteSpaceLink, (context, { params }) => deleteLink(context, space(params), params.invitationId)),
  route(contract.inviteToSpace, (context, { params, body }) => inviteEmails(context, space(params), body)),
  route(contract.createBaseLink, (context, { params, body }) => createLink(context, base(params), { role: body.role })),
  route(contract.listBaseLinks, (context, { params }) => listLinks(context, base(params))),
  route(contract.updateBaseLink, (context, { params, body }) =>
    updateLink(context, base(params), { invitationId: params.invitationId, role: body.role }),
  ),
  route(contract.deleteBaseLink, (context, { params }) => deleteLink(context, base(params), params.invitationId)),
  route(contract.inviteToBase, (context, { params, body }) => inviteEmails(context, base(params), body)),
  route(contract.describeInvitation, (context, { body }) => describeInvitation(context, body)),
  route(contract.acceptInvitation, (context, { body }) => acceptInvitation(context, body)),
];
