// A role is held by a person or by a group; what happens to it concerns the people behind.
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { type Holder, type Place, selectGroupCandidates } from './collaborator.sql.ts';

export const isSelf = ({ principal }: Context, { type, id }: Holder): boolean =>
  type === 'user' && id === principal.userId;

export const peopleBehind = async (tx: Tx, place: Place, { type, id }: Holder): Promise<readonly string[]> =>
  type === 'user' ? [id] : ((await selectGroupCandidates(tx, place, [id]))[0]?.memberIds ?? []);

/** For the audit log. */
export const idsOf = ({ type, id }: Holder): { userId: string } | { groupId: string } =>
  type === 'user' ? { userId: id } : { groupId: id };
