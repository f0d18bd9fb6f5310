import type { Role } from '@rowhouse/contract/permission.ts';
import type { Context } from '../../context.ts';
import type { Place } from '../collaborator/collaborator.sql.ts';
import { mayGive } from '../collaborator/role-rules.ts';
import { type ShownLink, showLink } from './create-link.ts';
import { selectLinks } from './invitation.sql.ts';

/** Anyone who sees a link can use it: those that give more than the caller's own role are left out. */
export const listLinks = async (context: Context, place: Place): Promise<ShownLink[]> =>
  (await selectLinks(context.db, place))
    .filter((link) => mayGive(context.access.role as Role, link.role))
    .map((link) => showLink(context, link));
