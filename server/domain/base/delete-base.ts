import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { trashBase } from './base.sql.ts';

export const deleteBase = ({ db, principal }: Context, baseId: string): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await trashBase(tx, baseId, principal.userId))) throw notFound('Base', baseId);
    await bumpEpoch(tx);
  });
