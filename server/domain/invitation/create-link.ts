import { forbidden } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { concernedBy, type Place } from '../collaborator/collaborator.sql.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import { demandAllowed } from '../setting/demand-allowed.ts';
import { insertLink, type Link } from './invitation.sql.ts';

export interface ShownLink extends Omit<Link, 'codeHash'> {
  invitationCode: string;
  inviteUrl: string;
}

/** Made from the id with the key of the instance, so that it can be shown again although only its hash is kept. */
export const codeOf = ({ secretKey }: Pick<Context, 'secretKey'>, invitationId: string): string =>
  secretKey.derive('invitation', invitationId);

export const inviteUrlOf = ({ publicUrl }: Pick<Context, 'publicUrl'>, invitationId: string, code: string): string =>
  `${publicUrl()}/invite?invitationId=${invitationId}${code === '' ? '' : `&invitationCode=${code}`}`;

/** Without its code when it was made with another key. */
export const showLink = (
  context: Pick<Context, 'publicUrl' | 'secretKey'>,
  { invitationId, codeHash, role, createdBy, createdTime }: Link,
): ShownLink => {
  const derived = codeOf(context, invitationId);
  const invitationCode = hashSecret(derived).equals(codeHash) ? derived : '';
  return {
    invitationId,
    invitationCode,
    role,
    createdBy,
    createdTime,
    inviteUrl: inviteUrlOf(context, invitationId, invitationCode),
  };
};

export const createLink = async (context: Context, place: Place, input: { role: Role }): Promise<ShownLink> => {
  await demandAllowed(context, 'disallowSpaceInvitation');
  const link = await retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_link`);
    if (!mayGive(stand.role, input.role)) throw forbidden(`The role ${stand.role} cannot make anyone ${input.role}`);
    const id = context.newId('inv');
    await writeAudit(tx, doerOf(context), 'invitation.linkCreated', concernedBy(place), {
      [`${place.type}Id`]: place.id,
      invitationId: id,
      role: input.role,
    });
    return insertLink(tx, place, {
      id,
      codeHash: hashSecret(codeOf(context, id)),
      role: input.role,
      createdBy: context.principal.userId,
    });
  });
  return showLink(context, link);
};
