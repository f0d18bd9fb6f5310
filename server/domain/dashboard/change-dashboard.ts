// Dashboards as wholes: made, renamed, copied, put into the trash. Their names are unique in the base, as those of folders are.
import { notFound } from '@rowhouse/contract/error.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import type { DashboardFilter } from '@rowhouse/contract/dashboard.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { noteDashboard, noteTables } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { lastPosition, readTree, settleTree } from '../table/arrange.ts';
import {
  type DashboardRow,
  deleteDashboardRow,
  insertDashboard,
  insertItems,
  lockDashboard,
  selectDashboards,
  selectItems,
  trashDashboard,
  updateDashboardFilters,
  updateDashboardName,
} from '../table/dashboard.sql.ts';
import { lockBase } from '../table/find-table.ts';

export interface OfDashboard {
  baseId: string;
  dashboardId: string;
}

type Labels = Pick<DashboardRow, 'id' | 'name'>;
type Locked = NonNullable<Awaited<ReturnType<typeof lockDashboard>>>;

const freeName = async (tx: Tx, baseId: string, wanted: string, exceptId?: string): Promise<string> =>
  uniqueName(
    wanted,
    (await selectDashboards(tx, baseId)).filter(({ id }) => id !== exceptId).map(({ name }) => name),
  );

export const noDashboard = (id: string): Error => notFound('Dashboard', id.slice(0, 50));

/** A change of one dashboard: one after the other, and told to those who have the base open. `isOfList`: also to those who look at its tables. */
export const changeDashboard = <T>(
  context: Context,
  { baseId, dashboardId }: OfDashboard,
  work: (tx: Tx, dashboard: Locked) => Promise<T>,
  isOfList = false,
): Promise<T> =>
  retriedTransaction(context.db, async (tx) => {
    if (isOfList) await lockBase(tx, baseId);
    const dashboard = await lockDashboard(tx, baseId, dashboardId);
    if (dashboard === undefined) throw noDashboard(dashboardId);
    const result = await work(tx, dashboard);
    await noteDashboard(tx, baseId, dashboardId, context.principal.userId);
    if (isOfList) await noteTables(tx, baseId, context.principal.userId);
    return result;
  });

/** `findFolder` says in which folder it goes. */
export const createDashboard = (
  context: Context,
  baseId: string,
  wanted: string,
  findFolder: (tx: Tx) => Promise<string | null> = async () => null,
): Promise<Labels> =>
  retriedTransaction(context.db, async (tx) => {
    await lockBase(tx, baseId);
    const folderId = await findFolder(tx);
    const dashboard = { id: context.newId('dsh'), name: await freeName(tx, baseId, wanted) };
    const position = lastPosition(await readTree(tx, baseId)) + 1;
    await insertDashboard(tx, baseId, { ...dashboard, folderId, position }, context.principal.userId);
    await settleTree(tx, baseId);
    await noteDashboard(tx, baseId, dashboard.id, context.principal.userId);
    await noteTables(tx, baseId, context.principal.userId);
    return dashboard;
  });

export const renameDashboard = (context: Context, params: OfDashboard, wanted: string): Promise<Labels> =>
  changeDashboard(
    context,
    params,
    async (tx, { id }) => {
      const name = await freeName(tx, params.baseId, wanted, id);
      await updateDashboardName(tx, id, name);
      return { id, name };
    },
    true,
  );

/** Beside the original, in its folder. */
export const duplicateDashboard = (context: Context, params: OfDashboard, wanted?: string): Promise<Labels> =>
  changeDashboard(
    context,
    params,
    async (tx, { id: originalId, name, folderId, filters }) => {
      const { baseId } = params;
      const { userId } = context.principal;
      const copy = { id: context.newId('dsh'), name: await freeName(tx, baseId, wanted ?? name) };
      const position = lastPosition(await readTree(tx, baseId)) + 1;
      await insertDashboard(tx, baseId, { ...copy, folderId, position }, userId, filters);
      const items = await selectItems(tx, originalId);
      await insertItems(
        tx,
        copy.id,
        items.map((item) => ({ ...item, id: context.newId('pli') })),
        userId,
      );
      await settleTree(tx, baseId);
      return copy;
    },
    true,
  );

export const deleteDashboard = (context: Context, params: OfDashboard): Promise<void> =>
  changeDashboard(
    context,
    params,
    async (tx, { id, name }) => {
      await trashDashboard(tx, id, context.principal.userId);
      await writeAudit(
        tx,
        doerOf(context),
        'dashboard.trashed',
        { baseIds: [params.baseId] },
        { baseId: params.baseId, dashboardId: id, name },
      );
    },
    true,
  );

export const setDashboardFilters = async (
  context: Context,
  params: OfDashboard,
  filters: DashboardFilter[],
): Promise<{ filters: DashboardFilter[] }> => {
  await changeDashboard(context, params, (tx, { id }) => updateDashboardFilters(tx, id, filters));
  return { filters };
};

/** For good, whether it is in the trash or not. */
export const destroyDashboard = (context: Context, { baseId, dashboardId }: OfDashboard): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    await lockBase(tx, baseId);
    const gone = await deleteDashboardRow(tx, baseId, dashboardId);
    if (gone === undefined) throw noDashboard(dashboardId);
    await writeAudit(
      tx,
      doerOf(context),
      'dashboard.destroyed',
      { baseIds: [baseId] },
      { baseId, dashboardId, name: gone.name },
    );
    await noteDashboard(tx, baseId, dashboardId, context.principal.userId);
    await noteTables(tx, baseId, context.principal.userId);
  });
