// An entry of the audit log as administrators, exports and the stream have it.
import type { InstanceAuditEntry } from '@rowhouse/contract/admin-audit.ts';
import { csvLine } from '../../endpoint/csv-line.ts';
import type { InstanceAuditRow } from './instance-audit.sql.ts';
import { timeOf } from './page.sql.ts';

/** What it is about, the narrowest first. */
const idKeys = ['viewId', 'fieldId', 'tableId', 'baseId', 'spaceId', 'tokenId', 'jobId', 'userId'] as const;

const resourceOf = ({ target, spaceIds }: InstanceAuditRow): string | undefined => {
  for (const key of idKeys) if (typeof target[key] === 'string') return target[key];
  return spaceIds.length === 1 ? spaceIds[0] : undefined;
};

export const showInstanceEntry = (row: InstanceAuditRow): InstanceAuditEntry => {
  const resourceId = resourceOf(row);
  return {
    id: row.id,
    createdTime: timeOf(row.time),
    action: row.action,
    userId: row.actorId,
    userName: row.actorName,
    ...(resourceId === undefined ? {} : { resourceId }),
    spaceIds: row.spaceIds,
    origin: {
      ip: row.ip ?? '',
      byApi: row.via === 'token' || row.via === 'application',
      ...(row.userAgent === null ? {} : { userAgent: row.userAgent }),
      via: row.via,
      credentialId: row.credentialId,
    },
    payloadVersion: 1,
    payload: row.target,
  };
};

export const jsonLine = (row: InstanceAuditRow): string => `${JSON.stringify(showInstanceEntry(row))}\n`;

export const csvHead = csvLine([
  'id',
  'time',
  'action',
  'userId',
  'userName',
  'resourceId',
  'spaceIds',
  'via',
  'credentialId',
  'ip',
  'userAgent',
  'payload',
]);

export const csvOf = (row: InstanceAuditRow): string => {
  const { id, createdTime, action, userId, userName, resourceId, spaceIds, origin, payload } = showInstanceEntry(row);
  return csvLine([
    id,
    createdTime,
    action,
    userId ?? '',
    userName ?? '',
    resourceId ?? '',
    spaceIds.join(' '),
    origin.via,
    origin.credentialId ?? '',
    origin.ip,
    origin.userAgent ?? '',
    JSON.stringify(payload),
  ]);
};
