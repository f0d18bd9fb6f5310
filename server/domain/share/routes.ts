import * as contract from '@rowhouse/contract/share.ts';
import * as short from '@rowhouse/contract/short-link.ts';
import * as socket from '@rowhouse/contract/share-socket.ts';
import * as dashboard from '@rowhouse/contract/dashboard-share.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { authShare } from './auth-share.ts';
import { disableShare, enableShare, refreshShareId } from './change-share.ts';
import { copyShare } from './copy-share.ts';
import { copyShareToBase } from './copy-to-base.ts';
import { getShare } from './get-share.ts';
import { listShareLinkRecords } from './list-share-links.ts';
import { listShareCollaborators } from './list-share-people.ts';
import {
  getShareFieldDocIds,
  getShareFieldSnapshots,
  getShareRecordDocIds,
  getShareRecordSnapshots,
  getShareViewDocIds,
  getShareViewSnapshots,
} from './read-documents.ts';
import {
  getShareAggregations,
  getShareCalendar,
  getShareGroupPoints,
  getShareRowCount,
  getShareSearchCount,
  getShareSearchIndex,
  listShareRecords,
} from './read-share.ts';
import { readShareFile } from './read-share-file.ts';
import { authDashboardShare, getSharedChartData, getSharedDashboard } from './read-shared-dashboard.ts';
import { shareDashboard, unshareDashboard } from './share-dashboard.ts';
import { createShareSignature, notifyShareFile } from './share-files.ts';
import { setShareMeta } from './set-share-meta.ts';
import { endSpaceShare, listSpaceShares } from './space-shares.ts';
import { createShortLink, getShortLink } from './short-link.ts';
import { submitShareForm } from './submit-share-form.ts';

export const shareRoutes: Route[] = [
  route(short.createShortLink, (context, { body }) => createShortLink(context, body)),
  route(short.getShortLink, (context, { params }) => getShortLink(context, params.code)),
  route(contract.enableShare, (context, { params }) => enableShare(context, params)),
  route(contract.disableShare, (context, { params }) => disableShare(context, params)),
  route(contract.refreshShareId, (context, { params }) => refreshShareId(context, params)),
  route(contract.setShareMeta, (context, { params, body }) => setShareMeta(context, params, body)),
  route(contract.authShare, (context, { params, body, ip }) => authShare(context, params.shareId, body.password, ip)),
  route(contract.getShare, (context, { params, headers, ip }) => getShare(context, params.shareId, headers, ip)),
  route(contract.listShareRecords, (context, { params, headers, query }) =>
    listShareRecords(context, params.shareId, headers, query),
  ),
  route(contract.getShareAggregations, (context, { params, headers, query }) =>
    getShareAggregations(context, params.shareId, headers, query),
  ),
  route(contract.getShareRowCount, (context, { params, headers, query }) =>
    getShareRowCount(context, params.shareId, headers, query),
  ),
  route(contract.getShareGroupPoints, (context, { params, headers, query }) =>
    getShareGroupPoints(context, params.shareId, headers, query),
  ),
  route(contract.getShareSearchCount, (context, { params, headers, query }) =>
    getShareSearchCount(context, params.shareId, headers, query),
  ),
  route(contract.getShareSearchIndex, (context, { params, headers, query }) =>
    getShareSearchIndex(context, params.shareId, headers, query),
  ),
  route(contract.getShareCalendar, (context, { params, headers, query }) =>
    getShareCalendar(context, params.shareId, headers, query),
  ),
  route(contract.copyShare, (context, { params, headers, query }) =>
    copyShare(context, params.shareId, headers, query),
  ),
  route(contract.copyShareToBase, (context, { params, headers, body }) =>
    copyShareToBase(context, params.shareId, headers, body),
  ),
  route(contract.listShareLinkRecords, (context, { params, headers, query }) =>
    listShareLinkRecords(context, params.shareId, headers, query),
  ),
  route(contract.listShareCollaborators, (context, { params, headers, query }) =>
    listShareCollaborators(context, params.shareId, headers, query),
  ),
  route(contract.submitShareForm, (context, { params, headers, ip, body }) =>
    submitShareForm(context, params.shareId, headers, ip, body),
  ),
  route(contract.createShareSignature, (context, { params, headers, ip, body }) =>
    createShareSignature(context, params.shareId, headers, ip, body),
  ),
  route(contract.notifyShareFile, (context, { params, headers, query }) =>
    notifyShareFile(context, params.shareId, headers, params.token, query.filename),
  ),
  route(contract.readShareFile, (context, { params, query, headers }) =>
    readShareFile(context, params, query, headers),
  ),
  route(socket.getShareViewDocIds, (context, { params, headers }) =>
    getShareViewDocIds(context, params.shareId, headers),
  ),
  route(socket.getShareViewSnapshots, (context, { params, headers, query }) =>
    getShareViewSnapshots(context, params.shareId, headers, query.ids),
  ),
  route(socket.getShareFieldDocIds, (context, { params, headers }) =>
    getShareFieldDocIds(context, params.shareId, headers),
  ),
  route(socket.getShareFieldSnapshots, (context, { params, headers, query }) =>
    getShareFieldSnapshots(context, params.shareId, headers, query.ids),
  ),
  route(socket.getShareRecordDocIds, (context, { params, headers, query }) =>
    getShareRecordDocIds(context, params.shareId, headers, query),
  ),
  route(socket.getShareRecordSnapshots, (context, { params, headers, query }) =>
    getShareRecordSnapshots(context, params.shareId, headers, query),
  ),
  route(dashboard.shareDashboard, (context, { params, body }) => shareDashboard(context, params, body)),
  route(dashboard.unshareDashboard, (context, { params }) => unshareDashboard(context, params)),
  route(dashboard.authDashboardShare, (context, { params, body, ip }) =>
    authDashboardShare(context, params.shareId, body.password, ip),
  ),
  route(dashboard.getSharedDashboard, (context, { params, headers }) =>
    getSharedDashboard(context, params.shareId, headers),
  ),
  route(dashboard.getSharedChartData, (context, { params, headers }) => getSharedChartData(context, params, headers)),
  route(contract.listSpaceShares, (context, { params }) => listSpaceShares(context, params.spaceId)),
  route(contract.endSpaceShare, (context, { params }) => endSpaceShare(context, params.spaceId, params.shareId)),
];
