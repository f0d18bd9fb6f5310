import { downloadAttachments as downloadAttachmentsEndpoint } from '@rowhouse/contract/attachment.ts';
import * as contract from '@rowhouse/contract/export.ts';
import { guardedRoute, type Route } from '../../endpoint/route.ts';
import { downloadAttachments } from './download-files.ts';
import { exportCsv } from './export-csv.ts';

export const exportRoutes: Route[] = [
  guardedRoute(contract.exportCsv, (request, { query, recheck }) => exportCsv(request, query, recheck)),
  guardedRoute(downloadAttachmentsEndpoint, (request, { params }) => downloadAttachments(request, params)),
];
