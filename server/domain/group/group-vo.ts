import type { listGroups } from '@rowhouse/contract/group.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { UserGroup } from './group.sql.ts';

export type GroupVo = ResponseOf<typeof listGroups>[number];

export const groupVo = ({ parentId, spaceId, organizationId, ...rest }: UserGroup): GroupVo => ({
  ...rest,
  ...(parentId === null ? {} : { parentId }),
  ...(spaceId === null ? {} : { spaceId }),
  ...(organizationId === null ? {} : { organizationId }),
});
