// Counts a file whose bytes came without being counted: sent to the bucket directly, or by way of a process that was killed behind the upload. When there
// is no room for it, it is removed.
import type { Environment } from '../../context.ts';
import { lockUncounted, noteUploaded } from './arrival.sql.ts';
import type { StoredFile } from './file.sql.ts';
import { demandRoom, isRefusal } from './waiting-files.ts';

type Needs = Pick<Environment, 'db' | 'files' | 'config' | 'plans' | 'now'>;

/** Does nothing while the file is not there as a whole. Two that count it at once, such as its sender and the job that looks for it, count it once. */
export const countUploaded = async (
  needs: Needs,
  { token, size, owner }: Pick<StoredFile, 'token' | 'size' | 'owner'>,
): Promise<void> => {
  const { db, files } = needs;
  const { storage } = files;
  if ((await storage.size(token)) !== size && (await storage.direct?.sentSize(token)) !== size) return;
  try {
    await db.transaction(async (tx) => {
      if (!(await lockUncounted(tx, token))) return;
      await demandRoom(tx, needs, owner, size);
      await noteUploaded(tx, token, null);
    });
  } catch (error) {
    // Nobody counts it between the look and the removal.
    if (isRefusal(error))
      await db.transaction(async (tx) => {
        if (await lockUncounted(tx, token)) await storage.remove(token);
      });
    throw error;
  }
};
