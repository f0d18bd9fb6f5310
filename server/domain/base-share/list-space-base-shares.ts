// GET /space/:spaceId/base-share
import type { SpaceBaseShare } from '@rowhouse/contract/base-share.ts';
import { demandScope } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { selectBaseSharesOfSpace } from './base-share.sql.ts';
import { baseShareVo } from './change-base-share.ts';

/** With an address everybody reads what it shows: a token that may not read records learns none. */
export const listSpaceBaseShares = async (context: Context, spaceId: string): Promise<SpaceBaseShare[]> => {
  for (const scope of ['table|read', 'field|read', 'view|read', 'record|read'] as const)
    demandScope(context.principal, scope, spaceId);
  return (await selectBaseSharesOfSpace(context.db, spaceId)).map((row) => ({
    ...baseShareVo(row),
    url: `${context.publicUrl()}/share/${row.shareId}/base`,
    baseName: row.baseName,
    name: row.name,
    createdBy: row.createdBy,
    createdTime: row.createdTime,
  }));
};
