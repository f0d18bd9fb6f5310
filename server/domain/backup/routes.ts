import * as contract from '@rowhouse/contract/base-file.ts';
import { Answer, route, type Route } from '../../endpoint/route.ts';
import { exportBase } from './export-base.ts';
import { importBase, importBaseStream } from './import-base.ts';

export const backupRoutes: Route[] = [
  route(
    contract.exportBase,
    async (context, { params, query }) =>
      new Answer({ headers: { 'x-job-id': await exportBase(context, params.baseId, query.history ?? true) } }),
  ),
  route(contract.importBaseStream, async (context, { body }) => importBaseStream(context, body)),
  route(contract.importBase, async (context, { body }) => {
    const { jobId, body: answer } = await importBase(context, body);
    return new Answer({ body: answer, headers: { 'x-job-id': jobId } });
  }),
];
