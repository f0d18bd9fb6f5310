import type { AuditEntry, exportAuditLog as endpoint } from '@rowhouse/contract/audit.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { selectAuditLog } from './audit-log.sql.ts';
import { csvLine } from '../../endpoint/csv-line.ts';
import { readFilter, showEntry } from './list-audit-log.ts';

const most = 100_000;
const pageSize = 5_000;

const columns = [
  'id',
  'time',
  'action',
  'actorId',
  'actorName',
  'actorEmail',
  'via',
  'credentialId',
  'credentialName',
  'ip',
  'userAgent',
  'target',
];

const lineOf = ({
  id,
  time,
  action,
  actor,
  via,
  credentialId,
  credentialName,
  ip,
  userAgent,
  target,
}: AuditEntry): string =>
  csvLine([
    id,
    time,
    action,
    actor?.id ?? '',
    actor?.name ?? '',
    actor?.email ?? '',
    via,
    credentialId ?? '',
    credentialName ?? '',
    ip ?? '',
    userAgent ?? '',
    JSON.stringify(target),
  ]);

export const exportAuditLog = async (
  context: Context,
  spaceId: string,
  query: QueryOf<typeof endpoint>,
): Promise<Answer> => {
  const { db, principal } = context;
  demandFeature(context, 'auditLogEnable');
  const filter = readFilter(query);
  const entries: AuditEntry[] = [];
  for (let before: string | undefined; ; before = entries.at(-1)?.id) {
    const rows = await selectAuditLog(db, spaceId, { ...filter, before, take: pageSize });
    for (const row of rows) entries.push(showEntry(principal, row));
    if (entries.length > most)
      throw invalid({
        path: 'query.from',
        message: `More than ${most} entries; ask for a shorter time with from and until`,
      });
    if (rows.length < pageSize) break;
  }
  await writeAudit(
    db,
    doerOf(context),
    'audit.exported',
    { spaceIds: [spaceId] },
    { entries: entries.length, format: query.format },
  );
  const isCsv = query.format === 'csv';
  const text = isCsv ? [csvLine(columns), ...entries.map(lineOf)].join('') : JSON.stringify(entries);
  return new Answer({
    text,
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="audit-log-${spaceId}.${query.format}"`,
    },
  });
};
