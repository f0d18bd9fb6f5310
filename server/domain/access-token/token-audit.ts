// Changes of a token are the business of those spaces that it reaches.
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import { type Doer, writeAudit } from '../../catalog/audit.sql.ts';
import type { Tx } from '../../db/db.ts';
import type { AccessTokenRow } from './access-token.sql.ts';

export const auditToken = (
  tx: Tx,
  doer: Doer,
  action: AuditAction,
  token: Pick<AccessTokenRow, 'id' | 'name' | 'scopes' | 'mayDoAll' | 'hasFullAccess' | 'spaceIds' | 'baseIds'>,
  userId: string,
): Promise<void> =>
  writeAudit(
    tx,
    doer,
    action,
    token.hasFullAccess ? { member: userId } : { spaceIds: token.spaceIds ?? [], baseIds: token.baseIds ?? [] },
    { tokenId: token.id, name: token.name, userId, scopes: token.mayDoAll ? 'all' : token.scopes },
  );
