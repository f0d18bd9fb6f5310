import * as contract from '@rowhouse/contract/import.ts';
import { Answer, route, type Route } from '../../endpoint/route.ts';
import { analyzeImport } from './analyze-import.ts';
import { importRecords } from './import-records.ts';
import { importTables } from './import-tables.ts';

const jobHeader = (jobIds: readonly string[]): Record<string, string> =>
  jobIds.length === 0 ? {} : { 'x-job-id': jobIds.join(', ') };

export const importRoutes: Route[] = [
  route(contract.analyzeImport, (context, { query }) => analyzeImport(context, query)),
  route(contract.importTables, async (context, { body }) => {
    const { tables, jobIds } = await importTables(context, body);
    return new Answer({ body: tables, headers: jobHeader(jobIds) });
  }),
  route(
    contract.importRecords,
    async (context, { params, body }) =>
      new Answer({ headers: jobHeader([await importRecords(context, params.baseId, body)]) }),
  ),
];
