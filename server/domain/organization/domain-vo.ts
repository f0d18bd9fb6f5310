import type { ClaimedDomain } from '@rowhouse/contract/enterprise.ts';
import type { DomainRow } from './domain.sql.ts';

export const recordOf = ({ domain, token }: Pick<DomainRow, 'domain' | 'token'>): { name: string; value: string } => ({
  name: `_rowhouse.${domain}`,
  value: `rowhouse-verification=${token}`,
});

export const domainVo = (row: DomainRow): ClaimedDomain => {
  const { organizationId: _organization, token: _token, ...rest } = row;
  const { name, value } = recordOf(row);
  return { ...rest, recordName: name, recordValue: value, isVerified: rest.verifiedTime !== null };
};
