import type { AuditEntry, listAuditLog as endpoint } from '@rowhouse/contract/audit.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { eyesOf, type Principal, shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { type AuditFilter, type AuditRow, selectAuditLog } from './audit-log.sql.ts';

const usualPage = 50;

export const readTime = (text: string | undefined, path: string): Date | undefined => {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw invalid({ path, message: 'Expected a date and time', expected: '2030-01-31T12:00:00Z' });
  return time;
};

export const readFilter = (
  query: Pick<QueryOf<typeof endpoint>, 'action' | 'userId' | 'from' | 'until'>,
): Omit<AuditFilter, 'take'> => ({
  action: query.action,
  userId: query.userId,
  from: readTime(query.from, 'query.from'),
  until: readTime(query.until, 'query.until'),
});

export const showEntry = (
  principal: Principal,
  { actorId, actorName, actorEmail, target, ...entry }: AuditRow,
): AuditEntry => {
  const { seesEmails } = eyesOf(principal);
  const { emails, ...others } = target;
  return {
    ...entry,
    target: seesEmails || emails === undefined ? target : others,
    actor:
      actorId === null
        ? null
        : {
            id: actorId,
            name: actorName ?? '',
            ...(seesEmails ? { email: shownEmail(principal, actorEmail ?? '') } : {}),
          },
  };
};

const longestCursor = 18;

export const listAuditLog = async (
  context: Context,
  spaceId: string,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const { db, principal } = context;
  demandFeature(context, 'auditLogEnable');
  const take = query.take ?? usualPage;
  const { cursor } = query;
  if (cursor !== undefined && cursor.length > longestCursor)
    throw invalid({
      path: 'query.cursor',
      message: 'There is no such page',
      expected: 'nextCursor of the page before',
    });
  const rows = await selectAuditLog(db, spaceId, { ...readFilter(query), before: cursor, take: take + 1 });
  const entries = rows.slice(0, take).map((row) => showEntry(principal, row));
  return { entries, nextCursor: rows.length > take ? (entries.at(-1)?.id ?? null) : null };
};
