import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Tx } from '../../db/db.ts';
import { deleteGrant, type Grant } from './grant.sql.ts';
import { Refusal } from './refusal.ts';

/**
 * A code or refresh token came a second time: one of the two senders has stolen it, so everything that came of
 * the code ends. The refusal is returned, not thrown, because what was ended must be committed.
 */
export const endFamily = async (tx: Tx, grant: Grant, what: string): Promise<Refusal> => {
  await deleteGrant(tx, grant.id);
  await bumpEpochs(tx, [grant.userId]);
  return new Refusal('invalid_grant', `The ${what} was used before; everything issued with it has been revoked`);
};
