// Options of fields become part of statements, and the file of a backup may come from elsewhere: what is restored passes
// the same check as what the API is sent.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../../db/db.ts';
import { StartError } from '../../db/error.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { completeOptions } from '../field/complete-options.ts';
import { selectFieldOptions } from './restore.sql.ts';

/** Before the commit, so that nothing is left of a file that is refused. */
export const demandValidOptions = async (db: Queryable, path: string, baseId: string): Promise<void> => {
  for (const { id, type, options } of await selectFieldOptions(db, baseId)) {
    try {
      completeOptions(fieldTypeOf(type), options, 'options');
    } catch (error) {
      const reason = error instanceof ApiError ? error.message : (error as Error).message;
      throw new StartError(`${path} cannot be used: field ${id} of type ${type} is not what Rowhouse makes (${reason})`);
    }
  }
};
