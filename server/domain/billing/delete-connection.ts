import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import { endSessions, readerName } from '../plan/reader.sql.ts';
import { closeReader } from '../plan/reader.ts';

export const deleteConnection = async ({ db }: Context, baseId: string): Promise<void> => {
  // Ended while the role is there; a session that comes in between has no rights any more.
  await endSessions(db, [readerName(baseId)]).catch(() => undefined);
  await db.transaction(async (tx) => {
    if (!(await lockPlace(tx, { type: 'base', id: baseId })) || !(await closeReader(tx, baseId))) throw notFound('Connection of base', baseId);
  });
};
