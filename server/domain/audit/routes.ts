import * as contract from '@rowhouse/contract/audit.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { exportAuditLog } from './export-audit-log.ts';
import { listAuditLog } from './list-audit-log.ts';

export const auditRoutes: Route[] = [
  route(contract.listAuditLog, (context, { params, query }) => listAuditLog(context, params.spaceId, query)),
  route(contract.exportAuditLog, (context, { params, query }) => exportAuditLog(context, params.spaceId, query)),
];
