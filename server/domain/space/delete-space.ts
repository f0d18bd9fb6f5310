import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { closeReadersOf } from '../plan/reader.ts';
import { trashSpace } from './space.sql.ts';

/** Into the trash. Its bases stay as they are: whoever looks for one finds its space in the trash. */
export const deleteSpace = ({ db, principal }: Context, spaceId: string): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await trashSpace(tx, spaceId, principal.userId))) throw notFound('Space', spaceId);
    await closeReadersOf(tx, spaceId);
    await bumpEpoch(tx);
  });
