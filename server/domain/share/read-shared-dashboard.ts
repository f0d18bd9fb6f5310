// A dashboard by its address. Every chart is computed as for the one who shared it, by what they may see now: when they lose the base, the share shows nothing.
import type { IncomingHttpHeaders } from 'node:http';
import type { ChartData, ChartGroup } from '@rowhouse/contract/chart-data.ts';
import type { DashboardItem } from '@rowhouse/contract/dashboard.ts';
import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { Rights, TableRights } from '../../catalog/rights.ts';
import type { Context, PublicContext } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { contextOf } from '../../pipeline/act-as.ts';
import { type DashboardShareRow, selectDashboardShare } from '../dashboard/dashboard-share.sql.ts';
import { chartAnswer, sightsFor } from '../dashboard/get-chart-data.ts';
import { itemVo } from '../dashboard/item-vo.ts';
import { selectItem, selectItems } from '../table/dashboard.sql.ts';
import { enterShare } from './auth-share.ts';
import { hasPass } from './pass.ts';

const unknown = (): ApiError => new ApiError('validation_error', 'share dashboard not found');

const findShared = async ({ db }: PublicContext, shareId: string): Promise<DashboardShareRow & { meta: null }> => {
  const share = isId('shr', shareId) ? await selectDashboardShare(db, { shareId }) : undefined;
  if (share === undefined) throw unknown();
  return { ...share, meta: null };
};

/** Nothing that is rendered for visitors has e-mail addresses. */
const scopes: ReadonlySet<string> = new Set(['base|read', 'table|read', 'view|read', 'field|read', 'record|read']);

const forVisitors = (rights: Rights): Rights => {
  const visible = <T extends TableRights | null>(rule: T): T =>
    rule === null ? rule : { ...rule, isPublic: true as const };
  const { on } = rights;
  return {
    ...rights,
    of: (tableId) => visible(rights.of(tableId)),
    ...(on === undefined ? {} : { on: (table) => visible(on(table)) }),
  };
};

const open = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
): Promise<{ share: DashboardShareRow; context: Context }> => {
  const share = await findShared(services, shareId);
  if (share.passwordHash !== null && !hasPass(services, share, headers))
    throw new ApiError('unauthorized_share', 'This share wants its password first', { passwordRequired: true });
  const { caller, ...rest } = services;
  const db = services.db.at({ resource: share.baseId, holders: [share.shareId] }, caller);
  const place = { type: 'base', id: share.baseId } as const;
  const context = await contextOf(
    rest,
    db,
    share.sharedBy,
    place,
    ['base|read', 'table|read', 'record|read'],
    services.requestId,
  ).catch((error: unknown) => {
    // The one who shared it is gone, or may not see it any more.
    throw error instanceof ApiError && error.passes === 'no' ? unknown() : error;
  });
  const principal = { ...context.principal, scopes };
  const access = { ...context.access, principal, rights: forVisitors(context.access.rights) };
  return { share, context: { ...context, principal, access } };
};

export const authDashboardShare = async (
  services: PublicContext,
  shareId: string,
  password: string,
  ip: string,
): Promise<Answer> => enterShare(services, await findShared(services, shareId), password, ip);

export const getSharedDashboard = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
): Promise<{ name: string; items: DashboardItem[] }> => {
  const { share, context } = await open(services, shareId, headers);
  const items: DashboardItem[] = [];
  const sights = sightsFor(context, share.baseId);
  for (const row of await selectItems(context.db, share.dashboardId)) {
    const { chart, ...item } = await itemVo(context, sights, row);
    items.push(chart?.type === 'text' ? { ...item, chart } : item);
  }
  return { name: share.name, items };
};

const withoutFilter = ({ filter: _filter, ...group }: ChartGroup): ChartGroup => group;

/** Without filters, which tell of more than the chart shows. */
const forShare = (data: ChartData): ChartData => {
  if (data.kind === 'broken' || data.kind === 'text') return data;
  const { filter: _filter, viewId: _viewId, ...rest } = data;
  switch (rest.kind) {
    case 'groups':
      return {
        ...rest,
        groups: rest.groups.map(withoutFilter),
        series: rest.series.map((one) => (one.group === undefined ? one : { ...one, group: withoutFilter(one.group) })),
      };
    case 'points':
      return {
        ...rest,
        series: rest.series.map((one) => (one.group === undefined ? one : { ...one, group: withoutFilter(one.group) })),
      };
    case 'number':
      return rest.trend === undefined
        ? rest
        : { ...rest, trend: { ...rest.trend, groups: rest.trend.groups.map(withoutFilter) } };
    case 'pivot':
      return {
        ...rest,
        rows: rest.rows.map((path) => path.map(withoutFilter)),
        columns: rest.columns.map((path) => path.map(withoutFilter)),
      };
    case 'records':
      return rest;
  }
};

export const getSharedChartData = async (
  services: PublicContext,
  { shareId, itemId }: { shareId: string; itemId: string },
  headers: IncomingHttpHeaders,
): Promise<Answer> => {
  const { share, context } = await open(services, shareId, headers);
  const item = await selectItem(context.db, { ...share, itemId });
  if (item === undefined) throw notFound('Chart', itemId.slice(0, 50));
  const answer = await chartAnswer(context, share.baseId, item, [], headers['if-none-match'], forShare);
  answer.mayShowFiles = false;
  return answer;
};
