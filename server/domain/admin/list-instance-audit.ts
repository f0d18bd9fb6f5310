import type {
  exportInstanceAudit as exportEndpoint,
  listInstanceAudit as endpoint,
} from '@rowhouse/contract/admin-audit.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { StreamAnswer } from '../../endpoint/route.ts';
import { readTime } from '../audit/list-audit-log.ts';
import { type InstanceAuditFilter, selectInstanceAudit, selectInstanceAuditAfter } from './instance-audit.sql.ts';
import { csvHead, csvOf, jsonLine, showInstanceEntry } from './show-entry.ts';

const readFilter = ({
  userId,
  action,
  resourceId,
  startTime,
  endTime,
}: QueryOf<typeof endpoint>): InstanceAuditFilter => ({
  userId,
  action,
  resourceId,
  from: readTime(startTime, 'query.startTime'),
  until: readTime(endTime, 'query.endTime'),
});

export const listInstanceAudit = async (
  { db }: Pick<Context, 'db'>,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const { skip = 0, take = 20, before } = query;
  const rows = await selectInstanceAudit(db, readFilter(query), { skip, take, before });
  return { items: rows.map(showInstanceEntry) };
};

const pageSize = 2_000;

async function* parts(
  { db }: Pick<Context, 'db'>,
  filter: InstanceAuditFilter,
  format: 'csv' | 'jsonl',
): AsyncGenerator<Buffer> {
  if (format === 'csv') yield Buffer.from(csvHead);
  for (let after = '0'; ; ) {
    const rows = await selectInstanceAuditAfter(db, filter, after, pageSize);
    if (rows.length > 0) yield Buffer.from(rows.map(format === 'csv' ? csvOf : jsonLine).join(''));
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.id as string;
  }
}

export const exportInstanceAudit = async (
  context: Context,
  query: QueryOf<typeof exportEndpoint>,
): Promise<StreamAnswer> => {
  const { format } = query;
  const filter = readFilter(query);
  await writeAudit(context.db, doerOf(context), 'audit.exported', {}, { format });
  return new StreamAnswer(parts(context, filter, format), {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="audit-log.${format}"`,
  });
};
