import { notFound } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';
import { endSessions, queryRoleName, readerName } from './reader.sql.ts';
import { closeReader } from './reader.ts';

export const deleteConnection = async (context: Context, baseId: string): Promise<void> => {
  const { db } = context;
  // Ended while the role is there; a session that comes in between has no rights any more.
  await endSessions(db, [readerName(baseId), queryRoleName(baseId)]).catch(() => undefined);
  await db.transaction(async (tx) => {
    if (!(await lockPlace(tx, { type: 'base', id: baseId })) || !(await closeReader(tx, baseId)))
      throw notFound('Connection of base', baseId);
    await writeAudit(tx, doerOf(context), 'base.sqlClosed', { baseIds: [baseId] }, { baseId });
  });
};
