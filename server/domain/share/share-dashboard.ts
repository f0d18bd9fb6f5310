// What those who may change a dashboard do with its share: on, another address or password, off. It is seen in the sight of the one who did this last.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { DashboardShare } from '@rowhouse/contract/dashboard.ts';
import type { shareDashboard as endpoint } from '@rowhouse/contract/dashboard-share.ts';
import { hiddenPassword } from '@rowhouse/contract/share-meta.ts';
import { demandScope } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { actorOf } from '../../pipeline/act-as.ts';
import { changeDashboard, type OfDashboard } from '../dashboard/change-dashboard.ts';
import { deleteDashboardShare, selectDashboardShare, upsertDashboardShare } from '../dashboard/dashboard-share.sql.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { hashPassword } from '../user/password.ts';

export const shareDashboard = async (
  context: Context,
  params: OfDashboard,
  { password, refresh = false }: BodyOf<typeof endpoint>,
): Promise<DashboardShare> => {
  // A token opens nothing that it may not read itself.
  for (const action of ['table|read', 'record|read'] as const)
    demandScope(context.principal, action, params.dashboardId);
  const isNew = typeof password === 'string' && password !== hiddenPassword;
  if (isNew) demandFeature(context, 'passwordRestrictedSharesEnable');
  // Before the transaction: it takes some 30 ms.
  const hash = isNew ? await hashPassword(password) : null;
  return changeDashboard(context, params, async (tx, { id, name }) => {
    const present = await selectDashboardShare(tx, { dashboardId: id });
    const kept = password === undefined || password === hiddenPassword;
    const share = {
      dashboardId: id,
      shareId: present === undefined || refresh ? context.newId('shr') : present.shareId,
      passwordHash: kept ? (present?.passwordHash ?? null) : hash,
      sharedBy: actorOf(context),
    };
    await upsertDashboardShare(tx, share);
    await writeAudit(
      tx,
      doerOf(context),
      'dashboard.shared',
      { baseIds: [params.baseId] },
      { baseId: params.baseId, dashboardId: id, name },
    );
    return { shareId: share.shareId, hasPassword: share.passwordHash !== null, sharedBy: share.sharedBy.userId };
  });
};

export const unshareDashboard = (context: Context, params: OfDashboard): Promise<void> =>
  changeDashboard(context, params, async (tx, { id, name }) => {
    if (!(await deleteDashboardShare(tx, id))) return;
    await writeAudit(
      tx,
      doerOf(context),
      'dashboard.shareEnded',
      { baseIds: [params.baseId] },
      { baseId: params.baseId, dashboardId: id, name },
    );
  });
