// The files of a base that was copied: one file, however many copies mention it, counted once per space.
import type { Environment } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { selectMentioned } from './collect.sql.ts';
import { useFiles } from './file-room.ts';
import { selectFiles, selectUsed, upsertUses } from './file.sql.ts';

/** Cells may mention what was never here, or what is none of their business. */
const selectCopied = async (tx: Tx, baseId: string, fromBaseId: string): Promise<string[]> => {
  const mentioned = [...(await selectMentioned(tx, baseId))];
  return mentioned.length === 0
    ? []
    : (await selectFiles(tx, await selectUsed(tx, fromBaseId, mentioned))).map(({ token }) => token);
};

/** In the transaction of the copy, whose cells are all there. */
export const claimCopiedFiles = async (
  tx: Tx,
  needs: Pick<Environment, 'plans' | 'now'>,
  place: { baseId: string; spaceId: string },
  fromBaseId: string,
): Promise<void> => {
  await useFiles(tx, needs, place, await selectCopied(tx, place.baseId, fromBaseId));
};

/** The same for a copy that counts for no plan. */
export const keepCopiedFiles = async (tx: Tx, baseId: string, fromBaseId: string): Promise<void> => {
  const tokens = await selectCopied(tx, baseId, fromBaseId);
  if (tokens.length > 0) await upsertUses(tx, baseId, tokens);
};
