import { randomBytes } from 'node:crypto';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import type { Context } from '../../context.ts';
import type { Place } from '../collaborator/collaborator.sql.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import { insertLink, type Link } from './invitation.sql.ts';

export interface ShownLink extends Link {
  inviteUrl: string;
}

export const newCode = (): string => randomBytes(32).toString('hex');

export const showLink = ({ publicUrl }: Pick<Context, 'publicUrl'>, link: Link): ShownLink => ({
  invitationId: link.invitationId,
  invitationCode: link.invitationCode,
  role: link.role,
  createdBy: link.createdBy,
  createdTime: link.createdTime,
  inviteUrl: `${publicUrl()}/invite?invitationId=${link.invitationId}&invitationCode=${link.invitationCode}`,
});

export const createLink = async (context: Context, place: Place, input: { role: Role }): Promise<ShownLink> => {
  const link = await context.db.transaction(async (tx) => {
    const stand = await lockAndDemand(tx, context, place, `${place.type}|invite_link`);
    if (!mayGive(stand.role, input.role)) throw forbidden(`The role ${stand.role} cannot make anyone ${input.role}`);
    return insertLink(tx, place, { id: context.newId('inv'), code: newCode(), role: input.role, createdBy: context.principal.userId });
  });
  return showLink(context, link);
};
