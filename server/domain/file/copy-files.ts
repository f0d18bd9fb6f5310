// The files of a base that was copied: one file, however many copies mention it, counted once per space.
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { selectMentioned } from './collect.sql.ts';
import { useFiles } from './file-room.ts';
import { selectFiles, selectUsed } from './file.sql.ts';

/** In the transaction of the copy, whose cells are all there. */
export const claimCopiedFiles = async (tx: Tx, needs: Pick<Environment, 'plans' | 'now'>, place: { baseId: string; spaceId: string }, fromBaseId: string): Promise<void> => {
  const mentioned = [...(await selectMentioned(tx, place.baseId))];
  if (mentioned.length === 0) return;
  // Cells may mention what was never here, or what is none of their business.
  const known = await selectFiles(tx, await selectUsed(tx, fromBaseId, mentioned));
  await useFiles(tx, needs, place, known.map(({ token }) => token));
};
