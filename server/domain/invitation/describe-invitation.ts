import { timingSafeEqual } from 'node:crypto';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import type { describeInvitation as endpoint } from '@rowhouse/contract/invitation.ts';
import type { PublicContext } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { type InvitationRow, selectInvitedTo, selectLink } from './invitation.sql.ts';

interface LinkSecret {
  invitationId: string;
  invitationCode: string;
}

/** Refuses who does not have its secret, and a link that is over. */
export const demandInvitation = async (db: Queryable, input: LinkSecret): Promise<InvitationRow> => {
  const link = await selectLink(db, input.invitationId);
  if (link === undefined) throw notFound('Invitation', input.invitationId);
  if (!timingSafeEqual(link.codeHash, hashSecret(input.invitationCode)))
    throw invalid({ path: 'invitationCode', message: 'This is not the code of the invitation' });
  if (link.isExpired) throw forbidden('This invitation has expired');
  return link;
};

export const describeInvitation = async (
  { db }: PublicContext,
  input: LinkSecret,
): Promise<ResponseOf<typeof endpoint>> => {
  const { place, role } = await demandInvitation(db, input);
  const invitedTo = await selectInvitedTo(db, input.invitationId);
  if (invitedTo === undefined) throw notFound('Invitation', input.invitationId);
  return { ...invitedTo, resourceType: place.type, role };
};
