// What those who manage a base do with its shares.
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import type {
  BaseShare,
  createBaseShare as createEndpoint,
  updateBaseShare as updateEndpoint,
} from '@rowhouse/contract/base-share.ts';
import type { BodyOf, ParamsOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, invalid, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { demandScope, demandUnbound } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { demandNode, nodeIdOf } from '../node/read-nodes.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { hashPassword } from '../user/password.ts';
import {
  type BaseShareRow,
  insertBaseShare,
  lockBaseShare,
  removeBaseShare,
  selectBaseShares,
  writeBaseShare,
} from './base-share.sql.ts';

export const baseShareVo = (row: BaseShareRow): BaseShare => {
  const { baseId, shareId, folderId, tableId, passwordHash, allowSave, allowCopy, isOn } = row;
  const resourceId = folderId ?? tableId;
  return {
    baseId,
    shareId,
    nodeId: resourceId === null ? null : nodeIdOf(resourceId),
    password: passwordHash !== null,
    allowSave,
    allowCopy,
    enabled: isOn,
  };
};

/** Nobody shows to everybody what they do not see themselves. */
const demandSharing = ({ access, principal }: Context, baseId: string): void => {
  demandUnbound(access, 'a share');
  for (const scope of ['table|read', 'field|read', 'view|read', 'record|read'] as const)
    demandScope(principal, scope, baseId);
};

const demandSavable = ({ folderId, tableId, allowSave }: BaseShareRow): void => {
  if (allowSave && (folderId !== null || tableId !== null))
    throw invalid({
      path: 'allowSave',
      message: 'A part of a base cannot be copied: it may be linked with the rest',
      expected: 'false, or a share of the whole base',
    });
};

const tell = (tx: Tx, context: Context, action: AuditAction, { baseId, folderId, tableId }: BaseShareRow) =>
  writeAudit(
    tx,
    doerOf(context),
    action,
    { baseIds: [baseId] },
    { baseId, ...(folderId === null ? {} : { folderId }), ...(tableId === null ? {} : { tableId }) },
  );

export const createBaseShare = async (
  context: Context,
  baseId: string,
  { nodeId = null, allowSave = false, allowCopy = false, password = null }: BodyOf<typeof createEndpoint>,
): Promise<BaseShare> => {
  demandSharing(context, baseId);
  if (password !== null) demandFeature(context, 'passwordRestrictedSharesEnable');
  const passwordHash = password === null ? null : await hashPassword(password);
  return context.db.transaction(async (tx) => {
    const node = nodeId === null ? undefined : await demandNode(tx, baseId, nodeId);
    const share: BaseShareRow = {
      shareId: context.newId('shr'),
      baseId,
      folderId: node?.kind === 'folder' ? node.id : null,
      tableId: node?.kind === 'table' ? node.id : null,
      isOn: true,
      allowCopy,
      allowSave,
      passwordHash,
    };
    demandSavable(share);
    const made = await insertBaseShare(tx, share, context.principal.userId);
    if (made === undefined) throw conflict('This is shared already: change that share, or end it first');
    await tell(tx, context, 'base.shared', made);
    return baseShareVo(made);
  });
};

type OfShare = ParamsOf<typeof updateEndpoint>;

/** Visitors who listen are decided about again: the epochs of the share move on. */
const changing = <T>(
  context: Context,
  { baseId, shareId }: OfShare,
  action: AuditAction,
  work: (tx: Tx, share: BaseShareRow) => Promise<T>,
): Promise<T> =>
  context.db.transaction(async (tx) => {
    const share = await lockBaseShare(tx, baseId, shareId);
    if (share === undefined) throw notFound('Share', shareId.slice(0, 50));
    const done = await work(tx, share);
    await bumpEpochs(tx, [shareId]);
    await tell(tx, context, action, share);
    return done;
  });

export const updateBaseShare = async (
  context: Context,
  path: OfShare,
  { password, enabled, ...given }: BodyOf<typeof updateEndpoint>,
): Promise<BaseShare> => {
  demandSharing(context, path.baseId);
  if (typeof password === 'string') demandFeature(context, 'passwordRestrictedSharesEnable');
  const passwordHash = typeof password === 'string' ? await hashPassword(password) : null;
  return changing(context, path, 'base.shareChanged', async (tx, share) => {
    const changed = {
      ...share,
      ...given,
      isOn: enabled ?? share.isOn,
      passwordHash: password === undefined ? share.passwordHash : passwordHash,
    };
    demandSavable(changed);
    return baseShareVo(await writeBaseShare(tx, share.shareId, changed));
  });
};

export const refreshBaseShare = async (context: Context, path: OfShare): Promise<BaseShare> => {
  demandSharing(context, path.baseId);
  return changing(context, path, 'base.shared', async (tx, share) =>
    baseShareVo(await writeBaseShare(tx, share.shareId, { ...share, shareId: context.newId('shr') })),
  );
};

export const deleteBaseShare = (context: Context, path: OfShare): Promise<void> => {
  demandUnbound(context.access, 'its shares');
  return changing(context, path, 'base.shareEnded', (tx, { shareId }) => removeBaseShare(tx, shareId));
};

export const listBaseShares = async (context: Context, baseId: string): Promise<Pick<BaseShare, 'nodeId'>[]> => {
  demandUnbound(context.access, 'its shares');
  return (await selectBaseShares(context.db, baseId)).map((row) => ({ nodeId: baseShareVo(row).nodeId }));
};

export const findNodeShare = async (
  context: Context,
  baseId: string,
  nodeId: string | null,
): Promise<BaseShare | null> => {
  demandSharing(context, baseId);
  const shares = (await selectBaseShares(context.db, baseId)).map(baseShareVo);
  return shares.find((share) => share.nodeId === nodeId) ?? null;
};
