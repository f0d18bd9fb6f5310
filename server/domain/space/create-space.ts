import type { newId } from '@rowhouse/contract/id.ts';
import type { Tx } from '../../db/db.ts';
import { insertSpace } from './space.sql.ts';

/** A space of that name with the user as its owner. */
export const createSpaceFor = (tx: Tx, input: { userId: string; name: string; newId: typeof newId }): Promise<{ id: string; name: string }> =>
  insertSpace(tx, { id: input.newId('spc'), name: input.name, userId: input.userId });
