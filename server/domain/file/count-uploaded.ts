// Counts a file whose bytes came without being counted: sent to the bucket directly, or by way of a process that was killed behind the upload. When there
// is no room for it, it is removed.
import type { Environment } from '../../context.ts';
import { noteUploaded } from './arrival.sql.ts';
import type { StoredFile } from './file.sql.ts';
import { demandRoom, isRefusal } from './waiting-files.ts';

type Needs = Pick<Environment, 'db' | 'files' | 'config' | 'plans' | 'now'>;

/** Does nothing while the file is not there as a whole. */
export const countUploaded = async (
  needs: Needs,
  { token, size, owner }: Pick<StoredFile, 'token' | 'size' | 'owner'>,
): Promise<void> => {
  const { storage } = needs.files;
  if ((await storage.size(token)) !== size && (await storage.direct?.sentSize(token)) !== size) return;
  try {
    await needs.db.transaction(async (tx) => {
      await demandRoom(tx, needs, owner, size);
      await noteUploaded(tx, token, null);
    });
  } catch (error) {
    if (isRefusal(error)) await storage.remove(token);
    throw error;
  }
};
